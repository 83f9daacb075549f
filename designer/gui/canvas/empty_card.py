"""The card on an empty canvas: where to begin."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from designer.gui.canvas.card_style import Card
from designer.gui.render import canvas_font
from designer.messages import _
from designer.scene.theme import token

WIDTH, HEIGHT = 480, 156


class EmptyCard(Card):
    """Offers a template, an import and the tour.

    Signals:
        template, wiring, tour: One of its buttons was pressed.
    """

    template = Signal()
    wiring = Signal()
    tour = Signal()

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent, theme, "border")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 14)
        column.setSpacing(10)
        title = QLabel(_("Start the network"), self)
        title.setFont(canvas_font(17, 600))
        search = _("Drag a part here, or press {key} to search parts.").format(
            key="<b>&nbsp;/&nbsp;</b>"
        )
        hint = QLabel(search, self)
        hint.setFont(canvas_font(13, 400))
        foot = QLabel(_("A file dropped here is opened or imported."), self)
        foot.setFont(canvas_font(12, 400))
        for label in (hint, foot):
            label.setProperty("dim", True)
        row = QHBoxLayout()
        row.setSpacing(8)
        for text, signal, primary in (
            (_("Start from a template"), self.template, True),
            (_("Import wiring"), self.wiring, False),
            (_("Learn in 5 minutes"), self.tour, False),
        ):
            button = QPushButton(text, self)
            button.setFont(canvas_font(13, 500))
            button.setProperty("primary", primary)
            button.clicked.connect(signal)
            row.addWidget(button)
        column.addWidget(title, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(hint, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(row)
        column.addWidget(foot, 0, Qt.AlignmentFlag.AlignHCenter)
        self.adjustSize()


class EmptyGhost(QWidget):
    """A faint network behind the card: what a drawing will look like."""

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint three spines, four leaves and four servers in dashes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QColor(token("border", self.theme))
        w, h = float(self.width()), float(self.height())
        spines = [QPointF(w * (k + 0.5) / 3, h * 0.08) for k in range(3)]
        leaves = [QPointF(w * (k + 0.5) / 4, h * 0.45) for k in range(4)]
        painter.setPen(QPen(line, 1.2))
        for s in spines:
            for leaf in leaves:
                path = QPainterPath(s + QPointF(0, 16))
                mid = (leaf.y() - s.y()) * 0.48
                path.cubicTo(
                    s + QPointF(0, 16 + mid), leaf - QPointF(0, 16 + mid), leaf - QPointF(0, 16)
                )
                painter.drawPath(path)
        pen = QPen(line, 1.6)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.setBrush(QColor(token("canvas", self.theme)))
        for s in spines:
            painter.drawPolygon(QPolygonF([s + QPointF(dx, dy) for dx, dy in _HEXAGON]))
        for leaf in leaves:
            painter.drawRoundedRect(QRectF(leaf.x() - 56, leaf.y() - 16, 112, 32), 4, 4)
            painter.drawRoundedRect(QRectF(leaf.x() - 56, h * 0.86 - 20, 112, 40), 4, 4)


_HEXAGON = ((-70, 0), (-60, -16), (60, -16), (70, 0), (60, 16), (-60, 16))
