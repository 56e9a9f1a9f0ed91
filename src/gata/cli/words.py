"""``gata words``: what agents read with."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from gata import console
from gata.cli.options import unset


@dataclass(frozen=True)
class WordsCommands:
    """Count the words of the vocabulary and their vectors, those shipped or a file of your own.

    Words are found in the file, composed of words that are (frosted-glass, 12, west_of), or get a
    small random vector.
    """

    vectors: Annotated[Path | None, unset("FILE")] = None
    """A fastText or GloVe file of your own: .vec, .txt, .bin or .npz, any width."""
    list: bool = False
    """List every word with where its vector comes from."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print the table."""
        from gata.language.vectors import word_vectors
        from gata.language.vocabulary import SPECIALS, default

        vocabulary = default()
        made = word_vectors(vocabulary, self.vectors)
        if self.list:
            origin = dict.fromkeys(made.found, "found")
            origin |= {word: " + ".join(parts) for word, parts in made.composed.items()}
            words = vocabulary.words[len(SPECIALS) :]
            rows = [[word, origin.get(word, "random")] for word in words]
            console.table(["word", "vector"], rows, as_json=self.json)
            return
        console.table(
            ["vectors", "width", "vocabulary", "words", "found", "composed", "random"],
            [
                [
                    made.source,
                    made.width,
                    f"version {vocabulary.version}",
                    len(vocabulary) - len(SPECIALS),
                    len(made.found),
                    len(made.composed),
                    len(set(made.random) - set(SPECIALS)),
                ]
            ],
            as_json=self.json,
        )
