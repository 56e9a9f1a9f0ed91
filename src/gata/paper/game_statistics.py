"""The paper's table of game statistics (its Table 1), as printed."""

from gata.evaluation.game_statistics import GameStatistics

PAPER: dict[int, GameStatistics] = {
    1: GameStatistics(1, 1, 4, True, False, 11.5, None, 17.1),
    2: GameStatistics(1, 1, 5, True, True, 11.8, None, 17.5),
    3: GameStatistics(1, 9, 3, False, False, 7.2, None, 34.1),
    4: GameStatistics(3, 6, 11, True, True, 28.4, None, 33.4),
}
"""By level."""
