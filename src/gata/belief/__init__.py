"""What the agent believes the world to be: updaters of belief graphs behind one interface."""
