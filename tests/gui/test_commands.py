"""Every command of the menus, without a drawing and with one."""

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog

from designer.gui.actions import COMMANDS, MENUS
from designer.gui.dialogs.connect_dialog import ConnectDialog
from designer.model.arrange_selection import ARRANGEMENTS

ENDS = {"quit"}


@pytest.fixture
def quiet_dialogs(monkeypatch):
    """Close every dialog at once, as with Esc: what it began behind the window ends with it."""

    def escaped(dialog):
        dialog.reject()
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr(QDialog, "exec", escaped)
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_a, **_k: ("", ""))
    monkeypatch.setattr(QInputDialog, "getText", lambda *_a, **_k: ("", False))
    monkeypatch.setattr(QInputDialog, "getInt", lambda *_a, **_k: (1, False))


def _put_away(person):
    for widget in person.program.application.topLevelWidgets():
        if widget is not person.window and widget.isVisible():
            widget.close()
    person.window.drawing.close_compare()
    person.see()


def test_every_command_is_in_a_menu_once():
    found = []
    for _title, entries in MENUS:
        for entry in entries:
            found += list(entry[1]) if isinstance(entry, tuple) else [entry]
    named = [n for n in found if n in COMMANDS]
    assert sorted(named) == sorted(COMMANDS)


def test_no_two_commands_share_their_keys():
    keys = [c.keys for c in COMMANDS.values() if c.keys]
    assert len(keys) == len(set(keys))


def test_without_a_drawing_only_what_works_is_offered(person, quiet_dialogs):
    for name, command in COMMANDS.items():
        assert person.window.commands[name].isEnabled() == command.anywhere, name
    for name, command in COMMANDS.items():
        if command.anywhere and name not in ENDS | {"new_blank", "dark", "full_screen"}:
            person.picks(name)
            _put_away(person)
    assert person.document is None


@pytest.mark.parametrize("chosen", ["nothing", "devices", "a cable"])
def test_every_command_with_a_drawing(person, quiet_dialogs, chosen):
    person.opens("four-servers")
    design = person.design
    ids = {
        "nothing": set(),
        "devices": {person.named("srv-01").id, person.named("leaf-1").id},
        "a cable": set(list(design.cables)[:1]),
    }[chosen]
    leave = ENDS | {"new_blank", "close", "start", "dark", "full_screen"}
    for name in COMMANDS:
        if name in leave or not person.window.commands[name].isEnabled():
            continue
        person.document.selection.set(i for i in ids if i in design.devices or i in design.cables)
        person.picks(name)
        if name == "add_part":
            person.canvas.cancel()
        _put_away(person)
    while person.document.undo.canUndo():
        person.picks("undo")
    person.picks("pause")
    person.wait_results()
    assert person.document.results.get("counts.gpus") == 32


@pytest.mark.parametrize("name", ARRANGEMENTS)
def test_arranging_is_one_step(person, name):
    person.opens("four-servers")
    servers = {d.id for d in person.design.devices.values() if d.role == "server"}
    before = dict(person.design.placements)
    person.document.selection.set(servers)
    person.picks(name)
    assert person.document.undo.count() <= 1
    if person.document.undo.count():
        person.picks("undo")
    assert person.design.placements == before


def test_a_group_of_the_selection(person, monkeypatch):
    person.opens("four-servers")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_a, **_k: ("block", True))
    person.document.selection.set({person.named("srv-01").id, person.named("srv-02").id})
    person.picks("group")
    assert person.design.groups[person.named("srv-01").unit].name == "block"
    person.picks("ungroup")
    assert not person.named("srv-01").unit


def _accept(monkeypatch, act):
    """Answer the next Connect dialog: `act` is what a person does in it before the button."""

    def execute(dialog):
        act(dialog)
        if not dialog.connect_button.isEnabled():
            return QDialog.DialogCode.Rejected
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ConnectDialog, "exec", execute)


def test_two_devices_are_connected_and_separated(person, monkeypatch):
    person.opens("four-servers")
    leaf, spine = person.named("leaf-1"), person.named("spine-1")
    before = sum(c.count for c in person.design.cables.values())
    _accept(monkeypatch, lambda d: d.links.setValue(3))
    person.document.selection.set({leaf.id, spine.id})
    person.picks("connect")
    assert sum(c.count for c in person.design.cables.values()) == before + 3
    person.document.selection.set({spine.id})
    person.picks("disconnect")
    assert not list(person.design.cables_of(spine.id))
    person.wait_results()


def test_servers_and_leaves_are_connected_by_rail_in_one_step(person, monkeypatch):
    person.opens("rail-optimized", gpus=64)
    ids = {d.id for d in person.design.devices.values() if d.role in ("server", "leaf")}
    person.document.selection.set({d for d in ids if person.design.devices[d].role == "server"})
    person.picks("disconnect")
    person.document.selection.set(ids)
    seen = []

    def look(dialog):
        dialog.show()
        seen.append((dialog.pattern.currentData(), dialog.table.rowCount(), dialog.answer.text()))

    _accept(monkeypatch, look)
    person.picks("connect")
    assert seen[0][:2] == ("rail", 64)
    assert seen[0][2].startswith("64 links")
    assert sum(c.count for c in person.design.cables.values()) == 128
    person.picks("undo")
    assert sum(c.count for c in person.design.cables.values()) == 64
    person.wait_results()


def test_a_unit_is_repeated_and_the_repetition_undone(person, monkeypatch):
    person.opens("rail-optimized", gpus=256, servers_per_unit=8)
    gone = {g.id for g in person.design.groups.values() if g.name in ("su03", "su04")}
    person.document.selection.set(
        {d.id for d in person.design.devices.values() if d.unit in gone} | gone
    )
    person.picks("delete")
    unit = next(g for g in person.design.groups.values() if g.name == "su02")
    person.document.selection.set({unit.id})
    before, asked = len(person.design.devices), []

    def answer(_parent, _title, text, *_values):
        asked.append(text)
        return 2, True

    monkeypatch.setattr(QInputDialog, "getInt", answer)
    person.picks("repeat")
    assert "su02" in asked[0]
    assert len(person.design.devices) == before + 2 * 16
    assert len([g for g in person.design.groups.values() if g.kind == "unit"]) >= 4
    person.wait_results()
    assert person.document.results.get("counts.gpus") == 256
    person.picks("undo")
    assert len(person.design.devices) == before
    person.document.selection.set(set())
    person.picks("repeat")
    assert person.notices()


def test_a_refused_connection_says_why(person, monkeypatch):
    person.opens("four-servers")
    said = []

    def too_many(dialog):
        dialog.links.setValue(400)
        said.append(dialog.answer.text())

    _accept(monkeypatch, too_many)
    person.document.selection.set({person.named("leaf-1").id, person.named("spine-1").id})
    person.picks("connect")
    assert "free ports" in said[0]
    assert not person.document.undo.canUndo()
    person.document.selection.set({person.named("leaf-1").id})
    person.picks("connect")
    assert person.notices()
    assert not person.document.undo.canUndo()
