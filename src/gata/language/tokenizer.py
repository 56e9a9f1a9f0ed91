"""From game text to tokens: what the authors' preprocessing did, without spaCy at run time.

The splitting is that of spaCy's English tokeniser on the text of the cooking games, lower-cased,
with two differences, both on purpose:

* a hyphen inside a word does not split it, so that the text's ``frosted-glass door`` has the
  tokens of the node's name (spaCy: ``frosted - glass door``);
* a number above ``LARGEST_NUMBER`` becomes its digits, so that the vocabulary stays finite
  (``in 137 turn(s)`` -> ``in 1 3 7 turn(s )``).

Splitting is local: no token spans white space, and a token never depends on what lies beyond the
white space around it. So the tokens of a text are those of its pieces, and pieces can be
tokenised once and joined later.
"""

import re

NOTHING = "nothing"
"""What an empty text reads as."""

LARGEST_NUMBER = 100
"""The largest number that is one token; it covers scores, and turns up to the step limits."""

NUMBERS = frozenset(map(str, range(LARGEST_NUMBER + 1)))
"""The numbers that are one token each."""

_BANNER_END = "$$$$$$$"
_PROMPT = re.compile(r"(?<!\S)>\s*(?:-= [^=]+ =-\s*-?\d+/\d+\s*)?$")

_TOKEN = re.compile(
    r"""
      <(?:pad|unk|bos|eos|sep)>         # our own marks
    | \.{2,} | -{2,}                    # ellipsis; the rule under a recipe's title
    | -=(?!\S)                          # opens a room's heading (it closes as two tokens: = -)
    | [^\W\d_]+(?=n't\b) | n't\b        # have n't, ca n't
    | '(?:s|m|re|ve|ll|d)\b             # it 's, you 've
    | can(?=not\b)                      # can not
    | turn\(s(?=\))                     # "in 12 turn(s).": turn(s ) .
    | \w+(?:-\w+)*(?:-(?!\S))?          # words, numbers, west_of, frosted-glass, a-
    | \S                                # any other mark by itself
    """,
    re.VERBOSE | re.IGNORECASE,
)


def tokenize(text: str) -> list[str]:
    """The lower-case tokens of ``text``; the empty text has none."""
    tokens: list[str] = []
    for token in _TOKEN.findall(text):
        if token.isdecimal():
            tokens.extend(_split_number(token))
        else:
            tokens.append(token.lower())
    return tokens


def _split_number(digits: str) -> list[str]:
    return [digits] if digits in NUMBERS else list(digits)


def clean(text: str | None) -> str:
    """What the player has to read of ``text``, on one line: ``clean_lines`` joined by blanks."""
    return " ".join(clean_lines(text))


def clean_lines(text: str | None) -> list[str]:
    """What the player has to read of ``text``, in the game's own lines, without empty ones.

    The title banner and the prompt go. So does the status line TextWorld prints after the prompt
    (``> -= Kitchen =-2/10``), because it tells score and time, which the paper's agents do not
    see. White space within a line becomes single blanks; nothing at all reads ``nothing``.
    """
    if text is None:
        return [NOTHING]
    text = text.rsplit(_BANNER_END, 1)[-1]
    text = _PROMPT.sub("", text.rstrip())
    return [line for each in text.splitlines() if (line := " ".join(each.split()))] or [NOTHING]
