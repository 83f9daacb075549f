"""A read-only picture of a drawing, painted as the canvas paints it."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.gui.render import ListPainter
from designer.gui.style import color
from designer.model.design import Design
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.view import SceneState, fit


class DesignPreview(QWidget):
    """Shows a whole drawing as large as fits."""

    def __init__(self, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns: SceneColumns | None = None
        self.setMinimumSize(320, 220)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Return the size the preview likes."""
        return QSize(760, 380)

    def set_design(self, design: Design | None) -> None:
        """Show a drawing, or nothing."""
        self._columns = SceneColumns.from_design(design) if design is not None else None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the drawing."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), color("canvas", self._theme))
        if self._columns is None or not self._columns.ids:
            return
        view = fit(self._columns, self.width(), self.height(), margin=10.0)
        picture = compose(self._columns, view, SceneState(theme=self._theme))
        ListPainter().paint(painter, picture, QRectF(self.rect()))
