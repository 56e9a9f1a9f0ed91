"""The loops over edges, compiled by numba.

An edge is a row of numbers, (relation, row, column), its nodes being places in one list of the
nodes of all graphs. It counts twice: the row's node hears the column's by the relation r, and the
column's hears the row's by its inverse, r + R. Shapes: M nodes, T sources, K bases, H numbers of a
vector; of a source there are K vectors, one for each basis, and one more if nodes hear themselves.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gata import compiled

Function = TypeVar("Function", bound=Callable[..., Any])
Numbers = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Marks = npt.NDArray[np.bool_]

_FOLDER = compiled.kernel_folder(compiled.digest_of((Path(__file__), Path(compiled.__file__))))
_SUMS_IN_ANY_ORDER = {"reassoc", "nsz", "contract"}
"""Lets a processor add several numbers at once; nothing is supposed of what they are."""


def _kernel(function: Function) -> Function:
    return compiled.kernel(function, _FOLDER, fastmath=_SUMS_IN_ANY_ORDER)


@_kernel
def find_edges(adjacency: Numbers, present: Marks) -> tuple[Places, Places, Numbers]:
    """Where the edges of a batch of graphs are.

    Args:
        adjacency: (B, R, N, N).
        present: (B, N), nodes that are listed though they have no edge.

    Returns:
        (M,) where each listed node stands among all B * N, ascending; (edges, 3) and (edges,) the
        edges and their strengths, graph by graph.
    """
    batch, relations, nodes, _ = adjacency.shape
    places = np.full((batch, nodes), -1, np.int64)
    count = 0
    for b in range(batch):
        for i in range(nodes):
            if present[b, i]:
                places[b, i] = 0
        for r in range(relations):
            for i in range(nodes):
                for j in range(nodes):
                    if adjacency[b, r, i, j] != 0:
                        places[b, i] = 0
                        places[b, j] = 0
                        count += 1
    listed = np.empty(batch * nodes, np.int64)
    size = 0
    for b in range(batch):
        for i in range(nodes):
            if places[b, i] == 0:
                listed[size] = b * nodes + i
                places[b, i] = size
                size += 1
    edges = np.empty((count, 3), np.int64)
    strengths = np.empty(count, adjacency.dtype)
    e = 0
    for b in range(batch):
        for r in range(relations):
            for i in range(nodes):
                for j in range(nodes):
                    strength = adjacency[b, r, i, j]
                    if strength != 0:
                        edges[e, 0] = r
                        edges[e, 1] = places[b, i]
                        edges[e, 2] = places[b, j]
                        strengths[e] = strength
                        e += 1
    return listed[:size].copy(), edges, strengths


@_kernel
def add_messages(
    edges: Places,
    strengths: Numbers,
    sources: Numbers,
    rows: Places,
    coefficients: Numbers,
    spoken: Numbers,
    messages: Numbers,
) -> None:
    """Write what each node hears.

    Args:
        edges: (edges, 3).
        strengths: (edges,).
        sources: (T, K or K + 1, H), what is said.
        rows: (M,) which of them each node says.
        coefficients: (K, 2R), how much of each basis goes by each relation.
        spoken: (2R + 1, H), what each relation says by itself; the last is said to every node.
        messages: (M, H), the result.
    """
    bases, kinds = coefficients.shape
    terms, size = sources.shape[1:]
    for m in range(len(rows)):
        for h in range(size):
            messages[m, h] = spoken[kinds, h]
        if terms > bases:
            for h in range(size):
                messages[m, h] += sources[rows[m], bases, h]
    for e in range(len(edges)):
        for way in range(2):
            kind = edges[e, 0] + way * (kinds // 2)
            hearer = edges[e, 1 + way]
            row = rows[edges[e, 2 - way]]
            for h in range(size):
                messages[hearer, h] += strengths[e] * spoken[kind, h]
            for k in range(bases):
                factor = strengths[e] * coefficients[k, kind]
                for h in range(size):
                    messages[hearer, h] += factor * sources[row, k, h]


@_kernel
def add_gradients(
    edges: Places,
    strengths: Numbers,
    sources: Numbers,
    rows: Places,
    coefficients: Numbers,
    wanted: Numbers,
    of_sources: Numbers,
    of_coefficients: Numbers,
    of_spoken: Numbers,
) -> None:
    """Add up gradients, given those of the messages.

    Args:
        edges: as in ``add_messages``, like the four that follow.
        strengths: see there.
        sources: see there.
        rows: see there.
        coefficients: see there.
        wanted: (M, H), gradients of the messages.
        of_sources: (T, K or K + 1, H), zeros that become gradients, like the rest.
        of_coefficients: (K, 2R).
        of_spoken: (2R + 1, H).
    """
    bases, kinds = coefficients.shape
    terms, size = sources.shape[1:]
    for m in range(len(rows)):
        for h in range(size):
            of_spoken[kinds, h] += wanted[m, h]
        if terms > bases:
            for h in range(size):
                of_sources[rows[m], bases, h] += wanted[m, h]
    for e in range(len(edges)):
        for way in range(2):
            kind = edges[e, 0] + way * (kinds // 2)
            hearer = edges[e, 1 + way]
            row = rows[edges[e, 2 - way]]
            for h in range(size):
                of_spoken[kind, h] += strengths[e] * wanted[hearer, h]
            for k in range(bases):
                factor = strengths[e] * coefficients[k, kind]
                product = 0.0
                for h in range(size):
                    of_sources[row, k, h] += factor * wanted[hearer, h]
                    product += wanted[hearer, h] * sources[row, k, h]
                of_coefficients[k, kind] += strengths[e] * product
