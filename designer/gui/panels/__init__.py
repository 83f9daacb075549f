"""Docked panels."""
