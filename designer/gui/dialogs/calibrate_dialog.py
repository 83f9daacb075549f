"""Fits the model's assumptions to an nccl-tests log that was opened or pasted."""

import threading
from datetime import date
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from designer.catalog.catalog import Catalog
from designer.engine.calibrate import Calibration
from designer.engine.calibrate_fit import Fitted
from designer.engine.options import ALGORITHMS, OPERATIONS
from designer.errors import CancelledError, DesignerError
from designer.gui.background import Background
from designer.gui.charts.measured import MeasuredChart
from designer.gui.dialogs.frame import answer_row, framed
from designer.gui.labels import label
from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit
from designer.reports.curve_table import algorithm_name
from designer.services.calibration import (
    Asked,
    bandwidths,
    calibrate_to_log,
    calibration_edit,
    factors,
    read_log,
    summary,
    times,
    together,
)

# Typing that goes on is fitted once.
_WAIT_MS = 400
_MOST_GPUS = 1_000_000


class CalibrateDialog(QDialog):
    """Shows measured against model while a log is chosen; `edit()` stores what was fitted.

    Args:
        design: The drawing; a snapshot is fitted, the drawing itself is not changed.
        catalog: Parts.
        background: Where the fit runs.
        theme: `light` or `dark`.
    """

    def __init__(
        self,
        design: Design,
        catalog: Catalog,
        background: Background,
        theme: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._design, self._catalog, self._background = design, catalog, background
        self._stop: threading.Event | None = None
        self._name = ""
        self._groups: list[tuple[Fitted, ...]] = []
        self.found: Calibration | None = None
        self.resize(1216, 700)
        column = framed(
            self,
            _("Calibrate to an nccl-tests log"),
            _("The drawing is taken for the machine measured, its first GPUs for the ranks."),
        )
        self.text = QPlainTextEdit()
        self.text.setPlaceholderText(_("Paste the output of all_reduce_perf, or open a log."))
        self.text.setAccessibleName(_("Log"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setTabChangesFocus(True)
        self.times = _table(
            [
                _("Size"),
                _("Measured"),
                _("Model before"),
                _("Model after"),
                _("Deviation"),
                _("busbw"),
            ],
            _("Measured against model"),
        )
        self.chart = MeasuredChart(theme)
        self.fitted = _table(
            [_("Assumption"), _("Before"), _("After"), _("± 95 %"), _("Factor")],
            _("Fitted assumptions"),
        )
        self.fitted.itemChanged.connect(self._ticked)
        self.answer = label("", "row", wrap=True)
        column.addLayout(self._halves(), 1)
        self.apply_button = answer_row(self, _("Use these values"), column)
        self.apply_button.setEnabled(False)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_WAIT_MS)
        self._wait.timeout.connect(self._fit)
        self.text.textChanged.connect(self._changed)
        self.operation.currentIndexChanged.connect(self._changed)
        self.ranks.valueChanged.connect(self._changed)
        self.algorithm.currentIndexChanged.connect(self._changed)
        self.finished.connect(lambda _code: self._cancel())

    def _halves(self) -> QHBoxLayout:
        """Return the log and its times at the left, what the fit made of them at the right."""
        row, left, right = QHBoxLayout(), QVBoxLayout(), QVBoxLayout()
        row.setSpacing(20)
        for side, share in ((left, 21), (right, 20)):
            side.setSpacing(12)
            row.addLayout(side, share)
        left.addWidget(self.text, 2)
        left.addLayout(self._questions())
        left.addWidget(self.times, 3)
        right.addWidget(self.chart, 3)
        right.addWidget(self.fitted, 2)
        scroll = QScrollArea()
        scroll.setWidget(self.answer)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        right.addWidget(scroll, 1)
        return row

    def _questions(self) -> QHBoxLayout:
        self.open_button = QPushButton(_("Open log…"))
        self.open_button.setAutoDefault(False)
        self.open_button.clicked.connect(self._open)
        self.operation = QComboBox()
        self.operation.addItem(_("as the log says"), None)
        for operation in OPERATIONS:
            self.operation.addItem(operation, operation)
        self.ranks = QSpinBox()
        self.ranks.setRange(0, _MOST_GPUS)
        self.ranks.setSpecialValueText(_("as the log says"))
        self.algorithm = QComboBox()
        for name in ALGORITHMS:
            title = _("NCCL's choice") if name == "auto" else algorithm_name(name)
            self.algorithm.addItem(title, name)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.open_button)
        fields = (
            (_("Collective"), self.operation),
            (_("Ranks"), self.ranks),
            (_("Algorithm"), self.algorithm),
        )
        for title, field in fields:
            form = QFormLayout()
            form.addRow(label(title), field)
            row.addLayout(form)
        row.addStretch(1)
        return row

    def _open(self) -> None:
        name, _kind = QFileDialog.getOpenFileName(self, _("Open log"))
        if name:
            self.read(Path(name))

    def read(self, path: Path) -> None:
        """Take the text of a file."""
        try:
            text = read_log(path)
        except DesignerError as fault:
            self._refuse(fault)
            return
        self.text.setPlainText(text)
        self._name = path.name

    def _changed(self) -> None:
        if self.sender() is self.text:
            self._name = ""
        self._cancel()
        self._show(None)
        self.answer.setText("")
        if self.text.toPlainText().strip():
            self._wait.start()

    def _cancel(self) -> None:
        self._wait.stop()
        if self._stop is not None:
            self._stop.set()
            self._stop = None

    def _fit(self) -> None:
        stop = self._stop = threading.Event()
        design, text = self._design.snapshot(), self.text.toPlainText()
        asked = Asked(
            self.operation.currentData(), self.ranks.value() or None, self.algorithm.currentData()
        )
        self.answer.setText(_("Fitting…"))
        self._background.run(
            _("Fitting assumptions"),
            lambda: calibrate_to_log(design, self._catalog, text, asked, stop.is_set),
            lambda found: None if stop.is_set() else self._show(found),
            lambda fault: None if stop.is_set() else self._refuse(fault),
        )

    def _refuse(self, fault: BaseException) -> None:
        if not isinstance(fault, CancelledError):
            self.answer.setText(str(fault))

    def _show(self, found: Calibration | None) -> None:
        self.found = found
        self._groups = together(found) if found is not None else []
        with QSignalBlocker(self.fitted):
            _fill(self.fitted, factors(found) if found is not None else [], ticked=True)
        self.apply_button.setEnabled(found is not None and bool(found.fitted))
        self._show_times(found)

    def _show_times(self, found: Calibration | None) -> None:
        """Show measured against model with the ticked values in place."""
        _fill(self.times, times(found) if found is not None else [])
        sizes = [s.size_bytes for s in found.samples] if found is not None else []
        self.chart.set_points(sizes, *(bandwidths(found) if found is not None else ([], [], [])))
        if found is not None:
            self.answer.setText("\n".join((summary(found), *found.notes)))

    def _chosen(self) -> frozenset[str]:
        """Return the keys of the assumptions whose lines are ticked."""
        chosen = [
            group
            for k, group in enumerate(self._groups)
            if (item := self.fitted.item(k, 0)) is not None
            and item.checkState() == Qt.CheckState.Checked
        ]
        return frozenset(f.key for group in chosen for f in group)

    def _ticked(self, _item: QTableWidgetItem) -> None:
        chosen, found = self._chosen(), self.found
        self.apply_button.setEnabled(bool(chosen))
        if found is not None:
            self._background.run(
                _("Fitting assumptions"),
                lambda: found.with_only(chosen),
                lambda shown: self._show_times(shown) if self._still(found, chosen) else None,
                lambda fault: None if self.found is not found else self._refuse(fault),
            )

    def _still(self, found: Calibration, chosen: frozenset[str]) -> bool:
        return self.found is found and self._chosen() == chosen

    def edit(self) -> Edit | None:
        """Return the edit that stores the ticked values, or None when there is none."""
        chosen = self._chosen()
        if self.found is None or not chosen:
            return None
        name = self._name or _("pasted log")
        return calibration_edit(self._design, self.found, name, date.today(), chosen)


def _table(titles: list[str], name: str) -> QTableWidget:
    table = QTableWidget(0, len(titles))
    table.setHorizontalHeaderLabels(titles)
    table.setAccessibleName(name)
    table.verticalHeader().hide()
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    header.setMinimumSectionSize(64)
    return table


def _fill(table: QTableWidget, rows: list[tuple[str, ...]], *, ticked: bool = False) -> None:
    table.setRowCount(len(rows))
    for k, row in enumerate(rows):
        for column, text in enumerate(row):
            item = QTableWidgetItem(text)
            item.setToolTip(text)
            if ticked and not column:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked)
            if column:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            table.setItem(k, column, item)
