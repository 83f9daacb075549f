"""A read-only picture of a drawing, painted as the canvas paints it."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.gui.render import ListPainter
from designer.gui.style import color
from designer.messages import _
from designer.model.design import Design
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import DisplayList
from designer.scene.view import SceneState
from designer.scene.whole import whole


class DesignPreview(QWidget):
    """Shows a whole drawing as large as fits."""

    def __init__(self, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns: SceneColumns | None = None
        self._picture: DisplayList | None = None
        self._size = (0, 0)
        self._painter = ListPainter()
        self.setMinimumSize(320, 180)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Return the size the preview likes."""
        return QSize(760, 360)

    def set_design(self, design: Design | None) -> None:
        """Show a drawing, or nothing."""
        self.set_columns(SceneColumns.from_design(design) if design is not None else None)

    def set_columns(self, columns: SceneColumns | None) -> None:
        """Show the columns of a drawing, or nothing."""
        self._columns = columns
        self._picture = None
        self.update()

    def _composed(self, columns: SceneColumns) -> DisplayList:
        size = (self.width(), self.height())
        if self._picture is None or self._size != size:
            state = SceneState(theme=self._theme)
            view = whole(columns, *size, state, margin=16.0)
            self._picture, self._size = compose(columns, view, state), size
        return self._picture

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame and the drawing in it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        inside = QPainterPath()
        inside.addRoundedRect(frame, 8, 8)
        painter.fillPath(inside, color("canvas", self._theme))
        if self._columns is not None and len(self._columns.ids):
            painter.save()
            painter.setClipPath(inside)
            picture = self._composed(self._columns)
            shrink = min(self.width() / picture.width, self.height() / picture.height)
            painter.translate(
                (self.width() - picture.width * shrink) / 2,
                (self.height() - picture.height * shrink) / 2,
            )
            painter.scale(shrink, shrink)
            self._painter.paint(painter, picture)
            painter.restore()
        else:
            painter.setPen(color("text2", self._theme))
            text = _("No drawing") if self._columns is None else _("An empty drawing")
            painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, text)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color("border", self._theme), 1))
        painter.drawPath(inside)
