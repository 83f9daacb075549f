"""Docks with a title bar of their own: text tabs with an underline, and a menu."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from designer.gui.icons import icon
from designer.gui.labels import label
from designer.messages import _

TITLE_HEIGHT = 32
# QWIDGETSIZE_MAX
NO_LIMIT = 16_777_215


class Dock(QDockWidget):
    """One place at the edge of the window with one or several pages.

    Signals:
        page_changed: Name of the page now in front.
        collapsed: True when only the title bar is left.
    """

    page_changed = Signal(str)
    collapsed = Signal(bool)

    def __init__(self, name: str, theme: str, parent: QWidget, *, minimum: QSize) -> None:
        super().__init__(parent)
        self.setObjectName(f"dock-{name}")
        self._theme = theme
        self._minimum = minimum
        self._folded = False
        self.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetClosable
            | QDockWidget.DockWidgetFeature.DockWidgetMovable
            | QDockWidget.DockWidgetFeature.DockWidgetFloatable
        )
        self.pages: dict[str, QWidget] = {}
        self.tabs: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._stack = QStackedWidget()
        self._stack.setMinimumSize(minimum)
        body = QWidget()
        body.setObjectName("dockBody")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self.setWidget(body)
        self.setTitleBarWidget(self._title_bar())

    def _title_bar(self) -> QFrame:
        bar = QFrame()
        bar.setObjectName("dockTitle")
        bar.setFixedHeight(TITLE_HEIGHT)
        self._row = QHBoxLayout(bar)
        self._row.setContentsMargins(2, 0, 8, 0)
        self._row.setSpacing(0)
        self._tabs_end = 0
        self.summary = label("", "row")
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._row.addWidget(self.summary, 1)
        self._more = QToolButton()
        self._more.setIcon(icon("more", "text2", self._theme))
        self._more.setIconSize(QSize(16, 16))
        self._more.setAutoRaise(True)
        self._more.setAccessibleName(_("Dock menu"))
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._more)
        self._fold_action = menu.addAction(_("Collapse"), self._toggle_fold)
        menu.addAction(_("Float"), lambda: self.setFloating(not self.isFloating()))
        menu.addAction(_("Close"), self.close)
        self._more.setMenu(menu)
        self._row.addWidget(self._more)
        return bar

    def add_page(self, name: str, title: str, page: QWidget) -> None:
        """Add a page with its tab."""
        tab = QToolButton()
        tab.setProperty("tab", True)
        tab.setProperty("role", "rowStrong")
        tab.setText(title)
        tab.setCheckable(True)
        tab.setAccessibleName(title)
        tab.clicked.connect(lambda: self.show_page(name))
        tab.setFixedHeight(TITLE_HEIGHT)
        self._group.addButton(tab)
        self._row.insertWidget(self._tabs_end, tab)
        self._tabs_end += 1
        before = list(self.tabs.values())
        if before:
            QWidget.setTabOrder(before[-1], tab)
        QWidget.setTabOrder(tab, self._more)
        self.tabs[name], self.pages[name] = tab, page
        self._stack.addWidget(page)
        if len(self.pages) == 1:
            tab.setChecked(True)
            self.setWindowTitle(title)

    def page(self) -> str:
        """Return the name of the page in front."""
        return next(k for k, p in self.pages.items() if p is self._stack.currentWidget())

    def show_page(self, name: str) -> None:
        """Bring a page to the front, unfold and show the dock."""
        if self._folded:
            self.set_folded(False)
        self.show()
        self.tabs[name].setChecked(True)
        if self._stack.currentWidget() is not self.pages[name]:
            self._stack.setCurrentWidget(self.pages[name])
            self.page_changed.emit(name)

    def set_badge(self, name: str, title: str) -> None:
        """Change the text of a tab, for a count behind its title."""
        self.tabs[name].setText(title)
        self.tabs[name].setAccessibleName(title)

    def _toggle_fold(self) -> None:
        self.set_folded(not self._folded)

    def set_folded(self, folded: bool) -> None:
        """Leave only the title bar, or bring the body back."""
        if folded == self._folded:
            return
        self._folded = folded
        body = self.widget()
        # hidden, it would take the width of the title bar with it
        body.setMaximumHeight(0 if folded else NO_LIMIT)
        self._stack.setMinimumSize(QSize(0, 0) if folded else self._minimum)
        limit = TITLE_HEIGHT if folded else NO_LIMIT
        self.setMaximumHeight(limit)
        self._fold_action.setText(_("Expand") if folded else _("Collapse"))
        self.collapsed.emit(folded)

    @property
    def folded(self) -> bool:
        """Tell whether only the title bar is left."""
        return self._folded

    def title_labels(self) -> QLabel:
        """Return the label at the right of the title bar: what the folded dock still says."""
        return self.summary
