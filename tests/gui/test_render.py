"""Pictures from display lists: what is painted where, and files that hold text as text."""

import re
import struct
import threading
import zlib

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from designer.errors import FileError
from designer.gui import render
from designer.gui.picture_files import to_image, write_pdf, write_png
from designer.gui.render import ListPainter, canvas_font, rounded_path
from designer.scene.display_list import (
    Circles,
    Curves,
    DisplayList,
    Icons,
    Lines,
    Polygons,
    Polylines,
    Rects,
)
from designer.scene.text import text_width
from designer.scene.theme import token


def _picture(theme="light"):
    picture = DisplayList(240, 160, theme)
    picture.add(Rects(np.array([[10.0, 10, 40, 30], [60, 10, 40, 30]]), "gpu", "gpuLine", 1, 4))
    picture.add(Rects(np.array([[110.0, 10, 40, 30]]), "nvsw"))
    picture.add(Lines(np.array([[10.0, 60, 150, 60]]), "accent", 4))
    picture.add(Curves(np.array([[10.0, 80, 10, 120, 150, 80, 150, 120]]), "ib", 3))
    picture.add(Polylines([np.array([[170.0, 10], [170, 60], [220, 60]])], "err", 3, 8))
    picture.add(Polygons(np.array([[[170.0, 90], [220, 90], [195, 140]]]), "spine"))
    picture.add(Circles(np.array([[30.0, 140, 10]]), "warnFill"))
    picture.text(60, 146, "leaf-5 ×16", 12, 600)
    picture.add(Icons([("leaf", 130, 128, 20, "leaf")]))
    return picture


def _at(image, x, y):
    return image.pixelColor(x, y).name().upper()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_primitive_is_painted_where_it_says(qapp, theme):
    image = to_image(_picture(theme))
    expected = {
        (30, 25): "gpu",
        (80, 25): "gpu",
        (130, 25): "nvsw",
        (80, 60): "accent",
        (170, 30): "err",
        (195, 105): "spine",
        (30, 140): "warnFill",
        (230, 5): "canvas",
    }
    for (x, y), name in expected.items():
        assert _at(image, x, y) == token(name, theme), (name, x, y)


def test_scale_makes_more_pixels_of_the_same_picture(qapp):
    image = to_image(_picture(), 2.0)
    assert (image.width(), image.height()) == (480, 320)
    image.setDevicePixelRatio(1)
    assert _at(image, 60, 50) == token("gpu", "light")


def test_rounded_corners_stay_clear_and_square_ones_do_not(qapp):
    image = to_image(_picture())
    assert _at(image, 10, 10) != token("gpuLine", "light")
    assert _at(image, 110, 10) == token("nvsw", "light")


def test_the_buffer_survives_growing_and_shrinking_batches(qapp):
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    paint = ListPainter()
    for count in (3, 5000, 7, 20_000, 1):
        picture = DisplayList(300, 300)
        lines = np.zeros((count, 4))
        lines[:, 2] = 299
        lines[:, 1] = lines[:, 3] = np.arange(count) % 300 + 0.5
        picture.add(Lines(lines, "#102030", 1.01))
        painter = QPainter(image)
        paint.paint(painter, picture)
        painter.end()
        assert _at(image, 150, 0) == "#102030"
        assert (_at(image, 150, 10) == "#102030") is (count > 10)


def test_moving_frames_follow_the_same_curves(qapp):
    fine, coarse = _picture(), _picture()
    coarse.smooth = False
    a, b = to_image(fine), to_image(coarse)
    for x in (30, 80, 120):
        column = [y for y in range(65, 125) if _at(a, x, y) == token("ib", "light")]
        other = [y for y in range(65, 125) if _at(b, x, y) == token("ib", "light")]
        assert abs(np.mean(column) - np.mean(other)) < 1.5


@pytest.mark.parametrize("weight", [400, 500, 600])
def test_text_is_as_wide_as_the_scene_thinks(qapp, weight):
    from PySide6.QtGui import QFontMetricsF

    for text in ("leaf-5", "QM9700 · 64 × 400 Gb/s", "srv-01 NIC 7"):
        drawn = QFontMetricsF(canvas_font(12, weight)).horizontalAdvance(text)
        assert drawn == pytest.approx(text_width(text, 12, weight), rel=0.04)


def test_weights_differ(qapp):
    from PySide6.QtGui import QFontMetricsF

    widths = [QFontMetricsF(canvas_font(24, w)).horizontalAdvance("leaf") for w in (400, 500, 600)]
    assert widths == sorted(set(widths))


def test_a_corner_takes_at_most_half_its_shorter_side():
    path = rounded_path(np.array([[0.0, 0], [10, 0], [10, 4]]), 8)
    xs = [path.elementAt(k).x for k in range(path.elementCount())]
    assert max(xs) == 10
    assert path.elementAt(1).x == pytest.approx(8)
    assert path.currentPosition().y() == 4


def test_a_thread_that_painted_leaves_nothing_for_the_window(qapp, tmp_path):
    """Laid-out texts of a thread that has ended point to fonts that are gone: a crash of Qt."""
    picture = DisplayList(400, 120)
    for k in range(60):
        picture.text(8 + (k % 6) * 64, 12 + k // 6 * 11, f"only here {k}", 9 + k % 8, 400 + k % 3)
    render._label.cache_clear()
    thread = threading.Thread(target=write_png, args=(picture, tmp_path / "a.png"))
    thread.start()
    thread.join()
    assert render._label.cache_info().currsize == 0
    theirs = QImage(str(tmp_path / "a.png"))
    ours = to_image(picture, scale=theirs.width() / picture.width)
    assert render._label.cache_info().currsize == 60
    ours = ours.convertToFormat(theirs.format())
    one, two = (np.frombuffer(i.constBits(), np.uint8).astype(int) for i in (ours, theirs))
    assert np.abs(one - two).mean() < 1.0, "a file looks as the screen does"


def test_png_is_written_in_one_step(qapp, tmp_path):
    file = tmp_path / "picture.png"
    write_png(_picture(), file, scale=1.0)
    head = file.read_bytes()
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:24]) == (240, 160)
    assert [p.name for p in tmp_path.iterdir()] == ["picture.png"]


def test_a_folder_that_is_missing_is_refused_and_nothing_is_left(qapp, tmp_path):
    with pytest.raises(FileError):
        write_png(_picture(), tmp_path / "gone" / "picture.png")
    with pytest.raises(FileError):
        write_pdf(_picture(), tmp_path / "gone" / "picture.pdf")
    assert not list(tmp_path.iterdir())


def test_a_picture_beyond_reason_is_refused(qapp, tmp_path):
    with pytest.raises(FileError, match="cannot be made"):
        write_png(DisplayList(50_000, 100), tmp_path / "huge.png")
    with pytest.raises(FileError, match="nothing to print"):
        write_pdf([], tmp_path / "none.pdf")


def _streams(data):
    """Return the unpacked streams of a PDF."""
    found = []
    for part in data.split(b"stream\r\n" if b"stream\r\n" in data else b"stream\n")[1:]:
        try:
            found.append(zlib.decompressobj().decompress(part))
        except zlib.error:
            continue
    return found


def test_pdf_is_vector_with_its_font_and_a_page_a_picture(qapp, tmp_path):
    file = tmp_path / "two.pdf"
    write_pdf([_picture(), _picture("dark")], file, title="Two")
    data = file.read_bytes()
    assert data.startswith(b"%PDF")
    assert data.count(b"/Type /Page\n") == 2
    assert b"Inter" in data and b"/FontFile2" in data
    assert b"/Subtype /Image" not in data
    assert any(b"BT" in s and (b"Tj" in s or b"TJ" in s) for s in _streams(data))


def test_a_page_has_the_size_asked_for(qapp, tmp_path):
    file = tmp_path / "a3.pdf"
    write_pdf(_picture(), file, page_mm=(420.0, 297.0))
    box = re.search(rb"/MediaBox \[([\d. ]+)\]", file.read_bytes())[1].split()
    # in points of 1/72 inch
    assert float(box[2]) == pytest.approx(420 / 25.4 * 72, abs=1)
    assert float(box[3]) == pytest.approx(297 / 25.4 * 72, abs=1)
