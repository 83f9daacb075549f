"""The inspector: shows what is selected and changes it in place."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from designer.gui.bridge import Document
from designer.gui.panels.cable_page import CablePage
from designer.gui.panels.device_page import DevicePage
from designer.gui.panels.other_pages import DrawingPage, GroupPage, NotePage
from designer.messages import _

Page = DevicePage | CablePage | GroupPage | NotePage | DrawingPage

LEAST_WIDTH = 240


class Inspector(QWidget):
    """One page a kind of selection; only what changed is shown anew.

    Signals:
        refused: The `DesignerError` of a value that was not taken.
        ports_requested: What the cable schedule is to be filtered by.
    """

    refused = Signal(object)
    ports_requested = Signal(str)

    def __init__(self, document: Document, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._document = document
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._stack = QStackedWidget()
        column.addWidget(self._stack)
        self.devices = DevicePage(document, theme)
        self.cables = CablePage(document, theme)
        self.group = GroupPage(document, theme)
        self.note = NotePage(document, theme)
        self.drawing = DrawingPage(document, theme)
        self._scrolls: dict[Page, QScrollArea] = {}
        for page in (self.devices, self.cables, self.group, self.note, self.drawing):
            self._add(page)
        self.devices.ports_requested.connect(self.ports_requested)
        self.cables.ports_requested.connect(self.ports_requested)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._refresh)
        document.selection.changed.connect(self._show)
        document.edited.connect(self._refresh_soon)
        document.results_changed.connect(self._refresh_soon)
        self._show()

    def _refresh_soon(self, _change: object) -> None:
        self._later.start()

    def _add(self, page: Page) -> None:
        page.setObjectName("panel")
        page.refused.connect(self.refused)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # without a smallest width of its own, a page would be wider than the dock in some languages
        page.setMinimumWidth(LEAST_WIDTH)
        scroll.setWidget(page)
        scroll.setAccessibleName(_("Inspector"))
        self._stack.addWidget(scroll)
        self._scrolls[page] = scroll

    def page(self) -> Page:
        """Return the page in front."""
        return next(p for p, s in self._scrolls.items() if s is self._stack.currentWidget())

    def _chosen(self) -> tuple[Page, list[str]]:
        design, ids = self._document.design, sorted(self._document.selection.ids)
        for page, table in (
            (self.devices, design.devices),
            (self.cables, design.cables),
            (self.group, design.groups),
            (self.note, design.notes),
        ):
            found = [i for i in ids if i in table]
            if found:
                return page, found
        return self.drawing, []

    def _show(self) -> None:
        page, ids = self._chosen()
        page.show_ids(ids)
        self._stack.setCurrentWidget(self._scrolls[page])

    def _refresh(self) -> None:
        page, _ids = self._chosen()
        if page is self.page():
            page.refresh()
        else:
            self._show()
