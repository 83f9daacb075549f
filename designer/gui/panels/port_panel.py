"""The port panel: fronts of one or two devices, what is in a port, splits and cables from there."""

from functools import partial

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.gui.bridge import Document, attempt
from designer.gui.labels import label, line
from designer.gui.panels.faceplate import Faceplate
from designer.gui.panels.fields import ChoiceField
from designer.gui.panels.port_facts import (
    PortFact,
    cable_text,
    peer_text,
    port_facts,
    speed_text,
    state_text,
)
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.ports import Port, port_users
from designer.model.wiring import break_out, compatible_free_ports
from designer.units import format_bits_per_s, format_number

MOST = 2
_ROWS = ("name", "peer", "speed", "cable", "state")


class PortPanel(QWidget):
    """Shows the ports of the devices selected last, two at most, and changes them.

    Signals:
        refused: The `DesignerError` of a change that was not taken.
        peer_wanted: Id of the device at the other end of a link, to be shown.
        cable_started: A free port's `PortFact` a cable is to begin at.
        cable_aimed: A `Faceplate` and its `PortFact` a begun cable is to end at.
        cable_dragged_from, cable_dropped_from: `PortFact` and pointer on the screen.
        cable_cancelled: A begun cable is let go of.
    """

    refused = Signal(object)
    peer_wanted = Signal(str)
    cable_started = Signal(object)
    cable_aimed = Signal(object, object)
    cable_dragged_from = Signal(object, QPoint)
    cable_dropped_from = Signal(object, QPoint)
    cable_cancelled = Signal()

    def __init__(self, document: Document, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._document = document
        self._devices: list[str] = []
        self._cabling = False
        self.plates = [Faceplate(document, theme) for _k in range(MOST)]
        self.titles = [label("", "rowStrong") for _k in range(MOST)]
        self.active = self.plates[0]
        self._build()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.refresh)
        document.selection.changed.connect(self._refresh_soon)
        for signal in (document.edited, document.results_changed, document.failed_changed):
            signal.connect(self._refresh_soon)
        self.refresh()

    def _refresh_soon(self, _change: object = None) -> None:
        if self.isVisible():
            self._later.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed while the panel was out of sight."""
        super().showEvent(event)
        self.refresh()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        inner = QWidget()
        inner.setObjectName("panel")
        column = QVBoxLayout(inner)
        column.setContentsMargins(16, 10, 16, 10)
        column.setSpacing(6)
        for title, plate in zip(self.titles, self.plates, strict=True):
            column.addWidget(title)
            column.addWidget(plate)
            self._listen(plate)
        self.empty = label(_("Select a switch or server to see its ports."), "row")
        column.addWidget(self.empty)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        row.addWidget(scroll, 1)
        row.addWidget(line(vertical=True))
        row.addWidget(self._details())

    def _listen(self, plate: Faceplate) -> None:
        plate.walked.connect(partial(self._walked, plate))
        plate.clicked.connect(partial(self._clicked, plate))
        plate.opened.connect(partial(self._opened, plate))
        plate.dragged.connect(self.cable_dragged_from)
        plate.dropped.connect(self.cable_dropped_from)
        plate.escaped.connect(self.cable_cancelled)

    def _details(self) -> QWidget:
        box = QWidget()
        box.setFixedWidth(304)
        column = QVBoxLayout(box)
        column.setContentsMargins(16, 10, 16, 10)
        column.setSpacing(5)
        self.lines: dict[str, QLabel] = {}
        for name in _ROWS:
            text = label("", "rowStrong" if name == "name" else "row", wrap=True)
            self.lines[name] = text
            column.addWidget(text)
        column.addSpacing(4)
        column.addWidget(label(_("Split of the port"), "row"))
        self.split = ChoiceField()
        self.split.setAccessibleName(_("Split of the port"))
        self.split.committed.connect(self._split)
        column.addWidget(self.split)
        row = QHBoxLayout()
        self.connect_button = QPushButton(_("Draw cable"))
        self.connect_button.clicked.connect(lambda: self._opened(self.active, self.active.fact))
        self.peer_button = QPushButton(_("Go to peer"))
        self.peer_button.clicked.connect(lambda: self._jump(self.active.fact))
        row.addWidget(self.connect_button)
        row.addWidget(self.peer_button)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)
        self.details = box
        return box

    # --- what is shown ---

    def refresh(self) -> None:
        """Show the devices selected last as they are now."""
        design = self._document.design
        self._devices = self._wanted(design)
        results = self._document.results
        loads = results.utilization if results is not None else {}
        marks = {
            i: f.severity for f in (results.findings if results is not None else ()) for i in f.ids
        }
        failed = self._document.options.fail
        for k, (title, plate) in enumerate(zip(self.titles, self.plates, strict=True)):
            there = k < len(self._devices)
            title.setVisible(there)
            plate.setVisible(there)
            if there:
                device = design.devices[self._devices[k]]
                plate.show_facts(device.id, port_facts(design, device, loads, failed, marks))
                title.setText(_title(design, device.id, plate.facts))
            else:
                plate.device, plate.facts, plate.cells = "", [], []
        self.empty.setVisible(not self._devices)
        self.details.setVisible(bool(self._devices))
        if not self.active.facts:
            self.active = self.plates[0]
        self._show_details()

    def _wanted(self, design: Design) -> list[str]:
        """Return the devices selected, else those shown before, else the ends of a cable."""
        chosen = sorted(i for i in self._document.selection.ids if i in design.devices)
        if chosen:
            here = [i for i in self._devices if i in chosen]
            return (here + [i for i in chosen if i not in here])[:MOST]
        cables = [design.cables[i] for i in self._document.selection.ids if i in design.cables]
        ends = [e.device for c in cables[:1] for e in (c.a, c.b)]
        shown = [i for i in self._devices if i in design.devices]
        if shown and (not ends or not set(shown).isdisjoint(ends)):
            return shown
        return [i for i in dict.fromkeys(ends) if i in design.devices][:MOST]

    def _walked(self, plate: Faceplate) -> None:
        self.active = plate
        self._show_details()

    def _show_details(self) -> None:
        design, plate = self._document.design, self.active
        known = bool(plate.facts)
        self.split.setEnabled(known)
        self.connect_button.setEnabled(known and not plate.fact.cable)
        self.peer_button.setEnabled(known and plate.fact.peer is not None)
        if not known:
            for text in self.lines.values():
                text.setText("")
            return
        fact, device = plate.fact, design.devices[plate.device]
        held = plate.chosen()
        name = f"{device.name} {fact.name}"
        if len(held) > 1:
            name = ngettext("{n} port held", "{n} ports held", len(held)).format(n=len(held))
        peer = peer_text(design, fact)
        texts = {
            "name": name,
            "peer": f"→ {peer}" if peer else _("no cable"),
            "speed": speed_text(fact),
            "cable": cable_text(design, self._document.catalog, fact),
            "state": state_text(fact),
        }
        for key, words in texts.items():
            self.lines[key].setText(words)
            self.lines[key].setVisible(bool(words))
        self._show_splits(fact)

    def _show_splits(self, fact: PortFact) -> None:
        device = self._document.design.devices[self.active.device]
        family = self._document.design.families(device)[fact.port.family]
        ways: list[tuple[object, str]] = [(1, _("whole port"))]
        ways += [(b.lanes, f"{b.lanes} × {format_bits_per_s(b.speed)}") for b in family.breakouts]
        self.split.set_choices(ways)
        self.split.show_value(fact.lanes)
        self.split.setEnabled(len(ways) > 1)

    # --- changing ---

    def _split(self, lanes: int) -> None:
        plate = self.active
        numbers = [f.port.number for f in plate.chosen()]
        first, count = min(numbers), max(numbers) - min(numbers) + 1
        fault = attempt(
            self._document,
            lambda: break_out(
                self._document.design, plate.device, plate.fact.port.family, first, count, lanes
            ),
        )
        if fault is not None:
            self.split.refuse(fault)
            self.refused.emit(fault)

    def _clicked(self, plate: Faceplate, fact: PortFact) -> None:
        if self._cabling and plate.source is None:
            self.cable_aimed.emit(plate, fact)
        elif fact.cable:
            self._document.selection.set({fact.cable})

    def _opened(self, plate: Faceplate, fact: PortFact) -> None:
        self.active = plate
        if self._cabling and plate.source is None:
            self.cable_aimed.emit(plate, fact)
        elif fact.cable:
            self._jump(fact)
        else:
            self.cable_started.emit(fact)

    def _jump(self, fact: PortFact) -> None:
        if fact.peer is None:
            return
        device, port = fact.peer
        self.peer_wanted.emit(device)
        self.refresh()
        plate = next((p for p in self.plates if p.device == device), None)
        if plate is not None:
            plate.walk(next(k for k, f in enumerate(plate.facts) if f.port == port))
            plate.setFocus()

    # --- cables ---

    def device_of(self, fact: PortFact) -> str:
        """Return the device whose port this is."""
        return next(p.device for p in self.plates if any(f is fact for f in p.facts))

    def other(self, device: str) -> Faceplate | None:
        """Return the front beside that of a device, or None."""
        return next((p for p in self.plates if p.facts and p.device != device), None)

    def port_at(self, at: QPoint) -> tuple[Faceplate, int] | None:
        """Return front and place of the port at a point of the screen."""
        for plate in self.plates:
            spot = plate.mapFromGlobal(at)
            if plate.isVisible() and plate.visibleRegion().contains(spot):
                k = plate.at(QPointF(spot))
                return (plate, k) if k >= 0 else None
        return None

    def show_cabling(self, device: str, port: Port | None) -> None:
        """Mark where a cable begins and may end; without a port there is none."""
        self._cabling = port is not None
        design = self._document.design
        for plate in self.plates:
            if port is None or not plate.facts:
                plate.show_cabling(None, None)
            elif plate.device == device:
                plate.show_cabling(port, frozenset())
            else:
                target = design.devices[plate.device]
                ends = compatible_free_ports(design, design.devices[device], port, target)
                plate.show_cabling(None, frozenset(ends))


def _title(design: Design, device_id: str, facts: list[PortFact]) -> str:
    """Return name, model, and how many ports are used and free."""
    device = design.devices[device_id]
    part = design.type_of(device)
    used = len(port_users(design, device))
    free = sum(1 for f in facts if not f.cable)
    out = sum(1 for f in facts if f.failed)
    words = [
        device.name,
        part.title if part is not None else device.type,
        _("{used} used · {free} free").format(used=format_number(used), free=format_number(free)),
    ]
    if out:
        words.append(ngettext("{n} failed", "{n} failed", out).format(n=format_number(out)))
    return "  ·  ".join(words)
