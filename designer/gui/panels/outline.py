"""The outline: the drawing as a tree, in step with edits and selection."""

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from designer.gui.bridge import Document
from designer.gui.icons import icon
from designer.gui.panels.outline_model import OutlineModel
from designer.messages import _
from designer.model.edits import Edit

# More selected ids than this are not marked one by one.
MOST_MARKED = 400


class _Tree(QTreeView):
    """The tree; Delete, Enter and double click are handed on."""

    delete_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hand Delete on."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)


class Outline(QWidget):
    """The tree with its filter.

    Signals:
        zoom_requested: Ids to bring into view.
        delete_requested: The selection is to be deleted.
    """

    zoom_requested = Signal(frozenset)
    delete_requested = Signal()

    def __init__(self, document: Document, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._document = document
        self._quiet = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Filter outline"))
        self.filter.setAccessibleName(_("Filter outline"))
        self.filter.setClearButtonEnabled(True)
        self.filter.addAction(
            QAction(icon("search", "text3", theme), "", self.filter),
            QLineEdit.ActionPosition.LeadingPosition,
        )
        box = QWidget()
        inner = QVBoxLayout(box)
        inner.setContentsMargins(12, 8, 12, 6)
        inner.addWidget(self.filter)
        column.addWidget(box)
        self.model = OutlineModel(document.design, theme, self)
        self.tree = _Tree()
        self._prepare_tree()
        column.addWidget(self.tree, 1)
        self._rebuild_later = QTimer(self)
        self._rebuild_later.setSingleShot(True)
        self._rebuild_later.setInterval(0)
        self._rebuild_later.timeout.connect(self._rebuild)
        self.filter.textChanged.connect(self._on_filter)
        document.edited.connect(self._on_edit)
        document.selection.changed.connect(self._show_selection)
        self._open_default()
        self._show_selection()

    def _prepare_tree(self) -> None:
        tree = self.tree
        tree.setModel(self.model)
        tree.setAccessibleName(_("Outline"))
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        tree.setIndentation(18)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.setExpandsOnDoubleClick(False)
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, 64)
        tree.selectionModel().selectionChanged.connect(self._on_tree)
        tree.doubleClicked.connect(self._on_double)
        tree.delete_pressed.connect(self.delete_requested)

    def show_kept(self, ids: frozenset[str] | None) -> None:
        """Fade the rows of what a filter of the drawing leaves out; None fades none."""
        self.model.set_kept(ids)
        self.tree.viewport().update()

    # --- from the tree ---

    def _on_tree(self, chosen: QItemSelection, gone: QItemSelection) -> None:
        if self._quiet:
            return
        ids: set[str] = set()
        for index in self.tree.selectionModel().selectedRows():
            ids.update(self.model.ids_at(index))
        self._quiet = True
        self._document.selection.set(ids)
        self._quiet = False

    def _on_double(self, index: QModelIndex) -> None:
        self.zoom_requested.emit(frozenset(self.model.ids_at(index)))

    # --- from the drawing ---

    def _on_edit(self, edit: Edit) -> None:
        tables = edit.tables()
        if tables & {"groups", "devices"} and not self.model.follow(edit):
            self._rebuild_later.start()
        elif "cables" in tables:
            self.tree.viewport().update()

    def _rebuild(self) -> None:
        keys = self._open_keys()
        self._quiet = True
        self.model.rebuild()
        self._quiet = False
        for index in self.model.with_keys(keys):
            self.tree.setExpanded(index, True)
        if not keys:
            self._open_default()
        self._show_selection()

    def _open_keys(self) -> list[str]:
        found, todo = [], [QModelIndex()]
        while todo:
            above = todo.pop()
            for row in range(self.model.rowCount(above)):
                index = self.model.index(row, 0, above)
                if self.tree.isExpanded(index):
                    found.append(self.model.key_at(index))
                    todo.append(index)
        return found

    def _open_default(self) -> None:
        for index in list(self.model.open_by_default()):
            self.tree.setExpanded(index, True)

    def _on_filter(self, text: str) -> None:
        self._quiet = True
        self.model.set_filter(text)
        self._quiet = False
        if text.strip():
            self.tree.expandAll()
        else:
            self._open_default()
        self._show_selection()

    def _show_selection(self) -> None:
        if self._quiet:
            return
        self._quiet = True
        chosen = QItemSelection()
        first = QModelIndex()
        for id_ in sorted(self._document.selection.ids)[:MOST_MARKED]:
            index = self.model.index_for(id_)
            if index.isValid():
                first = first if first.isValid() else index
                chosen.select(index, self.model.index(index.row(), 1, index.parent()))
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.tree.selectionModel().select(chosen, flags)
        if first.isValid():
            self.tree.scrollTo(first)
        self._quiet = False
