"""What is painted, in order: batches of one style each, in screen pixels, colours by token or hex.

The screen, PNG and PDF paint a display list with QPainter; SVG is written from it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rects:
    """Rectangles: `xywh` n × 4; a radius rounds their corners."""

    xywh: Array
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    radius: float = 0.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Lines:
    """Straight lines: `xyxy` n × 4."""

    xyxy: Array
    color: str
    width: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Curves:
    """Cubic curves: `points` n × 8 (start, two controls, end)."""

    points: Array
    color: str
    width: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Polylines:
    """Polylines with corners rounded by up to `radius`: each array k × 2."""

    lines: Sequence[Array]
    color: str
    width: float = 1.0
    radius: float = 0.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Polygons:
    """Closed shapes of the same number of corners: `points` n × k × 2."""

    points: Array
    fill: str = ""
    stroke: str = ""
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Circles:
    """Discs: `xyr` n × 3."""

    xyr: Array
    fill: str = ""
    stroke: str = ""
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """One run of text; (x, y) is its baseline start, middle or end by `anchor`."""

    x: float
    y: float
    text: str
    size: float = 12.0
    weight: int = 400
    color: str = "text"
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Texts:
    """Runs of text."""

    runs: Sequence[Text]


@dataclass(frozen=True, slots=True)
class Icons:
    """Icons by name: (name, x, y, size, colour), x and y of the top left corner."""

    items: Sequence[tuple[str, float, float, float, str]]


Primitive = Rects | Lines | Curves | Polylines | Polygons | Circles | Texts | Icons


@dataclass(slots=True)
class DisplayList:
    """A picture of `width` × `height` pixels: primitives in painting order.

    Attributes:
        background: Colour token behind everything; empty leaves it clear.
        smooth: False asks painters to leave antialiasing out (a moving frame of a large drawing).
    """

    width: float
    height: float
    theme: str = "light"
    background: str = "canvas"
    items: list[Primitive] = field(default_factory=list)
    smooth: bool = True

    def add(self, item: Primitive) -> None:
        """Append a primitive unless it is empty."""
        if _size(item):
            self.items.append(item)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 12.0,
        weight: int = 400,
        color: str = "text",
        anchor: str = "start",
    ) -> None:
        """Append one run of text, joined to the texts before it."""
        run = Text(x, y, text, size, weight, color, anchor)
        last = self.items[-1] if self.items else None
        if isinstance(last, Texts) and isinstance(last.runs, list):
            last.runs.append(run)
        else:
            self.items.append(Texts([run]))

    def counts(self) -> dict[str, int]:
        """Return how many shapes of each kind it holds."""
        found: dict[str, int] = {}
        for item in self.items:
            name = type(item).__name__
            found[name] = found.get(name, 0) + _size(item)
        return found


def _size(item: Primitive) -> int:
    if isinstance(item, Rects):
        return len(item.xywh)
    if isinstance(item, Lines):
        return len(item.xyxy)
    if isinstance(item, (Curves, Polygons)):
        return len(item.points)
    if isinstance(item, Polylines):
        return len(item.lines)
    if isinstance(item, Circles):
        return len(item.xyr)
    return len(item.runs) if isinstance(item, Texts) else len(item.items)


def plate(picture: DisplayList, x: float, base: float, width: float) -> None:
    """Clear the ground behind a line of text that starts at x on a base line: cables run there."""
    picture.add(Rects(np.array([[x - 6, base - 15, width + 12, 21.0]]), "canvas", "", 0, 4))
