"""New from template: a person chooses, changes a parameter, sees drawing and price, creates."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QLabel

from designer.catalog.load import default_catalog
from designer.gui.dialogs.template_dialog import TemplateDialog
from designer.gui.style import color
from designer.topologies import TEMPLATES


@pytest.fixture
def dialog(qtbot):
    with shown(qtbot, "rail-optimized") as made:
        yield made


class shown:
    """A dialog on the screen with its first preview; closed at the end."""

    def __init__(self, qtbot, template):
        self.bot = qtbot
        self.dialog = TemplateDialog(default_catalog(), "light", template)

    def __enter__(self):
        self.dialog.show()
        wait(self.bot, self.dialog)
        return self.dialog

    def __exit__(self, *_fault):
        self.dialog.reject()
        self.dialog.deleteLater()


def wait(qtbot, dialog):
    with qtbot.waitSignal(dialog.previewed, timeout=30_000):
        pass
    qtbot.wait(1)  # new labels are shown by the event loop


def types(qtbot, field, text):
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)


def words(widget):
    return [w.text() for w in widget.findChildren(QLabel) if w.isVisibleTo(widget) and w.text()]


def drawn(dialog):
    """Return how many pixels of the preview are not background."""
    image = dialog.picture.grab().toImage()
    empty = color("canvas", "light").rgb()
    box = range(10, image.height() - 10, 4)
    return sum(image.pixel(x, y) != empty for x in range(10, image.width() - 10, 4) for y in box)


def test_it_shows_the_drawing_its_counts_and_price(dialog):
    assert dialog.create_button.text() == "Create 256-GPU drawing"
    assert drawn(dialog) > 1000
    counts = words(dialog.facts)
    assert counts[:8] == ["256", "GPUs", "32", "servers", "8", "leaves", "4", "spines"]
    assert "512" in counts
    price = words(dialog.price)
    assert "InfiniBand, without servers" in price
    assert any(text.startswith("$") and text.endswith(" M") for text in price)
    assert "Switches" in price
    assert any("checks passed" in text for text in words(dialog.before))
    assert "All-reduce of 1 GiB" in dialog.estimate.text()


def test_another_number_of_gpus_is_another_drawing_and_price(dialog, qtbot):
    before = words(dialog.price)
    types(qtbot, dialog.fields["gpus"], "1024")
    assert not dialog.create_button.isEnabled()
    wait(qtbot, dialog)
    assert words(dialog.facts)[0] == "1,024"
    assert words(dialog.price) != before
    assert dialog.create_button.text() == "Create 1,024-GPU drawing"
    assert dialog.create_button.isEnabled()


def test_another_switch_makes_it_a_roce_network(dialog, qtbot):
    combo = dialog.fields["leaf"]
    assert isinstance(combo, QComboBox)
    assert combo.currentText() == "QM9700 · 64 × 400 Gb/s"
    combo.setFocus()
    combo.setCurrentIndex(combo.findData("sn5400"))
    wait(qtbot, dialog)
    assert "RoCE, without servers" in words(dialog.price)


def test_a_bad_value_says_why_and_nothing_can_be_created(dialog, qtbot):
    types(qtbot, dialog.fields["gpus"], "-5")
    wait(qtbot, dialog)
    assert dialog.fault.isVisible()
    assert "gpus cannot be −5." in dialog.fault.text()
    assert "from 1" in dialog.fault.text()
    assert dialog.fields["gpus"].property("wrong") is True
    assert not dialog.create_button.isEnabled()
    assert not dialog.price.isVisible()
    qtbot.keyClick(dialog.fields["gpus"], Qt.Key.Key_Return)
    assert dialog.isVisible()
    types(qtbot, dialog.fields["gpus"], "64")
    wait(qtbot, dialog)
    assert not dialog.fault.isVisible()
    assert dialog.fields["gpus"].property("wrong") is False
    assert dialog.create_button.isEnabled()


@pytest.mark.parametrize("text", ["ten", "12.5", "9999999"])
def test_no_number_that_does_not_work_gets_through(dialog, qtbot, text):
    types(qtbot, dialog.fields["gpus"], text)
    wait(qtbot, dialog)
    assert dialog.fault.isVisible()
    assert dialog.design() is None


def test_create_gives_the_drawing_that_was_shown(dialog, qtbot):
    types(qtbot, dialog.fields["gpus"], "128")
    wait(qtbot, dialog)
    qtbot.mouseClick(dialog.create_button, Qt.MouseButton.LeftButton)
    assert dialog.result() == QDialog.DialogCode.Accepted
    design = dialog.design()
    assert sum(design.gpus(d) or 0 for d in design.devices.values()) == 128
    assert set(design.placements) == set(design.devices)


def test_escape_is_cancel(dialog, qtbot):
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert dialog.result() == QDialog.DialogCode.Rejected


def test_a_click_in_the_list_takes_another_template(dialog, qtbot):
    item = dialog.templates.item(2)
    place = dialog.templates.visualItemRect(item).center()
    qtbot.mouseClick(dialog.templates.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert dialog.template() == "nvl72"
    wait(qtbot, dialog)
    assert set(dialog.fields) == {"racks", "leaf", "spine"}
    assert "576" in words(dialog.facts)


def test_a_choice_of_tiers_is_a_click(dialog, qtbot):
    qtbot.mouseClick(dialog.fields["tiers"].buttons["3"], Qt.MouseButton.LeftButton)
    wait(qtbot, dialog)
    assert dialog.form.values()["tiers"] == "3"


def test_ufm_is_undecided_until_a_person_decides(qtbot):
    with shown(qtbot, "superpod-h100") as dialog:
        box = dialog.fields["ufm"]
        assert isinstance(box, QCheckBox)
        assert "ufm" not in dialog.form.values()
        qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
        assert dialog.form.values()["ufm"] is True
        qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
        wait(qtbot, dialog)
        assert dialog.form.values()["ufm"] is False


@pytest.mark.parametrize("size", [(1430, 830), (1220, 740)])
def test_nothing_of_it_is_cut_off(dialog, qtbot, size):
    dialog.resize(*size)
    qtbot.wait(20)
    assert (dialog.width(), dialog.height()) == size
    for label in dialog.findChildren(QLabel):
        if label.isVisible() and label.text() and type(label) is QLabel:
            assert label.height() >= label.heightForWidth(label.width()), label.text()


@pytest.mark.parametrize("name", [n for n in TEMPLATES if n not in ("roce-24k", "blank")])
def test_every_template_opens_with_its_own_parameters(qtbot, name):
    with shown(qtbot, name) as dialog:
        assert dialog.template() == name
        assert dialog.create_button.isEnabled()
        assert set(dialog.fields) == {p.name for p in TEMPLATES[name].parameters}
