"""Measures the analysis of every single fault, after all results are known once."""

from designer.bench.fabrics import FABRICS, fabric
from designer.bench.rows import Row, seconds
from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.failures import single_faults

TARGETS: dict[str, float] = {"fab1k": 2.0, "fab24k": 60.0}


def rows(names: tuple[str, ...] | None = None) -> list[Row]:
    """Return seconds by fabric, beside one analysis for each fault that was not needed."""
    chosen = [n for n in TARGETS if names is None or n in names]
    return [_row(name) for name in chosen]


def _row(name: str) -> Row:
    design, catalog = fabric(name), default_catalog()
    analyze(design, None, catalog)
    one = seconds(lambda: analyze(design, None, catalog), 3)
    effects = single_faults(design, None, catalog)
    value = seconds(lambda: single_faults(design, None, catalog), 3 if name == "fab1k" else 1)
    # every fault by itself would be an analysis each
    faults = sum(len(e.keys) for e in effects)
    every = one * faults
    return Row(
        "N-1 over every element",
        name,
        FABRICS[name],
        value,
        "s",
        TARGETS[name],
        every,
        every / value,
    )
