"""Small pictures of templates: SVG made by the program from the real drawings."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.gui.style import color
from designer.resources import resource


class DrawingPicture(QWidget):
    """Shows a drawing in small; an empty frame until there is one."""

    def __init__(self, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._renderer: QSvgRenderer | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_svg(self, picture: str) -> None:
        """Show the text of an SVG."""
        self._renderer = QSvgRenderer(picture.encode("utf-8"))
        self.update()

    @property
    def empty(self) -> bool:
        """Tell whether there is nothing to show."""
        return self._renderer is None or not self._renderer.isValid()

    def sizeHint(self) -> QSize:
        """Return the least size at which a picture tells something."""
        return QSize(120, 80)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame and the picture in it, as large as fits."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(color("border", self.theme), 1))
        painter.setBrush(color("canvas", self.theme))
        painter.drawRoundedRect(frame, 6, 6)
        inner = frame.adjusted(5, 5, -5, -5)
        if self._renderer is None or self.empty:
            self._paint_empty(painter, inner)
            return
        size = self._renderer.defaultSize()
        scale = min(inner.width() / size.width(), inner.height() / size.height())
        target = QRectF(0, 0, size.width() * scale, size.height() * scale)
        target.moveCenter(inner.center())
        self._renderer.render(painter, target)

    def _paint_empty(self, painter: QPainter, inner: QRectF) -> None:
        """Paint what stands in place of a picture: nothing."""


class TemplatePicture(DrawingPicture):
    """Shows `resources/templates/NAME-THEME.svg`; a plus sign where a template has no picture."""

    def __init__(self, name: str, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        path = resource("templates", f"{name}-{theme}.svg")
        self._renderer = QSvgRenderer(str(path)) if path.is_file() else None

    def _paint_empty(self, painter: QPainter, inner: QRectF) -> None:
        """Paint a plus sign in a dashed box."""
        painter.setPen(QPen(color("text3", self.theme), 1.5, Qt.PenStyle.DashLine))
        box = QRectF(0, 0, 72, 52)
        box.moveCenter(inner.center())
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QPen(color("text2", self.theme), 1.75))
        c = inner.center()
        painter.drawLine(int(c.x()) - 8, int(c.y()), int(c.x()) + 8, int(c.y()))
        painter.drawLine(int(c.x()), int(c.y()) - 8, int(c.x()), int(c.y()) + 8)
