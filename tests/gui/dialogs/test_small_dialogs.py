"""Preferences, export, host mapping, help, notices, recovery: what a person sets is what comes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialog, QLabel, QPushButton

from designer.gui.dialogs.export_dialog import FORMS, ExportDialog
from designer.gui.dialogs.help_dialog import PAGES, HelpDialog
from designer.gui.dialogs.map_servers_dialog import MapServersDialog, unmapped_hosts
from designer.gui.dialogs.notice import Notice
from designer.gui.dialogs.settings_dialog import SettingsDialog
from designer.gui.recovery_page import RecoveryPage
from designer.services.create import import_design
from designer.services.notices import NoticeText
from designer.services.recovery import Recoverable
from designer.services.settings import Settings

LEFT = Qt.MouseButton.LeftButton

# Two hosts on one switch, each with two HCAs of one system image GUID, as ibnetdiscover writes it.
WIRING = """
Switch\t4 "S-0000000000000001"\t\t# "SW;leaf" enhanced port 0 lid 1 lmc 0
[1]\t"H-0000000000000011"[1](11) \t\t# "host-a mlx5_0" lid 11 4xNDR
[2]\t"H-0000000000000012"[1](12) \t\t# "host-a mlx5_1" lid 12 4xNDR
[3]\t"H-0000000000000021"[1](21) \t\t# "host-b mlx5_0" lid 21 4xNDR
[4]\t"H-0000000000000022"[1](22) \t\t# "host-b mlx5_1" lid 22 4xNDR
"""
for _host, _guid in (("a", 1), ("b", 2)):
    for _k in (1, 2):
        _port, _lid = 2 * (_guid - 1) + _k, f"{_guid}{_k}"
        WIRING += f"""
sysimgguid=0x{_guid}00
caguid=0x{_lid}
Ca\t1 "H-00000000000000{_lid}"\t\t# "host-{_host} mlx5_{_k - 1}"
[1]({_lid}) \t"S-0000000000000001"[{_port}]\t\t# lid {_lid} lmc 0 "SW;leaf" lid 1 4xNDR
"""


def words(widget):
    return [w.text() for w in widget.findChildren(QLabel) if w.text()]


# --- preferences ---


@pytest.fixture
def settings(qtbot):
    made = SettingsDialog(Settings(language="en", recent=("/a.json",)))
    qtbot.addWidget(made)
    made.show()
    return made


def test_preferences_are_what_was_chosen_and_keep_the_rest(settings, qtbot):
    settings.language.setFocus()
    qtbot.keyClick(settings.language, Qt.Key.Key_Down)
    settings.theme.setCurrentIndex(settings.theme.findData("dark"))
    qtbot.mouseClick(settings.snap, LEFT, pos=settings.snap.rect().center() * 0.1)
    settings.dim.setFocus()
    qtbot.keyClick(settings.dim, Qt.Key.Key_Home)
    qtbot.mouseClick(settings.apply_button, LEFT)
    assert settings.result() == QDialog.DialogCode.Accepted
    after = settings.settings()
    assert (after.language, after.theme, after.dim) == ("pt_BR", "dark", 0.2)
    assert after.recent == ("/a.json",)


def test_a_catalogue_that_cannot_be_read_keeps_the_dialog_open(settings, qtbot, tmp_path):
    bad = tmp_path / "parts.toml"
    bad.write_text("[switches.x]\nports = 'many'\n")
    settings.catalog.setFocus()
    qtbot.keyClicks(settings.catalog, str(bad))
    qtbot.keyClick(settings.catalog, Qt.Key.Key_Return)
    assert settings.isVisible()
    assert settings.fault.isVisible()
    assert "parts.toml" in settings.fault.text()
    settings.catalog.clear()
    qtbot.keyClick(settings.catalog, Qt.Key.Key_Return)
    assert not settings.isVisible()


# --- export ---


@pytest.mark.parametrize("form", FORMS)
def test_export_asks_only_what_its_form_needs(form, qtbot):
    dialog = ExportDialog(True, form)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.scale.isVisible() == (form == "png")
    assert dialog.page.isVisible() == (form == "pdf")
    assert dialog.selection.isVisible() == (form in ("svg", "png", "pdf"))
    choice = dialog.choice()
    assert (choice.form, choice.ending) == (form, FORMS[form][0])


def test_export_by_keyboard(qtbot):
    dialog = ExportDialog(False, "svg")
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.selection.isEnabled()
    qtbot.keyClick(dialog.forms, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.forms, Qt.Key.Key_Down)
    dialog.scale.selectAll()
    qtbot.keyClicks(dialog.scale, "3")
    qtbot.mouseClick(dialog.choose_button, LEFT)
    choice = dialog.choice()
    assert (choice.form, choice.scale, choice.selection_only) == ("png", 3.0, False)


# --- mapping hosts ---


@pytest.fixture
def imported(tmp_path, catalog):
    path = tmp_path / "fabric.txt"
    path.write_text(WIRING)
    return import_design(path, catalog, "ibnetdiscover").design


def test_mapping_hosts_is_one_edit_that_undoes_as_one(imported, catalog, qtbot):
    ids = unmapped_hosts(imported)
    assert len(ids) == 2
    dialog = MapServersDialog(imported, catalog, ids)
    qtbot.addWidget(dialog)
    dialog.show()
    assert "2 hosts have an unknown number of GPUs." in "\n".join(words(dialog))
    found = dialog.types.findItems("DGX H100", Qt.MatchFlag.MatchContains)
    place = dialog.types.visualItemRect(found[0]).center()
    qtbot.mouseClick(dialog.types.viewport(), LEFT, pos=place)
    assert dialog.answer.text() == "16 GPUs in all."
    qtbot.mouseClick(dialog.map_button, LEFT)
    edit = dialog.edit()
    cables = len(imported.cables)
    imported.apply(edit)
    assert [imported.gpus(imported.devices[i]) for i in ids] == [8, 8]
    assert len(imported.cables) == cables
    imported.apply(edit.inverse())
    assert unmapped_hosts(imported) == ids


def test_without_hosts_nothing_is_mapped(imported, catalog, qtbot):
    dialog = MapServersDialog(imported, catalog, ())
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.edit()


# --- help ---


def test_every_page_of_the_help_opens_with_a_heading(qtbot):
    dialog = HelpDialog("keyboard")
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.pages.currentRow() == list(PAGES).index("keyboard")
    for row in range(dialog.pages.count()):
        item = dialog.pages.item(row)
        place = dialog.pages.visualItemRect(item).center()
        qtbot.mouseClick(dialog.pages.viewport(), LEFT, pos=place)
        assert dialog.text.document().begin().blockFormat().headingLevel() == 1
        cursor = QTextCursor(dialog.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        assert cursor.charFormat().font().pixelSize() == 22


# --- notices ---


def notice(qtbot, text):
    made = Notice(text, "light")
    qtbot.addWidget(made)
    made.resize(620, 120)
    made.show()
    return made


def test_a_button_of_a_notice_tells_its_action(qtbot):
    text = NoticeText(
        "error", "Not saved", "", (), (("save_as", "Save elsewhere"), ("save", "Try"))
    )
    made = notice(qtbot, text)
    assert list(made.buttons) == ["save_as", "save"]
    assert made.buttons["save_as"].property("primary") is True
    with qtbot.waitSignal(made.action) as got:
        qtbot.mouseClick(made.buttons["save"], LEFT)
    assert got.args == ["save"]


def test_a_notice_can_be_closed_and_selects_what_it_speaks_of(qtbot):
    made = notice(qtbot, NoticeText("warning", "Port taken", "Use another", ("d1",), key="k"))
    with qtbot.waitSignal(made.clicked) as got:
        qtbot.mouseClick(made, LEFT)
    assert got.args == [("d1",)]
    with qtbot.waitSignal(made.closed) as got:
        qtbot.mouseClick(made.close_button, LEFT)
    assert got.args == ["k"]


def test_a_notice_about_nothing_selects_nothing(qtbot):
    made = notice(qtbot, NoticeText("info", "Imported"))
    with qtbot.assertNotEmitted(made.clicked):
        qtbot.mouseClick(made, LEFT)


# --- recovery ---


@pytest.fixture
def recovery(qtbot):
    now = datetime(2026, 5, 12, 14, 36, tzinfo=UTC)
    saved = now.replace(hour=11)
    path = Path("/designs/su-256.railspine.json")
    found = [
        Recoverable("one", "", path, now, saved, 23, {"server": 32, "leaf": 8}, 512),
        Recoverable("two", "", None, now, None, 1, {"server": 4}, 32),
    ]
    page = RecoveryPage(found, "light")
    qtbot.addWidget(page)
    page.show()
    return page, found


def test_recovered_work_says_what_it_is(recovery):
    text = "\n".join(words(recovery[0]))
    for wanted in (
        "2 drawings",
        "su-256.railspine.json",
        "23 edits later",
        "40 devices, 512 cables",
    ):
        assert wanted in text
    assert "never saved" in text
    assert "1 edit\n" in text


def test_recovered_work_is_opened_or_discarded(recovery, qtbot):
    page, found = recovery
    with qtbot.waitSignal(page.opened) as got:
        qtbot.mouseClick(page.buttons[1], LEFT)
    assert got.args == [found[1]]
    by_text = {b.text(): b for b in page.findChildren(QPushButton)}
    with qtbot.waitSignal(page.discarded) as got:
        qtbot.mouseClick(by_text["Discard all"], LEFT)
    assert got.args == [found]
    with qtbot.waitSignal(page.later):
        qtbot.mouseClick(by_text["Decide later"], LEFT)
