"""``gata agents``: who can learn."""

from dataclasses import dataclass

from gata import console

LEGEND = """\
What the names are made of:
- OG: the updater of the belief graph was pre-trained by observation generation,
- COC: by contrastive observation classification.
- GTP: a discrete belief graph, kept by a model that learnt from true graphs to update one.
- GTF: no belief, but the game's own graph, full and true, at every step.
- AP: the graph encoder was pre-trained by action prediction,
- SP: by state prediction,
- DGI: by Deep Graph Infomax;
- init: along with the updater.
- frozen: the graph encoder is not trained further.
- text: the agent reads the observation, too."""
"""Each part of a name, also for who has not read the paper."""

ABOUT_AGENTS = f"""\
List the agents: those of the paper, which can be trained, and floor and ceiling.

{LEGEND}"""


@dataclass(frozen=True)
class Agents:
    """List the agents; ``ABOUT_AGENTS`` is the help."""

    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print the table, and what the names mean."""
        from gata.agents.baselines import BASELINES
        from gata.agents.presets import PRESETS

        rows = [[each.name, each.about] for each in (*PRESETS.values(), *BASELINES.values())]
        console.table(["agent", "what it is"], rows, as_json=self.json)
        if not self.json:
            console.note(f"\n{LEGEND}")
