"""The canvas: shows a drawing, follows the hand, tells the window what happened."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from designer.catalog.catalog import Catalog
from designer.engine.results import Results
from designer.errors import DesignerError
from designer.gui.canvas import pointing
from designer.gui.canvas.cards import Bubble, TargetCard
from designer.gui.canvas.context_menu import build_menu
from designer.gui.canvas.document import CanvasDocument
from designer.gui.canvas.drops import Drops
from designer.gui.canvas.filtering import Filtering
from designer.gui.canvas.furniture import Furniture
from designer.gui.canvas.gesture import Gesture
from designer.gui.canvas.keyboard import Keyboard
from designer.gui.canvas.link_question import LinkQuestion
from designer.gui.canvas.marks import with_results
from designer.gui.canvas.sketch import Sketch
from designer.gui.canvas.stage import Stage
from designer.gui.canvas.tools import TOOLS
from designer.gui.canvas.verbs import Verbs
from designer.model.design import Design
from designer.model.edits import Edit
from designer.scene.columns import SceneColumns
from designer.scene.frame import Frame, make_frame
from designer.scene.hits import Hit, LaneSet, hit, inside
from designer.scene.lanes import find_lanes
from designer.scene.places import PortPlace, port_places
from designer.scene.view import COLOUR_MODES, ColourMode, SceneState, View, fit
from designer.scene.whole import fitted
from designer.services.notices import refusal

GRID = 8.0


class CanvasView(QWidget):
    """Shows one drawing and lets a person work on it.

    Signals:
        noticed: A `NoticeText`: something was refused or failed.
        scale_changed: The scale, 1 being 100 %.
        tool_changed: Name of the tool in hand.
        colour_changed: How cables are coloured now.
        device_opened: Id of a device that was double-clicked.
        files_dropped: Paths of files let go over the canvas.
        template_wanted, wiring_wanted, tour_wanted: A button of the empty canvas.
    """

    noticed = Signal(object)
    scale_changed = Signal(float)
    tool_changed = Signal(str)
    colour_changed = Signal(str)
    device_opened = Signal(str)
    files_dropped = Signal(list)
    template_wanted = Signal()
    wiring_wanted = Signal()
    tour_wanted = Signal()

    def __init__(
        self, document: CanvasDocument, theme: str = "light", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.columns = SceneColumns.from_design(document.design)
        self.state = SceneState(theme=theme, selection=document.selection.ids)
        self.view = View(1.0, 1.0, 1.0, 0.0, 0.0)
        self.tool = "select"
        self.gesture: Gesture | None = None
        self.hover: Hit | None = None
        self.filtering = Filtering(self)
        self.verbs = Verbs(self)
        self.keyboard = Keyboard(self)
        self.stage = Stage(self)
        self._frame: Frame | None = None
        self._places: dict[int, list[PortPlace]] = {}
        self._lanes: LaneSet | None = None
        self._whole: View | None = None
        self.target_card = TargetCard(self, theme)
        self.bubble = Bubble(self, theme)
        self.question = LinkQuestion(self)
        self.furniture = Furniture(self, theme)
        self.drops = Drops(self)
        self._sketch = Sketch(self)
        pointing.prepare(self)
        document.edited.connect(self._on_edit)
        document.selection.changed.connect(self._on_selection)

    # --- what is shown ---

    @property
    def design(self) -> Design:
        """Return the drawing."""
        return self.document.design

    @property
    def catalog(self) -> Catalog:
        """Return the parts that can be placed."""
        return self.document.catalog

    @property
    def selection(self) -> frozenset[str]:
        """Return the selected ids."""
        return self.document.selection.ids

    @property
    def theme(self) -> str:
        """Return `light` or `dark`."""
        return self.state.theme

    def frame(self) -> Frame:
        """Return the screen geometry of the view."""
        if self._frame is None:
            self._frame = make_frame(self.columns, self.view, self.state)
            self._places, self._lanes = {}, None
        return self._frame

    def ports_of(self, row: int) -> list[PortPlace]:
        """Return the ports of a device on the screen."""
        frame = self.frame()
        if row not in self._places:
            self._places[row] = port_places(frame, row)
        return self._places[row]

    def hit_at(self, x: float, y: float) -> Hit | None:
        """Return what is drawn at a pixel."""
        frame = self.frame()
        if self._lanes is None:
            self._lanes = find_lanes(frame)
        return hit(frame, x, y, self._lanes)

    def inside(self, x0: float, y0: float, x1: float, y1: float) -> frozenset[str]:
        """Return the devices and notes that a box on the screen encloses."""
        return frozenset(inside(self.frame(), x0, y0, x1, y1))

    def boxes(self, ids: Iterable[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """Return the screen boxes of devices, n × 4 (x, y, w, h)."""
        frame = self.frame()
        rows = [r for i in ids if (r := self.columns.index.get(i)) is not None]
        w, h = frame.w[rows], frame.h[rows]
        return np.column_stack([frame.x[rows] - w / 2, frame.y[rows] - h / 2, w, h])

    def size_of(self, id_: str) -> tuple[float, float]:
        """Return the size of a device in drawing units; a note has none."""
        row, c = self.columns.index.get(id_), self.columns
        return (0.0, 0.0) if row is None else (float(c.w[row]), float(c.h[row]))

    # --- how it is shown ---

    def set_view(self, view: View) -> None:
        """Show another part of the drawing."""
        if view == self.view:
            return
        self.view, self._frame = view, None
        self.stage.moved()
        self.furniture.refresh()
        self.scale_changed.emit(view.scale)
        self.update()

    def pan_by(self, dx: int, dy: int) -> None:
        """Shift the drawing by whole pixels."""
        self.set_view(self.view.panned(dx, dy))

    def zoom_by(self, factor: float, x: float | None = None, y: float | None = None) -> None:
        """Scale by a factor; the pixel (x, y), or the middle, stands still."""
        x, y = self.width() / 2 if x is None else x, self.height() / 2 if y is None else y
        self.set_view(self.view.zoomed(factor, x, y))

    def zoom_to_fit(self) -> None:
        """Show the whole drawing."""
        self._whole = fitted(self.columns, self.width(), self.height(), self.state)
        self.set_view(self._whole)

    def zoom_to(self, ids: Iterable[str]) -> None:
        """Show devices, cables, groups or notes, as large as fits."""
        if len(rows := pointing.rows_of(self, ids)):
            view = fit(self.columns, self.width(), self.height(), rows, margin=80.0)
            if view.scale > max(1.0, self.view.scale):
                # a single device need not fill the window
                x, y = self.width() / 2, self.height() / 2
                view = view.zoomed(max(1.0, self.view.scale) / view.scale, x, y)
            self.set_view(view)

    def set_colour_mode(self, mode: str) -> None:
        """Colour cables by `rail`, `utilization` or `kind`."""
        found: ColourMode = next((m for m in COLOUR_MODES if m == mode), "rail")
        self.restate(replace(self.state, colour=found))
        self.colour_changed.emit(found)

    def set_detail(self, level: int | None) -> None:
        """Force a level of detail (0 cluster to 4 detail), or choose by scale with None."""
        self.restate(replace(self.state, level=level))

    def set_results(self, results: Results | None) -> None:
        """Show utilisation, findings and jobs of results; None shows none."""
        self.columns.caches.clear()
        self.restate(with_results(self.state, results))

    def set_failed(self, ids: Iterable[str]) -> None:
        """Show what is out for the results."""
        self.restate(replace(self.state, failed=frozenset(ids)))

    def set_theme(self, theme: str) -> None:
        """Show the drawing in the `light` or `dark` theme."""
        self.target_card.set_theme(theme)
        self.bubble.set_theme(theme)
        self.restate(replace(self.state, theme=theme))
        self.furniture.set_theme(theme)

    def set_title(self, title: str) -> None:
        """Show the name of the drawing along the upper edge."""
        self._sketch.header.title = title
        self.update()

    def set_tool(self, name: str) -> None:
        """Take a tool: `select`, `pan`, `cable` or `note`."""
        if name not in TOOLS or name == self.tool:
            return
        self.cancel()
        self.tool = name
        self.setCursor(TOOLS[name].cursor)
        self.tool_changed.emit(name)

    def restate(self, state: SceneState) -> None:
        """Show the drawing in another state, as far as the filter keeps it strong."""
        state = self.filtering.applied(state)
        if state != self.state:
            self.state = state
            self.repaint_whole()

    def repaint_whole(self) -> None:
        """Paint the whole view anew at the next chance."""
        self._frame = None
        self.stage.stale = True
        self.furniture.refresh()
        self.update()

    def apply(self, edit: Edit, *, coalesce: bool = False) -> bool:
        """Apply an edit to the drawing; a refusal becomes a notice and False."""
        if not edit:
            return False
        try:
            self.document.apply(edit, coalesce=coalesce)
        except DesignerError as fault:
            self.fault(fault)
            return False
        return True

    def select(self, ids: frozenset[str]) -> None:
        """Select these ids and nothing else."""
        self.document.selection.set(ids)

    def fault(self, fault: DesignerError) -> None:
        """Tell the window what was refused."""
        self.noticed.emit(refusal(fault))

    def snap(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the grid nearest to a place in the drawing."""
        return round(x / GRID) * GRID, round(y / GRID) * GRID

    def hide_cards(self) -> None:
        """Take the cards beside the pointer away."""
        self.target_card.hide()

    def quick_add(self, x: float | None = None, y: float | None = None) -> None:
        """Open the search for parts at a pixel, or in the middle."""
        self.furniture.open_search(x, y)

    def edit_note(self, id_: str, x: float, y: float) -> None:
        """Open the editor of a note, or of a new one (empty id) at (x, y) of the drawing."""
        self.furniture.open_note(id_, x, y)

    def _on_edit(self, edit: Edit) -> None:
        before = pointing.touched_area(self, edit)
        self.columns.update(edit)
        self.state, self._frame = self.filtering.applied(self.state), None
        self.hover = None
        gone = {i for i in self.selection if not pointing.exists(self.design, i)}
        if gone:
            self.select(self.selection - gone)
        after = pointing.touched_area(self, edit)
        area = before.united(after) if before is not None and after is not None else None
        self.stage.edited(area)
        self.furniture.refresh()
        self.update()

    def _on_selection(self, *_ids: object) -> None:
        self.restate(replace(self.state, selection=self.selection))

    def set_gesture(self, gesture: Gesture | None) -> None:
        """Begin a gesture, or end the one in hand."""
        self.gesture = gesture
        self.setCursor(gesture.cursor if gesture else TOOLS[self.tool].cursor)
        self.furniture.show_hints(gesture.hints if gesture else [])
        self.update()

    def cancel(self) -> bool:
        """Cancel the gesture in hand; returns False when there was none."""
        if self.gesture is None:
            return False
        self.gesture.cancel()
        self.set_gesture(None)
        return True

    def settle(self) -> None:
        """Let go of a gesture that has ended."""
        if self.gesture is not None and self.gesture.done:
            self.set_gesture(None)

    # --- painting ---

    def finish_painting(self) -> None:
        """Bring the frame to full detail now, before a picture of the window is taken."""
        self.stage.finish()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the retained frame and what lies above it."""
        painter = QPainter(self)
        self.stage.paint(painter)
        self._sketch.paint(painter)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the middle of the drawing in the middle; fit it when all of it was shown."""
        w, h, v = float(self.width()), float(self.height()), self.view
        if self._whole not in (None, v) and v.width > 1:
            x, y = v.x - (w - v.width) / 2 / v.scale, v.y - (h - v.height) / 2 / v.scale
            self.view = View(w, h, v.scale, x, y)
        else:
            self.view = self._whole = fitted(self.columns, w, h, self.state)
            self.scale_changed.emit(self.view.scale)
        self.repaint_whole()
        self.furniture.place()

    def event(self, event: QEvent) -> bool:
        """Show tooltips, pinch, and keep Tab for walking the drawing."""
        return pointing.special_event(self, event) or super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture, or give the one in hand its next press."""
        pointing.press(self, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Give the move to the gesture, or see what is under the pointer."""
        pointing.move(self, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Give the release to the gesture."""
        pointing.release(self, event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open what is under the pointer, or the search for parts on empty canvas."""
        pointing.double_click(self, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer; two fingers of a touchpad pan."""
        pointing.wheel(self, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give the key to the gesture, then to the keyboard commands."""
        if not self.keyboard.press(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Put the hand away when Space is let go."""
        self.keyboard.release(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Walk devices with Tab; leave the canvas after the last one."""
        return self.keyboard.tab(1 if forward else -1) or super().focusNextPrevChild(forward)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with what is under the pointer."""
        if self.gesture is None:
            at = event.pos()
            pointing.select_under(self, at.x(), at.y())
            build_menu(self, self.view.to_drawing(at.x(), at.y())).popup(event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        """Forget what was under the pointer."""
        self.hover = None
        self.update()
