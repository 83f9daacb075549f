"""Drawings of real parts for tests of money and checks: small fabrics wired by hand."""

from dataclasses import replace

from designer.catalog.load import default_catalog
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.records import Cable, Device, PortRange

Pairs = list[tuple[PortRange, PortRange]]


def records(design: Design, devices: list[Device], pairs: Pairs, **fields: object) -> None:
    """Put devices and cables into a design with the types they need, unchecked."""
    catalog = default_catalog()
    slugs = {d.type for d in devices} | {d.nics for d in devices if d.nics}
    parts = [catalog.get(s) for s in sorted(slugs) if s in catalog]
    parts += [catalog.get(p.nic) for p in parts if p.nic]
    swaps = [
        Swap("types", p.slug, None, p) for p in dict.fromkeys(parts) if p.slug not in design.types
    ]
    swaps += [Swap("devices", d.id, None, d) for d in devices]
    start = len(design.cables)
    for n, (a, b) in enumerate(pairs, start):
        swaps.append(Swap("cables", f"c{n}", None, Cable(f"c{n}", a, b, **fields)))  # type: ignore[arg-type]
    design.apply(Edit("draw", tuple(swaps)))


def fabric(
    servers: int = 4,
    spines: int = 2,
    trunk: int = 2,
    *,
    server: str = "dgx-h100",
    switch: str = "qm9700",
    units: int = 1,
    **fields: object,
) -> Design:
    """Return a rail-optimised fabric: 8 leaves a unit, `trunk` cables from leaf to each spine."""
    design = Design()
    devices = [Device(f"s{s}", f"spine-{s + 1}", switch, "spine") for s in range(spines)]
    pairs: Pairs = []
    for u in range(units):
        for rail in range(8):
            leaf = f"l{u}.{rail}"
            number = u * 8 + rail
            devices.append(Device(leaf, f"leaf-{number + 1}", switch, "leaf"))
            for s in range(spines):
                up = PortRange(leaf, "fabric", 33 + s * trunk, trunk)
                pairs.append((up, PortRange(f"s{s}", "fabric", number * trunk + 1, trunk)))
        for n in range(servers):
            name = f"v{u}.{n}"
            devices.append(Device(name, f"srv-{u * servers + n + 1}", server, "server"))
            pairs += [
                (PortRange(name, "nic", r + 1), PortRange(f"l{u}.{r}", "fabric", n + 1))
                for r in range(8)
            ]
    records(design, devices, pairs, **fields)
    return design


def superpod() -> Design:
    """Return the compute fabric of a four-unit DGX SuperPOD with H100: 127 servers and UFM."""
    design = fabric(32, 16, 2, units=4)
    gone = "v3.31"
    swaps = [Swap("cables", c, design.cables[c], None) for c in design.cables_of(gone)]
    swaps.append(Swap("devices", gone, design.devices[gone], None))
    design.apply(Edit("make room", tuple(swaps)))
    ufm = Device("ufm", "ufm", "ufm-appliance", "host")
    pairs: Pairs = [
        (PortRange("ufm", "nic", r + 1), PortRange(f"l3.{r}", "fabric", 32)) for r in range(4)
    ]
    catalog = default_catalog()
    records_swaps = [
        Swap("types", "ufm-appliance", None, catalog.get("ufm-appliance")),
        Swap("devices", "ufm", None, ufm),
    ]
    records_swaps += [
        Swap("cables", f"u{n}", None, Cable(f"u{n}", a, b)) for n, (a, b) in enumerate(pairs)
    ]
    design.apply(Edit("ufm", tuple(records_swaps)))
    return design


def change(design: Design, table: str, id_: str, **fields: object) -> None:
    """Replace fields of one record."""
    before = design.table(table)[id_]
    after = replace(before, **fields)
    design.apply(Edit("change", (Swap(table, id_, before, after),)))


def drop(design: Design, table: str, id_: str) -> None:
    """Remove one record and nothing else."""
    design.apply(Edit("drop", (Swap(table, id_, design.table(table)[id_], None),)))


def add(design: Design, table: str, record: object) -> None:
    """Add one record."""
    key = getattr(record, "id", None) or record.slug  # type: ignore[attr-defined]
    design.apply(Edit("add", (Swap(table, key, None, record),)))
