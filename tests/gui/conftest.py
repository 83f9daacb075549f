"""Rules for tests of the window: nothing of a test is left; a person at mouse and keyboard."""

import gc

import pytest
from PySide6.QtCore import (
    QCoreApplication,
    QElapsedTimer,
    QEvent,
    QPoint,
    QPointF,
    Qt,
    QThreadPool,
)
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from designer.gui.app import Program
from designer.services.create import new_design


def pytest_collection_modifyitems(items):
    # the offscreen platform says so of every window with a smallest size
    for item in items:
        item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints"))


def _delete_pending():
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def _visible():
    return [w for w in QApplication.topLevelWidgets() if w.isVisible()]


@pytest.fixture(autouse=True)
def nothing_left(qapp):
    """Fail a test that leaves a window on the screen or work in Qt's thread pool."""
    yield
    _delete_pending()
    left = _visible()
    patience = QElapsedTimer()
    patience.start()
    # the window system may still be hiding what was closed
    while left and patience.elapsed() < 1000:
        _delete_pending()
        left = _visible()
    for widget in left:
        widget.close()
        widget.deleteLater()
    _delete_pending()
    assert not left, left
    assert QThreadPool.globalInstance().activeThreadCount() == 0


class Person:
    """Somebody who sits before the window: looks, points, types."""

    def __init__(self, qtbot, program):
        self.bot, self.program = qtbot, program

    # --- what is there ---

    @property
    def window(self):
        return self.program.window

    @property
    def workspace(self):
        return self.program.workspace

    @property
    def editor(self):
        return self.window.editor

    @property
    def canvas(self):
        return self.editor.canvas

    @property
    def document(self):
        return self.workspace.document

    @property
    def design(self):
        return self.document.design

    def named(self, name):
        return self.design.named(name)

    def notices(self):
        """Return the titles of the notices that are shown."""
        stack = self.editor.notices if self.editor is not None else self.window.notices
        return [n.text.title for n in stack.notices]

    # --- waiting ---

    def wait_results(self):
        """Wait until the results are those of the drawing."""
        document = self.document
        self.bot.waitUntil(
            lambda: document.current or (document.fault is not None and not document.behind),
            timeout=60_000,
        )
        if document.fault is not None:
            raise document.fault

    def wait_opened(self):
        """Wait until a file has been read."""
        self.workspace.background.finish()
        self.see()

    def see(self):
        """Let the window draw, and let go of what it has closed."""
        QCoreApplication.processEvents()
        _delete_pending()

    # --- opening ---

    def opens(self, template, **parameters):
        """Open a finished drawing of a template, as after Create."""
        design = new_design(template, self.workspace.catalog, **parameters)
        self.workspace.adopt(design)
        self.see()
        self.see()
        self.wait_results()
        self.see()

    # --- pointing ---

    def at(self, name):
        """Return the pixel of the middle of a device."""
        row = self.canvas.columns.index[self.named(name).id]
        frame = self.canvas.frame()
        return QPoint(round(frame.x[row]), round(frame.y[row]))

    def port(self, name, number, family=None):
        """Return the pixel of a port."""
        row = self.canvas.columns.index[self.named(name).id]
        for place in self.canvas.ports_of(row):
            if place.port.number == number and family in (None, place.port.family):
                return QPoint(round(place.x), round(place.y))
        raise AssertionError(f"{name} shows no port {number}")

    def drags(self, start, stop, steps=4):
        """Drag on the canvas with the left button."""
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        self.bot.mousePress(self.canvas, left, none, start)
        for k in range(1, steps + 1):
            self.bot.mouseMove(self.canvas, start + (stop - start) * k / steps)
        self.bot.mouseRelease(self.canvas, left, none, stop)
        self.see()

    def drops_part(self, tile, at):
        """Drop what a tile's drag carries on the canvas."""
        data = tile.drag().mimeData()
        self._drop(data, self.canvas, at)

    def drops_files(self, widget, *paths):
        """Drop files of another program on a widget."""
        from PySide6.QtCore import QMimeData, QUrl

        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(p)) for p in paths])
        self._drop(data, widget, QPoint(200, 200))

    def _drop(self, data, widget, at):
        from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent

        copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
        none = Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(at, copy, data, left, none)
        QCoreApplication.sendEvent(widget, enter)
        assert enter.isAccepted()
        QCoreApplication.sendEvent(widget, QDragMoveEvent(at, copy, data, left, none))
        QCoreApplication.sendEvent(widget, QDropEvent(QPointF(at), copy, data, left, none))
        self.see()

    def clicks(self, what, at=None, keys=Qt.KeyboardModifier.NoModifier):
        """Click a widget, in its middle or at a point."""
        place = at if at is not None else what.rect().center()
        self.bot.mouseClick(what, Qt.MouseButton.LeftButton, keys, place)
        self.see()

    def double_clicks(self, what, at=None):
        place = at if at is not None else what.rect().center()
        self.bot.mouseDClick(what, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        self.see()

    def types(self, field, text, end=Qt.Key.Key_Return):
        """Replace the text of a field and confirm it."""
        field.setFocus()
        field.selectAll()
        self.bot.keyClicks(field, text)
        if end is not None:
            self.bot.keyClick(field, end)
        self.see()

    def presses(self, key, keys=Qt.KeyboardModifier.NoModifier, on=None):
        """Press a key where the focus is."""
        self.bot.keyClick(on or QApplication.focusWidget() or self.window, key, keys)
        self.see()

    def picks(self, command):
        """Pick an entry of a menu; one that is disabled cannot be picked."""
        action = self.window.commands[command]
        assert action.isEnabled(), command
        action.trigger()
        self.see()


@pytest.fixture
def program(qapp, qtbot):
    """The program as it starts, on its start page."""
    made = Program(qapp, "en")
    made.workspace.set_settings(made.workspace.settings.__class__(theme="light", language="en"))
    made.start([])
    made.window.resize(1600, 1000)
    qapp.processEvents()
    yield made
    made.workspace.close()
    made.window.hide()
    made.window.deleteLater()
    made.workspace.deleteLater()
    _delete_pending()
    gc.collect()


@pytest.fixture
def person(qtbot, program):
    return Person(qtbot, program)


@pytest.fixture
def answers(monkeypatch):
    """Answer message boxes by the text of a button; returns what was asked, in order."""
    wanted, asked = [], []

    def execute(box):
        asked.append(box.text())
        want = wanted.pop(0)
        button = next(b for b in box.buttons() if b.text().replace("&", "") == want)
        monkeypatch.setattr(QMessageBox, "clickedButton", lambda _self: button)
        return 0

    monkeypatch.setattr(QMessageBox, "exec", execute)

    def say(*buttons):
        wanted.extend(buttons)
        return asked

    return say


@pytest.fixture
def files(monkeypatch):
    """Answer file dialogs with paths."""
    from PySide6.QtWidgets import QFileDialog

    def choose(path):
        answer = lambda *_args, **_kw: (str(path), "")  # noqa: E731
        monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)

    return choose
