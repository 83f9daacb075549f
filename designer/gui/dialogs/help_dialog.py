"""Help pages that ship with the program, in the language in use."""

from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QWidget,
)

from designer.gui.fonts import font
from designer.gui.labels import line
from designer.messages import N_, _, language
from designer.resources import resource

PAGES = {
    "method": N_("Method: how the numbers are made"),
    "keyboard": N_("Keyboard"),
    "workloads": N_("Workloads"),
    "files": N_("Files"),
    "validation": N_("Validation"),
    "architecture": N_("Architecture"),
}

# Pixels by level of heading.
_SIZES = {1: 22, 2: 17, 3: 15}
_ABOVE = {1: 0, 2: 18, 3: 12}
_ALL = QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll


def page_text(name: str) -> str:
    """Return a page as Markdown; the English one where it is not translated."""
    return _page(name).read_text(encoding="utf-8")


def _page(name: str) -> Path:
    own = resource("help", language(), f"{name}.md")
    return own if own.is_file() else resource("help", f"{name}.md")


class HelpDialog(QDialog):
    """All pages, with a list at the left."""

    def __init__(self, page: str = "method", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("How Railspine works"))
        self.resize(1040, 760)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.pages = QListWidget()
        self.pages.setObjectName("helpList")
        self.pages.setFixedWidth(264)
        self.pages.setAccessibleName(_("Pages"))
        self.text = QTextBrowser()
        self.text.setObjectName("helpText")
        self.text.setOpenExternalLinks(True)
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.document().setDocumentMargin(28)
        row.addWidget(self.pages)
        row.addWidget(line(vertical=True))
        row.addWidget(self.text, 1)
        for title in PAGES.values():
            item = QListWidgetItem(_(title))
            item.setSizeHint(QSize(100, 32))
            self.pages.addItem(item)
        self.pages.currentRowChanged.connect(self._show)
        self.pages.setCurrentRow(list(PAGES).index(page))

    def _show(self, row: int) -> None:
        document = self.text.document()
        document.setDefaultFont(font())
        name = list(PAGES)[row]
        self.text.setSearchPaths([str(_page(name).parent)])
        document.setMarkdown(page_text(name))
        set_type(document)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)


def set_type(document: QTextDocument) -> None:
    """Give headings, paragraphs and bold words our fonts and room around them."""
    # one change to lay out, not one for every cell of a table
    whole = QTextCursor(document)
    whole.beginEditBlock()
    block = document.begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        cursor = QTextCursor(block)
        shape = QTextBlockFormat()
        shape.setTopMargin(_ABOVE.get(level, 0))
        shape.setBottomMargin(4 if block.textList() else 8)
        shape.setLineHeight(138, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(shape)
        for start, length, bold in _fragments(block):
            if level or bold:
                cursor.setPosition(start)
                cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
                style = cursor.charFormat()
                # Headings would be enlarged by steps on top of their font.
                style.clearProperty(QTextFormat.Property.FontSizeAdjustment.value)
                style.setFont(font(_SIZES.get(level, 13), 600), _ALL)
                cursor.setCharFormat(style)
        block = block.next()
    whole.endEditBlock()


def _fragments(block: QTextBlock) -> list[tuple[int, int, bool]]:
    """Return start, length and boldness of the runs of a block, before they are changed."""
    found = []
    step = block.begin()
    while not step.atEnd():
        run = step.fragment()
        heavy = run.charFormat().fontWeight() > QFont.Weight.Medium
        found.append((run.position(), run.length(), heavy))
        step += 1
    return found
