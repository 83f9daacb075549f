"""What a drawing is as InfiniBand and as RoCE: routing, efficiency and latency of each.

InfiniBand routes adaptively where its switches can. RoCE depends on how well it is tuned (an
assumption): untuned hashes one flow a connection, tuned hashes several (queue pairs), expert
sprays packets or routes adaptively where the parts can. Hash collisions are computed on the drawn
links; the tuning factor stands for pauses and congestion control only.
"""

from collections.abc import Mapping

from designer.engine.bom_rows import Bom
from designer.engine.fabrics import FabricName
from designer.engine.latency import mean_path_latency
from designer.engine.ledger import TECHNOLOGY
from designer.engine.load_columns import Kind, RoutingChoice
from designer.engine.options import Routing
from designer.engine.wire import Factors, Wire
from designer.messages import _
from designer.model.design import Design
from designer.model.records import SWITCH_ROLES
from designer.units import Range

TUNINGS = ("untuned", "tuned", "expert")
_ONE = Range.exact(1.0)


def drawn_technology(design: Design) -> FabricName:
    """Return the technology most switches of the compute fabric are of; InfiniBand in doubt."""
    score = 0
    for device in design.devices.values():
        if device.role not in SWITCH_ROLES or device.fabric != "compute":
            continue
        part = design.types.get(device.type)
        if part is not None and part.technology == "ethernet":
            score += 1
        elif part is not None and part.technology == "infiniband":
            score -= 1
    return "rocev2" if score > 0 else "infiniband"


def all_switches(bom: Bom, capability: str, fabric: FabricName) -> bool:
    """Tell whether every compute switch of a bill is `adaptive`, or can reduce (`sharp`).

    A switch without an equivalent stays in the bill as it is drawn; it stands for one of the
    other technology, and InfiniBand switches of the day can do both.
    """
    found = [
        row.type
        for row in bom.rows
        if row.kind == "switch" and row.role in SWITCH_ROLES and row.fabric == "compute"
    ]
    wanted = TECHNOLOGY[fabric]
    able = [
        part is not None
        and (
            bool(getattr(part, capability))
            if part.technology == wanted
            else fabric == "infiniband" and capability == "adaptive"
        )
        for part in found
    ]
    return all(able)


def wire_of(
    design: Design,
    bom: Bom,
    fabric: FabricName,
    values: Mapping[str, Range],
    routing: Routing = "auto",
) -> Wire:
    """Return one technology on a drawing.

    Args:
        design: The drawing.
        bom: Its bill of materials in that technology.
        fabric: `infiniband` or `rocev2`.
        values: Assumptions by key.
        routing: `auto`, or what the user chose.
    """
    tuning = _tuning(values) if fabric == "rocev2" else ""
    adaptive = all_switches(bom, "adaptive", fabric)
    kind = _automatic(tuning, adaptive) if routing == "auto" else routing
    pairs = _queue_pairs(tuning, values)
    pauses = values[f"roce_factor_{tuning}"] if tuning else _ONE
    balance = values["adaptive_efficiency"] if kind == "adaptive" else _ONE
    nic = values["nic_efficiency"].typical

    def at(end: str) -> Factors:
        link = nic * float(getattr(pauses, end))
        return Factors(link, link * float(getattr(balance, end)))

    choice = RoutingChoice(kind, pairs) if kind == "hashed" else RoutingChoice(kind)
    return Wire(
        fabric,
        choice,
        at("typical"),
        at("high"),
        at("low"),
        lambda hops: mean_path_latency(design, bom, fabric, hops),
        tuning,
        _why(kind, pairs, tuning),
    )


def _tuning(values: Mapping[str, Range]) -> str:
    level = round(values["roce_tuning"].typical)
    return TUNINGS[min(max(level, 0), len(TUNINGS) - 1)]


def _automatic(tuning: str, adaptive: bool) -> Kind:
    if not tuning:
        return "adaptive" if adaptive else "ecmp"
    return "adaptive" if tuning == "expert" and adaptive else "hashed"


def _queue_pairs(tuning: str, values: Mapping[str, Range]) -> int:
    if tuning == "untuned":
        return 1
    pairs = values["queue_pairs"]
    return max(1, round(pairs.high if tuning == "expert" else pairs.typical))


def _why(kind: str, pairs: int, tuning: str) -> str:
    if kind == "adaptive":
        return _("adaptive routing")
    if kind == "ecmp":
        return _("equal shares over equal paths")
    text = _("static hashing, {q} queue pairs a connection").format(q=pairs)
    return f"{text}, {_tuning_names()[tuning]}" if tuning else text


def _tuning_names() -> dict[str, str]:
    return {"untuned": _("untuned"), "tuned": _("tuned"), "expert": _("expert tuning")}
