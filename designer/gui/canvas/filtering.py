"""The filter of one canvas: what stays strong, kept in step with edits, results and failures."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from designer.scene.filtering import Filter, keep
from designer.scene.view import SceneState

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

MOST_HOPS = 9


class Filtering(QObject):
    """View state only: it is neither saved nor undone, and changes nothing of the drawing.

    Signals:
        changed: Another filter, or other devices that it keeps.
    """

    changed = Signal()

    def __init__(self, canvas: "CanvasView") -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.filter = Filter()
        self._key: tuple[object, ...] = ()

    def set(self, chosen: Filter) -> None:
        """Fade all that a filter leaves out; an empty filter fades nothing."""
        if chosen != self.filter:
            self.filter = chosen
            self._canvas.restate(self._canvas.state)

    def change(self, **changes: object) -> None:
        """Change some conditions of the filter."""
        self.set(replace(self.filter, **changes))  # type: ignore[arg-type]

    def clear(self) -> bool:
        """Show everything again; returns False when nothing was filtered."""
        was = bool(self.filter)
        self.set(Filter())
        return was

    def focus_on_selection(self) -> None:
        """Keep the selection and its neighbours; asked again of the same, one hop more."""
        chosen = self._canvas.selection
        if not chosen or chosen == self.filter.around:
            self.change(hops=min(MOST_HOPS, self.filter.hops + 1))
        else:
            self.change(around=chosen, hops=1)

    def applied(self, state: SceneState) -> SceneState:
        """Return a state with what the filter keeps of the drawing as it is now."""
        columns = self._canvas.columns
        key = (self.filter, id(columns), columns.version, id(state.utilization), state.failed)
        if key == self._key:
            return state
        self._key = key
        if not self.filter and state.kept is None:
            return state
        kept = keep(columns, self.filter, state.utilization, state.failed)
        # the canvas takes the state first
        QTimer.singleShot(0, self.changed.emit)
        return replace(state, kept=kept)

    def kept_ids(self) -> frozenset[str] | None:
        """Return the devices that are not faded; None when all are strong."""
        kept, columns = self._canvas.state.kept, self._canvas.columns
        if kept is None:
            return None
        return frozenset(columns.ids[k] for k in kept.devices.nonzero()[0].tolist())
