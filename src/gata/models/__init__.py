"""Trained weights: files of tensors that say what they are, and the models made from them."""
