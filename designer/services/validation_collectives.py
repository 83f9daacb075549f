"""Published times and bandwidths of collective operations against the model."""

from collections.abc import Callable, Iterator
from functools import cache

from designer.catalog.catalog import Catalog
from designer.engine.analyze import analyze
from designer.engine.options import ALGORITHMS, Options
from designer.engine.results import Results
from designer.messages import _
from designer.model.design import Design
from designer.services.create import new_design
from designer.services.validation import Checked, number, table, use_of
from designer.units import format_binary_size

FILE = "collectives.csv"
# Where a forced choice of NCCL is no choice of ours: the one way there is.
_ONLY_WAY = ("pairwise", "direct")


def collectives(catalog: Catalog, step: Callable[[str], None]) -> Iterator[Checked]:
    """Yield every row of `collectives.csv`; `step` is told the id of each."""

    @cache
    def drawing(server: str, servers: int) -> Design:
        if server == "nvl72":
            return new_design("nvl72", catalog, racks=servers)
        leaf = "qm8700" if "a100" in server else "qm9700"
        return new_design("rail-optimized", catalog, server=server, gpus=8 * servers, leaf=leaf)

    @cache
    def results(server: str, servers: int, ranks: int, operation: str, algorithm: str) -> Results:
        options = Options(collective=operation, algorithm=algorithm, ranks=ranks)  # type: ignore[arg-type]
        return analyze(drawing(server, servers), options, catalog)

    for row in table(FILE):
        step(row["id"])
        use, unit = use_of(row), {"us": "µs"}.get(row["unit"], row["unit"])
        size = int(row["size_bytes"]) if row["size_bytes"] else None
        model = None
        if use != "excluded" and size is not None:
            algorithm = row["algorithm"] if row["algorithm"] in ALGORITHMS else "auto"
            setup = row["server"], int(row["servers"]), int(row["ranks"])
            found = results(*setup, row["operation"], algorithm)
            model = _value(found, row["operation"], size, unit)
        percent = number(row["tolerance_percent"])
        yield Checked(
            row["id"],
            "collective",
            use,
            _what(row, size),
            _group(row),
            float(row["value"]),
            model,
            unit,
            percent / 100 if percent is not None else None,
            row["note"],
            row["source"],
        )


def _group(row: dict[str, str]) -> str:
    where = _("one server") if row["servers"] == "1" else _("several servers")
    if row["server"] == "nvl72":
        where = _("one rack") if row["servers"] == "1" else _("several racks")
    kind = ", B200" if "b200" in row["server"] else ""
    return f"{row['operation']}, {row['algorithm']}, {where}{kind}"


def _value(results: Results, operation: str, size: int, unit: str) -> float | None:
    """Return bus bandwidth in GB/s, or time in µs, from the curve over sizes."""
    for point in results.get(f"collectives.{operation}.curve") or ():
        if point["size_bytes"] == size:
            if unit == "µs":
                return float(point["time_s"]) * 1e6
            return float(point["bus_bandwidth_bytes_per_s"]) / 1e9
    return None


def _what(row: dict[str, str], size: int | None) -> str:
    where = f"{row['servers']} × {row['server']}" if row["server"] else ""
    parts = [
        row["operation"],
        row["algorithm"],
        where,
        f"{row['ranks']} GPUs" if row["ranks"] else "",
    ]
    parts.append(format_binary_size(size) if size is not None else "")
    return ", ".join(p for p in parts if p)
