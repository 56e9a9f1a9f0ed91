"""Learning to act: replay, targets, rollout, updates and the loop around them."""
