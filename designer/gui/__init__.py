"""The window; the only place, with the benchmarks, that knows Qt."""
