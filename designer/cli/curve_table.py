"""What the command line says about a collective over message sizes: one row a size."""

from typing import Any

from designer.cli.context import Context
from designer.engine.results import Results
from designer.messages import _
from designer.units import (
    format_binary_size,
    format_bytes,
    format_bytes_per_s,
    format_number,
    format_time,
)


def curve(context: Context, results: Results, operation: str) -> None:
    """Print a collective at every size of its curve; the reason when it has none."""
    key = f"collectives.{operation}"
    name = operation.replace("_", "-")
    context.line()
    points = results.get(f"{key}.curve")
    if not points:
        reason = results.reason(f"{key}.curve")
        context.line(_("{name} over sizes: {reason}").format(name=name, reason=reason))
        return
    ranks = format_number(results.get(f"{key}.ranks"))
    context.line(_("{name} over sizes, {ranks} GPUs").format(name=name, ranks=ranks))
    header = (
        _("size"),
        _("algorithm"),
        _("time"),
        _("algorithm bandwidth"),
        _("bus bandwidth"),
        _("bottleneck"),
    )
    context.table([_row(p) for p in points], header)
    context.line()


def _row(point: dict[str, Any]) -> tuple[str, ...]:
    size = point["size_bytes"]
    return (
        format_binary_size(size) if size >= 1024 else format_bytes(size),
        f"{point['algorithm']}/{point['protocol']}",
        format_time(point["time_s"]),
        format_bytes_per_s(point["algorithm_bandwidth_bytes_per_s"]),
        format_bytes_per_s(point["bus_bandwidth_bytes_per_s"]),
        point["bottleneck"] or "—",
    )
