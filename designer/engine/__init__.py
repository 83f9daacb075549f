"""The model: what a drawing does, as numbers that can be explained."""
