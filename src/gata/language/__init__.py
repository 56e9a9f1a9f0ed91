"""What the agent reads with: tokeniser, vocabulary, word vectors."""
