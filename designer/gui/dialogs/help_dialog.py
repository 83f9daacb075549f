"""Help pages that ship with the program, in the language in use."""

from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QTextBrowser, QWidget

from designer.messages import N_, _, language
from designer.resources import resource

PAGES = {
    "method": N_("Method: how the numbers are made"),
    "keyboard": N_("Keyboard"),
    "workloads": N_("Workloads"),
    "files": N_("Files"),
    "architecture": N_("Architecture"),
}


def page_text(name: str) -> str:
    """Return a page as Markdown; the English one where it is not translated."""
    own = resource("help", language(), f"{name}.md")
    return (own if own.is_file() else resource("help", f"{name}.md")).read_text(encoding="utf-8")


class HelpDialog(QDialog):
    """All pages, with a list at the left."""

    def __init__(self, page: str = "method", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("How Railspine works"))
        self.resize(980, 720)
        row = QHBoxLayout(self)
        self.pages = QListWidget()
        self.pages.setFixedWidth(240)
        self.text = QTextBrowser()
        self.text.setOpenExternalLinks(True)
        row.addWidget(self.pages)
        row.addWidget(self.text, 1)
        for title in PAGES.values():
            self.pages.addItem(_(title))
        self.pages.currentRowChanged.connect(
            lambda k: self.text.setMarkdown(page_text(list(PAGES)[k]))
        )
        self.pages.setCurrentRow(list(PAGES).index(page))
