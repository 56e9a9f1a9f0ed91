"""How fast the engine is, beside TextWorld and TextWorldExpress, all measured in one run."""
