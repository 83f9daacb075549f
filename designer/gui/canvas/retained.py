"""The retained frame: what was painted is kept, scrolled and mended instead of painted again.

A drawing whose whole frame is cheap is simply painted whole, so it is always right. A large one is
scrolled while it moves and stretched while it zooms, with the exposed strips painted anew, and is
brought to full detail in slices once the hand rests.
"""

import time
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, QRectF, QSize
from PySide6.QtGui import QPainter, QPixmap, QRegion

from designer.gui.canvas.grid import GridPainter, ground
from designer.gui.render import MANY_CURVES, ListPainter
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import Curves, DisplayList, Lines, Primitive
from designer.scene.view import GUTTER, SceneState, View

# A whole frame below this many seconds is painted whole at every step of a motion.
CHEAP_S = 0.014
SLICE_S = 0.006
# Strips that cost more are left bare until the hand rests.
STRIPS_S = 0.009
# The strips of a drawing whose whole frame costs more are not even tried.
DEAR_S = 0.04
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
        self._labelled = False
        self._strips_s = 0.0

    @property
    def cheap(self) -> bool:
        """Tell whether whole frames fit the motion budget."""
        return self.cost_s < CHEAP_S

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
        self.view, self.fine, self._labelled = view, not state.moving, state.chrome
        if not state.moving:
            self.cost_s = time.perf_counter() - begin

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

    def scroll(
        self, columns: SceneColumns, view: View, state: SceneState, dx: int, dy: int
    ) -> None:
        """Shift the frame by whole pixels to `view`, and paint the strips that come into sight."""
        if self.view is None:
            self.paint_whole(columns, view, state)
            return
        self._work = None
        ratio = self._pixmap.devicePixelRatio()
        self._pixmap.scroll(round(dx * ratio), round(dy * ratio), self._pixmap.rect())
        whole = QRect(0, 0, round(view.width), round(view.height))
        exposed = QRegion(whole) - QRegion(whole.translated(dx, dy))
        if self._labelled:
            # the labels at the left stand still; what the scroll made of them goes
            exposed += QRect(0, 0, round(GUTTER) + 16 + max(0, dx), whole.height())
            self._labelled = False
        self.view, self.fine = view, False
        if self._strips_s > STRIPS_S or self.cost_s > DEAR_S:
            self._clear(exposed, view, state.theme)
            return
        begin = time.perf_counter()
        for area in _rects(exposed):
            self.paint_region(columns, view, state, area)
        self._strips_s = time.perf_counter() - begin

    def _clear(self, exposed: QRegion, view: View, theme: str) -> None:
        """Show the bare ground where strips cost too much to be drawn in a motion."""
        painter = QPainter(self._pixmap)
        painter.setClipRegion(exposed)
        self._grid.paint(painter, view, theme)
        painter.end()

    def draw(self, painter: QPainter, view: View, theme: str) -> None:
        """Draw the frame on the screen, stretched when it shows another view."""
        if self.view is None:
            return
        if view == self.view:
            painter.drawPixmap(QPoint(0, 0), self._pixmap)
            return
        x0, y0 = view.to_screen(self.view.x, self.view.y)
        k = view.scale / self.view.scale
        target = QRectF(x0, y0, self.view.width * k, self.view.height * k)
        painter.fillRect(QRectF(0, 0, view.width, view.height), ground(theme))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawPixmap(target, self._pixmap, QRectF(self._pixmap.rect()))

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
        self._strips_s = 0.0
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
        self._labelled, self.cost_s = state.chrome, spent


def _rects(region: QRegion) -> list[QRect]:
    return [QRect(r) for r in region]  # type: ignore[attr-defined]


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
