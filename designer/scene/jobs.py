"""Which servers run which job: a strip in the colour of the job under each, with its number."""

import numpy as np

from designer.scene.blocks import blocks
from designer.scene.columns import Ints
from designer.scene.display_list import DisplayList, Rects
from designer.scene.frame import Frame
from designer.scene.theme import text_on, token
from designer.scene.view import CLUSTER, DEVICE

# Colours of jobs, in turn; the number says which where colours repeat or cannot be told apart.
TOKENS = ("accent", "loc3", "nvswLine", "spine", "core")
_HEIGHT, _GAP = 4.0, 2.0
# Least width of a glyph whose strip carries the number.
_NUMBERED = 18.0


def job_token(number: int) -> str:
    """Return the colour token of a job, counted from 1."""
    return TOKENS[(number - 1) % len(TOKENS)]


def draw_jobs(frame: Frame, out: DisplayList) -> None:
    """Draw the strips of all jobs; in blocks, one piece a job as long as its share of them."""
    if not frame.state.jobs:
        return
    rows, jobs = _rows(frame)
    if frame.level == CLUSTER:
        _blocks(frame, out, rows, jobs)
        return
    seen = frame.seen[rows]
    rows, jobs = rows[seen], jobs[seen]
    wide = frame.level >= DEVICE and not frame.state.moving
    for number in np.unique(jobs).tolist():
        own = rows[jobs == number]
        numbered = own[frame.w[own] >= _NUMBERED] if wide else own[:0]
        height = np.where(frame.w[own] >= _NUMBERED, 13.0, _HEIGHT) if wide else _HEIGHT
        x, y = frame.x[own] - frame.w[own] / 2, frame.y[own] + frame.h[own] / 2 + _GAP
        boxes = np.column_stack([x, y, frame.w[own], np.broadcast_to(height, x.shape)])
        tone = token(job_token(number), frame.theme)
        out.add(Rects(boxes, tone, "", 0, 2))
        for row in numbered.tolist():
            top = float(frame.y[row] + frame.h[row] / 2) + _GAP
            out.text(float(frame.x[row]), top + 10, str(number), 10, 600, text_on(tone), "middle")


def _rows(frame: Frame) -> tuple[Ints, Ints]:
    """Return rows of devices with a job, and its number."""
    columns, wanted = frame.columns, frame.state.jobs
    cached = columns.caches.get("jobs")
    if isinstance(cached, tuple) and cached[0] is wanted:
        return cached[1], cached[2]
    pairs = [(columns.index[i], n) for i, n in wanted.items() if i in columns.index]
    found = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    columns.caches["jobs"] = (wanted, found[:, 0], found[:, 1])
    return found[:, 0], found[:, 1]


def _blocks(frame: Frame, out: DisplayList, rows: Ints, jobs: Ints) -> None:
    made = blocks(frame)
    of = made.of[rows]
    inside = of >= 0
    of, jobs = of[inside], jobs[inside]
    servers = np.bincount(made.of[rows][inside], minlength=len(made.box))
    held = np.flatnonzero(servers)
    if not len(held):
        return
    left = made.box[:, 0].copy()
    for number in np.unique(jobs).tolist():
        count = np.bincount(of[jobs == number], minlength=len(made.box))[held]
        width = made.box[held, 2] * count / servers[held]
        y = made.box[held, 1] + made.box[held, 3] + 1
        strips = np.column_stack([left[held], y, width, np.full(len(held), _HEIGHT)])
        out.add(Rects(strips[count > 0], token(job_token(number), frame.theme)))
        left[held] += width
