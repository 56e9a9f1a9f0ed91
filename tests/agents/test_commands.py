"""Commands by number."""

import torch

from gata.agents.commands import START, START_COMMAND, CommandBook
from gata.language import vocabulary


def test_the_words_of_all_commands_follow_what_is_entered() -> None:
    words = vocabulary.default()
    book = CommandBook(words, torch.device("cpu"))
    assert book.spell([START]) == [START_COMMAND]
    known = book.everything
    assert list(book.enter([START_COMMAND])) == [START]
    assert book.everything is known  # nothing new: what was captured with it stays good
    commands = ["open fridge", "take yellow bell pepper from counter", "open fridge"]
    assert list(book.enter(commands)) == [1, 2, 1]
    rows = [[word for word in row if word] for row in book.everything.tolist()]
    assert rows == [words.encode(command.split()) for command in book.commands]
