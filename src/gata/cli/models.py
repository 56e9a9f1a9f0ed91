"""``gata models``: the trained weights in the package, and files of your own."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from gata import console
from gata.cli.options import unset
from gata.errors import GataError

if TYPE_CHECKING:
    from gata.models.weights import StoredModel

ModelName = Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="MODEL")]
ModelNames = Annotated[
    tyro.conf.Positional[tuple[str, ...]],
    tyro.conf.arg(metavar="[MODEL ...]", help_behavior_hint=""),
]

_NONE = "There are no models in this version of gata."


def _shipped() -> "dict[str, StoredModel]":
    from gata.models.shipped import agents, find, names
    from gata.models.weights import read_model

    return {name: read_model(find(name)) for name in (*names(), *agents())}


@dataclass(frozen=True)
class List:
    """List the models in the package, with their size and how good they are."""

    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print the table."""
        from gata.models.cards import COLUMNS, in_short, row, selection

        models = _shipped().values()
        if self.json:
            console.print_json([in_short(each) | {"selection": selection(each)} for each in models])
            return
        if not models:
            console.text(_NONE)
            return
        console.table(COLUMNS, [row(model) for model in models])
        for model in models:
            if told := selection(model):
                console.note(f"{model.names[0]}: {told}")


@dataclass(frozen=True)
class Show:
    """Show the card of a model: what it is, how it was made, how good it is."""

    model: ModelName
    """A model of the package (og, updater/og, agent/NAME), a file, or the folder of a run."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print the card."""
        from gata.models.cards import describe, flat
        from gata.models.files import name_of
        from gata.models.shipped import WEIGHTS_FILE, find, role_in
        from gata.models.weights import check_role, read_model

        stored = read_model(find(self.model))
        check_role(stored, role_in(self.model), self.model)
        # The weights of every run have the same name; its folder tells which run it is.
        is_of_run = stored.path.name == WEIGHTS_FILE
        name = stored.path.resolve().parent.name if is_of_run else name_of(stored.path)
        facts = describe(name, stored)
        if self.json:
            console.print_json(facts)
            return
        for title in ("card", "settings", "vocabularies"):
            facts[title] = {f"  {place}": value for place, value in flat(facts[title])}
        width = max(
            len(place) for part in facts.values() if isinstance(part, dict) for place in part
        )
        for title, part in facts.items():
            if not isinstance(part, dict):
                shown = ", ".join(part) if isinstance(part, list) else part
                console.text(f"{title:{width}}  {shown}")
                continue
            console.text(f"\n{title}")
            for place, value in part.items():
                console.text(f"{place:{width}}  {value}")


@dataclass(frozen=True)
class Verify:
    """Check models: that each file is whole, fits this version of gata and can be loaded.

    Exits with 1 if one is not.
    """

    models: ModelNames = ()
    """Names or paths of files; all models of the package if there are none."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> int:
        """Print what was found."""
        from gata.agents.stored import load_agent
        from gata.models.shipped import agents, find, is_agent, names, role_in
        from gata.models.weights import load_model

        chosen = self.models or (*names(), *agents())
        if not chosen and not self.json:
            console.text(_NONE)
            return 0
        rows = []
        for name in console.track(chosen, "loading", len(chosen)):
            try:
                path = find(name)
                if is_agent(path):
                    load_agent(path, "cpu")
                else:
                    load_model(path, role=role_in(name))
                rows.append([name, True, None])
            except GataError as error:
                rows.append([name, False, str(error)])
        console.table(["name", "fine", "problem"], rows, as_json=self.json)
        return 0 if all(fine for _, fine, _ in rows) else 1


@dataclass(frozen=True)
class Cards:
    """Make the Markdown page of all model cards, from the files themselves."""

    output: Annotated[Path | None, unset("FILE", "-o")] = None
    """Where to write it; printed by default."""

    def run(self) -> None:
        """Write or print the page."""
        from gata.files import atomic_write
        from gata.models.cards import page

        text = page(_shipped())
        if self.output is None:
            console.text(text.removesuffix("\n"))
            return
        with atomic_write(self.output) as stream:
            stream.write(text.encode())
        console.text(str(self.output))


@dataclass(frozen=True)
class ModelsCommands:
    """List, show and check trained models."""

    command: (
        Annotated[List, tyro.conf.subcommand("list")]
        | Annotated[Show, tyro.conf.subcommand("show")]
        | Annotated[Verify, tyro.conf.subcommand("verify")]
        | Annotated[Cards, tyro.conf.subcommand("cards")]
    )

    def run(self) -> int | None:
        """Run the chosen command."""
        return self.command.run()
