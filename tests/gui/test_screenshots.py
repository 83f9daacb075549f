"""The program takes pictures of itself."""

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPixmap

from designer.catalog.load import default_catalog
from designer.errors import FileError
from designer.gui import screenshots
from designer.services.create import new_design


def test_a_picture_keeps_its_colours():
    pixels = np.full((20, 30), 0xFF102030, np.uint32)
    pixels[5:, 10:] = 0xFFFFFFFF
    image = screenshots.palette_image(pixels)
    assert (image.width(), image.height()) == (30, 20)
    assert image.pixelColor(0, 0).name() == "#102030"
    assert image.pixelColor(29, 19).name() == "#ffffff"


def test_many_colours_become_their_nearest():
    rng = np.random.default_rng(7)
    grey = rng.integers(0, 256, (64, 64), np.uint32)
    pixels = 0xFF000000 | grey << 16 | grey << 8 | np.minimum(grey + 1, 255)
    image = screenshots.palette_image(pixels)
    for y, x in ((0, 0), (13, 40), (63, 63)):
        assert abs(image.pixelColor(x, y).red() - int(grey[y, x])) <= 2


def test_pictures_of_the_start_page_and_of_a_drawing(qapp, tmp_path):
    camera = screenshots.Photographer(tmp_path, default_catalog(), tmp_path / "scratch")
    with camera.window("dark") as window:
        camera.take("start", window)
    with camera.window("light", new_design("four-servers", default_catalog())) as window:
        camera.take("drawing", window)
    assert [p.name for p in camera.written] == ["start.png", "drawing.png"]
    for path in camera.written:
        image = QImage(str(path))
        assert (image.width(), image.height()) == (1600, 1000)
        assert 10_000 < path.stat().st_size < 250_000


def test_a_folder_that_cannot_be_written_is_said(qapp, tmp_path):
    (tmp_path / "file").write_text("")
    camera = screenshots.Photographer(tmp_path / "file", default_catalog(), tmp_path / "scratch")
    from PySide6.QtWidgets import QLabel

    label = QLabel("x")
    with pytest.raises(FileError):
        camera.take("start", label)


def test_png_is_small(qapp):
    pixmap = QPixmap(400, 300)
    pixmap.fill("#336699")
    assert len(screenshots.png_of(pixmap)) < 2_000
