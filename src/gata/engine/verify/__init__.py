"""The proof that the engine plays TextWorld's games to the letter.

Two players, real TextWorld and ours, are given the same commands; everything they say is compared
at every step. Real TextWorld needs the ``[textworld]`` extra; recorded transcripts of it do not.
"""
