"""Typing into the palette goes to a device or runs a command."""

from PySide6.QtCore import Qt

from designer.gui.dialogs.palette import Palette


def _open(person, command="find"):
    person.picks(command)
    return person.window.findChildren(Palette)[-1]


def _texts(palette):
    return [palette.list.item(k).text() for k in range(palette.list.count())]


def test_enter_goes_to_a_device(person):
    person.opens("rail-optimized", gpus=64)
    palette = _open(person)
    assert palette.isVisible()
    person.bot.keyClicks(palette.field, "leaf-5")
    assert _texts(palette)[0].startswith("leaf-5")
    person.presses(Qt.Key.Key_Return, on=palette.field)
    assert person.document.selection.ids == {person.named("leaf-5").id}
    assert not person.window.findChildren(Palette)


def test_arrows_choose_a_command_and_it_runs(person):
    person.opens("four-servers")
    palette = _open(person, "palette")
    person.bot.keyClicks(palette.field, "select all")
    assert "Ctrl+A" in _texts(palette)[0]
    person.presses(Qt.Key.Key_Down, on=palette.field)
    person.presses(Qt.Key.Key_Up, on=palette.field)
    person.presses(Qt.Key.Key_Return, on=palette.field)
    assert person.document.selection.ids >= set(person.design.devices)


def test_esc_closes_and_nothing_matching_says_so(person):
    person.opens("four-servers")
    palette = _open(person)
    person.bot.keyClicks(palette.field, "zebra")
    assert _texts(palette) == ["Nothing matches."]
    person.presses(Qt.Key.Key_Return, on=palette.field)
    person.presses(Qt.Key.Key_Escape, on=palette.field)
    assert not person.window.findChildren(Palette)


def test_without_a_drawing_commands_are_there(person):
    palette = _open(person, "palette")
    person.bot.keyClicks(palette.field, "new")
    assert any(t.startswith("New from template") for t in _texts(palette))
    person.presses(Qt.Key.Key_Escape, on=palette.field)
