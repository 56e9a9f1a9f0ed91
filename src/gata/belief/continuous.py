"""The belief of GATA: 64 numbers that decode to a graph of real-valued edges."""

import torch
from torch import Tensor

from gata.belief.interface import Belief, BeliefGraph, Step
from gata.nn.branch import Branch
from gata.nn.continuous_updater import ContinuousUpdater


class ContinuousBelief(Belief):
    """h_t of a trained updater; the graph is f_d(h_t), all nodes are part of it."""

    def __init__(self, updater: ContinuousUpdater) -> None:
        self.updater = updater
        self.state_shape = (updater.cell.hidden_size,)
        self.state_dtype = updater.cell.weight_hh.dtype

    def initial(self, batch: int, device: torch.device | None = None) -> Tensor:
        """h_0 = 0."""
        return self.updater.initial(batch).to(device)

    @torch.no_grad()
    def update(self, state: Tensor, step: Step) -> Tensor:
        """One step of the updater."""
        encoders = self.updater.encoders
        tables = encoders.tables()
        branch = Branch("graph")
        with branch.aside():
            graph = self.updater.encode(state, tables)
        observation = encoders.text(step.observation, tables)
        action = encoders.text(step.action, tables)
        branch.join(*graph)
        result: Tensor = self.updater(state, graph, observation, action)
        return result

    @torch.no_grad()
    def graph(self, state: Tensor) -> BeliefGraph:
        """f_d(h_t)."""
        return BeliefGraph(self.updater.graph(state), self.updater.all_nodes(len(state)))
