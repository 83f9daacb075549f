"""The line along the upper edge: whose drawing it is, and what its trunks are unless labelled."""

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from designer.messages import N_, _, ngettext
from designer.model.ports import link_speed
from designer.scene import glyph_sizes as sizes
from designer.scene.columns import TRUNK
from designer.scene.display_list import DisplayList, plate
from designer.scene.text import elide, text_width
from designer.scene.view import DEVICE, UNIT
from designer.units import format_bits_per_s, format_number

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

BASE = 24.0
_PAIRS = (
    ((sizes.SPINE, sizes.LEAF), N_("Leaf to spine")),
    ((sizes.CORE, sizes.SPINE), N_("Spine to core")),
)


def trunk_note(canvas: "CanvasView") -> str:
    """Return the usual trunk between two tiers, said once so that only others need a label."""
    columns, design = canvas.columns, canvas.design
    b = columns.bundles
    for (upper, lower), name in _PAIRS:
        rows = np.flatnonzero(
            (b.kind == TRUNK) & (columns.role[b.a] == upper) & (columns.role[b.b] == lower)
        )
        if len(rows) < 2:
            continue
        usual, times = Counter(b.count[rows].tolist()).most_common(1)[0]
        if times < len(rows) * 0.6:
            continue
        row = int(rows[np.flatnonzero(b.count[rows] == usual)[0]])
        speed = link_speed(design, design.cables[b.cables[row][0]])
        if speed is None:
            continue
        text = ngettext(
            "{tiers}: {n} trunk of {links} × {speed} unless labelled",
            "{tiers}: {n} trunks, each {links} × {speed} unless labelled",
            len(rows),
        )
        return text.format(
            tiers=_(name),
            n=format_number(len(rows)),
            links=format_number(usual),
            speed=format_bits_per_s(speed),
        )
    return ""


class Header:
    """Draws the line; the note is worked out once for each state of the drawing."""

    def __init__(self, canvas: "CanvasView") -> None:
        self._canvas = canvas
        self.title = ""
        self._known: tuple[int, str] = (-1, "")

    def add_to(self, picture: DisplayList) -> None:
        """Add title and note to the overlay."""
        canvas = self._canvas
        note = ""
        if canvas.view.level in (UNIT, DEVICE):
            if self._known[0] != canvas.design.revision:
                self._known = (canvas.design.revision, trunk_note(canvas))
            note = self._known[1]
        width = text_width(note, 12)
        room = picture.width - 48 - width
        if self.title and room > 40:
            title = elide(self.title, room, 13, 600)
            plate(picture, 16, BASE, text_width(title, 13, 600))
            picture.text(16, BASE, title, 13, 600)
        if note and width < picture.width - 32:
            plate(picture, picture.width - 16 - width, BASE, width)
            picture.text(picture.width - 16, BASE, note, 12, 400, "text2", "end")
