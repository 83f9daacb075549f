"""Where a new device fits on a drawing: in the row of its tier, without covering another one."""

import numpy as np

from designer.model.records import ROLES, Role
from designer.scene.columns import Floats, SceneColumns, extents
from designer.scene.glyph_sizes import CORE, HOST, LEAF, NVSWITCH, SERVER, SIZES, SPINE

MOST_TRIES = 24
# Distance from one glyph to the next in a row, by role; rows are so far apart.
PITCH = {SERVER: 240.0, NVSWITCH: 240.0, LEAF: 656.0, SPINE: 736.0, CORE: 280.0, HOST: 240.0}
ROW_GAP = 120.0
# Tiers from top to bottom, and the distance of a new row from the nearest one.
TIERS = (CORE, SPINE, LEAF, SERVER, NVSWITCH)
TIER_GAP = 500.0
NEAR = 60.0
# A longer row is not one that somebody draws by hand: there the nearest place counts.
SHORT_ROW = 64


def tier_place(columns: SceneColumns, role: Role, x: float, y: float) -> tuple[float, float]:
    """Return where a new device belongs: in the row of its tier nearest to (x, y), or a new row.

    A new row goes above or below the tiers that are there, in their order.
    """
    code = ROLES.index(role)
    if code not in TIERS or not len(columns.x):
        return free_place(columns, role, x, y)
    same = np.flatnonzero(columns.role == code)
    if len(same):
        nearest = same[np.argmin(np.abs(columns.y[same] - y))]
        row = float(columns.y[nearest])
        mates = same[np.abs(columns.y[same] - row) < NEAR]
        first, last = float(columns.x[mates].min()), float(columns.x[mates].max())
        if len(mates) <= SHORT_ROW:
            return _to_the_right(columns, code, last + PITCH[code], row)
        return free_place(columns, role, float(np.clip(x, first, last + PITCH[code])), row)
    return free_place(columns, role, *_new_row(columns, code, x, y))


def _to_the_right(columns: SceneColumns, code: int, x: float, y: float) -> tuple[float, float]:
    """Return the first free place from x on: a row that is being drawn reads from the left."""
    for k in range(MOST_TRIES):
        if _is_free(columns, code, x + k * PITCH[code], y):
            return x + k * PITCH[code], y
    return free_place(columns, ROLES[code], x, y)


def _new_row(columns: SceneColumns, code: int, x: float, y: float) -> tuple[float, float]:
    place = TIERS.index(code)
    below = np.flatnonzero(np.isin(columns.role, TIERS[place + 1 :]))
    above = np.flatnonzero(np.isin(columns.role, TIERS[:place]))
    if not len(below) and not len(above):
        return x, y
    near = below if len(below) else above
    x = float(columns.x[near].min() + columns.x[near].max()) / 2
    if not len(below):
        return x, float(columns.y[above].max()) + _gap(code)
    top = float(columns.y[below].min()) - _gap(code)
    if len(above):
        low = float(columns.y[above].max())
        top = max(top, (low + float(columns.y[below].min())) / 2)
    return x, top


def _gap(code: int) -> float:
    return 260.0 if code == NVSWITCH else TIER_GAP


def free_place(columns: SceneColumns, role: Role, x: float, y: float) -> tuple[float, float]:
    """Return the place nearest to (x, y) where a device of a role covers no other one.

    Looked for to the right and left first, then in rows below.
    """
    code = ROLES.index(role)
    step_x, step_y = PITCH[code], SIZES[code][1] + ROW_GAP
    for down in range(MOST_TRIES):
        for across in range(MOST_TRIES):
            side = (across + 1) // 2 * (1 if across % 2 else -1)
            at = x + side * step_x, y + down * step_y
            if _is_free(columns, code, *at):
                return at
    return x, y


def _is_free(columns: SceneColumns, code: int, x: float, y: float) -> bool:
    """Tell whether a device at (x, y) covers none, itself or by what it widens in its row."""
    role = np.append(columns.role, np.int32(code))
    xs, ys = np.append(columns.x, x), np.append(columns.y, y)
    # switches of a row share its room: one too near would make its neighbours narrow
    mates = (columns.role == code) & (np.abs(columns.y - y) < NEAR)
    if bool((np.abs(columns.x[mates] - x) < 0.9 * PITCH[code]).any()):
        return False
    w, h = extents(role, xs, ys)
    changed = np.flatnonzero(w[:-1] > columns.w + 1e-6).tolist()
    return all(_alone(int(k), xs, ys, w, h) for k in (len(xs) - 1, *changed))


def _alone(k: int, x: Floats, y: Floats, w: Floats, h: Floats) -> bool:
    over = (np.abs(x - x[k]) < (w + w[k]) / 2) & (np.abs(y - y[k]) < (h + h[k]) / 2)
    return int(over.sum()) == 1
