"""Paints display lists with QPainter: the window, PNG and PDF alike.

Files are painted in a thread of their own. Qt's fonts, laid-out texts and SVG renderers belong to
the thread that made them, so that none is handed from one thread to another.
"""

import threading
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shiboken6
from PySide6.QtCore import (
    QByteArray,
    QLineF,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QStaticText,
)
from PySide6.QtSvg import QSvgRenderer

from designer.errors import FileError
from designer.messages import _
from designer.resources import resource
from designer.scene.display_list import (
    Array,
    Circles,
    Curves,
    DisplayList,
    Icons,
    Lines,
    Polygons,
    Polylines,
    Primitive,
    Rects,
    Text,
    Texts,
)
from designer.scene.text import font_file
from designer.scene.theme import token

FAMILY = "Inter"
# Boxes that are drawn one by one, with round corners, even while the drawing moves.
_FEW = 40
CSS_DPI = 96
# A frame of more curves than this draws them as straight pieces without antialiasing.
MANY_CURVES = 1500
# A raster wider than this is refused by the image formats and by memory long before.
MAX_PIXELS = 30_000


class PointBuffer:
    """Numpy memory that QPainter reads in place, as (first instance, count)."""

    def __init__(self, kind: type, numbers: int) -> None:
        self._kind, self._numbers, self._room = kind, numbers, 0
        self._array: Array = np.empty((0, numbers))
        self._first: object = None

    def fill(self, rows: Array) -> tuple[object, int]:
        """Copy `rows` (n × numbers) and return what a painter method takes."""
        if len(rows) > self._room:
            self._room = max(1024, int(len(rows) * 1.3))
            self._array = np.empty((self._room, self._numbers))
            self._first = shiboken6.wrapInstance(self._array.ctypes.data, self._kind)
        self._array[: len(rows)] = rows
        return self._first, len(rows)


@lru_cache(maxsize=1)
def _load_font() -> None:
    if FAMILY not in QFontDatabase.families():
        QFontDatabase.addApplicationFont(str(font_file()))


def canvas_font(size: float, weight: int) -> QFont:
    """Return Inter at `size` pixels; the weight is set on the variable font's own axis."""
    return _font(size, weight, threading.get_ident())


@lru_cache(maxsize=128)
def _font(size: float, weight: int, _thread: int) -> QFont:
    _load_font()
    font = QFont(FAMILY)
    font.setPixelSize(max(1, round(size)))
    font.setWeight(QFont.Weight(weight))
    font.setVariableAxis(QFont.Tag("wght"), weight)
    font.setVariableAxis(QFont.Tag("opsz"), 14)
    # Contextual shapes would make “×16” unreadable for a search of the PDF.
    font.setFeature(QFont.Tag("calt"), 0)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


@lru_cache(maxsize=512)
def _color(name: str, theme: str) -> QColor:
    return QColor(token(name, theme))


@lru_cache(maxsize=2048)
def _pen(name: str, theme: str, width: float, dash: tuple[float, ...], round_: bool) -> QPen:
    # Widths of 0 and 1 take Qt's slow path for long lines; 1.01 looks the same.
    pen = QPen(_color(name, theme), 1.01 if abs(width - 1) < 0.01 else width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if round_ else Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        pen.setDashPattern([d / max(width, 0.1) for d in dash])
    return pen


def _svg(name: str, color: str) -> QSvgRenderer:
    return _renderer(name, color, threading.get_ident())


@lru_cache(maxsize=256)
def _renderer(name: str, color: str, _thread: int) -> QSvgRenderer:
    path = resource("icons", f"{name}.svg")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as fault:
        raise FileError(
            _("The icon “{name}” is missing.").format(name=name), _("Install railspine again.")
        ) from fault
    return QSvgRenderer(QByteArray(text.replace("currentColor", color).encode()))


@lru_cache(maxsize=1024)
def icon_pixmap(name: str, color: str, size: float, ratio: float) -> QPixmap:
    """Return an icon in a colour (`#RRGGBB`), `size` logical pixels wide."""
    pixels = max(1, round(size * ratio))
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    _svg(name, color).render(painter)
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


@lru_cache(maxsize=8192)
def _label(text: str, size: float, weight: int) -> tuple[QStaticText, float, float]:
    """Return a laid-out text, its width and its ascent; for the window's thread alone.

    It holds on to font data that ends with the thread it was laid out in.
    """
    font = canvas_font(size, weight)
    label = QStaticText(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    label.prepare(font=font)
    return label, label.size().width(), QFontMetricsF(font).ascent()


class ListPainter:
    """Paints display lists with a `QPainter`; keeps the buffers handed to Qt.

    Args:
        vector: True for PDF: texts stay text and icons stay paths.
    """

    def __init__(self, *, vector: bool = False) -> None:
        self._vector = vector
        self._lines = PointBuffer(QLineF, 4)
        self._rects = PointBuffer(QRectF, 4)
        self._theme = "light"
        self._smooth = True
        self._ratio = 1.0

    def paint(self, painter: QPainter, picture: DisplayList, area: QRectF | None = None) -> None:
        """Paint a picture; its background fills `area`, or all of it when None.

        A clip is the caller's: set it before, for the background is painted within it too.
        """
        self._theme, self._smooth = picture.theme, picture.smooth
        self._ratio = painter.device().devicePixelRatioF()
        if picture.background:
            whole = area or QRectF(0, 0, picture.width, picture.height)
            painter.fillRect(whole, _color(picture.background, self._theme))
        for item in picture.items:
            self._paint(painter, item)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint(self, painter: QPainter, item: Primitive) -> None:
        if isinstance(item, Texts):
            self._texts(painter, item)
        elif isinstance(item, Icons):
            self._icons(painter, item)
        elif isinstance(item, Lines):
            self._draw_lines(painter, item)
        elif isinstance(item, Rects):
            self._draw_rects(painter, item)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, self._smooth)
            if isinstance(item, Curves):
                self._curves(painter, item)
            elif isinstance(item, Polylines):
                self._polylines(painter, item)
            elif isinstance(item, Polygons):
                self._polygons(painter, item)
            else:
                self._circles(painter, item)

    def _style(
        self, painter: QPainter, fill: str, stroke: str, width: float, dash: tuple[float, ...] = ()
    ) -> None:
        theme = self._theme
        painter.setBrush(QBrush(_color(fill, theme)) if fill else QBrush(Qt.BrushStyle.NoBrush))
        if stroke:
            painter.setPen(_pen(stroke, theme, width, dash, False))
        else:
            painter.setPen(Qt.PenStyle.NoPen)

    def _draw_lines(self, painter: QPainter, item: Lines) -> None:
        xyxy = item.xyxy
        straight = bool(np.all((xyxy[:, 0] == xyxy[:, 2]) | (xyxy[:, 1] == xyxy[:, 3])))
        painter.setRenderHint(
            QPainter.RenderHint.Antialiasing, self._smooth and (self._vector or not straight)
        )
        painter.setPen(_pen(item.color, self._theme, item.width, item.dash, False))
        painter.drawLines(*self._lines.fill(xyxy))  # type: ignore[call-overload]

    def _draw_rects(self, painter: QPainter, item: Rects) -> None:
        if not self._smooth and len(item.xywh) > _FEW and item.fill and not item.dash:
            self._plain_rects(painter, item)
            return
        self._style(painter, item.fill, item.stroke, item.width, item.dash)
        if item.radius < 0.5:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, self._smooth)
            painter.drawRects(*self._rects.fill(item.xywh))  # type: ignore[call-overload]
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for x, y, w, h in item.xywh.tolist():
            radius = min(item.radius, w / 2, h / 2)
            painter.drawRoundedRect(QRectF(x, y, w, h), radius, radius)

    def _plain_rects(self, painter: QPainter, item: Rects) -> None:
        """Draw many boxes of a moving frame: filled twice, as an outline costs ten times that."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        half = item.width / 2 if item.stroke else 0.0
        for color, grown in ((item.stroke, half), (item.fill, -half)):
            if color:
                painter.setBrush(QBrush(_color(color, self._theme)))
                boxes = item.xywh + np.array([-grown, -grown, 2 * grown, 2 * grown])
                painter.drawRects(*self._rects.fill(boxes))  # type: ignore[call-overload]

    def _curves(self, painter: QPainter, item: Curves) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(_pen(item.color, self._theme, item.width, item.dash, False))
        if not self._smooth and not item.dash:
            painter.drawLines(*self._lines.fill(_chords(item.points)))  # type: ignore[call-overload]
            return
        for ax, ay, bx, by, cx, cy, dx, dy in item.points.tolist():
            path = QPainterPath(QPointF(ax, ay))
            path.cubicTo(bx, by, cx, cy, dx, dy)
            painter.drawPath(path)

    def _polylines(self, painter: QPainter, item: Polylines) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(_pen(item.color, self._theme, item.width, item.dash, False))
        for points in item.lines:
            painter.drawPath(rounded_path(points, item.radius))

    def _polygons(self, painter: QPainter, item: Polygons) -> None:
        # outlines of a moving frame are lines in one go: the stroker costs more than the filling
        apart = bool(item.fill and item.stroke) and not self._smooth
        self._style(painter, item.fill, "" if apart else item.stroke, item.width)
        for corners in item.points.tolist():
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
        if apart:
            sides = np.concatenate([item.points, np.roll(item.points, -1, axis=1)], axis=2)
            painter.setPen(_pen(item.stroke, self._theme, max(1.01, item.width), (), False))
            painter.drawLines(*self._lines.fill(sides.reshape(-1, 4)))  # type: ignore[call-overload]

    def _circles(self, painter: QPainter, item: Circles) -> None:
        self._style(painter, item.fill, item.stroke, item.width)
        for x, y, r in item.xyr.tolist():
            painter.drawEllipse(QPointF(x, y), r, r)

    def _texts(self, painter: QPainter, item: Texts) -> None:
        font: tuple[float, int] | None = None
        for run in item.runs:
            if font != (run.size, run.weight):
                font = (run.size, run.weight)
                painter.setFont(canvas_font(*font))
            painter.setPen(_color(run.color, self._theme))
            self._text(painter, run)

    def _text(self, painter: QPainter, run: Text) -> None:
        if self._vector or threading.current_thread() is not threading.main_thread():
            metrics = QFontMetricsF(canvas_font(run.size, run.weight))
            left = metrics.horizontalAdvance(run.text) * _ANCHORS[run.anchor]
            painter.drawText(QPointF(run.x - left, run.y), run.text)
            return
        label, width, ascent = _label(run.text, run.size, run.weight)
        left = width * _ANCHORS[run.anchor]
        painter.drawStaticText(QPointF(run.x - left, run.y - ascent), label)

    def _icons(self, painter: QPainter, item: Icons) -> None:
        for name, x, y, size, color in item.items:
            plain = token(color, self._theme)
            if self._vector:
                _svg(name, plain).render(painter, QRectF(x, y, size, size))
            else:
                painter.drawPixmap(QPointF(x, y), icon_pixmap(name, plain, size, self._ratio))


# What share of a text's width lies left of where it is anchored.
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
_CHORD_STEPS = np.linspace(0.0, 1.0, 11)[:, None, None]


def _chords(points: Array) -> Array:
    """Return cubic curves (n × 8) as straight pieces (10 n × 4), for moving frames."""
    p = points.reshape(-1, 4, 2)
    t, u = _CHORD_STEPS, 1 - _CHORD_STEPS
    at = u**3 * p[:, 0] + 3 * u * u * t * p[:, 1] + 3 * u * t * t * p[:, 2] + t**3 * p[:, 3]
    return np.concatenate([at[:-1], at[1:]], axis=2).reshape(-1, 4)


def rounded_path(points: npt.NDArray[np.float64], radius: float) -> QPainterPath:
    """Return a polyline (k × 2) as a path whose corners are rounded by up to `radius`.

    A corner takes at most half of the shorter of its two segments.
    """
    corners = points.tolist()
    path = QPainterPath(QPointF(*corners[0]))
    for before, here, after in zip(corners, corners[1:], corners[2:], strict=False):
        first = float(np.hypot(here[0] - before[0], here[1] - before[1]))
        second = float(np.hypot(after[0] - here[0], after[1] - here[1]))
        r = min(radius, first / 2, second / 2)
        if r < 0.3:
            path.lineTo(*here)
            continue
        one, two = r / first, r / second
        path.lineTo(here[0] + (before[0] - here[0]) * one, here[1] + (before[1] - here[1]) * one)
        path.quadTo(
            here[0],
            here[1],
            here[0] + (after[0] - here[0]) * two,
            here[1] + (after[1] - here[1]) * two,
        )
    path.lineTo(*corners[-1])
    return path
