"""What is shown after a start that found recovery copies: open, keep for later, or discard."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from designer.gui.dialogs.pictures import DrawingPicture
from designer.gui.labels import label
from designer.messages import _, ngettext
from designer.services.recovery import Recoverable
from designer.units import format_moment, format_number

# Width and height of the picture of a copy, in the proportions in which it is drawn.
PICTURE = (220, 112)


class RecoveryPage(QWidget):
    """A card a drawing.

    Signals:
        opened: The `Recoverable` to open.
        discarded: The `Recoverable`s to remove.
        later: Nothing is decided now.
    """

    opened = Signal(object)
    discarded = Signal(object)
    later = Signal()

    def __init__(self, found: Sequence[Recoverable], theme: str) -> None:
        super().__init__()
        self.setObjectName("startContent")
        self.buttons: list[QPushButton] = []
        self._pictures: dict[str, DrawingPicture] = {}
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        body = QWidget()
        body.setObjectName("startContent")
        column = QVBoxLayout(body)
        column.setContentsMargins(48, 40, 48, 40)
        column.setSpacing(12)
        column.addWidget(label(_("Recovered work"), "display"))
        text = ngettext(
            "Railspine ended without saving. {n} drawing has changes that are in no file.",
            "Railspine ended without saving. {n} drawings have changes that are in no file.",
            len(found),
        )
        column.addWidget(label(text.format(n=format_number(len(found))), "row", wrap=True))
        for one in found:
            column.addWidget(self._card(one, theme))
        column.addWidget(
            label(
                _("Opening keeps the file as it is until you save. Copies are kept for 30 days."),
                "row",
                wrap=True,
            )
        )
        row = QHBoxLayout()
        later = QPushButton(_("Decide later"))
        later.clicked.connect(self.later)
        discard = QPushButton(_("Discard all"))
        discard.clicked.connect(lambda: self.discarded.emit(list(found)))
        row.addWidget(later)
        row.addWidget(discard)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)
        scroll.setWidget(body)
        outer.addWidget(scroll)

    def show_picture(self, one: Recoverable, picture: str) -> None:
        """Show what a copy holds, as the text of an SVG."""
        self._pictures[one.session].show_svg(picture)

    def _card(self, one: Recoverable, theme: str) -> QFrame:
        card = QFrame()
        card.setObjectName("card")
        card.setMaximumWidth(900)
        row = QHBoxLayout(card)
        row.setContentsMargins(16, 14, 16, 14)
        row.setSpacing(16)
        picture = DrawingPicture(theme)
        picture.setFixedSize(*PICTURE)
        picture.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._pictures[one.session] = picture
        row.addWidget(picture)
        words = QVBoxLayout()
        words.setSpacing(2)
        name = one.path.name if one.path else (one.title or _("Untitled"))
        words.addWidget(label(name, "title"))
        words.addWidget(label(str(one.path.parent) if one.path else _("never saved"), "row"))
        if one.file_written is not None:
            when = format_moment(one.file_written)
            words.addWidget(label(_("File: {when}").format(when=when), "row"))
        words.addWidget(label(_recovered(one), "rowStrong"))
        words.addWidget(label(contents(one), "row"))
        row.addLayout(words, 1)
        column = QVBoxLayout()
        column.setSpacing(8)
        button = QPushButton(_("Open recovered"))
        button.setProperty("primary", True)
        button.clicked.connect(lambda: self.opened.emit(one))
        self.buttons.append(button)
        drop = QPushButton(_("Discard"))
        drop.clicked.connect(lambda: self.discarded.emit([one]))
        column.addWidget(button)
        column.addWidget(drop)
        column.addStretch(1)
        row.addLayout(column)
        return card


def _recovered(one: Recoverable) -> str:
    if one.file_written is None:
        text = ngettext("Recovered: {when}, {n} edit", "Recovered: {when}, {n} edits", one.edits)
    else:
        text = ngettext(
            "Recovered: {when}, {n} edit later", "Recovered: {when}, {n} edits later", one.edits
        )
    return text.format(when=format_moment(one.written), n=format_number(one.edits))


def contents(one: Recoverable) -> str:
    """Return what a copy holds in a few words."""
    devices = sum(one.devices.values())
    first = ngettext("{n} device", "{n} devices", devices).format(n=format_number(devices))
    second = ngettext("{n} cable", "{n} cables", one.links).format(n=format_number(one.links))
    return f"{first}, {second}"
