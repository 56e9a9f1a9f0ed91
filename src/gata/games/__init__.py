"""The paper's games: levels, seeds, the shipped sets, and how more of them are made."""

from gata.games.game import Entity, Game, Ingredient
from gata.games.selection import load_games
from gata.games.store import GameList, load_collection, load_game, load_level, load_set

__all__ = [
    "Entity",
    "Game",
    "GameList",
    "Ingredient",
    "load_collection",
    "load_game",
    "load_games",
    "load_level",
    "load_set",
]
