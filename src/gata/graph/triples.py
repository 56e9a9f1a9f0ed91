"""An edge of a graph, by names."""

from typing import NamedTuple


class Triple(NamedTuple):
    """``source`` stands in ``relation`` to ``target``: ``(carrot, player, in)``. Lower case."""

    source: str
    target: str
    relation: str

    def __str__(self) -> str:
        return f"{self.source} {self.target} {self.relation}"

    def in_words(self) -> str:
        """For people: ``carrot in player``."""
        return f"{self.source} {self.relation.replace('_', ' ')} {self.target}"
