"""Names, ids and notes of imported devices: readable, unique, and the same at every import."""

import re
from collections import Counter

from designer.formats.importers.ib_blocks import Key, Node
from designer.formats.importers.ib_hosts import Host, name_and_label

_MF0 = re.compile(r"MF0;([^:]*):([^/]+)(?:/(.*))?$")


def has_inner_port(node: Node, nodes: dict[Key, Node]) -> bool:
    """Tell whether the last port is the internal one of the SHARP engine.

    It shows as cabled to that engine, or as an odd port more than any box has.
    """
    end = node.ends.get(node.ports)
    return nodes[end.peer].sharp if end is not None else node.ports > 8 and node.ports % 2 == 1


def switch_name(text: str) -> tuple[str, str, str]:
    """Return name, model and chip of a switch from its description."""
    found = _MF0.match(text)
    if found:
        return found[1].strip() or found[2], found[2].strip(), found[3] or ""
    words = " ".join(text.replace("Mellanox Technologies", "").split())
    return words or text or "switch", words, ""


def record_id(key: Key, prefix: str) -> str:
    """Return a record id that is the same at every import of the same machine."""
    return f"{prefix}-{key:016x}" if isinstance(key, int) else f"{prefix}-{key}"


def first_key(host: Host) -> Key:
    """Return the key of the first adapter of a host."""
    return next(iter(host.slots.values()))


def unique_names(wanted: list[tuple[str, Key]]) -> dict[Key, str]:
    """Return a name for each key: as wanted where nobody else wants it, else with its GUID."""
    counts = Counter(name for name, _key in wanted)
    taken = {name for name, n in counts.items() if n == 1}
    names: dict[Key, str] = {}
    for name, key in wanted:
        chosen, digits, number = name, 6, 1
        while counts[name] > 1 and (chosen == name or chosen in taken):
            number += 1
            if isinstance(key, int) and digits <= 16:
                chosen, digits = f"{name}-{f'{key:016x}'[-digits:]}", digits + 2
            else:
                chosen = f"{name}-{number}"
        taken.add(chosen)
        names[key] = chosen
    return names


def _hex(value: int | None) -> str:
    return f"0x{value:016x}" if value is not None else "–"


def switch_notes(node: Node) -> str:
    """Return what the file says of a switch that has no field of its own."""
    lines = [node.text]
    if node.guid is not None:
        lines.append(f"GUID {_hex(node.guid)}, system image {_hex(node.system)}")
    if node.device_id is not None:
        lines.append(f"device id 0x{node.device_id:x}")
    if node.chassis:
        lines.append(f"chassis {node.chassis}")
    return "\n".join(lines)


def host_notes(host: Host, nodes: dict[Key, Node]) -> str:
    """Return which adapter sits in which slot of a host."""
    lines = []
    for slot, key in host.slots.items():
        node = nodes[key]
        label = name_and_label(node.text)[1] or node.text
        lines.append(f"NIC {slot}: {label}" + (f", GUID {_hex(node.guid)}" if node.guid else ""))
    systems = {nodes[k].system for k in host.slots.values()} - {None}
    if systems:
        lines.append("system image " + ", ".join(sorted(_hex(s) for s in systems)))
    return "\n".join(lines)


def some(names: list[str]) -> str:
    """Return the first names of a list."""
    shown = ", ".join(names[:6])
    return f"{shown}, …" if len(names) > 6 else shown
