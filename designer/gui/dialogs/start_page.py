"""The start page: templates, recent files, examples; nothing is created before a click."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent
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
from designer.gui.dialogs.start_cards import Card, FileRow, RecentFile, recent_row
from designer.gui.icons import icon
from designer.gui.labels import label, mark
from designer.messages import N_, _
from designer.topologies import TEMPLATES

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
_SIDE_WIDTH, _CARD_WIDTH, _MARGIN, _GAP = 232, 220, 36, 20
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
        file_chosen: Path of a recent file.
        example_chosen: Path of an example; it is opened as a new drawing, not in its place.
        open_requested, import_requested, learn_requested: A button at the side.
        left: Esc.
    """

    template_chosen = Signal(str)
    file_chosen = Signal(str)
    example_chosen = Signal(str)
    open_requested = Signal()
    import_requested = Signal()
    learn_requested = Signal()
    left = Signal()

    def __init__(
        self,
        theme: str,
        recent: Sequence[RecentFile],
        examples: dict[str, Path],
        catalog: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("startPage")
        self.cards = self._make_cards()
        self.rows = [recent_row(one, theme) for one in recent]
        self.examples = [self._example(name, path) for name, path in examples.items()]
        for row, one in zip(self.rows, recent, strict=True):
            row.chosen.connect(lambda p=one.path: self.file_chosen.emit(str(p)))
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self._side(catalog))
        self.pane = QScrollArea()
        self.pane.setWidgetResizable(True)
        self.pane.setFrameShape(QFrame.Shape.NoFrame)
        self.pane.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pane.setWidget(self._content())
        across.addWidget(self.pane, 1)

    # --- the side ---

    def _side(self, catalog: str) -> QWidget:
        side = QFrame()
        side.setObjectName("startSide")
        side.setFixedWidth(_SIDE_WIDTH)
        column = QVBoxLayout(side)
        column.setContentsMargins(16, 24, 16, 20)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setContentsMargins(8, 0, 0, 0)
        head.setSpacing(10)
        head.addWidget(mark("railspine", "text", self.theme, 36))
        head.addWidget(label("Railspine", "heading"), 1)
        column.addLayout(head)
        column.addSpacing(24)
        self._add_buttons(column)
        column.addStretch(1)
        facts = (
            _("Version {version}").format(version=__version__),
            catalog,
            _("Works without a network connection"),
        )
        for text in filter(None, facts):
            line = label(text, "small", wrap=True)
            line.setContentsMargins(12, 0, 0, 0)
            column.addWidget(line)
        return side

    def _add_buttons(self, column: QVBoxLayout) -> None:
        self.side_buttons: dict[str, QPushButton] = {}
        group = QButtonGroup(self)
        for key, image, text in _SIDE:
            button = QPushButton(icon(image, "text2", self.theme, "accent"), f"  {_(text)}")
            button.setProperty("role", "side")
            button.setIconSize(QSize(20, 20))
            button.setAccessibleName(_(text))
            if key in ("templates", "recent"):
                button.setCheckable(True)
                group.addButton(button)
            column.addWidget(button)
            self.side_buttons[key] = button
        self.side_buttons["templates"].setChecked(True)
        self.side_buttons["open"].clicked.connect(self.open_requested)
        self.side_buttons["import"].clicked.connect(self.import_requested)
        self.side_buttons["learn"].clicked.connect(self.learn_requested)
        self.side_buttons["recent"].clicked.connect(self._show_recent)
        self.side_buttons["templates"].clicked.connect(
            lambda: self.pane.verticalScrollBar().setValue(0)
        )

    def _show_recent(self) -> None:
        self.pane.ensureWidgetVisible(self.recent_title, 0, 400)
        if self.rows:
            self.rows[0].setFocus()

    # --- the content ---

    def _content(self) -> QWidget:
        page = QWidget()
        page.setObjectName("startContent")
        column = QVBoxLayout(page)
        column.setContentsMargins(_MARGIN, 32, _MARGIN, 32)
        column.setSpacing(10)
        column.addLayout(self._head())
        column.addSpacing(6)
        self.grid = QGridLayout()
        self.grid.setSpacing(_GAP)
        column.addLayout(self.grid)
        self.nothing = label(_("No template, file or example has these words."), "row")
        self.nothing.hide()
        column.addWidget(self.nothing)
        column.addSpacing(14)
        self.recent_title = label(_("Recent files"), "section")
        column.addWidget(self.recent_title)
        self.recent_list = self._list(self.rows, _("Files you open or save appear here."))
        column.addWidget(self.recent_list)
        column.addSpacing(14)
        self.example_title = label(_("Examples"), "section")
        column.addWidget(self.example_title)
        self.example_list = self._list(self.examples, _("No examples are installed."))
        column.addWidget(self.example_list)
        column.addStretch(1)
        self._place()
        return page

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(_("New drawing"), "display"))
        text = _("A template is a finished, checked network. Change any part of it afterwards.")
        words.addWidget(label(text, "secondary", wrap=True))
        head.addLayout(words, 1)
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search templates and files"))
        self.search.setAccessibleName(_("Search templates and files"))
        self.search.setClearButtonEnabled(True)
        glass = QIcon(icon("search", "text3", self.theme))
        self.search.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
        self.search.setFixedWidth(280)
        self.search.textChanged.connect(self._filter)
        head.addWidget(self.search, 0, Qt.AlignmentFlag.AlignTop)
        return head

    def _make_cards(self) -> list[Card]:
        made = []
        for name in FEATURED:
            template = TEMPLATES[name]
            card = Card(
                _(template.title),
                _(template.description),
                (_(template.size), _(template.technology_title)),
                TemplatePicture(name, self.theme),
            )
            card.chosen.connect(lambda n=name: self.template_chosen.emit(n))
            made.append(card)
        return made

    def _example(self, name: str, path: Path) -> FileRow:
        template = TEMPLATES.get(name)
        title = _(template.title) if template is not None else name
        size = _(template.size) if template is not None else ""
        row = FileRow(title, size, _("Opens as a new drawing"), "", self.theme)
        row.chosen.connect(lambda: self.example_chosen.emit(str(path)))
        return row

    def _list(self, rows: Sequence[FileRow], empty: str) -> QFrame:
        box = QFrame()
        box.setObjectName("fileList")
        column = QVBoxLayout(box)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        for row in rows:
            column.addWidget(row)
        if not rows:
            words: QLabel = label(empty, "row")
            words.setContentsMargins(16, 12, 16, 12)
            column.addWidget(words)
        return box

    # --- filter and places ---

    def _words(self) -> list[str]:
        return self.search.text().lower().split()

    def _columns(self) -> int:
        # The viewport has its new width only after this event.
        room = self.width() - _SIDE_WIDTH - 2 * _MARGIN
        return max(2, min(4, (room + _GAP) // (_CARD_WIDTH + _GAP)))

    def _place(self) -> None:
        words, columns = self._words(), self._columns()
        shown = [c for c in self.cards if c.matches(words)]
        for card in self.cards:
            self.grid.removeWidget(card)
            card.setVisible(card in shown)
        for k in range(4):
            self.grid.setColumnStretch(k, 1 if k < columns else 0)
        for k, card in enumerate(shown):
            self.grid.addWidget(card, k // columns, k % columns)

    def _filter(self) -> None:
        words = self._words()
        self._place()
        found = any(c.matches(words) for c in self.cards)
        for rows, title, box in (
            (self.rows, self.recent_title, self.recent_list),
            (self.examples, self.example_title, self.example_list),
        ):
            for row in rows:
                row.setVisible(row.matches(words))
            some = any(row.matches(words) for row in rows)
            found |= some
            title.setVisible(some or not words)
            box.setVisible(some or not words)
        self.nothing.setVisible(not found)

    def resizeEvent(self, event: object) -> None:
        """Place the cards anew when another number of columns fits."""
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves the page."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: object) -> None:
        """Begin at the first template, so that Enter takes it."""
        self.cards[0].setFocus()
