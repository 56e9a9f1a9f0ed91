"""The paper's own numbers, and everything that sets ours beside them."""
