"""How the authors collected their data."""

SEED = 20190423
"""Theirs; they counted up from it, game by game."""

BRANCH = 10
"""How many random commands leave the walkthrough at each of its steps, at most."""
