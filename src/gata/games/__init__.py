"""The paper's games: levels, seeds, the shipped sets, and how more of them are made."""
