"""Measures the engine: edit to results on the named fabrics, against building a networkx graph.

The baseline of every row is the time networkx takes, in the same run, to build the multigraph of
the same fabric: the least that a tool working on such a graph pays for an edit.
"""

from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter

import networkx

from designer.bench.fabrics import FABRICS, fabric
from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.model.design import Design
from designer.model.operations import remove


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: its value and target, and the baseline of the same run, in `unit`."""

    name: str
    fabric: str
    gpus: int
    value: float
    unit: str
    target: float | None
    baseline: float
    ratio: float


# Seconds from an edit to new results that the house aims at.
TARGETS = {"su256": 0.1, "fab1k": 0.1, "fab24k": 0.5, "fab100k": None}


def _graph_seconds(design: Design) -> float:
    start = perf_counter()
    graph = networkx.MultiGraph()
    for cable in design.cables.values():
        for _link in range(cable.count):
            graph.add_edge(cable.a.device, cable.b.device)
    return perf_counter() - start


def edit_to_results(name: str, rounds: int = 5) -> Row:
    """Remove one cable, compute all results, and put it back; the median of some rounds."""
    design, catalog = fabric(name), default_catalog()
    analyze(design, None, catalog)  # imports and caches are paid once by a running program
    times = []
    for k in range(rounds):
        edit = remove(design, [sorted(design.cables)[k]])
        start = perf_counter()
        design.apply(edit)
        analyze(design.snapshot(), None, catalog)
        times.append(perf_counter() - start)
        design.apply(edit.inverse())
    baseline = median(_graph_seconds(design) for _round in range(rounds))
    value = median(times)
    gpus = FABRICS[name]
    return Row("edit_to_results", name, gpus, value, "s", TARGETS[name], baseline, value / baseline)


def rows(names: tuple[str, ...] = ("su256", "fab1k", "fab24k")) -> list[dict[str, object]]:
    """Return the figures of the engine as plain rows."""
    return [asdict(edit_to_results(name)) for name in names]
