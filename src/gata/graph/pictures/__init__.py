"""Graphs to look at: maps of what is known, heat maps of adjacency, films of a whole game."""
