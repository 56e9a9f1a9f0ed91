"""``TextEnv``'s infos have TextWorld's names, and facts and actions that read like TextWorld's."""

import pytest

from gata.engine import TextEnv
from gata.games import load_game

INFOS = (
    *("feedback", "description", "inventory", "admissible_commands", "score", "max_score"),
    *("won", "lost", "moves", "objective", "entities", "typed_entities", "verbs"),
    *("command_templates", "possible_commands", "possible_admissible_commands"),
)
"""What must be equal as it is; facts and actions are compared by what can be read from them."""


def read(fact):
    variables = [(variable.name, variable.type) for variable in fact.arguments]
    signature = (fact.signature.name, tuple(fact.signature.types))
    return str(fact), fact.name, fact.names, tuple(fact.types), signature, variables


def read_action(action):
    if action is None:
        return None
    return (
        action.name,
        str(action),
        [(variable.name, variable.type) for variable in action.variables],
        sorted(map(read, action.added)),
        sorted(map(read, action.removed)),
    )


@pytest.mark.textworld
@pytest.mark.parametrize("name", ["level2/train/6916", "tw-simple/dense/1"])
def test_infos_are_textworlds(name):
    textworld = pytest.importorskip("textworld")
    from gata.engine.verify.reference import compiled

    game = load_game(name)
    extras = sorted(game.data["metadata"])
    wanted = textworld.EnvInfos(
        **dict.fromkeys((*INFOS, "facts", "win_facts", "fail_facts", "last_action"), True),
        extras=extras,
    )
    theirs = textworld.start(str(compiled(game)), wanted)
    ours = TextEnv(game)
    state, (_, infos) = theirs.reset(), ours.reset()
    for command in (*game.walkthrough, None):
        for key in (*INFOS, *(f"extra.{extra}" for extra in extras)):
            assert infos[key] == state[key], key
        assert sorted(map(read, infos["facts"])) == sorted(map(read, state["facts"]))
        for key in ("win_facts", "fail_facts"):
            assert [[sorted(map(read, event)) for event in quest] for quest in infos[key]] == [
                [sorted(map(read, event)) for event in quest] for quest in state[key]
            ]
        assert read_action(infos["last_action"]) == read_action(state.last_action)
        if command is not None:
            state, _, _ = theirs.step(command)
            infos = ours.step(command)[3]
    assert infos["won"]
    theirs.close()


@pytest.mark.textworld
def test_a_loop_written_for_textworld_runs_here_unchanged():
    """Requested infos, a step limit, rendering and closing: the same loop, the same record."""
    textworld = pytest.importorskip("textworld")
    gym = pytest.importorskip("textworld.gym")
    from gata.engine.verify.reference import compiled

    game = load_game("level1/train/6916")
    wanted = textworld.EnvInfos(
        admissible_commands=True, description=True, max_score=True, extras=["recipe"]
    )
    env_id = gym.register_games([str(compiled(game))], wanted, max_episode_steps=7)
    theirs = gym.make(env_id)
    ours = TextEnv(game, request_infos=wanted, step_limit=7)

    def play(env):
        assert env.seed(3) == [3]
        record = [env.reset()]
        done = False
        while not done:
            commands = record[-1][-1]["admissible_commands"]
            reply, score, done, infos = env.step(commands[3 * len(record) % len(commands)])
            record.append((reply, score, done, infos))
        shown = env.render(mode="text")
        env.close()
        return record, shown

    expected, shown = play(theirs)
    assert len(expected) == 8
    assert play(ours) == (expected, shown)
