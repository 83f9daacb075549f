"""Views that hold a whole drawing, and moving a finished picture to another place and size."""

from dataclasses import replace

import numpy as np

from designer.scene.blocks import blocks
from designer.scene.columns import SceneColumns
from designer.scene.display_list import (
    Circles,
    Curves,
    Icons,
    Lines,
    Polygons,
    Polylines,
    Primitive,
    Rects,
    Text,
    Texts,
)
from designer.scene.frame import make_frame
from designer.scene.view import CLUSTER, SceneState, View, fit

# Room around the blocks of a cluster, and for the titles of pods above and below, pixels.
_SIDE, _TITLES = 24.0, 44.0
# Height of what floats over the bottom of the canvas: legend and zoom, pixels.
_FLOATS = 44.0


def whole(
    columns: SceneColumns, width: float, height: float, state: SceneState, margin: float = 24.0
) -> View:
    """Return a view that cuts nothing off: of width × height, or larger for a cluster's blocks."""
    view = fit(columns, width, height, margin=margin)
    return around_blocks(columns, view, state) if view.level == CLUSTER else view


def around_blocks(columns: SceneColumns, view: View, state: SceneState) -> View:
    """Return the view that holds all blocks of a cluster: their smallest sizes may exceed it."""
    found = blocks(make_frame(columns, view, state))
    boxes = np.vstack([found.box, found.pod_box])
    if not len(boxes):
        return view
    x0, y0 = boxes[:, :2].min(axis=0) - (_SIDE, _TITLES)
    x1, y1 = (boxes[:, :2] + boxes[:, 2:]).max(axis=0) + (_SIDE, _TITLES)
    x, y = view.to_drawing(float(x0), float(y0))
    return View(float(x1 - x0), float(y1 - y0), view.scale, x, y)


def fitted(
    columns: SceneColumns, width: float, height: float, state: SceneState, below: float = _FLOATS
) -> View:
    """Return a view of width × height that holds a whole drawing, the blocks of a cluster too.

    Blocks keep a smallest size on the screen, so that the scale is found by trying.

    Args:
        columns: What is drawn.
        width: Of the view, pixels.
        height: Of the view, pixels.
        state: How it is drawn.
        below: Pixels at the bottom edge that stay free, for what floats there.
    """
    view = fit(columns, width, height)
    for _again in range(4):
        if view.level != CLUSTER:
            return view
        around = around_blocks(columns, view, state)
        room = height - below
        x = around.x - (width - around.width) / 2 / view.scale
        y = around.y - (room - around.height) / 2 / view.scale
        view = View(width, height, view.scale, x, y)
        over = max(around.width / width, around.height / room)
        if over <= 1.0:
            return view
        view = view.zoomed(max(0.5, 1 / over), width / 2, room / 2)
    return view


def placed(item: Primitive, dx: float, dy: float, k: float = 1.0) -> Primitive:
    """Return a primitive scaled by k about the origin, then moved by (dx, dy)."""
    if isinstance(item, Rects):
        xywh = item.xywh * k + (dx, dy, 0, 0)
        return replace(item, xywh=xywh, width=item.width * k, radius=item.radius * k)
    if isinstance(item, Lines):
        return replace(item, xyxy=item.xyxy * k + (dx, dy, dx, dy), width=item.width * k)
    if isinstance(item, Curves):
        return replace(item, points=item.points * k + (dx, dy) * 4, width=item.width * k)
    if isinstance(item, Polylines):
        lines = [points * k + (dx, dy) for points in item.lines]
        return replace(item, lines=lines, width=item.width * k, radius=item.radius * k)
    if isinstance(item, Polygons):
        return replace(item, points=item.points * k + (dx, dy), width=item.width * k)
    if isinstance(item, Circles):
        return replace(item, xyr=item.xyr * k + (dx, dy, 0), width=item.width * k)
    if isinstance(item, Texts):
        return Texts([_placed_text(run, dx, dy, k) for run in item.runs])
    return Icons([(n, x * k + dx, y * k + dy, size * k, c) for n, x, y, size, c in item.items])


def _placed_text(run: Text, dx: float, dy: float, k: float) -> Text:
    return replace(run, x=run.x * k + dx, y=run.y * k + dy, size=run.size * k)
