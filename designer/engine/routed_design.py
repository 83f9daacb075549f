"""The routed network of a drawing, kept while no record changes that it is made from.

A changed assumption, workload or option asks the same network again. What it is made from are the
part types, groups, devices and cables, and the rule of routing; anything else about the drawing
may change. Failures are not kept: each is another network.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from designer.engine.compile import compile_network
from designer.engine.routing import Mode, Routed, never, route
from designer.model.design import Design

_KEPT = "routed network"
_TABLES = ("types", "groups", "devices", "cables")


@dataclass(frozen=True, slots=True)
class _Kept:
    """A routed network, and the records in their order that it was made from."""

    records: tuple[list[object], ...]
    mode: Mode
    routed: Routed


def routed_design(
    design: Design,
    fail: tuple[str, ...] = (),
    *,
    compiled: Callable[[], object] = never,
    cancelled: Callable[[], bool] = never,
) -> Routed:
    """Return the routed network of a drawing, made anew only when its records are others.

    Args:
        design: The drawing; the network is kept with it and its snapshots.
        fail: Ids of cables and devices taken out.
        compiled: Called between compiling and routing, to measure them.
        cancelled: Asked now and then.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    mode: Mode = "shortest" if design.title_block.routing == "shortest" else "updown"
    # equality of lists begins with identity: the same records are found equal without a look inside
    records = tuple(list(design.table(name).values()) for name in _TABLES)
    kept = design.derived.get(_KEPT)
    if not fail and isinstance(kept, _Kept) and kept.mode == mode and kept.records == records:
        compiled()
        # answers about patterns of earlier analyses are let go
        return replace(kept.routed, known={})
    if not fail:
        # two networks of a large drawing need not be in memory at once
        design.derived.pop(_KEPT, None)
    network = compile_network(design, frozenset(fail))
    compiled()
    routed = route(network, mode, cancelled=cancelled)
    if not fail:
        design.derived[_KEPT] = _Kept(records, mode, replace(routed, known={}))
    return routed
