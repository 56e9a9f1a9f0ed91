"""What every training has in common: updates of weights, and a run's folder."""
