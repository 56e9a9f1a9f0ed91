"""What the agent believes in: nodes, relations, triples, graphs and their pictures."""
