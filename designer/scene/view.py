"""What part of the drawing is seen, and in which state: selection, colours, results, theme."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from designer.scene.columns import Floats, Ints, SceneColumns
from designer.scene.filtering import Kept
from designer.scene.glyph_sizes import SIZES

ColourMode = Literal["rail", "utilization", "kind"]
CableShape = Literal["curved", "straight", "orthogonal"]
CABLE_SHAPES: tuple[CableShape, ...] = ("curved", "straight", "orthogonal")
COLOUR_MODES: tuple[ColourMode, ...] = ("rail", "utilization", "kind")

# Level of detail by the server pitch on the screen (drawing units 240), see the help page.
CLUSTER, UNIT, DEVICE, PORT, DETAIL = range(5)
PITCH = 240.0
LIMITS = (3.0, 13.0, 96.0, 400.0)
GUTTER = 112.0


@dataclass(frozen=True, slots=True)
class View:
    """A window on the drawing: `scale` pixels a unit; (x, y) is the unit at its top left corner."""

    width: float
    height: float
    scale: float
    x: float
    y: float

    def px(self, x: Floats) -> Floats:
        """Return screen columns of drawing columns."""
        return (x - self.x) * self.scale

    def py(self, y: Floats) -> Floats:
        """Return screen rows of drawing rows."""
        return (y - self.y) * self.scale

    def to_drawing(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a pixel in the drawing."""
        return x / self.scale + self.x, y / self.scale + self.y

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of a place in the drawing."""
        return (x - self.x) * self.scale, (y - self.y) * self.scale

    def zoomed(self, factor: float, x: float, y: float) -> "View":
        """Return the view scaled by `factor` with the pixel (x, y) held still."""
        scale = min(8.0, max(1e-5, self.scale * factor))
        at = self.to_drawing(x, y)
        return View(self.width, self.height, scale, at[0] - x / scale, at[1] - y / scale)

    def panned(self, dx: float, dy: float) -> "View":
        """Return the view moved so that its content shifts by (dx, dy) pixels."""
        return View(
            self.width, self.height, self.scale, self.x - dx / self.scale, self.y - dy / self.scale
        )

    @property
    def level(self) -> int:
        """Return the finest level of detail that this scale allows."""
        pitch = PITCH * self.scale
        return next((k for k, limit in enumerate(LIMITS) if pitch < limit), DETAIL)


@dataclass(frozen=True, slots=True)
class SceneState:
    """How the drawing is shown.

    Attributes:
        selection, hover: Ids of devices, cables or notes.
        utilization: Share of capacity by cable id.
        marks: Severity by device or cable id, from the findings.
        failed: Devices and cables that are out for the results.
        jobs: Number of the job that a server runs, by device id.
        dim: Strength of cables outside the selection.
        level: Level of detail forced by the person; None chooses by scale.
        chrome: False leaves tier bands' gutter, swatches and hints out (small pictures).
        kept: What a filter keeps strong; the rest is faded and cannot be hit. None keeps all.
        shape: How trunks and single cables run between devices; rail lines are always square.
        labels: What every trunk says: `count`, `speed`, `length`; empty labels by exception.
        moving: True in a frame of a motion: coarser, without labels.
    """

    theme: str = "light"
    selection: frozenset[str] = frozenset()
    hover: str = ""
    colour: ColourMode = "rail"
    utilization: Mapping[str, float] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    dim: float = 0.46
    level: int | None = None
    chrome: bool = True
    moving: bool = False
    hidden: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    jobs: Mapping[str, int] = field(default_factory=dict)
    kept: Kept | None = None
    shape: CableShape = "curved"
    labels: frozenset[str] = frozenset()


def fit(
    columns: SceneColumns,
    width: float,
    height: float,
    rows: Ints | None = None,
    margin: float = 24.0,
    gutter: float = GUTTER,
) -> View:
    """Return the view that shows devices (all by default), with room for the tier labels.

    The smallest screen heights of glyphs are kept in mind, so that nothing is cut off.
    """
    x0, y0, x1, y1 = columns.bounds(rows)
    top = margin + 28.0
    left = margin + gutter
    room_w, room_h = max(50.0, width - left - margin), max(50.0, height - top - margin - 28.0)
    scale = min(room_w / max(1.0, x1 - x0), room_h / max(1.0, y1 - y0), 1.6)
    for _again in range(2):
        extra = _overhang(columns, scale, rows)
        scale = min(room_w / max(1.0, x1 - x0), max(40.0, room_h - extra) / max(1.0, y1 - y0), 1.6)
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    middle_x, middle_y = left + room_w / 2, top + room_h / 2
    return View(width, height, scale, cx - middle_x / scale, cy - middle_y / scale)


def _overhang(columns: SceneColumns, scale: float, rows: Ints | None) -> float:
    """Return how far glyphs at their smallest screen height reach beyond the drawing's box."""
    if not len(columns.x):
        return 0.0
    pick = slice(None) if rows is None else rows
    h = screen_heights(columns, scale)[pick]
    y = columns.y[pick] * scale
    full = columns.h[pick] * scale
    low = (y + h / 2).max() - (y + full / 2).max()
    high = (y - full / 2).min() - (y - h / 2).min()
    return float(max(0.0, low) + max(0.0, high))


_FLOOR = np.array([SIZES[k][2] for k in range(len(SIZES))], dtype=np.float64)


def screen_heights(columns: SceneColumns, scale: float) -> Floats:
    """Return the height of each glyph on the screen, pixels."""
    full = columns.h * scale
    pitch = PITCH * scale
    # below the device level glyphs shrink to bars
    share = 1.0 if pitch >= LIMITS[1] else max(0.16, pitch / LIMITS[1])
    floor = _FLOOR[columns.role] * share
    # servers shrink with their row, so that 1,000 of them do not turn into a wall
    return np.maximum(full, floor)
