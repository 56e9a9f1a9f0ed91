"""How good an agent is, and what a set of games is like: playing, checking, counting."""
