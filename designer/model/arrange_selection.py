"""Aligns and spaces chosen devices and notes: pure functions from a design to a move."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from designer.messages import N_, _
from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.operations import move

# The size of a record's glyph in drawing units, by id; centres align when it is not given.
Size = Callable[[str], tuple[float, float]]
Points = dict[str, tuple[float, float]]


def _no_size(_id: str) -> tuple[float, float]:
    return 0.0, 0.0


def positions(design: Design, ids: Iterable[str]) -> Points:
    """Return the centres (x, y) of devices and notes, by id; the others are left out."""
    found: Points = {}
    for id_ in ids:
        if id_ in design.placements:
            found[id_] = (design.placements[id_].x, design.placements[id_].y)
        elif id_ in design.notes:
            found[id_] = (design.notes[id_].x, design.notes[id_].y)
    return found


def _side(design: Design, ids: Iterable[str], size: Size, axis: int, side: float) -> Edit:
    """Bring one side (-1, 0 middle, 1) of every glyph to the outermost, along `axis` (0 is x)."""
    at = positions(design, ids)
    edges = {i: p[axis] + side * size(i)[axis] / 2 for i, p in at.items()}
    if len(edges) < 2:
        return Edit("", ())
    low, high = min(edges.values()), max(edges.values())
    goal = low if side < 0 else high if side > 0 else (low + high) / 2
    moved: Points = {}
    for i, p in at.items():
        value = goal - side * size(i)[axis] / 2
        moved[i] = (value, p[1]) if axis == 0 else (p[0], value)
    return move(design, moved)


def align_left(design: Design, ids: Iterable[str], size: Size = _no_size) -> Edit:
    """Bring left sides to the leftmost."""
    return replace(_side(design, ids, size, 0, -1), label=_("Align left"))


def align_center(design: Design, ids: Iterable[str], size: Size = _no_size) -> Edit:
    """Bring centres onto one vertical line."""
    return replace(_side(design, ids, size, 0, 0), label=_("Align centres"))


def align_right(design: Design, ids: Iterable[str], size: Size = _no_size) -> Edit:
    """Bring right sides to the rightmost."""
    return replace(_side(design, ids, size, 0, 1), label=_("Align right"))


def align_top(design: Design, ids: Iterable[str], size: Size = _no_size) -> Edit:
    """Bring tops to the topmost."""
    return replace(_side(design, ids, size, 1, -1), label=_("Align top"))


def align_middle(design: Design, ids: Iterable[str], size: Size = _no_size) -> Edit:
    """Bring centres onto one horizontal line."""
    return replace(_side(design, ids, size, 1, 0), label=_("Align middles"))


def align_bottom(design: Design, ids: Iterable[str], size: Size = _no_size) -> Edit:
    """Bring bottoms to the lowest."""
    return replace(_side(design, ids, size, 1, 1), label=_("Align bottom"))


def _spread(design: Design, ids: Iterable[str], size: Size, axis: int) -> Edit:
    """Make the gaps between glyphs equal along `axis`; the outermost two stay."""
    at = positions(design, ids)
    order = sorted(at, key=lambda i: at[i][axis])
    if len(order) < 3:
        return Edit("", ())
    lengths = [size(i)[axis] for i in order]
    start = at[order[0]][axis] - lengths[0] / 2
    end = at[order[-1]][axis] + lengths[-1] / 2
    gap = (end - start - sum(lengths)) / (len(order) - 1)
    moved: Points = {}
    edge = start
    for i, length in zip(order, lengths, strict=True):
        value = round(edge + length / 2, 3)
        moved[i] = (value, at[i][1]) if axis == 0 else (at[i][0], value)
        edge += length + gap
    return move(design, {i: moved[i] for i in order[1:-1]})


def distribute_across(design: Design, ids: Iterable[str], size: Size = _no_size) -> Edit:
    """Make horizontal gaps equal; the outermost two stay."""
    return replace(_spread(design, ids, size, 0), label=_("Distribute across"))


def distribute_down(design: Design, ids: Iterable[str], size: Size = _no_size) -> Edit:
    """Make vertical gaps equal; the outermost two stay."""
    return replace(_spread(design, ids, size, 1), label=_("Distribute down"))


Arrangement = Callable[[Design, Iterable[str], Size], Edit]

# Name of the action, what a menu shows, and the function.
ARRANGEMENTS: dict[str, tuple[str, Arrangement]] = {
    "align_left": (N_("Align left"), align_left),
    "align_center": (N_("Align centres"), align_center),
    "align_right": (N_("Align right"), align_right),
    "align_top": (N_("Align top"), align_top),
    "align_middle": (N_("Align middles"), align_middle),
    "align_bottom": (N_("Align bottom"), align_bottom),
    "distribute_across": (N_("Distribute across"), distribute_across),
    "distribute_down": (N_("Distribute down"), distribute_down),
}
