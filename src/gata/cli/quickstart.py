"""``gata quickstart``: the main job, in a minute."""

from dataclasses import dataclass

from gata import console

RANDOM_SEEDS = 5
SHOWN_GAME = "level2/test/56274"


@dataclass(frozen=True)
class Quickstart:
    """Play the unseen test games of every level with a random and a walkthrough agent.

    Prints their scores (percent of the points, 50 steps a game) and the transcript of one game.
    """

    json: bool = False
    """Print the scores as JSON, without the transcript."""

    def run(self) -> None:
        """Play and print."""
        from gata.agents import RandomAgent, WalkthroughAgent
        from gata.evaluation.play import play, summarise
        from gata.games.store import load_level

        rows: list[list[object]] = []
        for level in console.track((1, 2, 3, 4, 5), "playing", 5):
            games = list(load_level(level, "test"))
            tries = [play(RandomAgent(seed), games) for seed in range(RANDOM_SEEDS)]
            for name, episodes in (
                (RandomAgent.name, [episode for one in tries for episode in one]),
                (WalkthroughAgent.name, play(WalkthroughAgent(), games)),
            ):
                summary = summarise(episodes)
                rows.append(
                    [level, name, len(games), summary.score, summary.success, summary.steps]
                )
        columns = ["level", "agent", "test games", "score %", "won %", "steps"]
        if not self.json:
            self._show_one_game()
        console.table(columns, rows, title="Unseen test games", as_json=self.json)

    @staticmethod
    def _show_one_game() -> None:
        from gata.engine.text_env import TextEnv
        from gata.games.store import load_game
        from gata.language.tokenizer import clean

        game = load_game(SHOWN_GAME)
        env = TextEnv(game)
        text, _ = env.reset()
        console.text(f"The walkthrough of {game.name}\n")
        console.text(clean(text))
        for command in game.walkthrough:
            text, score, _, _ = env.step(command)
            console.text(f"\n> {command}\n{clean(text)}  [{score}/{game.max_score}]")
        console.text()
