"""What the tasks learn from: playing the games into a corpus, and reading it."""
