"""Asks how many parallel links to draw between two devices, and draws them."""

from typing import TYPE_CHECKING

from designer.gui.canvas.cards import LinkCount, keep_inside
from designer.gui.canvas.link_facts import most_links
from designer.messages import _
from designer.model.wiring import connect_devices

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView


class LinkQuestion:
    """The question, while it stands on one canvas.

    Attributes:
        card: The card; None while nothing is asked.
    """

    def __init__(self, canvas: "CanvasView") -> None:
        self._canvas = canvas
        self.card: LinkCount | None = None

    def ask(self, one: str, two: str, x: float, y: float) -> None:
        """Ask beside a pixel; where one link is all that fits, draw it without asking."""
        design = self._canvas.design
        most = most_links(design, one, two)
        if most <= 1:
            self._connect(one, two, 1)
            return
        self.close()
        names = design.devices[one].name, design.devices[two].name
        title = _("Links {a} – {b}").format(a=names[0], b=names[1])
        self.card = LinkCount(self._canvas, self._canvas.theme, title, most)
        self.card.chosen.connect(lambda n: self._connect(one, two, n))
        self.card.closed.connect(self.close)
        keep_inside(self.card, x, y)
        self.card.show()
        self.card.number.setFocus()
        self.card.number.selectAll()

    def _connect(self, one: str, two: str, count: int) -> None:
        self.close()
        canvas = self._canvas
        edit = canvas.verbs.attempt(lambda: connect_devices(canvas.design, one, two, count))
        if edit is not None:
            canvas.apply(edit)

    def close(self) -> None:
        """Take the question away."""
        if self.card is not None:
            self.card.hide()
            self.card.deleteLater()
            self.card = None
            self._canvas.setFocus()
