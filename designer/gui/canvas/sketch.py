"""What lies above the retained frame: hover, keyboard focus, the gesture, the part in the air."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QPainter

from designer.gui.canvas.cabling_picture import clear
from designer.gui.canvas.header import Header
from designer.gui.render import ListPainter
from designer.scene.blocks import blocks
from designer.scene.colours import bundle_colors
from designer.scene.display_list import Circles, Curves, DisplayList, Lines, Rects
from designer.scene.frame import ends
from designer.scene.paths import ways
from designer.scene.view import CLUSTER

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

# A hovered device brings so many of its cables to full strength; more would hide the rest.
MOST_HOVERED = 80


class Sketch:
    """Composes and paints the overlay of one canvas."""

    def __init__(self, canvas: "CanvasView") -> None:
        self._canvas = canvas
        self._painter = ListPainter()
        self.header = Header(canvas)

    def paint(self, painter: QPainter) -> None:
        """Paint the overlay."""
        canvas = self._canvas
        picture = DisplayList(canvas.view.width, canvas.view.height, canvas.theme, "")
        if canvas.hover is not None and canvas.gesture is None:
            self._hover(picture)
        self._focus(picture)
        self.header.add_to(picture)
        if canvas.gesture is not None:
            canvas.gesture.overlay(picture)
        drop_at = canvas.drops.at
        if drop_at is not None:
            x, y = drop_at.x(), drop_at.y()
            picture.add(
                Rects(np.array([[x - 54.0, y - 30, 108, 60]]), "", "accent", 1.5, 4, (4, 3))
            )
        if picture.items:
            self._painter.paint(painter, picture)

    def _hover(self, picture: DisplayList) -> None:
        hover = self._canvas.hover
        if hover is None:
            return
        if hover.kind == "cable":
            self._hover_cables(picture, hover.cables)
            return
        if hover.kind == "block":
            found = blocks(self._canvas.frame())
            at = found.of[self._canvas.columns.index[hover.id]]
            picture.add(Rects(found.box[[at]], "", "accent", 1.5, 4))
            return
        row = self._canvas.columns.index.get(hover.id)
        if row is None or hover.id in self._canvas.selection:
            return
        box = self._canvas.boxes([hover.id])
        picture.add(Rects(box, clear("accent", picture.theme, 0.07), "accent", 1.5, 4))
        if hover.kind == "port" and hover.port is not None:
            for place in self._canvas.ports_of(row):
                if place.port == hover.port:
                    disc = np.array([[place.x, place.y, 11.0]])
                    picture.add(Circles(disc, clear("accent", picture.theme, 0.25)))

    def _hover_cables(self, picture: DisplayList, cables: tuple[str, ...]) -> None:
        columns, frame = self._canvas.columns, self._canvas.frame()
        rows = sorted({columns.cable_bundle[c] for c in cables if c in columns.cable_bundle})
        if not rows or len(rows) > MOST_HOVERED or frame.level == CLUSTER:
            return
        at = np.array(rows, dtype=np.int32)
        trunks = at[columns.bundles.kind[at] != 0]
        if len(trunks):
            color = bundle_colors(frame, trunks)[0]
            picture.add(Curves(ways(frame, trunks, ends(frame, trunks)), color, 4.0))
            return
        drops = ends(frame, at)
        marks = np.column_stack([drops[:, 2] - 4, drops[:, 3], drops[:, 2] + 4, drops[:, 3]])
        picture.add(Lines(marks, "accent", 3.0))
        leaves = {columns.ids[int(r)] for r in columns.bundles.a[at]}
        picture.add(Rects(self._canvas.boxes(leaves), "", "accent", 1.5, 4))

    def _focus(self, picture: DisplayList) -> None:
        focus = self._canvas.keyboard.focus
        if focus is None or focus.device not in self._canvas.columns.index:
            return
        box = self._canvas.boxes([focus.device])
        picture.add(Rects(box + (-5, -5, 10, 10), "", "accent", 2.0, 7))
        if focus.port is not None:
            row = self._canvas.columns.index[focus.device]
            for place in self._canvas.ports_of(row):
                if place.port == focus.port:
                    ring = np.array([[place.x - 9, place.y - 10, 18.0, 20.0]])
                    picture.add(Rects(ring, "", "accent", 2.0, 4))
