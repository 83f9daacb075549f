"""What a filter leaves out, faded: the same picture, coarse, without words, near the canvas."""

from collections.abc import Iterator
from dataclasses import replace

from designer.scene.display_list import (
    Circles,
    Curves,
    DisplayList,
    Lines,
    Polygons,
    Polylines,
    Primitive,
    Rects,
)
from designer.scene.theme import blend, token
from designer.scene.view import SceneState

# Strength over the canvas: seen when looked for, never in the way.
SHARE = 0.15


def faint_state(state: SceneState) -> SceneState:
    """Return the state in which all is drawn alike, to be faded."""
    return replace(
        state, kept=None, selection=frozenset(), marks={}, failed=frozenset(), moving=True
    )


def faint(picture: DisplayList, theme: str) -> Iterator[Primitive]:
    """Yield the shapes of a picture, blended towards the canvas; words and icons are left out."""
    for item in picture.items:
        if isinstance(item, Lines | Curves | Polylines):
            yield replace(item, color=_faint(item.color, theme))
        elif isinstance(item, Rects | Polygons | Circles):
            yield replace(item, fill=_faint(item.fill, theme), stroke=_faint(item.stroke, theme))


def _faint(color: str, theme: str) -> str:
    if not color or color == "canvas":
        return color
    return blend(token(color, theme), token("canvas", theme), SHARE)
