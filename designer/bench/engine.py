"""Measures the engine: from the records of an edited drawing to all results but single faults.

Every round changes records first, so nothing that depends on them can be reused: a cable is
replaced by another like it and a device gets another name. The program as it runs keeps the
columns of all other cables, and so does this. The first run, in a process of its own, has no
columns, no imports and no compiled loops.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter

from designer.bench.fabrics import FABRICS, fabric, failed_links
from designer.bench.rows import Row
from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.model.design import Design
from designer.model.edits import Edit, Swap


@dataclass(frozen=True, slots=True)
class Case:
    """One fabric with links out of order; `equal` splits traffic equally and balances nothing."""

    fabric: str
    failed: int
    target: float | None
    equal: bool = False

    @property
    def name(self) -> str:
        """Return `analyze`, or `analyze, 10 links failed`."""
        return f"analyze, {self.failed:,} links failed" if self.failed else "analyze"


CASES = (
    Case("su256", 0, None),
    Case("fab1k", 0, 0.025),
    Case("fab24k", 0, 0.3),
    Case("fab24k", 10, None),
    Case("fab100k", 0, 1.5),
    Case("fab100k", 10, 1.5),
    Case("fab100k", 1_000, 3.0, equal=True),
)
# Bytes that a process with the largest fabric and its results may have used at most.
MOST_BYTES = 1e9


def options_of(case: Case, design: Design) -> Options:
    """Return what a case asks of the engine."""
    fail = tuple(sorted(failed_links(design, case.failed)))
    if case.equal:
        return Options(fail=fail, fabric="infiniband", routing="ecmp")
    return Options(fail=fail)


def touch(design: Design, k: int) -> Edit:
    """Return an edit that leaves the network as it is: a cable replaced, a device renamed."""
    cable = list(design.cables.values())[k]
    device = list(design.devices.values())[k]
    other = replace(cable, length_m=10.0 if cable.length_m is None else None)
    named = replace(device, name=f"{device.name} {k}")
    swaps = Swap("cables", cable.id, cable, other), Swap("devices", device.id, device, named)
    return Edit("touch", swaps)


def rounds(case: Case, design: Design, number: int) -> Iterator[float]:
    """Yield the seconds from an edit to its results, each time another edit."""
    catalog, options = default_catalog(), options_of(case, design)
    for k in range(number):
        edit = touch(design, k)
        start = perf_counter()
        design.apply(edit)
        analyze(design.snapshot(), options, catalog)
        yield perf_counter() - start
        design.apply(edit.inverse())


def warm(case: Case, number: int = 5) -> Row:
    """Return the median of some rounds after a first one, and the first run beside it."""
    first, _peak = _first_run(case)
    times = list(rounds(case, fabric(case.fabric), number + 1))[1:]
    value, gpus = median(times), FABRICS[case.fabric]
    return Row(case.name, case.fabric, gpus, value, "s", case.target, first, first / value)


def asked_anew(case: Case, anew: float, number: int = 5) -> Row:
    """Return the median time of other options on a drawing that stays; `anew` after an edit."""
    design, catalog = fabric(case.fabric), default_catalog()
    times = []
    for k in range(number + 1):
        start = perf_counter()
        analyze(design.snapshot(), replace(options_of(case, design), size_bytes=2**20 + k), catalog)
        times.append(perf_counter() - start)
    value = median(times[1:])
    gpus = FABRICS[case.fabric]
    return Row("other options", case.fabric, gpus, value, "s", None, anew, anew / value)


def memory(case: Case) -> Row:
    """Return the most memory of a process that makes the fabric and analyses it three times."""
    peak = _first_run(case, 3)[1]
    name = f"memory, {case.name}"
    return Row(name, case.fabric, FABRICS[case.fabric], peak, "byte", MOST_BYTES)


def _first_run(case: Case, number: int = 1) -> tuple[float, float]:
    """Return the seconds of the first analysis in a new process, and its most memory in bytes."""
    index = str(CASES.index(case))
    words = [sys.executable, "-m", "designer.bench.first_run", index, str(number)]
    with tempfile.TemporaryDirectory() as folder:
        place = os.environ | {"NUMBA_CACHE_DIR": folder}
        ran = subprocess.run(words, check=True, capture_output=True, text=True, env=place)
    answer = ran.stdout.split()
    return float(answer[0]), float(answer[1])


def rows(names: tuple[str, ...] | None = None) -> list[Row]:
    """Return times and memory of the cases, of all fabrics or of those named."""
    chosen = [c for c in CASES if names is None or c.fabric in names]
    found = [warm(case) for case in chosen]
    found += [
        asked_anew(case, row.value)
        for case, row in zip(chosen, found, strict=True)
        if not case.failed and not case.equal
    ]
    largest = [c for c in chosen if c.fabric == "fab100k"]
    return found + [memory(case) for case in largest]
