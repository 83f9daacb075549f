"""What is scrolled, mended and refined equals what is painted whole."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage

from designer.gui.canvas import retained
from designer.model.operations import move
from designer.scene.columns import TRUNK
from designer.scene.compose import compose
from designer.scene.display_list import Curves, Lines, Rects


def _pixels(canvas):
    image = canvas.stage.retained._pixmap.toImage().convertToFormat(QImage.Format.Format_RGB32)
    raw = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return raw[:, : image.width() * 4].reshape(image.height(), image.width(), 4)[:, :, :3].copy()


def _differ(canvas):
    """Return the share of pixels in which the retained frame differs from a fresh whole one."""
    kept = _pixels(canvas)
    canvas.stage.retained.paint_whole(canvas.columns, canvas.view, canvas.state)
    return float((kept != _pixels(canvas)).any(axis=2).mean())


@pytest.fixture
def dear(monkeypatch):
    """Make every frame count as too dear to be painted whole in a motion."""
    monkeypatch.setattr(retained, "CHEAP_S", -1.0)


def _rest(canvas, qtbot):
    qtbot.waitUntil(
        lambda: (
            canvas.stage.retained.fine
            and canvas.stage.retained.view == canvas.view
            and canvas.stage.retained._work is None
        ),
        timeout=10_000,
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_small_drawing_is_exact_at_every_step(open_canvas, monkeypatch, theme):
    monkeypatch.setattr(retained, "CHEAP_S", 10.0)
    canvas = open_canvas(theme=theme)
    for dx, dy in ((23, 11), (-40, 7), (3, -90)):
        canvas.pan_by(dx, dy)
        canvas.repaint()
        assert _differ(canvas) == 0
    canvas.zoom_by(1.3, 300, 200)
    canvas.repaint()
    assert _differ(canvas) == 0


def test_a_panned_large_drawing_is_exact_after_a_rest(open_canvas, qtbot, dear):
    canvas = open_canvas("rail-optimized", gpus=256)
    _rest(canvas, qtbot)
    for _step in range(5):
        canvas.pan_by(23, 11)
        canvas.repaint()
    assert not canvas.stage.retained.fine
    _rest(canvas, qtbot)
    assert _differ(canvas) < 0.001


def test_a_moving_frame_shows_the_new_view_at_once_and_is_refined(open_canvas, qtbot, dear):
    canvas = open_canvas("rail-optimized", gpus=256)
    _rest(canvas, qtbot)
    canvas.zoom_by(1.7, 500, 300)
    canvas.repaint()
    assert canvas.stage.retained.view == canvas.view
    assert not canvas.stage.retained.fine
    _rest(canvas, qtbot)
    assert _differ(canvas) < 0.001


def test_a_moving_frame_leaves_no_device_and_no_trunk_out(open_canvas, dear):
    canvas = open_canvas("rail-optimized", gpus=1024)
    frame = canvas.frame()
    shown = compose(canvas.columns, canvas.view, replace(canvas.state, moving=True))
    boxes = sum(len(i.xywh) for i in shown.items if isinstance(i, Rects))
    assert boxes + shown.counts().get("Polygons", 0) >= int(frame.seen.sum())
    bundles = canvas.columns.bundles
    trunks = int((bundles.kind == TRUNK).sum())
    drawn = sum(len(i.points) for i in shown.items if isinstance(i, Curves))
    drawn += sum(len(i.xyxy) for i in shown.items if isinstance(i, Lines))
    assert drawn >= trunks


def test_a_move_mends_the_frame(open_canvas, qtbot, dear):
    canvas = open_canvas("rail-optimized", gpus=256)
    _rest(canvas, qtbot)
    device = canvas.design.named("leaf-3")
    place = canvas.design.placements[device.id]
    canvas.apply(move(canvas.design, {device.id: (place.x + 160, place.y + 40)}))
    canvas.repaint()
    _rest(canvas, qtbot)
    assert _differ(canvas) < 0.001


def test_selection_and_theme_show_without_a_motion(open_canvas, qtbot, dear):
    canvas = open_canvas("rail-optimized", gpus=256)
    _rest(canvas, qtbot)
    canvas.select(frozenset({canvas.design.named("leaf-3").id}))
    canvas.repaint()
    _rest(canvas, qtbot)
    assert _differ(canvas) < 0.001
    canvas.set_theme("dark")
    canvas.finish_painting()
    assert _differ(canvas) < 0.001


def test_esc_takes_a_pan_back(open_canvas, qtbot):
    canvas = open_canvas()
    before = canvas.view
    qtbot.mousePress(canvas, Qt.MouseButton.MiddleButton, pos=QPoint(600, 400))
    qtbot.mouseMove(canvas, QPoint(640, 450))
    assert canvas.view != before
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.view == before


def test_zoom_holds_the_pixel_under_the_pointer(open_canvas):
    canvas = open_canvas()
    at = canvas.view.to_drawing(321, 222)
    canvas.zoom_by(2.5, 321, 222)
    assert canvas.view.to_screen(*at) == pytest.approx((321, 222))


def test_a_resized_canvas_keeps_its_middle(open_canvas, qtbot):
    canvas = open_canvas()
    whole = canvas.view
    canvas.resize(1000, 600)
    qtbot.waitUntil(lambda: canvas.view.width == 1000)
    assert canvas.view.scale < whole.scale, "all of the drawing stays in view"
    canvas.pan_by(10, 0)
    middle = canvas.view.to_drawing(canvas.width() / 2, canvas.height() / 2)
    canvas.resize(900, 500)
    qtbot.waitUntil(lambda: canvas.view.width == 900)
    assert canvas.view.to_screen(*middle) == pytest.approx((450, 250))
