"""The paper's scores of agents on test and training games, as printed, by our presets' names."""

from collections.abc import Mapping
from dataclasses import dataclass

from gata.errors import UsageError

LEVELS = (1, 2, 3, 4, 5)
SIZES = (20, 100)
"""Of the training sets in the paper's tables."""
BASELINE = "tr-dqn"
"""Improvements are relative to this row, Tr-DQN."""

Scores = tuple[float, float, float, float, float]


@dataclass(frozen=True)
class PaperRow:
    """A row of a table: normalised scores in percent, levels 1 to 5."""

    games20: Scores
    """After training on 20 games."""
    games100: Scores
    """After training on 100 games."""
    improvements: tuple[float, float, float] | None = None
    """Over Tr-DQN in percent: with 20 games, with 100 games, the mean of both. None: Tr-DQN."""

    def scores(self, size: int) -> Scores:
        """The scores of all levels after training on so many games."""
        if size not in SIZES:
            raise UsageError(f"the paper has no scores for {size} training games, only {SIZES}")
        return self.games20 if size == SIZES[0] else self.games100

    def improvement(self, size: int) -> float | None:
        """Over Tr-DQN in percent, after training on so many games."""
        return None if self.improvements is None else self.improvements[SIZES.index(size)]


TEST: Mapping[str, PaperRow] = {
    "tr-dqn": PaperRow((66.2, 26.0, 16.7, 18.2, 27.9), (62.5, 32.0, 38.3, 17.7, 34.6)),
    "tr-drqn": PaperRow(
        (62.5, 32.0, 28.3, 12.7, 26.5), (58.8, 31.0, 36.7, 21.4, 27.4), (10.3, -2.6, 3.9)
    ),
    "tr-drqn+": PaperRow(
        (65.0, 30.0, 35.0, 11.8, 18.3), (58.8, 33.0, 33.3, 19.5, 30.6), (10.7, -3.4, 3.6)
    ),
    "gata-og": PaperRow(
        (70.0, 20.0, 20.0, 18.6, 26.3), (62.5, 32.0, 46.7, 27.7, 35.4), (-0.2, 16.1, 8.0)
    ),
    "gata-og-init": PaperRow(
        (66.2, 28.0, 21.7, 15.9, 24.3), (66.2, 34.0, 40.0, 21.4, 34.0), (2.4, 7.2, 4.8)
    ),
    "gata-og-text": PaperRow(
        (66.2, 34.0, 30.0, 12.7, 24.3), (66.2, 38.0, 36.7, 27.3, 36.1), (13.5, 15.8, 14.6)
    ),
    "gata-og-text-init": PaperRow(
        (66.2, 48.0, 26.7, 15.5, 26.3), (66.2, 36.0, 58.3, 14.1, 45.0), (24.8, 16.1, 20.4)
    ),
    "gata-coc": PaperRow(
        (73.8, 42.0, 26.7, 20.9, 24.5), (62.5, 30.0, 51.7, 23.6, 36.0), (27.1, 13.2, 20.2)
    ),
    "gata-coc-init": PaperRow(
        (66.2, 29.0, 30.0, 18.2, 27.7), (66.2, 34.0, 41.7, 19.1, 40.3), (18.1, 9.1, 13.6)
    ),
    "gata-coc-text": PaperRow(
        (68.8, 33.0, 41.7, 17.7, 27.0), (62.5, 33.0, 46.7, 25.9, 33.4), (34.9, 13.6, 24.2)
    ),
    "gata-coc-text-init": PaperRow(
        (66.2, 44.0, 16.7, 20.0, 21.7), (70.0, 34.0, 45.0, 12.3, 36.2), (11.4, 2.0, 6.7)
    ),
    "gtp": PaperRow(
        (56.2, 23.0, 41.7, 11.4, 22.1), (45.0, 32.0, 30.0, 10.5, 17.4), (13.0, -28.0, -7.5)
    ),
    "gtp-ap": PaperRow(
        (50.0, 20.0, 25.0, 9.5, 24.3), (45.0, 31.0, 50.0, 15.9, 24.4), (-11.7, -8.0, -9.9)
    ),
    "gtp-sp": PaperRow(
        (45.0, 25.0, 38.3, 11.8, 22.6), (42.5, 32.0, 50.0, 11.4, 22.5), (7.9, -14.4, -3.3)
    ),
    "gtp-dgi": PaperRow(
        (56.2, 26.0, 40.0, 17.3, 17.7), (37.5, 31.0, 45.0, 13.6, 18.7), (16.6, -18.9, -1.2)
    ),
    "gtp-text": PaperRow(
        (73.8, 31.0, 28.3, 8.2, 22.5), (62.5, 29.0, 38.3, 13.2, 19.8), (5.2, -15.5, -5.2)
    ),
    "gtp-text-ap": PaperRow(
        (62.5, 32.0, 46.7, 12.3, 21.1), (58.8, 30.0, 40.0, 10.9, 29.2), (28.1, -12.4, 7.9)
    ),
    "gtp-text-sp": PaperRow(
        (65.0, 32.0, 41.7, 12.3, 23.5), (62.5, 32.0, 51.7, 21.8, 23.5), (24.6, 5.2, 14.9)
    ),
    "gtp-text-dgi": PaperRow(
        (75.0, 27.0, 33.3, 17.3, 24.3), (62.5, 31.0, 46.7, 19.5, 24.7), (19.7, 0.1, 9.9)
    ),
    "gtf": PaperRow(
        (83.8, 53.0, 33.3, 23.6, 24.8), (100.0, 90.0, 68.3, 37.3, 52.7), (49.7, 96.5, 73.1)
    ),
    "gtf-ap": PaperRow(
        (85.0, 39.0, 26.7, 26.4, 27.5), (92.5, 88.0, 63.3, 53.6, 51.6), (36.4, 108.0, 72.2)
    ),
    "gtf-sp": PaperRow(
        (48.7, 61.0, 46.7, 23.6, 28.9), (95.0, 95.0, 70.0, 37.3, 52.8), (64.2, 99.0, 81.6)
    ),
    "gtf-dgi": PaperRow(
        (85.0, 27.0, 31.7, 14.1, 22.1), (100.0, 40.0, 70.0, 31.8, 50.6), (15.7, 58.7, 37.2)
    ),
    "gtf-text": PaperRow(
        (92.5, 39.0, 30.0, 15.9, 23.6), (96.3, 56.0, 55.0, 14.5, 46.6), (28.3, 37.9, 33.1)
    ),
    "gtf-text-ap": PaperRow(
        (73.8, 36.0, 46.7, 25.9, 23.9), (85.0, 42.0, 68.3, 36.4, 47.5), (51.5, 57.7, 54.6)
    ),
    "gtf-text-sp": PaperRow(
        (62.5, 24.0, 36.7, 14.5, 28.6), (60.0, 43.0, 46.7, 25.0, 47.9), (17.7, 26.4, 21.1)
    ),
    "gtf-text-dgi": PaperRow(
        (81.2, 30.0, 25.0, 16.8, 30.7), (73.8, 39.0, 48.3, 15.0, 40.6), (18.0, 13.6, 15.8)
    ),
}
"""Test scores of the agent that did best on the validation games (its Table 6, in part Table 2)."""

TRAINING: Mapping[str, PaperRow] = {
    "tr-dqn": PaperRow((90.8, 36.9, 69.3, 31.5, 61.2), (63.4, 33.2, 66.1, 31.9, 55.2)),
    "tr-drqn": PaperRow(
        (88.8, 41.7, 76.6, 29.6, 60.7), (60.8, 33.7, 71.7, 30.6, 44.9), (2.9, -3.4, -0.2)
    ),
    "tr-drqn+": PaperRow(
        (89.1, 35.6, 78.0, 30.9, 58.1), (61.1, 32.8, 70.0, 30.0, 50.3), (0.0, -2.8, -1.4)
    ),
    "gata-og": PaperRow(
        (87.9, 40.4, 40.1, 30.8, 50.1), (65.1, 34.6, 51.2, 32.0, 41.8), (-11.2, -7.9, -9.6)
    ),
    "gata-og-init": PaperRow(
        (88.8, 40.8, 40.1, 32.1, 48.2), (63.8, 33.9, 51.9, 32.6, 39.3), (-10.6, -9.1, -9.8)
    ),
    "gata-og-text": PaperRow(
        (90.2, 35.4, 69.0, 32.0, 62.8), (63.9, 41.2, 72.2, 32.2, 50.8), (-0.2, 5.4, 2.6)
    ),
    "gata-og-text-init": PaperRow(
        (90.0, 57.1, 70.6, 31.7, 57.9), (64.2, 38.9, 72.5, 32.4, 50.1), (10.2, 4.1, 7.1)
    ),
    "gata-coc": PaperRow(
        (89.0, 43.1, 41.2, 31.8, 48.7), (65.8, 33.4, 51.5, 29.1, 44.0), (-9.0, -9.4, -9.2)
    ),
    "gata-coc-init": PaperRow(
        (89.6, 41.0, 39.2, 31.9, 54.4), (65.8, 33.4, 48.6, 31.2, 47.2), (-8.7, -7.8, -8.2)
    ),
    "gata-coc-text": PaperRow(
        (90.9, 41.4, 66.1, 31.3, 58.8), (67.1, 33.1, 73.6, 29.9, 51.2), (0.6, 0.7, 0.6)
    ),
    "gata-coc-text-init": PaperRow(
        (90.2, 50.8, 66.4, 31.9, 59.3), (67.4, 41.5, 66.6, 31.4, 50.8), (6.2, 4.5, 5.4)
    ),
    "gtp": PaperRow(
        (73.3, 34.5, 50.5, 21.7, 43.5), (49.3, 31.1, 54.3, 25.1, 28.8), (-22.6, -23.1, -22.8)
    ),
    "gtp-ap": PaperRow(
        (68.4, 34.8, 61.3, 23.8, 43.1), (40.9, 31.3, 55.4, 24.8, 28.8), (-19.2, -25.7, -22.4)
    ),
    "gtp-sp": PaperRow(
        (62.7, 38.1, 57.5, 23.5, 44.1), (50.2, 30.8, 55.0, 23.7, 28.0), (-19.6, -24.0, -21.8)
    ),
    "gtp-dgi": PaperRow(
        (64.9, 37.0, 55.6, 25.7, 47.4), (43.4, 31.8, 58.3, 25.3, 30.2), (-17.8, -22.7, -20.3)
    ),
    "gtp-text": PaperRow(
        (77.5, 33.9, 45.6, 26.3, 40.2), (59.5, 32.3, 55.4, 29.1, 27.6), (-21.6, -16.8, -19.2)
    ),
    "gtp-text-ap": PaperRow(
        (87.5, 35.8, 50.4, 22.3, 45.4), (61.3, 32.2, 56.3, 25.3, 33.0), (-17.8, -16.4, -17.1)
    ),
    "gtp-text-sp": PaperRow(
        (80.0, 35.5, 50.2, 23.5, 44.0), (57.3, 32.1, 58.3, 27.1, 29.2), (-19.4, -17.4, -18.4)
    ),
    "gtp-text-dgi": PaperRow(
        (70.3, 33.9, 51.4, 26.3, 42.1), (57.7, 32.7, 55.6, 28.8, 29.8), (-20.9, -16.4, -18.6)
    ),
    "gtf": PaperRow(
        (98.6, 58.4, 95.6, 36.1, 80.9), (96.0, 53.4, 97.9, 36.0, 76.4), (30.3, 42.3, 36.3)
    ),
    "gtf-ap": PaperRow(
        (98.7, 97.5, 98.3, 48.1, 79.3), (97.1, 74.7, 98.3, 44.5, 75.9), (59.4, 60.8, 60.1)
    ),
    "gtf-sp": PaperRow(
        (100.0, 96.9, 98.3, 44.9, 76.6), (98.6, 90.5, 99.0, 38.9, 73.4), (56.5, 66.6, 61.5)
    ),
    "gtf-dgi": PaperRow(
        (96.9, 45.4, 95.3, 28.7, 72.6), (98.2, 39.1, 90.1, 33.0, 62.4), (15.4, 25.1, 20.2)
    ),
    "gtf-text": PaperRow(
        (91.7, 55.9, 80.9, 33.6, 63.2), (73.5, 48.1, 67.7, 31.8, 56.7), (15.8, 13.1, 14.5)
    ),
    "gtf-text-ap": PaperRow(
        (87.9, 62.4, 78.8, 32.4, 62.8), (76.8, 54.0, 73.7, 34.1, 55.6), (17.0, 20.6, 18.8)
    ),
    "gtf-text-sp": PaperRow(
        (90.7, 55.8, 83.8, 30.7, 64.2), (60.4, 40.1, 67.4, 31.1, 51.5), (14.9, 1.8, 8.3)
    ),
    "gtf-text-dgi": PaperRow(
        (88.1, 38.1, 73.0, 32.5, 62.5), (66.4, 35.5, 59.1, 30.4, 49.6), (2.2, -2.8, -0.3)
    ),
}
"""The best scores on the training games, means over three seeds (its Table 5)."""

MAIN_ROWS = (
    "tr-dqn",
    "tr-drqn",
    "tr-drqn+",
    "gata-og",
    "gata-og-text-init",
    "gata-coc",
    "gata-coc-text",
    "gtp-dgi",
    "gtp-text-sp",
    "gtf-sp",
)
"""The rows of the table in the paper's text: of each kind of agent, the graph encoder with the best
improvement in the full table."""
