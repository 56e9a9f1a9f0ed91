"""The layers, one file per box of the paper's figures: tensors in, tensors out.

Nothing here knows games, files or training. Shapes are written (batch, length, size); B is the
batch, H the hidden size, V the number of words, R the number of relations (without inverses), N the
number of nodes. docs/networks.md sets the paper, the authors' code and this room side by side.
"""
