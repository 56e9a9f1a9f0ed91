"""Graph-aided agents for text games."""

__version__ = "0.1.0"
