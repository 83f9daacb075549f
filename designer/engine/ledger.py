"""Everything that the money of one fabric depends on, so that it can be recomputed at any values.

The cost of a drawing is a formula over named values (prices, assumptions, idle share). Keeping the
formula apart from the values gives bounds, the verdict and its flips from one piece of code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from designer.catalog.types import PartType, Price, Technology
from designer.engine.bom_rows import Bom, BomRow
from designer.engine.fabrics import FabricName
from designer.engine.media import FIBRE
from designer.engine.prices import Basis, power_of, price_basis, price_key
from designer.engine.stock import Stock
from designer.messages import _
from designer.model.assumptions import assumptions
from designer.model.design import Design
from designer.model.records import SWITCH_ROLES
from designer.units import Range

TECHNOLOGY: dict[FabricName, Technology] = {"infiniband": "infiniband", "rocev2": "ethernet"}
SUFFIX: dict[FabricName, str] = {"infiniband": "infiniband", "rocev2": "roce"}
_GPU_HOUR = {"ampere": "gpu_hour_usd_ampere", "blackwell": "gpu_hour_usd_blackwell"}
_CLASS = {"switch": "switches", "nic": "nics", "optic": "optics", "cable": "cables"}


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces of one class at one price: `cls` is `switches`, `nics`, `optics` or `cables`."""

    cls: str
    count: int
    basis: Basis
    title: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the money of one fabric is made from.

    Attributes:
        fabric: Which technology it counts.
        lines: Priced pieces.
        gpus: GPUs that wait for the network; None when unknown.
        nvswitch_trays: Trays, which are part of a rack and have no price of their own.
        values: Prices, assumptions, power and idle share, by key.
        titles: Names of the parts whose prices stand among the values, by key.
        notes: Where prices and power come from when they are not the part's own.
        missing: Titles of parts without any basis; they are left out of the money.
        gpu_hour_key: Assumption of what an hour of these GPUs costs.
    """

    fabric: FabricName
    lines: tuple[Line, ...]
    gpus: int | None
    nvswitch_trays: int
    values: Mapping[str, Range]
    titles: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    gpu_hour_key: str = "gpu_hour_usd"

    @property
    def suffix(self) -> str:
        """Return the ending of assumptions that differ by technology."""
        return SUFFIX[self.fabric]


def idle_key(fabric: FabricName) -> str:
    """Return the name of a fabric's network idle share among the values."""
    return f"network_idle_share.{fabric}"


def power_key(fabric: FabricName) -> str:
    """Return the name of a fabric's power among the values."""
    return f"power_w.{fabric}"


def keep_ledger(
    design: Design,
    stock: Stock,
    bom: Bom,
    fabric: FabricName,
    network_idle_share: Range | None,
) -> Ledger:
    """Write down what the money of one fabric depends on; compute fabric and NVLink only."""
    rows = [r for r in bom.rows if r.kind in _CLASS and r.fabric == "compute"]
    rows = [r for r in rows if r.role != "nvlink"]
    notes: dict[str, None] = {}
    missing: dict[str, None] = {}
    lines = []
    for row in _rows_to_price(design, rows, fabric):
        basis = _basis(stock, row, fabric)
        if basis is None:
            missing[row.title] = None
            continue
        if not basis.own:
            notes[basis.note] = None
        lines.append(Line(_CLASS[row.kind], _pieces(row, basis), basis, row.title))
    values = {key: a.value for key, a in assumptions(design).items()}
    priced = _priced_parts(stock, lines)
    values |= {price_key(part): price.usd for part, price in priced}
    values[power_key(fabric)] = _power(stock, rows, notes)
    if network_idle_share is not None:
        values[idle_key(fabric)] = network_idle_share
    return Ledger(
        fabric,
        tuple(lines),
        _gpus(design, bom),
        bom.count("nvswitch"),
        values,
        {price_key(part): part.title for part, _price in priced},
        tuple(notes),
        tuple(missing),
        _gpu_hour_key(design, bom),
    )


def _rows_to_price(design: Design, rows: list[BomRow], fabric: FabricName) -> list[BomRow]:
    """Leave transceivers out when the user has set what a whole link costs."""
    if _link_key(fabric) not in design.assumptions:
        return rows
    return [
        BomRow("", _("Links with optics"), r.kind, r.role, r.fabric, r.links)
        if r.kind == "cable"
        else r
        for r in rows
        if r.kind != "optic"
    ]


def _link_key(fabric: FabricName) -> str:
    return f"link_usd_{SUFFIX[fabric]}"


def _basis(stock: Stock, row: BomRow, fabric: FabricName) -> Basis | None:
    technology = TECHNOLOGY[fabric]
    found = price_basis(stock, row.type, technology) if row.type is not None else None
    if found is None and row.kind in ("cable", "optic"):
        return _link_basis(row, fabric)
    if found is not None and row.kind == "optic" and fabric == "infiniband":
        return Basis(found.key, found.scale, found.ratio, True, found.note, found.own)
    return found


def _link_basis(row: BomRow, fabric: FabricName) -> Basis:
    """Return the price of a whole link for a missing cable, of half of one for its optics."""
    scale = 0.5 if row.kind == "optic" else 1.0
    note = _("no price of {part}: a link with optics of the cost sheet").format(part=row.title)
    return Basis(_link_key(fabric), scale, note=note)


def _pieces(row: BomRow, basis: Basis) -> int:
    by_link = "link_usd" in basis.key
    return row.links if by_link and row.links else row.count


def _priced_parts(stock: Stock, lines: list[Line]) -> list[tuple[PartType, Price]]:
    wanted = {line.basis.key for line in lines if line.basis.key.startswith("price.")}
    parts = [stock.get(key.removeprefix("price.")) for key in sorted(wanted)]
    return [(p, p.price) for p in parts if p is not None and p.price is not None]


def _gpus(design: Design, bom: Bom) -> int | None:
    """Return all GPUs of the drawing; None when some server does not say."""
    total = 0
    for device, n in bom.census.devices.items():
        if device.role != "server":
            continue
        part = design.types.get(device.type)
        if part is None or part.gpu is None or part.gpu.count is None:
            return None
        total += n * part.gpu.count
    return total


def _gpu_hour_key(design: Design, bom: Bom) -> str:
    """Return the price of an hour of the GPUs that are most."""
    by_key: dict[str, int] = {"gpu_hour_usd": 0}
    for device, n in bom.census.devices.items():
        part = design.types.get(device.type)
        if device.role == "server" and part is not None and part.gpu is not None:
            key = _GPU_HOUR.get(part.gpu.architecture, "gpu_hour_usd")
            by_key[key] = by_key.get(key, 0) + n * (part.gpu.count or 0)
    return max(by_key, key=lambda key: by_key[key])


def _power(stock: Stock, rows: list[BomRow], notes: dict[str, None]) -> Range:
    """Add up switches, NICs and transceivers, watts.

    A switch's maximum already holds its transceivers (its typical figure is with passive
    cables), so at the high end they count only where no maximum is known.
    """
    low = typical = high = 0.0
    with_maximum = {
        r.role for r in rows if r.kind == "switch" and r.type and r.type.power_max_w is not None
    }
    for row in rows:
        if row.type is None or row.role == "nvlink" or _is_fibre(row):
            continue
        each, note = power_of(stock, row.type)
        if note:
            notes[note] = None
        if each is None:
            continue
        low += row.count * (each.typical if row.kind == "switch" else each.low)
        typical += row.count * each.typical
        if not (row.kind == "optic" and row.end in SWITCH_ROLES and row.end in with_maximum):
            high += row.count * each.high
    return Range(low, typical, max(typical, high))


def _is_fibre(row: BomRow) -> bool:
    spec = row.type.cable if row.type is not None and row.kind == "cable" else None
    return spec is not None and spec.medium in FIBRE
