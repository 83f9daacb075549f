"""A collective over message sizes, as rows for people: the command line and the window share it."""

from collections.abc import Mapping
from typing import Any

from designer.engine.results import Results
from designer.messages import N_, _
from designer.reports.cells import Column, Table
from designer.units import format_binary_size, format_bytes_per_s, format_time

LIMITS: Mapping[str, str] = {
    "latency": N_("latency"),
    "inside": N_("inside the node"),
    "network": N_("network"),
}
ALGORITHM_NAMES: Mapping[str, str] = {
    "none": N_("none"),
    "ring": N_("ring"),
    "tree": N_("tree"),
    "hierarchical": N_("hierarchical"),
    "nvls": "NVLS",
    "nvls_tree": "NVLS tree",
    "collnet_direct": "CollNet direct",
    "collnet_chain": "CollNet chain",
    "pairwise": N_("pairwise"),
    "direct": N_("direct"),
}
PROTOCOLS: Mapping[str, str] = {"simple": "Simple", "ll128": "LL128", "ll": "LL"}


def algorithm_name(name: str) -> str:
    """Return an algorithm of the results as people write it."""
    return _(ALGORITHM_NAMES.get(name, name))


def curve_rows(results: Results, operation: str) -> list[tuple[str, ...]]:
    """Return the curve of an operation, a row a message size; empty without one.

    Columns: size, algorithm, protocol, time, algorithm bandwidth, bus bandwidth, what limits it.
    """
    return [_row(point) for point in results.get(f"collectives.{operation}.curve") or ()]


def _row(point: Mapping[str, Any]) -> tuple[str, ...]:
    size, time = point["size_bytes"], point["time_s"]
    return (
        format_binary_size(size),
        algorithm_name(point["algorithm"]),
        PROTOCOLS.get(point["protocol"], point["protocol"]),
        format_time(time),
        format_bytes_per_s(size / time),
        format_bytes_per_s(point["bus_bandwidth_bytes_per_s"]),
        _(LIMITS[point["limit"]]),
    )


def curve_sheet(results: Results, operation: str) -> Table:
    """Return the same as a table of numbers: bytes, microseconds, GB/s."""
    titles = (
        _("Size (B)"),
        _("Algorithm"),
        _("Protocol"),
        _("Time (µs)"),
        _("Algorithm bandwidth (GB/s)"),
        _("Bus bandwidth (GB/s)"),
        _("Limited by"),
    )
    rows = [
        (
            p["size_bytes"],
            algorithm_name(p["algorithm"]),
            PROTOCOLS.get(p["protocol"], p["protocol"]),
            p["time_s"] * 1e6,
            p["size_bytes"] / p["time_s"] / 1e9,
            p["bus_bandwidth_bytes_per_s"] / 1e9,
            _(LIMITS[p["limit"]]),
        )
        for p in results.get(f"collectives.{operation}.curve") or ()
    ]
    return Table(operation, tuple(Column(title) for title in titles), rows)
