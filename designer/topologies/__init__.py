"""Templates: whole networks made from a few parameters."""
