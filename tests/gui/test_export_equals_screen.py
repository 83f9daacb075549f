"""An SVG drawn by librsvg, another renderer than Qt, shows what the canvas shows."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from designer.bench.fabrics import fabric
from designer.catalog.load import default_catalog
from designer.gui.picture_files import to_image
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.layout import arrange
from designer.scene.svg import svg
from designer.scene.text import font_file
from designer.scene.view import SceneState, fit
from designer.services.create import new_design

# A pixel differs when a channel is off by more than a third of its range: edges that two
# renderers smooth in their own ways stay below.
_OFF, _MOST = 85, 0.005
_WIDTH, _HEIGHT = 1600, 1000

needs_librsvg = pytest.mark.skipif(
    shutil.which("rsvg-convert") is None, reason="rsvg-convert (librsvg2-bin) is not installed"
)


def _pixels(image):
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(image.constBits(), np.uint8)
    return flat.reshape(image.height(), -1, 4)[:, : image.width(), :3].astype(int)


def _drawing(name):
    if name == "four-servers":
        return new_design(name, default_catalog())
    design = fabric(name)
    design.apply(arrange(design))
    return design


def _by_librsvg(text, folder):
    """Draw with the font of the window and no other, whatever this machine has."""
    fonts = folder / "fonts.conf"
    fonts.write_text(
        f"<fontconfig><dir>{font_file().parent}</dir><cachedir>{folder}</cachedir></fontconfig>"
    )
    made, out = folder / "a.svg", folder / "a.png"
    made.write_text(text, encoding="utf-8")
    subprocess.run(
        ["rsvg-convert", str(made), "-o", str(out)],
        check=True,
        env={**os.environ, "FONTCONFIG_FILE": str(fonts)},
        timeout=60,
    )
    return QImage(str(out))


@needs_librsvg
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["four-servers", "su256", "fab1k", "fab24k"])
def test_the_svg_is_the_screen(qapp, tmp_path: Path, name, theme):
    columns = SceneColumns.from_design(_drawing(name))
    picture = compose(columns, fit(columns, _WIDTH, _HEIGHT), SceneState(theme=theme))
    seen = _pixels(to_image(picture))
    drawn = _pixels(_by_librsvg(svg(picture), tmp_path))
    assert seen.shape == drawn.shape == (_HEIGHT, _WIDTH, 3)
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 50, "something is drawn"
    off = (np.abs(seen - drawn).max(axis=2) > _OFF).mean()
    assert off < _MOST
