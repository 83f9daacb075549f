"""Mouse, wheel and touchpad: what the canvas does with their events."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QRect, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from designer.gui.canvas.gesture import Pointer
from designer.gui.canvas.pan import Pan
from designer.gui.canvas.tips import tip
from designer.gui.canvas.tools import TOOLS
from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit
from designer.scene.columns import Ints

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

# One notch of a wheel turns the scale by this factor.
NOTCH = 1.2
_NETWORK = frozenset({"devices", "cables", "types", "groups"})


def prepare(canvas: "CanvasView") -> None:
    """Set the attributes of the widget that pointing and painting need."""
    canvas.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    canvas.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
    canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    canvas.setMouseTracking(True)
    canvas.setMinimumSize(320, 200)
    canvas.setAccessibleName(_("Drawing"))


def press(canvas: "CanvasView", event: QMouseEvent) -> None:
    """Begin a gesture, or give the one in hand its next press."""
    canvas.setFocus(Qt.FocusReason.MouseFocusReason)
    canvas.question.close()
    canvas.keyboard.forget()
    at = Pointer.of(event)
    panning = event.button() == Qt.MouseButton.MiddleButton or (
        event.button() == Qt.MouseButton.LeftButton and canvas.keyboard.space
    )
    if panning:
        if canvas.gesture is None:
            canvas.set_gesture(Pan(canvas, at))
        return
    if event.button() != Qt.MouseButton.LeftButton:
        return
    if canvas.gesture is not None:
        canvas.gesture.press(at)
        canvas.settle()
        return
    canvas.bubble.hide()
    gesture = TOOLS[canvas.tool].start(canvas, at, canvas.hit_at(at.x, at.y))
    if gesture is not None:
        canvas.hover = None
        canvas.set_gesture(gesture)


def move(canvas: "CanvasView", event: QMouseEvent) -> None:
    """Give the move to the gesture, or see what is under the pointer."""
    at = Pointer.of(event)
    if canvas.gesture is not None:
        canvas.gesture.move(at)
        canvas.settle()
        return
    found = canvas.hit_at(at.x, at.y)
    if found != canvas.hover:
        canvas.hover = found
        canvas.update()


def release(canvas: "CanvasView", event: QMouseEvent) -> None:
    """Give the release to the gesture."""
    if canvas.gesture is not None and event.button() in (
        Qt.MouseButton.LeftButton,
        Qt.MouseButton.MiddleButton,
    ):
        canvas.gesture.release(Pointer.of(event))
        canvas.settle()


def double_click(canvas: "CanvasView", event: QMouseEvent) -> None:
    """Open what is under the pointer, or the search for parts on empty canvas."""
    if event.button() != Qt.MouseButton.LeftButton:
        return
    if canvas.gesture is not None or canvas.tool != "select":
        press(canvas, event)
        return
    at = Pointer.of(event)
    found = canvas.hit_at(at.x, at.y)
    if found is None:
        canvas.quick_add(at.x, at.y)
    elif found.kind == "note":
        note = canvas.design.notes[found.id]
        canvas.edit_note(note.id, note.x, note.y)
    elif found.kind == "block":
        canvas.zoom_to(found.devices)
    elif found.kind in ("device", "port"):
        canvas.zoom_to([found.id])
        canvas.device_opened.emit(found.id)


def wheel(canvas: "CanvasView", event: QWheelEvent) -> None:
    """Zoom about the pointer; two fingers of a touchpad pan, with Ctrl they zoom."""
    touchpad = event.phase() != Qt.ScrollPhase.NoScrollPhase and not event.pixelDelta().isNull()
    if touchpad and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        canvas.pan_by(event.pixelDelta().x(), event.pixelDelta().y())
    else:
        notches = event.angleDelta().y() / 120
        if notches:
            at = event.position()
            canvas.zoom_by(NOTCH**notches, at.x(), at.y())
    event.accept()


def special_event(canvas: "CanvasView", event: QEvent) -> bool:
    """Show tooltips and take the pinch of a touchpad; returns True when the event is used."""
    if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
        found = canvas.hit_at(event.x(), event.y()) if canvas.gesture is None else None
        text = tip(canvas, found) if found is not None else ""
        if text:
            QToolTip.showText(event.globalPos(), text, canvas)
        else:
            QToolTip.hideText()
        return True
    if (
        isinstance(event, QNativeGestureEvent)
        and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture
    ):
        at = event.position()
        canvas.zoom_by(1.0 + event.value(), at.x(), at.y())
        return True
    return False


def select_under(canvas: "CanvasView", x: float, y: float) -> None:
    """Select what is under a pixel, unless it is selected already."""
    found = canvas.hit_at(x, y)
    if found is None:
        return
    ids = frozenset(found.cables if found.kind == "cable" else found.devices or {found.id})
    if not ids <= canvas.selection:
        canvas.select(ids)


def rows_of(canvas: "CanvasView", ids: Iterable[str]) -> Ints:
    """Return the rows of devices: those named, and those at named cables and in named groups."""
    design, index = canvas.design, canvas.columns.index
    found: set[int] = set()
    for id_ in ids:
        names = [id_]
        if id_ in design.cables:
            names = [design.cables[id_].a.device, design.cables[id_].b.device]
        elif id_ in design.groups:
            names = [d.id for d in design.members(design.groups[id_])]
        found.update(index[n] for n in names if n in index)
    return np.array(sorted(found), dtype=np.int32)


def exists(design: Design, id_: str) -> bool:
    """Tell whether a device, cable, group or note of this id is on the drawing."""
    return any(
        id_ in table for table in (design.devices, design.cables, design.groups, design.notes)
    )


def touched_area(canvas: "CanvasView", edit: Edit) -> QRect | None:
    """Return the screen box around what an edit of places touches, cables included.

    None when the edit changes more than places.
    """
    if edit.tables() & _NETWORK:
        return None
    frame, columns = canvas.frame(), canvas.columns
    area = QRectF()
    for id_ in edit.ids("placements"):
        row = columns.index.get(id_)
        if row is None:
            return None
        rows = columns.rows_of(row)
        ends = np.concatenate([[row], columns.bundles.a[rows], columns.bundles.b[rows]])
        x0, x1 = (frame.x - frame.w / 2)[ends].min(), (frame.x + frame.w / 2)[ends].max()
        y0, y1 = (frame.y - frame.h / 2)[ends].min(), (frame.y + frame.h / 2)[ends].max()
        area = area.united(QRectF(x0 - 12, y0 - 12, x1 - x0 + 24, y1 - y0 + 24))
    return area.toAlignedRect()
