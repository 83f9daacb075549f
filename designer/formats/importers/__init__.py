"""Readers of foreign topology files."""
