"""Notices over the drawing."""

from PySide6.QtWidgets import QLabel

from designer.errors import DesignerError
from designer.gui.notices import MOST
from designer.services.notices import NoticeText, from_error


def _say(person, title, text="", kind="error"):
    person.window.say(NoticeText(kind, title, text, key=title))
    person.see()


def test_every_notice_is_as_high_as_its_words(person):
    person.opens("four-servers")
    _say(person, "First")
    _say(person, "Second", "a long explanation " * 20)
    _say(person, "Third", "one line")
    for notice in person.editor.notices.notices:
        for words in notice.findChildren(QLabel):
            assert words.height() >= words.heightForWidth(words.width()) - 1, notice.text.title


def test_the_newest_is_on_top_and_three_are_enough(person):
    person.opens("four-servers")
    for k in range(5):
        _say(person, f"Notice {k}")
    assert person.notices() == ["Notice 4", "Notice 3", "Notice 2"] and MOST == 3
    _say(person, "Notice 3")
    assert person.notices() == ["Notice 3", "Notice 4", "Notice 2"], "said again, it moves up"


def test_a_refusal_goes_when_the_drawing_moves_on(person):
    person.opens("four-servers")
    person.window.say(from_error(DesignerError("No", "because")))
    assert person.notices()
    person.document.selection.set({person.named("srv-01").id})
    person.picks("delete")
    assert not person.notices()


def test_the_answer_to_a_gesture_does_not_stay_over_the_drawing(person, monkeypatch, qapp):
    monkeypatch.setattr("designer.gui.notices.SHORT_MS", 30)
    person.opens("four-servers")
    qapp.clipboard().setText("no drawing")
    person.canvas.setFocus()
    person.picks("paste")
    assert len(person.notices()) == 1
    person.bot.waitUntil(lambda: not person.notices(), timeout=2000)
    person.window.say(from_error(DesignerError("The file is cut off", "Look at the one before")))
    person.bot.wait(80)
    assert person.notices() == ["The file is cut off"], "what was not done for a file stays"


def test_on_the_start_page_as_well(person):
    _say(person, "Read this")
    (notice,) = person.window.notices.notices
    assert notice.isVisible()
    person.window.notices._remove(notice)
