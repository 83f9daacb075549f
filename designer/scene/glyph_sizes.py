"""Sizes of glyphs: in drawing units at 100 %, and their smallest height on the screen."""

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
