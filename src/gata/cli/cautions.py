"""What to know before a training begins."""

from collections.abc import Iterable
from pathlib import Path

from gata import console
from gata.rl.settings import LearningSettings


def tell_if_short(learning: LearningSettings, folders: Iterable[Path], where: Path) -> None:
    """Tell if runs are over before they explore less, are evaluated or learn.

    The defaults are for 100,000 episodes, and whoever gives fewer shall not wonder afterwards.

    Args:
        learning: of all runs.
        folders: of the runs; nothing is told if all have begun.
        where: the folder to name.
    """
    from gata.models.shipped import SETTINGS_FILE

    found = list(_shortcomings(learning))
    if found and not all((folder / SETTINGS_FILE).exists() for folder in folders):
        console.note(
            f"{where}: {learning.episodes} episodes are few for these settings: {'; '.join(found)}"
        )


def _shortcomings(learning: LearningSettings) -> Iterable[str]:
    """What does not happen in time, and the options that say when it would."""
    episodes, after = learning.episodes, learning.epsilon_after
    if learning.learn_after > episodes:
        yield f"nothing is learnt (--learn-after {learning.learn_after})"
    falls = learning.epsilon_start > learning.epsilon_end
    if falls and after + learning.epsilon_episodes > episodes:
        yield (
            f"{learning.epsilon(episodes):.0%} of the commands are random even in the end"
            f" (--epsilon-after {after}, --epsilon-episodes {learning.epsilon_episodes})"
        )
    if learning.evaluate_every > episodes:
        yield f"the only evaluation is at the end (--evaluate-every {learning.evaluate_every})"
