"""The agents of the paper: one preset per row of its tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from gata.agents.selector import Uses
from gata.errors import UsageError
from gata.names import did_you_mean

BeliefKind = Literal["none", "continuous", "discrete", "given"]


@dataclass(frozen=True)
class Preset:
    """How an agent is put together."""

    name: str
    """What ``gata train --agent`` takes."""
    about: str
    """Which row of the paper's tables it is."""
    uses: Uses
    """What the action selector looks at."""
    belief: BeliefKind = "none"
    """Where the graph comes from: nowhere, from a trained updater (GATA), from update commands that
    a trained model writes (GATA-GTP), or from the game itself (GATA-GTF)."""
    updater: str | None = None
    """The trained updater: a name that ``gata.load`` takes, or a file. It is trained no further."""
    encoder: str | None = None
    """Where the graph encoder's first weights come from, named likewise; random if not given."""
    frozen: bool = False
    """Keep the graph encoder as it was loaded."""
    recurrent: bool = False
    """An LSTM remembers the states before."""
    counting: bool = False
    """Observations that are new in an episode are rewarded."""
    action_in_text: bool = False
    """The text is the observation and the last command. The authors' code has it so for all agents
    but GATA, whose updater reads the command anyway."""

    def __post_init__(self) -> None:
        problem = ""
        if (self.belief == "none") != (self.uses == "text"):
            problem = f"uses {self.uses} with belief {self.belief}"
        elif (self.belief in ("continuous", "discrete")) != (self.updater is not None):
            problem = f"belief {self.belief} with updater {self.updater}"
        elif self.encoder is not None and self.uses == "text":
            problem = f"a graph encoder from {self.encoder}, but no graph,"
        elif self.frozen and self.encoder is None:
            problem = "a graph encoder that is frozen, but not loaded from anywhere"
        if problem:
            raise UsageError(f"agent {self.name}: {problem} makes no sense")


def find(name: str) -> Preset:
    """The preset of that name."""
    if name not in PRESETS:
        raise UsageError(
            f"no agent that can be trained is called {name!r}{did_you_mean(name, PRESETS)};"
            " `gata agents` lists all"
        )
    return PRESETS[name]


def _baselines() -> Iterator[Preset]:
    plain = Preset("tr-dqn", "Tr-DQN: text alone", "text", action_in_text=True)
    memory = replace(plain, name="tr-drqn", about="Tr-DRQN: text and a memory", recurrent=True)
    yield plain
    yield memory
    yield replace(
        memory, name="tr-drqn+", about="Tr-DRQN+: with a bonus for new observations", counting=True
    )


def _with_encoders(plain: Preset, encoders: Mapping[str, str]) -> Iterator[Preset]:
    """The agent with a random graph encoder, and with each trained one, fine-tuned and frozen."""
    yield plain
    for suffix, encoder in encoders.items():
        tuned = replace(
            plain,
            name=f"{plain.name}-{suffix}",
            about=f"{plain.about}; graph encoder from {encoder.partition('/')[2]}",
            encoder=encoder,
        )
        yield tuned
        yield replace(
            tuned, name=f"{tuned.name}-frozen", about=f"{tuned.about}, frozen", frozen=True
        )


def _family(plain: Preset, encoders: Mapping[str, str]) -> Iterator[Preset]:
    """Graph alone, and text and graph."""
    yield from _with_encoders(plain, encoders)
    both = replace(plain, name=f"{plain.name}-text", about=f"{plain.about} and text", uses="both")
    yield from _with_encoders(both, encoders)


def _all() -> Iterator[Preset]:
    yield from _baselines()
    for task in ("og", "coc"):
        about = f"GATA ({task.upper()}): continuous belief graph"
        gata = Preset(f"gata-{task}", about, "graph", "continuous", f"updater/{task}")
        yield from _family(gata, {"init": f"encoder/{task}"})
    gtp = Preset(
        "gtp",
        "GATA-GTP: discrete belief graph",
        "graph",
        "discrete",
        "updater/cg",
        action_in_text=True,
    )
    yield from _family(gtp, {task: f"encoder/{task}-seen" for task in ("ap", "sp", "dgi")})
    gtf = Preset("gtf", "GATA-GTF: the game's own graph", "graph", "given", action_in_text=True)
    yield from _family(gtf, {task: f"encoder/{task}-full" for task in ("ap", "sp", "dgi")})


PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in _all()}
"""By name. A graph encoder's origin comes last: ``gata-coc-text-init``, ``gtf-sp-frozen``."""
