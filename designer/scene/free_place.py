"""Where a new device fits on a drawing without covering another one."""

import numpy as np

from designer.model.records import ROLES, Role
from designer.scene.columns import SceneColumns
from designer.scene.glyph_sizes import SIZES

MARGIN, MOST_TRIES = 40.0, 24


def free_place(columns: SceneColumns, role: Role, x: float, y: float) -> tuple[float, float]:
    """Return the place nearest to (x, y) where a device of a role covers no other one.

    Looked for to the right and left first, then in rows below.
    """
    w, h, _least = SIZES[ROLES.index(role)]
    step_x, step_y = w + MARGIN, h + 3 * MARGIN
    for down in range(MOST_TRIES):
        for across in range(MOST_TRIES):
            side = (across + 1) // 2 * (1 if across % 2 else -1)
            at = x + side * step_x, y + down * step_y
            apart = (np.abs(columns.x - at[0]) >= (columns.w + w) / 2) | (
                np.abs(columns.y - at[1]) >= (columns.h + h) / 2
            )
            if bool(apart.all()):
                return at
    return x, y
