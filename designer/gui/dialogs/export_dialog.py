"""Chooses what to export and how it looks; the file itself is chosen in the system's dialog."""

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from designer.gui.dialogs.frame import answer_row, framed
from designer.gui.labels import label
from designer.messages import N_, _
from designer.scene.page import PAPERS

# form: (ending, title, what it is)
FORMS: dict[str, tuple[str, str, str]] = {
    "svg": (".svg", N_("Diagram, SVG"), N_("Vector, self-contained, text as text.")),
    "pdf": (".pdf", N_("Diagram, PDF page"), N_("Frame, legend, counts and title block.")),
    "png": (".png", N_("Diagram, PNG"), N_("Pixels at the scale you choose.")),
    "html": (".html", N_("Summary, HTML"), N_("One file with its charts.")),
    "md": (".md", N_("Summary, Markdown"), N_("Text and tables.")),
    "json": (".json", N_("Results, JSON"), N_("Every number, for other programs.")),
    "xlsx": (".xlsx", N_("Bill of materials and cables, XLSX"), N_("One workbook, two sheets.")),
    "bom": (".csv", N_("Bill of materials, CSV"), N_("Parts, counts, prices.")),
    "cables": (".csv", N_("Cable schedule, CSV"), N_("Both ends, ports, lengths, parts.")),
}
_DIAGRAMS = ("svg", "png")


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """What a person chose."""

    form: str
    ending: str
    dark: bool
    scale: float
    page: str
    selection_only: bool


class ExportDialog(QDialog):
    """Asks for the form and the look."""

    def __init__(
        self, has_selection: bool, form: str = "svg", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setMinimumWidth(480)
        column = framed(self, _("Export"))
        self.forms = QListWidget()
        self.forms.setAccessibleName(_("Format"))
        for key, (_ending, title, _text) in FORMS.items():
            item = QListWidgetItem(_(title))
            item.setData(Qt.ItemDataRole.UserRole, key)
            item.setSizeHint(QSize(100, 28))
            self.forms.addItem(item)
            if key == form:
                self.forms.setCurrentItem(item)
        self.forms.currentItemChanged.connect(self._show)
        column.addWidget(self.forms)
        self.forms.setFixedHeight(28 * len(FORMS) + 10)
        self.text = label("", "secondary", wrap=True)
        column.addWidget(self.text)
        self.look = QFormLayout()
        self.look.setHorizontalSpacing(20)
        self.look.setVerticalSpacing(10)
        self.scale = QDoubleSpinBox()
        self.scale.setRange(0.25, 8)
        self.scale.setSingleStep(0.5)
        self.scale.setValue(2)
        self.page = QComboBox()
        self.page.addItems(list(PAPERS))
        self.page.setCurrentText("A3")
        self.dark = QCheckBox(_("Dark colours"))
        self.selection = QCheckBox(_("Only the selection"))
        self.selection.setEnabled(has_selection)
        self.look.addRow(_("Pixels a unit"), self.scale)
        self.look.addRow(_("Page"), self.page)
        self.look.addRow("", self.dark)
        self.look.addRow("", self.selection)
        column.addLayout(self.look)
        column.addSpacing(4)
        self.choose_button = answer_row(self, _("Choose file"), column)
        self._show()

    def _form(self) -> str:
        return str(self.forms.currentItem().data(Qt.ItemDataRole.UserRole))

    def _show(self) -> None:
        form = self._form()
        self.text.setText(_(FORMS[form][2]))
        self.look.setRowVisible(self.scale, form == "png")
        self.look.setRowVisible(self.page, form == "pdf")
        self.look.setRowVisible(self.dark, form in _DIAGRAMS)
        self.look.setRowVisible(self.selection, form in (*_DIAGRAMS, "pdf"))

    def choice(self) -> ExportChoice:
        """Return what was chosen."""
        form = self._form()
        return ExportChoice(
            form,
            FORMS[form][0],
            self.dark.isChecked() and form in _DIAGRAMS,
            self.scale.value(),
            self.page.currentText(),
            self.selection.isChecked() and self.selection.isEnabled(),
        )
