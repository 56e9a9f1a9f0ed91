"""How good an agent is, and what a set of games is like: records, probing, checking, counting."""
