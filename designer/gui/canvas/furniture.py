"""The widgets that float over the canvas, and what they say about the view."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint

from designer.gui.canvas.empty_card import EmptyCard, EmptyGhost
from designer.gui.canvas.floats import HEIGHT, KeyHints, Legend, ScaleNote, ZoomControl
from designer.gui.canvas.note_editor import NoteEditor
from designer.gui.canvas.quick_add import QuickAdd
from designer.messages import _, ngettext
from designer.scene.columns import NIC
from designer.scene.view import DEVICE, PORT, UNIT
from designer.units import format_number

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

MARGIN, GAP = 12, 8


class Furniture:
    """Legend, zoom control, scale note, key hints, the empty card, search and note editor."""

    def __init__(self, canvas: "CanvasView", theme: str) -> None:
        self._canvas = canvas
        self.legend = Legend(canvas, theme)
        self.zoom = ZoomControl(canvas, theme, canvas.zoom_by, canvas.zoom_to_fit)
        self.note = ScaleNote(canvas, theme)
        self.hints = KeyHints(canvas, theme)
        self.ghost = EmptyGhost(canvas, theme)
        self.empty = EmptyCard(canvas, theme)
        self.search = QuickAdd(canvas, theme, canvas.catalog)
        self.editor = NoteEditor(canvas, theme)
        self._place_at, self._in_tier = (0.0, 0.0), False
        self.empty.template.connect(canvas.template_wanted)
        self.empty.wiring.connect(canvas.wiring_wanted)
        self.empty.tour.connect(canvas.tour_wanted)
        self.search.chosen.connect(self._add)
        self.editor.written.connect(canvas.verbs.write_note)
        self.refresh()

    def _all(self) -> tuple[Legend, ZoomControl, ScaleNote, KeyHints, EmptyCard, QuickAdd]:
        return self.legend, self.zoom, self.note, self.hints, self.empty, self.search

    def set_theme(self, theme: str) -> None:
        """Show everything in a theme."""
        for card in (*self._all(), self.editor):
            card.set_theme(theme)
        self.ghost.theme = theme
        self.ghost.update()

    def refresh(self) -> None:
        """Say what is true of the view and the drawing now."""
        canvas = self._canvas
        self.zoom.set_scale(canvas.view.scale)
        mode = canvas.state.colour
        self.legend.set_mode(mode)
        loads = canvas.state.utilization
        self.legend.heat.peak = max(loads.values(), default=None) if loads else None
        self.legend.swatches.set_rails(_rails(canvas))
        self.note.set_text(scale_note(canvas))
        bare = not canvas.design.devices and not canvas.design.notes
        self.empty.setVisible(bare)
        self.ghost.setVisible(bare)
        self.legend.setVisible(not bare)
        self.zoom.setVisible(not bare)
        self.place()

    def place(self) -> None:
        """Put everything where it belongs in a canvas of this size."""
        canvas = self._canvas
        bottom = canvas.height() - MARGIN - HEIGHT
        left = MARGIN
        for card in (self.legend, self.zoom, self.note):
            if not card.isHidden():
                card.setFixedHeight(HEIGHT)
                card.adjustSize()
                if left > MARGIN and left + card.width() + MARGIN > canvas.width():
                    card.hide()  # shown again by the next refresh that finds room
                card.move(left, bottom)
                left += 0 if card.isHidden() else card.width() + GAP
        self.hints.adjustSize()
        middle = (canvas.width() - self.hints.width()) // 2
        free = max(left, middle) + self.hints.width() + MARGIN <= canvas.width()
        if free:
            self.hints.move(max(left, middle), bottom)
        else:
            self.hints.move(middle, bottom - HEIGHT - GAP)
        self.empty.adjustSize()
        x = (canvas.width() - self.empty.width()) // 2
        y = max(MARGIN, (canvas.height() - self.empty.height()) // 2 - 20)
        self.empty.move(x, y)
        self.ghost.setGeometry(x - 24, y - 70, self.empty.width() + 48, self.empty.height() + 120)
        self.ghost.stackUnder(self.empty)

    def show_hints(self, hints: list[tuple[str, str]]) -> None:
        """Show the keys of a gesture, or none."""
        self.hints.show_hints(hints)
        self.place()

    def open_search(self, x: float | None, y: float | None) -> None:
        """Open the search for parts; what is chosen stands at this pixel, or in its tier."""
        self._in_tier = x is None or y is None
        px = self._canvas.width() / 2 if x is None else x
        py = self._canvas.height() / 2 if y is None else y
        self._place_at = self._canvas.view.to_drawing(px, py)
        self.search.open_at(round(px), round(py))

    def _add(self, slug: str, count: int) -> None:
        self._canvas.verbs.add_parts(slug, *self._place_at, count=count, in_tier=self._in_tier)

    def open_note(self, id_: str, x: float, y: float) -> None:
        """Open the editor of a note at (x, y) of the drawing."""
        note = self._canvas.design.notes.get(id_)
        if note is not None:
            x, y = note.x, note.y
        px, py = self._canvas.view.to_screen(x, y)
        at = QPoint(round(px) - self.editor.width() // 2, round(py) - self.editor.height() // 2)
        self.editor.open_for(id_, note.text if note else "", x, y, (at.x(), at.y()))


def _rails(canvas: "CanvasView") -> int:
    slots = [p.nic_slots for p in canvas.design.types.values() if p.kind == "server"]
    return max(1, min(8, max(slots, default=8)))


def scale_note(canvas: "CanvasView") -> str:
    """Return what one line stands for at this level of detail, or an empty text."""
    columns, level = canvas.columns, canvas.view.level
    if canvas.state.level is not None:
        level = canvas.state.level
    b = columns.bundles
    nic = b.kind == NIC
    if not nic.any():
        return ""
    if level >= PORT:
        return ""
    if level in (UNIT, DEVICE):
        leaves, links = np.unique(b.a[nic], return_counts=True)
        if len(leaves) and links.min() == links.max() and links[0] > 2:
            text = ngettext("1 rail line = {n} cable", "1 rail line = {n} cables", int(links[0]))
            return text.format(n=format_number(int(links[0])))
        return ""
    return _("1 line = all cables between two blocks")
