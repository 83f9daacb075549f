"""Changing the type of devices, as a person does it."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from designer.gui.dialogs.swap_type_dialog import SwapTypeDialog, fate_text, summary
from designer.model.records import SWITCH_ROLES


@pytest.fixture
def in_dialog(person):
    """Return what lets a person act in the dialog that the next command opens."""
    seen = []

    def later(act):
        def begin():
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, SwapTypeDialog)
            seen.append(dialog)
            act(dialog)

        QTimer.singleShot(0, begin)
        return seen

    return later


def _choose(dialog, slug):
    row = dialog.types._values.index(slug)
    dialog.types.setCurrentIndex(row)
    dialog.types.activated.emit(row)


def _part(person, fits):
    return next(p for p in person.document.catalog if p.kind == "switch" and fits(p))


def _leaf(person):
    return next(d for d in person.design.devices.values() if d.role == "leaf")


def test_what_is_lost_is_listed_first_and_one_step_undoes_it(person, in_dialog):
    person.opens("rail-optimized", gpus=256)
    leaf = _leaf(person)
    old = dict(person.design.cables)
    person.document.selection.set({leaf.id})
    ethernet = _part(person, lambda p: p.technology == "ethernet")

    def act(dialog):
        assert not dialog.button.isEnabled()
        _choose(dialog, ethernet.slug)
        assert dialog.plan.lost and dialog.list.topLevelItemCount() == len(dialog.plan.worse)
        assert dialog.list.topLevelItem(0).text(2)
        assert summary(dialog.plan) == dialog.answer.text()
        person.clicks(dialog.button)

    in_dialog(act)
    person.window.commands["swap_type"].trigger()
    person.see()
    assert person.design.devices[leaf.id].type == ethernet.slug
    assert len(person.design.cables) < len(old)
    person.document.undo.undo()
    assert person.design.cables == old
    person.wait_results()


def test_cancel_changes_nothing(person, in_dialog):
    person.opens("rail-optimized", gpus=256)
    leaf = _leaf(person)
    person.document.selection.set({leaf.id})

    def act(dialog):
        _choose(dialog, _part(person, lambda p: p.technology == "ethernet").slug)
        person.presses(Qt.Key.Key_Escape, on=dialog)

    in_dialog(act)
    person.window.commands["swap_type"].trigger()
    assert person.design.devices[leaf.id].type == leaf.type and person.document.clean


def test_all_switches_of_a_fabric_change_together_and_lose_nothing(person, in_dialog):
    person.opens("rail-optimized", gpus=256)
    ids = {d.id for d in person.design.devices.values() if d.role in SWITCH_ROLES}
    n = len(person.design.cables)
    person.document.selection.set(ids)
    wide = _part(
        person,
        lambda p: (
            p.technology == "ethernet"
            and (f := p.family("fabric")) is not None
            and f.count >= 64
            and 400e9 in f.speeds
        ),
    )

    def act(dialog):
        _choose(dialog, wide.slug)
        assert not dialog.plan.lost
        person.presses(Qt.Key.Key_Return, on=dialog.button)

    in_dialog(act)
    person.window.commands["swap_type"].trigger()
    person.see()
    assert {person.design.devices[i].type for i in ids} == {wide.slug}
    assert len(person.design.cables) == n
    person.wait_results()


def test_devices_of_several_kinds_are_refused_in_words(person):
    person.opens("four-servers")
    person.document.selection.set(set(person.design.devices))
    person.window.commands["swap_type"].trigger()
    assert person.notices()


def test_the_words_of_each_fate_differ(person, in_dialog):
    person.opens("rail-optimized", gpus=256)
    leaf = _leaf(person)
    person.document.selection.set({leaf.id})
    words = set()

    def act(dialog):
        for slug in list(dialog.types._values):
            _choose(dialog, slug)
            words.update((f.fate, fate_text(f)) for f in dialog.plan.fittings)
        dialog.reject()

    in_dialog(act)
    person.window.commands["swap_type"].trigger()
    assert {"kept", "dropped"} <= {fate for fate, _text in words}
    assert all(text for _fate, text in words)
