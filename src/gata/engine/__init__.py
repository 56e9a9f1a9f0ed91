"""An exact, fast engine for TextWorld's cooking games."""
