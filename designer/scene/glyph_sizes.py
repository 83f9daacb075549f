"""Sizes of glyphs: in drawing units at 100 %, and their smallest height on the screen."""

from designer.catalog.types import PortFamily
from designer.model.records import ROLES

SERVER, NVSWITCH, LEAF, SPINE, CORE, HOST = range(len(ROLES))

# width, height at 100 %, and smallest height on the screen, by role
SIZES: dict[int, tuple[float, float, float]] = {
    SERVER: (216, 236, 52),
    NVSWITCH: (216, 64, 16),
    LEAF: (592, 104, 40),
    SPINE: (672, 88, 38),
    CORE: (208, 104, 38),
    HOST: (216, 120, 40),
}
PORT_PITCH = 24.0
PORT_W, PORT_H = 10.0, 12.0


def least_width(role: int, families: dict[str, PortFamily]) -> float:
    """Return the width at 100 % that a device needs for its ports side by side."""
    width = SIZES[role][0]
    if role in (SERVER, HOST):
        nic = families.get("nic")
        return max(width, 24.0 + PORT_PITCH * nic.count) if nic and nic.count <= 16 else width
    return width
