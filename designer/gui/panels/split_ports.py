"""Splits ports of a device into lanes, and joins them again."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from designer.errors import DesignerError, ParameterError
from designer.gui.bridge import Document, attempt
from designer.gui.labels import label
from designer.gui.panels.fields import ChoiceField
from designer.messages import _
from designer.model.records import Device
from designer.model.wiring import break_out
from designer.units import format_bits_per_s


class SplitPorts(QWidget):
    """One row: which ports, into how many lanes; shown for devices whose ports can be split.

    Signals:
        refused: The `DesignerError` of a split that cannot be made.
    """

    refused = Signal(object)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._device: Device | None = None
        self._family = ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(label(_("Split ports"), "row"))
        row = QHBoxLayout()
        row.setSpacing(6)
        column.addLayout(row)
        self.ports = QLineEdit()
        self.ports.setPlaceholderText("1–4")
        self.ports.setAccessibleName(_("Ports to split"))
        self.ports.setFixedWidth(56)
        self.lanes = ChoiceField()
        self.lanes.setMinimumContentsLength(6)
        self.lanes.setAccessibleName(_("Lanes of a port"))
        self.button = QPushButton(_("Apply"))
        self.button.clicked.connect(self._apply)
        self.ports.returnPressed.connect(self._apply)
        row.addWidget(self.ports)
        row.addWidget(self.lanes, 1)
        row.addWidget(self.button)

    def show_device(self, device: Device) -> None:
        """Offer what the ports of a device allow; hidden when they cannot be split."""
        self._device = device
        ways: list[tuple[object, str]] = []
        for name, family in self._document.design.families(device).items():
            if family.breakouts and name in ("fabric", "nic"):
                self._family = name
                ways = [(1, _("whole port"))]
                ways += [
                    (b.lanes, f"{b.lanes} × {format_bits_per_s(b.speed)}") for b in family.breakouts
                ]
                break
        self.lanes.set_choices(ways)
        if len(ways) > 1 and self.lanes.currentIndex() < 0:
            self.lanes.setCurrentIndex(1)
        self.setVisible(bool(ways))

    def _apply(self) -> None:
        device = self._device
        if device is None or self.lanes.currentIndex() < 0:
            return
        try:
            first, last = _range(self.ports.text())
        except DesignerError as fault:
            self.refused.emit(fault)
            return
        lanes = self._lanes(device)
        refused = attempt(
            self._document,
            lambda: break_out(
                self._document.design, device.id, self._family, first, last - first + 1, lanes
            ),
        )
        if refused is not None:
            self.refused.emit(refused)

    def _lanes(self, device: Device) -> int:
        family = self._document.design.families(device)[self._family]
        ways = [1, *(b.lanes for b in family.breakouts)]
        return ways[self.lanes.currentIndex()]


def _range(text: str) -> tuple[int, int]:
    parts = text.replace("–", "-").split("-")
    try:
        numbers = [int(p) for p in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2) or numbers[0] < 1 or numbers[-1] < numbers[0]:
        raise ParameterError(
            _("“{text}” names no ports.").format(text=text), _("Write a range such as 1-4.")
        )
    return numbers[0], numbers[-1]
