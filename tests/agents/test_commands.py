"""Commands by number."""

import numpy as np
import torch

from gata.agents.commands import START, START_COMMAND, CommandBook
from gata.language import vocabulary


def test_a_book_has_the_words_of_all_that_is_entered() -> None:
    words = vocabulary.default()
    book = CommandBook(words, torch.device("cpu"))
    assert book.commands[START] == START_COMMAND
    assert list(book.enter([START_COMMAND])) == [START]
    commands = ["open fridge", "take yellow bell pepper from counter", "open fridge"]
    assert list(book.enter(commands)) == [1, 2, 1]
    assert len(book) == 3
    known = book.tokens.look_up(np.arange(3)).tolist()
    rows = [[word for word in row if word] for row in known]
    assert rows == [words.encode(command.split()) for command in book.commands]
