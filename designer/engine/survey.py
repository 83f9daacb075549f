"""What the checks look at: the design, its compiled network and its census, under one roof."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from designer.engine.bom import Tally
from designer.engine.census import Census, LinkClass
from designer.engine.network import CompiledNetwork
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.ports import range_name
from designer.model.records import Cable, Device, PortRange

# Findings name at most this many records; a click selects them.
MOST_IDS = 500


@dataclass(frozen=True, slots=True)
class Survey:
    """Inputs of all checks.

    Attributes:
        design: The drawing.
        network: Its compiled form.
        census: Its records counted by class.
        tally: Cages and media of its cables.
        devices: Devices in the order of the census.
        cable_ids: Cable ids in the order of the census.
        stocked: True when a catalogue was given, so that a missing part means something.
    """

    design: Design
    network: CompiledNetwork
    census: Census
    tally: Tally
    devices: tuple[Device, ...]
    cable_ids: tuple[str, ...]
    stocked: bool

    def cable(self, row: int) -> Cable:
        """Return a cable record by its row."""
        return self.design.cables[self.cable_ids[row]]

    def rows(self, cls: int) -> npt.NDArray[np.int64]:
        """Return the rows of the cable records of one class."""
        return np.flatnonzero(self.census.cls == cls)

    def ids(self, rows: npt.NDArray[np.int64]) -> list[str]:
        """Return the ids of the first cables among some rows."""
        return [self.cable_ids[r] for r in rows[:MOST_IDS]]

    def end_name(self, end: PortRange) -> str:
        """Return `leaf-5 P18`, or the bare id of a missing device."""
        device = self.design.devices.get(end.device)
        if device is None:
            return _("(missing {id})").format(id=end.device)
        return f"{device.name} {range_name(self.design, device, end)}"

    def cable_name(self, row: int) -> str:
        """Return a cable by its two ends."""
        cable = self.cable(row)
        return f"{self.end_name(cable.a)} → {self.end_name(cable.b)}"

    def class_name(self, cls: int) -> tuple[str, list[str]]:
        """Return the first cable of a class with how many are like it, and the ids of all."""
        rows = self.rows(cls)
        name = self.cable_name(int(rows[0]))
        if len(rows) > 1:
            name = ngettext(
                "{cable} (and {n} cable like it)", "{cable} (and {n} cables like it)", len(rows) - 1
            ).format(cable=name, n=len(rows) - 1)
        return name, self.ids(rows)

    def device_name(self, index: int) -> str:
        """Return the name of a device by its index in the network."""
        return self.design.devices[self.network.device_ids[index]].name

    def link_classes(self) -> list[tuple[int, LinkClass]]:
        """Return the classes of cables whose ends both are on the drawing, with their number."""
        return [
            (i, c)
            for i, c in enumerate(self.census.classes)
            if c.a.device is not None and c.b.device is not None
        ]
