"""Calibration in the window: a pasted or opened log, measured against model, one undoable step."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QStyle, QStyleOptionViewItem

from designer.gui.dialogs.calibrate_dialog import CalibrateDialog
from tests.formats.test_nccl_log import TAIL, head, row

# An 8-GPU server of this drawing at 60 % of what the model says for large messages.
LOG = (
    head(hosts=("a",) * 8)
    + "".join(row(2**k, 30 + 2**k * 6e-6, times=1.75) for k in range(16, 34))
    + TAIL
)


def _in_dialog(person, act):
    seen = []

    def go():
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, CalibrateDialog)
        seen.append(dialog)
        act(dialog)

    QTimer.singleShot(0, go)
    person.picks("calibrate")
    assert seen


def _fitted(person, dialog):
    person.bot.waitUntil(lambda: dialog.found is not None, timeout=30_000)


def test_a_pasted_log_becomes_assumptions_in_one_step(person):
    person.opens("four-servers")

    def act(dialog):
        assert not dialog.apply_button.isEnabled()
        dialog.text.setPlainText(LOG)
        _fitted(person, dialog)
        assert dialog.times.rowCount() == 36 and dialog.fitted.rowCount() >= 2
        assert "%" in dialog.answer.text()
        person.clicks(dialog.apply_button)

    _in_dialog(person, act)
    assert "all_reduce" in person.design.assumptions["nvls_share_hopper"].source
    assert person.document.undo.count() == 1
    person.wait_results()
    person.picks("undo")
    assert not person.design.assumptions
    person.wait_results()


def test_only_ticked_values_are_used_and_the_chart_shows_all_times(person):
    person.opens("four-servers")

    def act(dialog):
        dialog.text.setPlainText(LOG)
        _fitted(person, dialog)
        assert dialog.chart.points() == 36
        rows = range(dialog.fitted.rowCount())
        for k in rows:
            _clicks_box(person, dialog.fitted, k)
        assert not dialog.apply_button.isEnabled()
        # nothing is taken: after is as before
        person.bot.waitUntil(lambda: _column(dialog, 2) == _column(dialog, 3))
        _clicks_box(person, dialog.fitted, 0)
        assert dialog.apply_button.isEnabled()
        person.bot.waitUntil(lambda: _column(dialog, 2) != _column(dialog, 3))
        person.clicks(dialog.apply_button)

    _in_dialog(person, act)
    assert set(person.design.assumptions) == {"nvls_share_hopper"}
    person.wait_results()
    person.picks("undo")
    assert not person.design.assumptions
    person.wait_results()


def _column(dialog, k):
    return [dialog.times.item(row, k).text() for row in range(dialog.times.rowCount())]


def test_a_forced_algorithm_is_fitted_and_one_that_cannot_run_is_told(person):
    person.opens("four-servers")

    def act(dialog):
        dialog.text.setPlainText(LOG)
        _fitted(person, dialog)
        dialog.algorithm.setCurrentIndex(dialog.algorithm.findData("ring"))
        assert dialog.found is None
        _fitted(person, dialog)
        assert dialog.found.fitted[0].key == "nvlink_share_hopper"
        dialog.algorithm.setCurrentIndex(dialog.algorithm.findData("collnet_chain"))
        person.bot.waitUntil(lambda: bool(dialog.answer.text()) and dialog.found is None)
        person.bot.waitUntil(lambda: "cannot run" in dialog.answer.text(), timeout=30_000)
        dialog.done(QDialog.DialogCode.Rejected)

    _in_dialog(person, act)


def _clicks_box(person, table, k):
    item = table.item(k, 0)
    table.scrollToItem(item)
    box = table.visualItemRect(item)
    before = item.checkState()
    option = QStyleOptionViewItem()
    option.initFrom(table)
    option.rect = box
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
    at = table.style().subElementRect(part, option, table).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert item.checkState() != before


def test_an_opened_log_is_named_and_a_wrong_rank_count_is_told(person, tmp_path, monkeypatch):
    person.opens("four-servers")
    path = tmp_path / "rack 7.log"
    path.write_text(LOG)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(path), ""))

    def act(dialog):
        person.clicks(dialog.open_button)
        _fitted(person, dialog)
        dialog.ranks.setValue(6)
        assert dialog.found is None and not dialog.apply_button.isEnabled()
        person.bot.waitUntil(lambda: "8 ranks" in dialog.answer.text(), timeout=30_000)
        dialog.ranks.setValue(0)
        _fitted(person, dialog)
        person.clicks(dialog.apply_button)

    _in_dialog(person, act)
    assert "rack 7.log" in person.design.assumptions["nvls_share_hopper"].source
    person.document.undo.setClean()
    person.wait_results()


def test_other_text_and_a_closed_dialog_change_nothing(person):
    person.opens("four-servers")

    def act(dialog):
        dialog.text.setPlainText("hello")
        person.bot.waitUntil(lambda: "nccl-tests" in dialog.answer.text(), timeout=30_000)
        dialog.text.setPlainText(LOG)
        dialog.done(QDialog.DialogCode.Rejected)

    _in_dialog(person, act)
    person.workspace.background.finish()
    person.see()
    assert not person.design.assumptions and person.document.undo.count() == 0
