"""Preferences: language, theme, strength of dimmed cables, snap, the user's own catalogue."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QWidget,
)

from designer.catalog.load import load_catalog
from designer.errors import CatalogError
from designer.gui.dialogs.frame import answer_row, framed
from designer.gui.labels import label
from designer.messages import LANGUAGES, N_, _
from designer.services.settings import Settings
from designer.units import format_percent

THEMES = {"system": N_("As the system"), "light": N_("Light"), "dark": N_("Dark")}


class SettingsDialog(QDialog):
    """Edits a copy of the settings; `settings()` gives the result after it was accepted."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setMinimumWidth(520)
        column = framed(self, _("Preferences"))
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(12)
        column.addLayout(form)
        self._add_choices(form)
        self._add_canvas(form)
        self._add_catalog(form)
        self.fault = label("", "", wrap=True)
        self.fault.setObjectName("faultCard")
        self.fault.hide()
        column.addWidget(self.fault)
        column.addSpacing(8)
        self.apply_button = answer_row(self, _("Apply"), column)

    def _add_choices(self, form: QFormLayout) -> None:
        self.language = QComboBox()
        self.language.addItem(_("As the system"), "")
        for code, name in LANGUAGES.items():
            self.language.addItem(name, code)
        self.language.setCurrentIndex(max(0, self.language.findData(self._settings.language)))
        form.addRow(_("Language"), self.language)
        self.theme = QComboBox()
        for key, name in THEMES.items():
            self.theme.addItem(_(name), key)
        self.theme.setCurrentIndex(max(0, self.theme.findData(self._settings.theme)))
        form.addRow(_("Theme"), self.theme)

    def _add_canvas(self, form: QFormLayout) -> None:
        self.dim = QSlider(Qt.Orientation.Horizontal)
        self.dim.setRange(20, 100)
        self.dim.setValue(round(self._settings.dim * 100))
        self.dim.setAccessibleName(_("Strength of cables outside the selection"))
        value = QLabel(format_percent(self._settings.dim, 0))
        self.dim.valueChanged.connect(lambda v: value.setText(format_percent(v / 100, 0)))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.dim, 1)
        row.addWidget(value)
        form.addRow(_("Cables outside the selection"), row)
        self.snap = QCheckBox(_("Snap to the grid"))
        self.snap.setChecked(self._settings.snap)
        form.addRow("", self.snap)
        self.motion = QCheckBox(_("No animation"))
        self.motion.setChecked(self._settings.reduced_motion)
        form.addRow("", self.motion)

    def _add_catalog(self, form: QFormLayout) -> None:
        self.catalog = QLineEdit(self._settings.catalog_file)
        self.catalog.setPlaceholderText(_("none"))
        browse = QPushButton(_("Choose"))
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.catalog, 1)
        row.addWidget(browse)
        form.addRow(_("Your own parts (TOML)"), row)

    def _browse(self) -> None:
        name, _kind = QFileDialog.getOpenFileName(
            self, _("Your own parts"), self.catalog.text(), _("Parts (*.toml)")
        )
        if name:
            self.catalog.setText(name)

    def accept(self) -> None:
        """Close when the catalogue file can be read; say what is wrong with it otherwise."""
        name = self.catalog.text().strip()
        if name:
            try:
                load_catalog(Path(name))
            except CatalogError as fault:
                self.fault.setText(f"{fault.message}\n{fault.hint}")
                self.fault.show()
                return
        super().accept()

    def settings(self) -> Settings:
        """Return the settings as edited."""
        return replace(
            self._settings,
            language=self.language.currentData(),
            theme=self.theme.currentData(),
            dim=self.dim.value() / 100,
            snap=self.snap.isChecked(),
            reduced_motion=self.motion.isChecked(),
            catalog_file=self.catalog.text().strip(),
        )
