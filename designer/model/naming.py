"""Fresh ids and readable unique names."""

import re
import secrets
from functools import cache

from designer.model.design import Design
from designer.model.records import Device, Role

_NUMBERED = re.compile(r"^(.*?)(\d+)$")
_DIGITS = re.compile(r"([0-9]+)")
STEMS: dict[Role, str] = {
    "server": "srv",
    "nvswitch": "nvs",
    "leaf": "leaf",
    "spine": "spine",
    "core": "core",
    "host": "host",
}


@cache
def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts `leaf-10` after `leaf-9`, whatever the case of letters."""
    parts = _DIGITS.split(name.lower())
    return tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts if p)


def fresh_id(design: Design, table: str, prefix: str) -> str:
    """Return an id that `table` does not hold; random, so that a deleted one is not used again."""
    records = design.table(table)
    while True:
        candidate = f"{prefix}-{secrets.token_hex(5)}"
        if candidate not in records:
            return candidate


def fresh_name(design: Design, stem: str, taken: set[str] | None = None) -> str:
    """Return `stem-N`, or the next number after a stem that ends in one, not used by any device.

    `taken` holds names given out in the same edit; the new one is added to it.
    """
    match = _NUMBERED.match(stem)
    head, width, number = (match[1], len(match[2]), int(match[2])) if match else (f"{stem}-", 1, 0)
    while True:
        number += 1
        name = f"{head}{number:0{width}d}"
        if design.named(name) is None and (taken is None or name not in taken):
            if taken is not None:
                taken.add(name)
            return name


def name_for(design: Design, role: Role, taken: set[str] | None = None) -> str:
    """Return the next free name of a role: `srv-1`, `leaf-5`."""
    return fresh_name(design, STEMS[role], taken)


def name_is_free(design: Design, device: Device, name: str) -> bool:
    """Tell whether `device` may be called `name`."""
    holder = design.named(name)
    return bool(name.strip()) and (holder is None or holder.id == device.id)
