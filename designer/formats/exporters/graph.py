"""The network as a graph for other programs: GraphML and DOT, every link an edge of its own."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from designer.model.design import Design
from designer.model.ports import expand, link_speed, port_name
from designer.model.records import Cable, Device

# Characters that XML 1.0 cannot hold, and halves of surrogate pairs.
_CONTROLS = (*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF)
_NO_XML = dict.fromkeys((*_CONTROLS, *range(0xD800, 0xE000)), "\ufffd")


def multigraph(design: Design) -> Any:
    """Return a `networkx.MultiGraph`: nodes are device ids, parallel links are parallel edges.

    Cables whose device is missing are left out.
    """
    import networkx  # a tenth of a second, and only who exports a graph needs it

    graph = networkx.MultiGraph(name=_clean(design.title_block.title))
    for device in design.devices.values():
        graph.add_node(_clean(device.id), **_node(design, device))
    for cable in design.cables.values():
        ends = (design.devices.get(cable.a.device), design.devices.get(cable.b.device))
        if ends[0] is None or ends[1] is None:
            continue
        speed = link_speed(design, cable)
        for key, port_a, port_b in _links(design, cable, ends[0], ends[1]):
            graph.add_edge(
                _clean(cable.a.device),
                _clean(cable.b.device),
                key=_clean(key),
                **_edge(cable, port_a, port_b, speed),
            )
    return graph


def graphml(design: Design) -> str:
    """Return the network as GraphML, one edge a link, with ports, rates and places."""
    import networkx

    return "\n".join(networkx.generate_graphml(multigraph(design), named_key_ids=True)) + "\n"


def dot(design: Design) -> str:
    """Return the network as a DOT graph, one line a link: `"a":"P1" -- "b":"P2"`."""
    counts = Counter(d.name for d in design.devices.values())
    names = {
        d.id: _quoted(d.name if counts[d.name] == 1 else f"{d.name} ({d.id})")
        for d in design.devices.values()
    }
    lines = [f"graph {_quoted(design.title_block.title or 'network')} {{"]
    lines += [
        f"  {names[device.id]} [{_attributes(_node(design, device))}];"
        for device in design.devices.values()
    ]
    for cable in design.cables.values():
        one, two = design.devices.get(cable.a.device), design.devices.get(cable.b.device)
        if one is None or two is None:
            continue
        speed = link_speed(design, cable)
        rate = f" [rate_bits_per_s={speed:.0f}]" if speed is not None else ""
        lines += [
            f"  {names[one.id]}:{_quoted(a)} -- {names[two.id]}:{_quoted(b)}{rate};"
            for _key, a, b in _links(design, cable, one, two)
        ]
    return "\n".join(lines) + "\n}\n"


def _node(design: Design, device: Device) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": _clean(device.name),
        "role": device.role,
        "type": _clean(device.type),
        "fabric": device.fabric,
    }
    for kind in ("unit", "pod", "plane", "rack"):
        group = design.groups.get(getattr(device, kind))
        if group is not None:
            found[kind] = _clean(group.name)
    gpus, place = design.gpus(device), design.placements.get(device.id)
    if gpus is not None:
        found["gpus"] = gpus
    if place is not None:
        found |= {"x": float(place.x), "y": float(place.y)}
    return found


def _edge(cable: Cable, port_a: str, port_b: str, speed: float | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "cable": _clean(cable.id),
        "source_port": _clean(port_a),
        "target_port": _clean(port_b),
    }
    if speed is not None:
        found["rate_bits_per_s"] = float(speed)
    if cable.length_m is not None:
        found["length_m"] = float(cable.length_m)
    return found


def _links(
    design: Design, cable: Cable, one: Device, two: Device
) -> Iterator[tuple[str, str, str]]:
    """Yield a key and the names of both ports, for each link of a cable."""
    ends = zip(expand(one, cable.a), expand(two, cable.b), strict=False)
    for number, (a, b) in enumerate(ends, 1):
        key = cable.id if cable.count == 1 else f"{cable.id}#{number}"
        yield key, port_name(design, one, a), port_name(design, two, b)


def _clean(text: str) -> str:
    return text.translate(_NO_XML)


def _quoted(text: str) -> str:
    escaped = _clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _attributes(values: dict[str, Any]) -> str:
    return ", ".join(
        f"{key}={_quoted(value) if isinstance(value, str) else value}"
        for key, value in values.items()
        if key != "name"
    )
