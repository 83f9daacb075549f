"""The retained frame: what was painted is kept, mended after edits, and refined after motions.

A view whose full frame is cheap is simply painted so at every step. A large one is painted in full
but coarse while it moves: every device (or its block) and every trunk (or its band), without
insides and labels. It is brought to full detail in slices once the hand rests.
"""

import time
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPixmap

from designer.gui.canvas.grid import GridPainter
from designer.gui.render import MANY_CURVES, ListPainter
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import Curves, DisplayList, Lines, Primitive
from designer.scene.view import SceneState, View

# A whole frame below this many seconds is painted whole at every step of a motion.
CHEAP_S = 0.014
SLICE_S = 0.006
# What a full frame cost says something of the next one up to this ratio of their scales.
NEAR = 1.6
# Lines and curves painted in one go while refining.
PIECE, CURVES = 4000, 150


class RetainedFrame:
    """A pixmap of one view of a drawing.

    Attributes:
        view: The view it shows; None before the first frame.
        cost_s: What the last whole frame took, seconds.
        fine: True when it holds full detail.
    """

    def __init__(self) -> None:
        self.view: View | None = None
        self.cost_s = 0.0
        self.fine = False
        self._pixmap = QPixmap()
        self._painter = ListPainter()
        self._grid = GridPainter()
        self._work: Iterator[None] | None = None
        self._cost_scale = 0.0

    def cheap(self, view: View) -> bool:
        """Tell whether a full frame of a view fits the motion budget, by what the last one took."""
        low, high = sorted((view.scale, self._cost_scale))
        return self.cost_s < CHEAP_S and high <= low * NEAR

    def resize(self, size: QSize, ratio: float) -> None:
        """Make room for a canvas of `size` logical pixels."""
        pixels = QSize(round(size.width() * ratio), round(size.height() * ratio))
        if self._pixmap.size() != pixels or self._pixmap.devicePixelRatio() != ratio:
            self._pixmap = QPixmap(pixels)
            self._pixmap.setDevicePixelRatio(ratio)
            self.view = None

    def paint_whole(self, columns: SceneColumns, view: View, state: SceneState) -> None:
        """Paint a whole frame and note what it cost."""
        begin = time.perf_counter()
        self._work = None
        picture = compose(columns, view, state)
        picture.smooth, picture.background = not state.moving and is_smooth(picture), ""
        painter = QPainter(self._pixmap)
        self._grid.paint(painter, view, state.theme)
        self._painter.paint(painter, picture)
        painter.end()
        self.view, self.fine = view, not state.moving
        if not state.moving:
            self.cost_s, self._cost_scale = time.perf_counter() - begin, view.scale

    def paint_region(
        self, columns: SceneColumns, view: View, state: SceneState, area: QRect
    ) -> None:
        """Paint one rectangle of the frame anew; the rest stays, and waits to be refined."""
        area = area.intersected(QRect(0, 0, round(view.width), round(view.height)))
        if area.isEmpty() or self.view is None:
            return
        self.fine = False
        left, top = view.to_drawing(area.x(), area.y())
        part = View(area.width(), area.height(), view.scale, left, top)
        level = view.level if state.level is None else state.level
        picture = compose(columns, part, replace(state, chrome=False, level=level))
        picture.smooth, picture.background = not state.moving, ""
        painter = QPainter(self._pixmap)
        painter.setClipRect(area)
        painter.translate(area.topLeft())
        self._grid.paint(painter, part, state.theme)
        self._painter.paint(painter, picture)
        painter.end()

    def draw(self, painter: QPainter) -> None:
        """Draw the frame on the screen."""
        painter.drawPixmap(QPoint(0, 0), self._pixmap)

    # --- refinement ---

    def begin_refining(self, columns: SceneColumns, view: View, state: SceneState) -> None:
        """Prepare to bring the frame to full detail by calls of `refine`."""
        self._work = self._refining(columns, view, replace(state, moving=False))

    def refine(self) -> bool:
        """Work for one slice; returns True when there is more to do."""
        if self._work is None:
            return False
        end = time.perf_counter() + SLICE_S
        for _step in self._work:
            if time.perf_counter() > end:
                return True
        self._work = None
        return False

    def finish(self) -> None:
        """Do all that is left of a refinement at once."""
        while self.refine():
            pass

    def _refining(self, columns: SceneColumns, view: View, state: SceneState) -> Iterator[None]:
        begin = time.perf_counter()
        picture = compose(columns, view, state)
        spent = time.perf_counter() - begin
        smooth = is_smooth(picture)
        yield
        fresh = QPixmap(self._pixmap.size())
        fresh.setDevicePixelRatio(self._pixmap.devicePixelRatio())
        painter = QPainter(fresh)
        self._grid.paint(painter, view, state.theme)
        painter.end()
        for items in _pieces(picture.items):
            begin = time.perf_counter()
            part = DisplayList(picture.width, picture.height, picture.theme, "", items)
            part.smooth = smooth
            painter = QPainter(fresh)
            self._painter.paint(painter, part)
            painter.end()
            spent += time.perf_counter() - begin
            yield
        self._pixmap, self.view, self.fine = fresh, view, True
        self.cost_s, self._cost_scale = spent, view.scale


def is_smooth(picture: DisplayList) -> bool:
    """Tell whether a picture has so few curves that they can be drawn as such, smoothly."""
    curves = sum(len(i.points) for i in picture.items if isinstance(i, Curves))
    return curves <= MANY_CURVES


def _pieces(items: list[Primitive]) -> Iterator[list[Primitive]]:
    """Yield the primitives of a picture in small batches, in order; long ones are cut."""
    batch: list[Primitive] = []
    weight = 0
    for item in items:
        parts = _cut(item)
        if parts:
            if batch:
                yield batch
            batch, weight = [], 0
            yield from ([part] for part in parts)
            continue
        batch.append(item)
        weight += 1
        if weight >= 40:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def _cut(item: Primitive) -> list[Primitive]:
    """Return a long batch of lines or curves in pieces; nothing for any other primitive."""
    if isinstance(item, Lines) and len(item.xyxy) > PIECE:
        starts = range(0, len(item.xyxy), PIECE)
        return [replace(item, xyxy=item.xyxy[k : k + PIECE]) for k in starts]
    if isinstance(item, Curves) and len(item.points) > CURVES:
        step = PIECE // 10 if len(item.points) > MANY_CURVES else CURVES
        starts = range(0, len(item.points), step)
        return [replace(item, points=item.points[k : k + step]) for k in starts]
    return []
