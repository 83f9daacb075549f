"""The preview shows the whole drawing, whatever its size."""

import pytest

from designer.gui.dialogs.preview import DesignPreview
from designer.gui.style import color
from designer.services.create import new_design


def bounds(image, empty):
    """Return the box of pixels that are not background, inside the frame."""
    inside = range(4, image.width() - 4), range(4, image.height() - 4)
    marked = [(x, y) for x in inside[0] for y in inside[1] if image.pixel(x, y) != empty]
    xs, ys = [x for x, _y in marked], [y for _x, y in marked]
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("template", "parameters"),
    [("four-servers", {}), ("rail-optimized", {"gpus": 256}), ("roce-24k", {"pods": 4})],
)
def test_nothing_of_the_drawing_is_cut_off(catalog, qtbot, template, parameters, theme):
    preview = DesignPreview(theme)
    qtbot.addWidget(preview)
    preview.resize(620, 300)
    preview.set_design(new_design(template, catalog, **parameters))
    preview.show()
    left, top, right, bottom = bounds(preview.grab().toImage(), color("canvas", theme).rgb())
    assert left > 4
    assert top > 4
    assert right < 615
    assert bottom < 295


def test_without_a_drawing_it_says_so_and_another_size_is_drawn_anew(catalog, qtbot):
    preview = DesignPreview("light")
    qtbot.addWidget(preview)
    preview.resize(400, 220)
    preview.show()
    nothing = preview.grab().toImage()
    preview.set_design(new_design("four-servers", catalog))
    one = preview.grab().toImage()
    preview.resize(700, 400)
    two = preview.grab().toImage()
    preview.set_design(None)
    preview.resize(400, 220)
    assert nothing == preview.grab().toImage()
    assert one != nothing
    assert two.width() == 700
