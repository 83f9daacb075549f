"""Benchmarks: every figure as a ratio against a baseline of the same run."""
