"""How much of a switch's name is written: the same for all of a tier."""

import re

import numpy as np

from designer.scene import glyph_sizes as sizes
from designer.scene.frame import Frame
from designer.scene.text import elide, text_width
from designer.scene.view import PORT

# Names of so many devices of a tier decide; more would take longer than they tell.
SAMPLE = 240
# So many of them may be cut off before the whole tier has a shorter form.
STRAY = 0.08
_ROLE_WORDS = re.compile(r"(?i)(?<![a-z])(ib)?(leaf|spine|core|switch|sw)(?![a-z])[-_. ]?")


def inner(frame: Frame, row: int) -> tuple[float, float]:
    """Return where the text of a switch may begin and must end, screen columns."""
    x, w, role = float(frame.x[row]), float(frame.w[row]), int(frame.columns.role[row])
    left, right = x - w / 2 + 8, x + w / 2 - 8
    if role == sizes.LEAF:
        left = x - w / 2 + (12 if w > 40 else 6)
        right = x + w / 2 - (8 if w > 40 else 3)
    elif role == sizes.SPINE:
        pad = 26 if frame.level >= PORT else 12 if w > 60 else 7
        left, right = x - w / 2 + pad, x + w / 2 - min(pad, 12)
    return left, right


def large(frame: Frame, row: int) -> float:
    """Return the size of the full name."""
    return 15.0 if frame.level >= PORT and frame.w[row] > 260 else 12.0


def forms(name: str, size: float) -> list[tuple[str, float]]:
    """Return ever shorter forms of a name with their text sizes, the full name first.

    A name without the word for its tier (`su01-3` of `su01-leaf-3`) still tells units apart.
    """
    lean = _ROLE_WORDS.sub("", name).strip("-_. ") or name
    parts = [p for p in re.split(r"[-_. ]", lean) if p] or [name]
    two, last = "-".join(parts[-2:]), parts[-1]
    return [(name, size), (name, 11.0), (lean, 12.0), (lean, 10.0), (two, 10.0)] + [
        (last, 12.0),
        (last, 9.0),
    ]


def label(frame: Frame, row: int, room: float) -> tuple[str, float]:
    """Return what is written in a switch with so much room, and its size; may be empty."""
    form = _form(frame, int(frame.columns.role[row]))
    if form < 0:
        return "", 12.0
    text, size = forms(frame.columns.names[row], large(frame, row))[form]
    return elide(text, room, size, 600), size


def _form(frame: Frame, role: int) -> int:
    """Return which form the switches of a role have room for, but for a few; -1 for none."""
    key = f"form of role {role}"
    found = frame.caches.get(key)
    if isinstance(found, int):
        return found
    # not only those in view: a strip that scrolls in must not read otherwise than the rest
    rows = np.flatnonzero(frame.columns.role == role).tolist()
    rows = rows[:: max(1, len(rows) // SAMPLE)]
    best = -1
    for k in range(len(forms("", 12.0))):
        cut = 0
        for row in rows:
            left, right = inner(frame, row)
            size = large(frame, row)
            icon = 28.0 + 12 if size > 12 else 0.0
            text, size = forms(frame.columns.names[row], size)[k]
            cut += text_width(text, size, 600) > right - left - icon
        if cut <= len(rows) * STRAY:
            best = k
            break
    frame.caches[key] = best
    return best
