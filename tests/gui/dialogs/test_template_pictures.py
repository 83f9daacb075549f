"""Pictures of templates ship with the program and come from the drawings themselves."""

from collections import Counter

from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from designer.catalog.load import default_catalog
from designer.gui.dialogs.template_pictures import MOST, sample, small, template_pictures
from designer.resources import resource
from designer.services.create import new_design
from designer.topologies import TEMPLATES


def test_every_template_ships_a_picture_in_both_themes():
    names = [n for n in TEMPLATES if n != "blank"]
    for name in names:
        for theme in ("light", "dark"):
            assert resource("templates", f"{name}-{theme}.svg").is_file(), (name, theme)


def test_pictures_are_made_from_the_drawings_and_can_be_read(qapp, tmp_path):
    written = template_pictures(tmp_path)
    assert len(written) == 2 * (len(TEMPLATES) - 1)
    for path in written:
        assert path.stat().st_size < 150_000, path.name
        renderer = QSvgRenderer(str(path))
        assert renderer.isValid()
        image = QImage(300, 148, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        drawn = sum(
            image.pixelColor(x, y).alpha() > 0 for x in range(0, 300, 3) for y in range(0, 148, 3)
        )
        assert drawn > 150, path.name


def test_a_large_template_is_shown_as_a_sample_that_keeps_every_role():
    design = sample(new_design("roce-24k", default_catalog(), pods=2))
    roles = Counter(d.role for d in design.devices.values())
    assert set(roles) == {"core", "spine", "leaf", "server"}
    assert all(n <= MOST[role] for role, n in roles.items())
    assert all(design.cables_of(d.id) for d in design.devices.values() if d.role == "server")


def test_a_small_template_is_shown_whole():
    design = small("four-servers", default_catalog())
    before = len(design.cables)
    assert len(sample(design).cables) == before
