"""Our engine, in the form in which it is compared."""
