"""The start page: templates, examples, recent files; nothing is created before a click."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer import __version__
from designer.gui.dialogs.pictures import TemplatePicture
from designer.gui.icons import icon
from designer.messages import N_, _
from designer.topologies import TEMPLATES
from designer.units import format_moment

# Shown first, in this order; the dialog lists every template.
FEATURED = (
    "rail-optimized",
    "superpod-h100",
    "nvl72",
    "roce-24k",
    "dual-plane",
    "four-servers",
    "cluster-512",
    "blank",
)
_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class RecentFile:
    """One row of the list of recent files; `note` says what is known without opening it."""

    path: Path
    changed: datetime | None
    note: str = ""


class Card(QFrame):
    """A picture with a title, clickable and reachable by keyboard.

    Signals:
        chosen: The card was clicked, or Enter or Space pressed on it.
    """

    chosen = Signal()

    def __init__(self, title: str, text: str, foot: tuple[str, str], picture: QWidget) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.words = f"{title} {text}".lower()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(4)
        picture.setFixedHeight(148)
        column.addWidget(picture)
        column.addSpacing(6)
        for line, role in ((title, "title"), (text, "secondary")):
            label = QLabel(line)
            label.setProperty("role", role)
            label.setWordWrap(True)
            column.addWidget(label)
        column.addStretch(1)
        row = QHBoxLayout()
        left, right = QLabel(foot[0]), QLabel(foot[1])
        left.setProperty("role", "strong")
        right.setProperty("role", "secondary")
        row.addWidget(left)
        row.addStretch(1)
        row.addWidget(right)
        column.addLayout(row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the card."""
        if self.rect().contains(event.position().toPoint()):
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the card by keyboard."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)


class RecentRow(QFrame):
    """One recent file.

    Signals:
        chosen: The row was clicked or Enter pressed on it.
    """

    chosen = Signal()

    def __init__(self, recent: RecentFile, theme: str) -> None:
        super().__init__()
        self.setObjectName("fileRow")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(recent.path.name)
        self.setToolTip(str(recent.path))
        self.words = str(recent.path).lower()
        self.setMinimumHeight(44)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 16, 4)
        mark = QLabel()
        mark.setPixmap(icon("file", "text2", theme).pixmap(18, 18))
        row.addWidget(mark)
        name = QLabel(recent.path.name)
        name.setProperty("role", "strong")
        folder = QLabel(str(recent.path.parent))
        folder.setProperty("role", "secondary")
        when = QLabel(format_moment(recent.changed) if recent.changed else _("missing"))
        when.setProperty("role", "secondary")
        row.addWidget(name, 3)
        row.addWidget(folder, 5)
        row.addWidget(QLabel(recent.note), 3)
        row.addWidget(when, 0)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the file."""
        if self.rect().contains(event.position().toPoint()):
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the file by keyboard."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)


_SIDE = (
    ("templates", "layers", N_("Templates")),
    ("open", "folder", N_("Open")),
    ("import", "import", N_("Import")),
    ("recent", "clock", N_("Recent")),
    ("learn", "book", N_("Learn")),
)


class StartPage(QWidget):
    """What a person sees first.

    Signals:
        template_chosen: Name of a template.
        file_chosen: Path of a recent file or example.
        open_requested, import_requested, learn_requested: A button at the side.
    """

    template_chosen = Signal(str)
    file_chosen = Signal(str)
    open_requested = Signal()
    import_requested = Signal()
    learn_requested = Signal()

    def __init__(
        self,
        theme: str,
        recent: Sequence[RecentFile],
        examples: dict[str, Path],
        catalog_date: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.cards: list[Card] = []
        self.rows: list[RecentRow] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side(catalog_date))
        self.pane = QScrollArea()
        self.pane.setWidgetResizable(True)
        self.pane.setFrameShape(QFrame.Shape.NoFrame)
        self.pane.setWidget(self._content(recent, examples))
        row.addWidget(self.pane, 1)

    def _side(self, catalog_date: str) -> QWidget:
        side = QFrame()
        side.setObjectName("startSide")
        side.setFixedWidth(256)
        column = QVBoxLayout(side)
        column.setContentsMargins(16, 24, 16, 24)
        column.setSpacing(6)
        head = QHBoxLayout()
        logo = QLabel()
        logo.setPixmap(icon("railspine", "accent", self.theme).pixmap(36, 36))
        name = QLabel("Railspine")
        name.setProperty("role", "heading")
        head.addWidget(logo)
        head.addWidget(name)
        head.addStretch(1)
        column.addLayout(head)
        column.addSpacing(20)
        self.side_buttons: dict[str, QPushButton] = {}
        group = QButtonGroup(self)
        for key, image, text in _SIDE:
            button = QPushButton(icon(image, "text", self.theme), f"  {_(text)}")
            button.setProperty("role", "side")
            button.setIconSize(QSize(20, 20))
            button.setCheckable(key == "templates")
            button.setChecked(key == "templates")
            group.addButton(button)
            column.addWidget(button)
            self.side_buttons[key] = button
        self.side_buttons["open"].clicked.connect(self.open_requested)
        self.side_buttons["import"].clicked.connect(self.import_requested)
        self.side_buttons["learn"].clicked.connect(self.learn_requested)
        self.side_buttons["recent"].clicked.connect(self._show_recent)
        self.side_buttons["templates"].clicked.connect(
            lambda: self.pane.verticalScrollBar().setValue(0)
        )
        column.addStretch(1)
        lines = [_("Version {version}").format(version=__version__)]
        if catalog_date:
            lines.append(_("Part catalogue {date}").format(date=catalog_date))
        lines.append(_("Works without a network connection"))
        for text in lines:
            label = QLabel(text)
            label.setProperty("role", "secondary")
            label.setWordWrap(True)
            column.addWidget(label)
        return side

    def _content(self, recent: Sequence[RecentFile], examples: dict[str, Path]) -> QWidget:
        page = QWidget()
        page.setObjectName("startContent")
        column = QVBoxLayout(page)
        column.setContentsMargins(40, 36, 40, 36)
        column.setSpacing(8)
        head = QHBoxLayout()
        words = QVBoxLayout()
        title = QLabel(_("New drawing"))
        title.setProperty("role", "display")
        text = QLabel(
            _("A template is a finished, checked network. Change any part of it afterwards.")
        )
        text.setProperty("role", "secondary")
        words.addWidget(title)
        words.addWidget(text)
        head.addLayout(words, 1)
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search templates and files"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(
            QIcon(icon("search", "text3", self.theme)), QLineEdit.ActionPosition.LeadingPosition
        )
        self.search.setFixedWidth(280)
        self.search.textChanged.connect(self._filter)
        head.addWidget(self.search, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        column.addSpacing(8)
        self.grid = QGridLayout()
        self.grid.setSpacing(20)
        for k in range(_COLUMNS):
            self.grid.setColumnStretch(k, 1)
        column.addLayout(self.grid)
        self._fill_cards(examples)
        column.addSpacing(16)
        self.recent_title = QLabel(_("Recent files"))
        self.recent_title.setProperty("role", "section")
        column.addWidget(self.recent_title)
        column.addWidget(self._recent(recent))
        column.addStretch(1)
        return page

    def _fill_cards(self, examples: dict[str, Path]) -> None:
        for name in FEATURED:
            template = TEMPLATES[name]
            card = Card(
                _(template.title),
                _(template.description),
                (_(template.size), _(template.technology_title)),
                TemplatePicture(name, self.theme),
            )
            card.chosen.connect(lambda n=name: self.template_chosen.emit(n))
            self.cards.append(card)
        for name, path in examples.items():
            card = Card(
                name,
                _("Example drawing"),
                (_("Example"), ""),
                TemplatePicture(f"example-{name}", self.theme),
            )
            card.chosen.connect(lambda p=path: self.file_chosen.emit(str(p)))
            self.cards.append(card)
        self._place(self.cards)

    def _place(self, cards: Sequence[Card]) -> None:
        for card in self.cards:
            self.grid.removeWidget(card)
            card.setVisible(card in cards)
        for k, card in enumerate(cards):
            self.grid.addWidget(card, k // _COLUMNS, k % _COLUMNS)

    def _recent(self, recent: Sequence[RecentFile]) -> QWidget:
        box = QFrame()
        box.setObjectName("fileList")
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for one in recent:
            row = RecentRow(one, self.theme)
            row.chosen.connect(lambda p=one.path: self.file_chosen.emit(str(p)))
            column.addWidget(row)
            self.rows.append(row)
        if not recent:
            empty = QLabel(_("Files you open or save appear here."))
            empty.setProperty("role", "secondary")
            empty.setContentsMargins(16, 12, 16, 12)
            column.addWidget(empty)
        return box

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        self._place([c for c in self.cards if all(w in c.words for w in words)])
        for row in self.rows:
            row.setVisible(all(w in row.words for w in words))

    def _show_recent(self) -> None:
        self.pane.ensureWidgetVisible(self.recent_title, 0, 400)
        if self.rows:
            self.rows[0].setFocus()
