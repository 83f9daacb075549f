import pytest
from PySide6.QtCore import QObject, QPoint, Qt, Signal

from designer.catalog.load import default_catalog
from designer.gui.canvas.view import CanvasView
from designer.model.edits import merge
from designer.scene.layout import arrange
from designer.topologies import generate


class FakeSelection(QObject):
    changed = Signal()

    def __init__(self):
        super().__init__()
        self._ids = frozenset()

    @property
    def ids(self):
        return self._ids

    def set(self, ids):
        ids = frozenset(ids)
        if ids != self._ids:
            self._ids = ids
            self.changed.emit()


class FakeDocument(QObject):
    """An open drawing without window: edits, a plain undo list, the selection."""

    edited = Signal(object)

    def __init__(self, design, catalog):
        super().__init__()
        self.design, self.catalog = design, catalog
        self.selection = FakeSelection()
        self.done = []
        self._joining = False

    def apply(self, edit, *, coalesce=False):
        self.design.apply(edit)
        if coalesce and self._joining:
            self.done[-1] = merge(edit.label, (self.done[-1], edit))
        else:
            self.done.append(edit)
        self._joining = coalesce
        self.edited.emit(edit)

    def undo(self):
        edit = self.done.pop().inverse()
        self._joining = False
        self.design.apply(edit)
        self.edited.emit(edit)


@pytest.fixture(scope="session")
def catalog():
    return default_catalog()


@pytest.fixture
def open_canvas(qtbot, catalog):
    """Return a function that shows a generated drawing in a canvas."""

    def open_(template="four-servers", theme="light", size=(1200, 800), **parameters):
        design = generate(template, catalog, **parameters)
        design.apply(arrange(design))
        canvas = CanvasView(FakeDocument(design, catalog), theme)
        qtbot.addWidget(canvas)
        canvas.resize(*size)
        canvas.notices = []
        canvas.noticed.connect(canvas.notices.append)
        with qtbot.waitExposed(canvas):
            canvas.show()
        canvas.setFocus()
        return canvas

    return open_


class Hand:
    """A person's hand: it points at names and ports, not at pixels."""

    def __init__(self, qtbot, canvas):
        self._qtbot, self._canvas = qtbot, canvas

    def at(self, name):
        """Return the pixel of the middle of a device."""
        device = self._canvas.design.named(name)
        row = self._canvas.columns.index[device.id]
        frame = self._canvas.frame()
        return QPoint(round(frame.x[row]), round(frame.y[row]))

    def port(self, name, number, family=None):
        """Return the pixel of a port."""
        device = self._canvas.design.named(name)
        row = self._canvas.columns.index[device.id]
        for place in self._canvas.ports_of(row):
            if place.port.number == number and family in (None, place.port.family):
                return QPoint(round(place.x), round(place.y))
        raise AssertionError(f"{name} shows no port {number}")

    def drag(
        self,
        start,
        stop,
        keys=Qt.KeyboardModifier.NoModifier,
        button=Qt.MouseButton.LeftButton,
        steps=4,
    ):
        bot, canvas = self._qtbot, self._canvas
        bot.mousePress(canvas, button, keys, start)
        for k in range(1, steps + 1):
            bot.mouseMove(canvas, start + (stop - start) * k / steps)
        bot.mouseRelease(canvas, button, keys, stop)

    def click(self, at, keys=Qt.KeyboardModifier.NoModifier):
        self._qtbot.mouseClick(self._canvas, Qt.MouseButton.LeftButton, keys, at)

    def key(self, key, keys=Qt.KeyboardModifier.NoModifier):
        self._qtbot.keyClick(self._canvas, key, keys)


@pytest.fixture
def hand(qtbot):
    return lambda canvas: Hand(qtbot, canvas)
