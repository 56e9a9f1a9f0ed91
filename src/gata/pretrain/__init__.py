"""Pre-training: the data, the six tasks and the loop they share."""
