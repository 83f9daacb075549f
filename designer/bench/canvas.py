"""Measures the canvas: frames while it moves, rest, edits, hits, exports, on the named fabrics.

The baseline of the frame rows is a `QGraphicsScene` with one straight, unantialiased item a cable
and no index, drawn in the same run. It needs Qt but no display: everything is painted in memory.
"""

import os
import random
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEvent, QRectF
from PySide6.QtGui import QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsLineItem, QGraphicsScene

from designer.bench.fabrics import FABRICS, fabric
from designer.bench.rows import Row
from designer.catalog.load import default_catalog
from designer.formats import native
from designer.gui.app import make_application
from designer.gui.bridge import Document
from designer.gui.canvas.view import CanvasView
from designer.gui.picture_files import write_pdf
from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.operations import move, place, remove
from designer.scene.blocks import blocks
from designer.scene.compose import compose
from designer.scene.display_list import DisplayList
from designer.scene.frame import make_frame
from designer.scene.layout import arrange
from designer.scene.view import CLUSTER, View
from designer.services.export import Job, write
from designer.services.session import Session

WIDTH, HEIGHT = 1600, 1000
JUMPS, PANS, ROUNDS = 250, 750, 5
# What a hand moves the drawing between two frames, pixels.
STEP = (23, 11)
# Seconds: a moving frame, a file opened and drawn, full detail after a rest.
FRAME = {"fab24k": 0.016, "fab100k": 0.033}
OPEN = {"fab24k": 2.0, "fab100k": 8.0}
REST = {"fab24k": 0.3, "fab100k": 1.0}
MOST_BYTES, MOST_SVG = 1.5e9, 3e6


def rows(names: tuple[str, ...] = ("fab1k", "fab24k")) -> Iterator[Row]:
    """Yield the figures of each fabric as they are measured."""
    make_application()
    for name in names:
        design = fabric(name)
        design.apply(arrange(design))
        bench = _Bench(name, design)
        yield from bench.rows()
        _put_away(bench.canvas, bench.document)


class _Bench:
    """One fabric on one canvas."""

    def __init__(self, name: str, design: Design) -> None:
        self.name, self.design = name, design
        self.document = Document(Session(design, default_catalog()))
        self.document.set_paused(True)
        self.canvas = CanvasView(self.document)
        self.canvas.resize(WIDTH, HEIGHT)
        self.canvas.show()
        self.rest()

    def row(
        self, what: str, value: float, target: float | None = None, baseline: float = 0.0
    ) -> Row:
        ratio = baseline / value if value else 0.0
        gpus = FABRICS[self.name]
        return Row(what, self.name, gpus, value, "s", target, baseline or None, ratio or None)

    def rows(self) -> Iterator[Row]:
        """Yield the figures of this fabric."""
        base = self._baseline() if self.name in ("fab1k", "fab24k") else 0.0
        target = FRAME.get(self.name)
        for what, times in self._motion().items():
            p95 = float(np.percentile(times, 95))
            yield self.row(f"{what}, p95", p95, target, base)
            yield self.row(f"{what}, longest", max(times), 0.05 if target else None)
        missing = float(self._missing())
        yield replace(self.row("devices a moving frame leaves out", missing, 0.0), unit="devices")
        total, slices = self._refining()
        yield self.row("full detail", total, REST.get(self.name))
        yield self.row("full detail, slice, p95", float(np.percentile(slices, 95)), 0.008)
        yield self.row("full detail, slice, longest", max(slices), 0.020)
        for what, seconds in self._edits().items():
            yield self.row(what, seconds, 0.008)
        yield self.row("hit test", self._hits(), 0.001)
        yield self.row("colour all cables anew", self._recolour(), 0.016)
        yield from self._files()

    def rest(self) -> None:
        """Show the whole drawing in full detail."""
        self.canvas.zoom_to_fit()
        QApplication.processEvents()
        self.canvas.finish_painting()
        self.canvas.repaint()

    # --- motion ---

    def _motion(self) -> dict[str, list[float]]:
        """Return seconds of frames at random places and scales, and of pans from each."""
        dice, canvas = random.Random(1), self.canvas
        columns, least = canvas.columns, canvas.view.scale
        found: dict[str, list[float]] = {"frame of a zoom": [], "frame of a pan": []}
        for _jump in range(JUMPS):
            row = dice.randrange(len(columns.ids))
            view = _around(float(columns.x[row]), float(columns.y[row]), least ** dice.random())
            found["frame of a zoom"].append(self._timed(partial(canvas.set_view, view)))
            for k in range(PANS // JUMPS):
                dx, dy = STEP[0] * (1 if k % 2 else -1), STEP[1]
                found["frame of a pan"].append(self._timed(partial(canvas.pan_by, dx, dy)))
        return found

    def _missing(self) -> int:
        """Return how many devices in view a moving frame draws neither itself nor in a block."""
        dice, columns, least = random.Random(3), self.canvas.columns, self.canvas.view.scale
        missing = 0
        for _jump in range(JUMPS // 10):
            row = dice.randrange(len(columns.ids))
            view = _around(float(columns.x[row]), float(columns.y[row]), least ** dice.random())
            frame = make_frame(columns, view, replace(self.canvas.state, moving=True))
            if frame.level == CLUSTER:
                missing += int((frame.seen & (blocks(frame).of < 0)).sum())
                continue
            shapes = compose(columns, view, frame.state).counts()
            drawn = shapes.get("Rects", 0) + shapes.get("Polygons", 0)
            missing += max(0, int(frame.seen.sum()) - drawn)
        return missing

    def _timed(self, change: Callable[[], object]) -> float:
        """Return the seconds of a change and its repaint."""
        start = perf_counter()
        change()
        self.canvas.repaint()
        return perf_counter() - start

    def _baseline(self) -> float:
        """Return the median frame of a scene with one item a cable, over the views of a zoom."""
        columns = self.canvas.columns
        scene = QGraphicsScene()
        scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        pen = QPen()
        pen.setCosmetic(True)
        for cable in self.design.cables.values():
            a, b = columns.index[cable.a.device], columns.index[cable.b.device]
            ends = (
                float(columns.x[a]),
                float(columns.y[a]),
                float(columns.x[b]),
                float(columns.y[b]),
            )
            item = QGraphicsLineItem(*ends)
            item.setPen(pen)
            scene.addItem(item)
        image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
        least, times = self.canvas.view.scale, []
        for k in range(ROUNDS):
            middle = len(columns.ids) // 2
            view = _around(
                float(columns.x[middle]), float(columns.y[middle]), least ** (1 - k / ROUNDS)
            )
            area = QRectF(view.x, view.y, WIDTH / view.scale, HEIGHT / view.scale)
            start = perf_counter()
            painter = QPainter(image)
            scene.render(painter, QRectF(0, 0, WIDTH, HEIGHT), area)
            painter.end()
            times.append(perf_counter() - start)
        return median(times)

    # --- rest, edits, hits ---

    def _refining(self) -> tuple[float, list[float]]:
        """Return seconds of all slices that bring the whole drawing to full detail, and of each."""
        self.rest()
        frame, slices = self.canvas.stage.retained, []
        frame.begin_refining(self.canvas.columns, self.canvas.view, self.canvas.state)
        more = True
        while more:
            start = perf_counter()
            more = frame.refine()
            slices.append(perf_counter() - start)
        return sum(slices), slices

    def _edits(self) -> dict[str, float]:
        """Return seconds from an edit to its repaint, close up."""
        design, found = self.design, {}
        server = next(d for d in design.devices.values() if d.role == "server")
        spot = design.placements[server.id]
        self.canvas.set_view(_around(spot.x, spot.y, 0.5))
        self.canvas.finish_painting()
        part = design.types[server.type]
        edits: dict[str, Callable[[], Edit]] = {
            "move a device": lambda: move(design, {server.id: (spot.x + 8, spot.y)}),
            "place a device": lambda: place(design, part, spot.x, spot.y + 200, name="bench-new"),
            "delete a device with its cables": lambda: remove(design, [server.id]),
        }
        for what, make in edits.items():
            times = []
            for _round in range(ROUNDS):
                start = perf_counter()
                self.document.apply(make())
                self.canvas.repaint()
                times.append(perf_counter() - start)
                self.document.undo.undo()
                self.canvas.finish_painting()
            found[what] = median(times)
        return found

    def _hits(self) -> float:
        """Return the median seconds of a hit test on the whole drawing and close up."""
        dice, times = random.Random(2), []
        for _round in range(ROUNDS * 10):
            x, y = dice.random() * WIDTH, dice.random() * HEIGHT
            start = perf_counter()
            self.canvas.hit_at(x, y)
            times.append(perf_counter() - start)
        return median(times)

    def _recolour(self) -> float:
        """Return seconds to colour all cables by another measure, with the frame."""
        self.rest()
        times = []
        for k in range(ROUNDS):
            mode = ("utilization", "rail")[k % 2]
            times.append(self._timed(partial(self.canvas.set_colour_mode, mode)))
            self.canvas.finish_painting()
        return median(times)

    # --- files ---

    def _files(self) -> Iterator[Row]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bench.railspine.json"
            native.save(self.design, path)
            start = perf_counter()
            again = native.open_design(path)
            document = Document(Session(again, default_catalog()))
            canvas = CanvasView(document)
            canvas.resize(WIDTH, HEIGHT)
            canvas.show()
            canvas.finish_painting()
            canvas.repaint()
            yield self.row("file to first frame", perf_counter() - start, OPEN.get(self.name))
            _put_away(canvas, document)
            job = Job(self.design, default_catalog())
            _ = job.results
            for kind in ("svg", "pdf"):
                out, start = Path(folder) / f"bench.{kind}", perf_counter()
                write(job, out, kind, {"pdf": _pdf})
                yield self.row(f"{kind} written", perf_counter() - start, 1.0)
                most = MOST_SVG if kind == "svg" else None
                size = float(out.stat().st_size)
                yield replace(self.row(f"{kind}, size", size, most), unit="byte")
        yield replace(self.row("peak memory", _peak(), MOST_BYTES), unit="byte")


def _put_away(canvas: CanvasView, document: Document) -> None:
    """Close a canvas and end the worker of its document."""
    canvas.close()
    canvas.deleteLater()
    document.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _pdf(picture: DisplayList, path: Path, paper: tuple[float, float]) -> None:
    write_pdf(picture, path, page_mm=paper)


def _around(x: float, y: float, scale: float) -> View:
    """Return the view with a place of the drawing in its middle."""
    return View(WIDTH, HEIGHT, scale, x - WIDTH / 2 / scale, y - HEIGHT / 2 / scale)


def _peak() -> float:
    """Return the peak memory of this process, bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak * (1 if sys.platform == "darwin" else 1024))
