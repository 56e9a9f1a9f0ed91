"""The ``gata`` command: one thin tree over the rooms of the library.

Each command is a frozen dataclass whose fields are its options and whose ``run`` does the work,
so the help text, the defaults and the settings cannot drift apart. One module per room; heavy
imports stay inside ``run``, so that ``gata --help`` is quick.
"""

import os
import sys
from dataclasses import dataclass
from typing import Annotated, Protocol

import tyro

from gata import __version__, console
from gata.cli.agents import ABOUT_AGENTS, Agents
from gata.cli.bench import BenchCommands
from gata.cli.engine import EngineCommands
from gata.cli.evaluate import Evaluate
from gata.cli.games import GamesCommands
from gata.cli.graph import GraphCommands
from gata.cli.models import ModelsCommands
from gata.cli.play import Play
from gata.cli.pretrain import PretrainCommands
from gata.cli.probe import Probe
from gata.cli.quickstart import Quickstart
from gata.cli.report import Report
from gata.cli.reproduce import Reproduce
from gata.cli.sweep import Sweep
from gata.cli.train import Train
from gata.cli.tree import check_options, check_values, chosen, with_options
from gata.cli.words import WordsCommands
from gata.errors import GataError, UsageError


class Command(Protocol):
    """Anything ``gata`` can be asked to do."""

    def run(self) -> int | None:
        """Do it; return an exit code, or None for 0."""
        ...


@dataclass(frozen=True)
class Version:
    """Print the version."""

    def run(self) -> None:
        """Print it."""
        console.text(__version__)


Commands = (
    Annotated[Quickstart, tyro.conf.subcommand("quickstart")]
    | Annotated[GamesCommands, tyro.conf.subcommand("games")]
    | Annotated[EngineCommands, tyro.conf.subcommand("engine")]
    | Annotated[GraphCommands, tyro.conf.subcommand("graph")]
    | Annotated[WordsCommands, tyro.conf.subcommand("words")]
    | Annotated[ModelsCommands, tyro.conf.subcommand("models")]
    | Annotated[PretrainCommands, tyro.conf.subcommand("pretrain")]
    | Annotated[Agents, tyro.conf.subcommand("agents", description=ABOUT_AGENTS)]
    | Annotated[Train, tyro.conf.subcommand("train")]
    | Annotated[Sweep, tyro.conf.subcommand("sweep")]
    | Annotated[Evaluate, tyro.conf.subcommand("evaluate")]
    | Annotated[Probe, tyro.conf.subcommand("probe")]
    | Annotated[Play, tyro.conf.subcommand("play")]
    | Annotated[Reproduce, tyro.conf.subcommand("reproduce")]
    | Annotated[Report, tyro.conf.subcommand("report")]
    | Annotated[BenchCommands, tyro.conf.subcommand("bench")]
    | Annotated[Version, tyro.conf.subcommand("version")]
)

DESCRIPTION = "Graph-aided agents for text games: games, engine, agents, training and tables."


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Exit codes: 0 done, 1 failed, 2 bad use, 130 stopped."""
    # Torch's threads shall sleep while they wait for each other. By default they keep their cores
    # busy with waiting, and where one of them has other work, too, small batches take ten times as
    # long and more. Read when torch is loaded, which is later.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    words = sys.argv[1:] if arguments is None else arguments
    if words == ["--version"]:
        Version().run()
        return 0
    typed = None
    try:
        typed = chosen(Commands, words)
        check_options(typed, words)
        check_values(typed, words)
        command: Command = tyro.cli(
            Commands,
            prog="gata",
            description=DESCRIPTION,
            args=words,
            config=(
                tyro.conf.OmitArgPrefixes,
                tyro.conf.OmitSubcommandPrefixes,
                tyro.conf.FlagCreatePairsOff,
            ),
        )
        return command.run() or 0
    except UsageError as error:
        console.note(f"gata: {with_options(str(error), typed)}")
        return 2
    except GataError as error:
        console.note(f"gata: {error}")
        return 1
    except KeyboardInterrupt:
        console.note("gata: interrupted")
        return 130
    except BrokenPipeError:
        # The reader (`head`, `less`) has seen enough. Python would complain once more when it
        # flushes at exit, so nothing is left there to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        console.note(f"gata: {error.filename or 'output'}: {error.strerror or error}")
        return 1
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        console.note(
            "gata: this needs more memory than there is; make --batch, --parallel or --replay"
            f" smaller ({str(error).splitlines()[0]})"
        )
        return 1


def _is_out_of_memory(error: Exception) -> bool:
    """Torch has an error of its own for a GPU's memory, and none for that of the host."""
    is_gpus = type(error).__name__ == "OutOfMemoryError"
    return is_gpus or isinstance(error, MemoryError) or "can't allocate memory" in str(error)
