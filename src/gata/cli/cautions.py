"""What to know before a training begins."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gata import console
from gata.rl.settings import LearningSettings

if TYPE_CHECKING:
    from gata.agents.presets import Preset


def tell_if_short(learning: LearningSettings, folders: Iterable[Path], where: Path) -> None:
    """Tell if runs are over before they explore less, are evaluated or learn.

    The defaults are for 100,000 episodes, and whoever gives fewer shall not wonder afterwards.

    Args:
        learning: of all runs.
        folders: of the runs; nothing is told if all have begun.
        where: the folder to name.
    """
    found = list(_shortcomings(learning))
    if found and not all(map(_has_begun, folders)):
        console.note(
            f"{where}: {learning.episodes} episodes are few for these settings: {'; '.join(found)}"
        )


def tell_if_idle(learning: LearningSettings, runs: "Mapping[Path, Preset]") -> None:
    """Tell which settings, if they are no defaults, change nothing for which agents.

    Args:
        learning: of all runs.
        runs: who learns in which folder; nothing is told of what has begun.
    """
    usual = LearningSettings()
    presets = {preset.name: preset for folder, preset in runs.items() if not _has_begun(folder)}
    idle: dict[tuple[str, str], list[str]] = {}
    for name, preset in presets.items():
        for setting, reason in _settings_without_effect(preset):
            if getattr(learning, setting) != getattr(usual, setting):
                idle.setdefault((setting, reason), []).append(name)
    for (setting, reason), names in idle.items():
        option = "--" + setting.replace("_", "-")
        who_has = "it has" if len(names) == 1 else "they have"
        console.note(f"{option} does nothing for {', '.join(names)}: {who_has} {reason}")
    if presets and not learning.scout_episodes and learning.scout_keep != usual.scout_keep:
        console.note("--scout-keep does nothing: without --scout-episodes nothing is scouted")


def _has_begun(folder: Path) -> bool:
    from gata.models.shipped import SETTINGS_FILE

    return (folder / SETTINGS_FILE).exists()


def _settings_without_effect(preset: "Preset") -> Iterator[tuple[str, str]]:
    """What an agent's learning never looks at, and what the agent has that it is so."""
    one_step = "a memory, and so returns of 1 step"
    if preset.recurrent:
        yield "multi_step", one_step
    else:
        yield "window", "no memory"
        yield "burn_in", "no memory"
    if not preset.counting:
        yield "bonus", "no bonus for new observations"
        yield "bonus_discount", "no bonus for new observations"
    elif preset.recurrent:
        yield "bonus_discount", one_step


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
