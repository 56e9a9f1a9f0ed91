"""Who picks the next command."""

from gata.agents.baselines import Agent, RandomAgent, WalkthroughAgent

__all__ = ["Agent", "RandomAgent", "WalkthroughAgent"]
