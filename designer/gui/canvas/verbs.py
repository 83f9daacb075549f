"""Commands on the selection: delete, duplicate, copy, paste, arrange, tidy, nudge."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from designer.catalog.types import PartType
from designer.errors import DesignerError
from designer.gui.canvas import board
from designer.messages import _
from designer.model.arrange_selection import ARRANGEMENTS, positions
from designer.model.clipboard import Clipboard, copy, duplicate, paste
from designer.model.edits import Edit, merge
from designer.model.operations import add_note, default_role, move, place, remove, set_field
from designer.model.order_tiers import order_by_rail
from designer.model.records import Role
from designer.scene.columns import SceneColumns
from designer.scene.free_place import free_place, tier_place
from designer.scene.layout import arrange
from designer.services.notices import NoticeText
from designer.units import format_number

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

STEP, LARGE_STEP = 8.0, 64.0
# A copy stands so far to the right of and below what it was made from.
OFFSET = 32.0


class Verbs:
    """What menus, keys and buttons do with the selection of one canvas."""

    def __init__(self, canvas: "CanvasView") -> None:
        self._canvas = canvas
        self._pastes = 0

    def select_all(self) -> None:
        """Select every device and note; of a filtered drawing the devices it keeps."""
        design, kept = self._canvas.design, self._canvas.filtering.kept_ids()
        if kept is not None:
            self._canvas.select(kept)
            return
        self._canvas.select(frozenset(design.placements) | frozenset(design.notes))

    def delete(self) -> None:
        """Delete the selection; devices take their cables with them."""
        chosen = self._canvas.selection
        if chosen and self._canvas.apply(remove(self._canvas.design, sorted(chosen))):
            self._canvas.select(frozenset())

    def duplicate(self) -> None:
        """Make a copy of the selection beside it, and select the copy."""
        chosen = self._canvas.selection
        dx, dy = self._copy_offset()
        edit, new = duplicate(self._canvas.design, sorted(chosen), dx, dy)
        if edit and self._canvas.apply(edit):
            self._canvas.select(frozenset(new))

    def _copy_offset(self) -> tuple[float, float]:
        boxes = self._canvas.boxes(positions(self._canvas.design, self._canvas.selection))
        if not len(boxes):
            return OFFSET, OFFSET
        # a copy beside a single row would cover its neighbour; below it stands free
        height = float((boxes[:, 1] + boxes[:, 3]).max() - boxes[:, 1].min())
        scale = self._canvas.view.scale
        return self._canvas.snap(OFFSET, height / scale + OFFSET)

    def copy(self) -> None:
        """Put the selection, with the cables inside it, on the system clipboard."""
        found = copy(self._canvas.design, self._canvas.selection)
        if found:
            board.put(found)
            self._pastes = 0

    def cut(self) -> None:
        """Copy, then delete."""
        self.copy()
        self.delete()

    def can_paste(self) -> bool:
        """Tell whether the clipboard holds a piece of a drawing."""
        return board.take() is not None

    def paste(self, at: tuple[float, float] | None = None) -> None:
        """Add what the clipboard holds, centred at `at` (drawing units), or beside its source."""
        found = board.take()
        if found is None:
            self._canvas.fault(
                DesignerError(
                    _("The clipboard holds no piece of a drawing."),
                    _("Select devices and copy them first."),
                )
            )
            return
        dx, dy = self._paste_offset(found, at)
        edit, new = paste(self._canvas.design, found, dx, dy)
        if edit and self._canvas.apply(edit):
            self._canvas.select(frozenset(new))

    def _paste_offset(
        self, found: Clipboard, at: tuple[float, float] | None
    ) -> tuple[float, float]:
        if at is None:
            self._pastes += 1
            return OFFSET * self._pastes, OFFSET * self._pastes
        spots = [(p.x, p.y) for p in found.placements.values()]
        spots += [(n.x, n.y) for n in found.notes]
        xs, ys = [x for x, _y in spots], [y for _x, y in spots]
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return self._canvas.snap(at[0] - middle[0], at[1] - middle[1])

    def arrange(self, name: str) -> None:
        """Align or space the selection; `name` is a key of `ARRANGEMENTS`."""
        edit = ARRANGEMENTS[name][1](
            self._canvas.design, sorted(self._canvas.selection), self._canvas.size_of
        )
        if edit:
            self._canvas.apply(edit)

    def tidy(self) -> None:
        """Lay out the selection in tiers, or everything when nothing is selected."""
        design = self._canvas.design
        chosen = [i for i in self._canvas.selection if i in design.devices]
        # The tiers are those of the whole drawing: chosen devices go where they belong in it.
        whole = arrange(design)
        edit = whole
        if chosen:
            wanted = set(chosen)
            edit = Edit(whole.label, tuple(s for s in whole.swaps if s.id in wanted))
        if edit and self._canvas.apply(edit) and not chosen:
            self._canvas.zoom_to_fit()

    def order_by_rail(self) -> None:
        """Let devices of each tier change places so that fewer cables cross."""
        design = self._canvas.design
        edit = order_by_rail(design, [i for i in self._canvas.selection if i in design.devices])
        if not edit:
            self._canvas.noticed.emit(
                NoticeText("info", _("No other order of the tiers crosses fewer cables."))
            )
        self._canvas.apply(edit)

    def nudge(self, dx: int, dy: int, large: bool) -> None:
        """Move the selection by one step of an arrow key; a run of steps is undone as one."""
        step = LARGE_STEP if large else STEP
        at = positions(self._canvas.design, self._canvas.selection)
        moved = {i: (x + dx * step, y + dy * step) for i, (x, y) in at.items()}
        edit = move(self._canvas.design, moved)
        if edit:
            self._canvas.apply(edit, coalesce=True)

    def place_part(self, slug: str, x: float, y: float) -> None:
        """Put a part of the catalogue on the drawing, centred at (x, y), and select it."""

        def build() -> Edit:
            part, nic = self._part(slug)
            return place(self._canvas.design, part, *self._canvas.snap(x, y), nic=nic)

        self._show_new(self.attempt(build))

    def add_parts(
        self, slug: str, x: float, y: float, *, count: int = 1, in_tier: bool = False
    ) -> None:
        """Put parts of the catalogue on the drawing where they cover nothing, and select them.

        They go as near to (x, y) as they can; with `in_tier` in the row where their like stands.
        """
        find = tier_place if in_tier else free_place

        def build() -> Edit:
            part, nic = self._part(slug)
            trial = self._canvas.design.snapshot()
            columns = SceneColumns.from_design(trial)
            edits = []
            for _k in range(count):
                at = find(columns, default_role(part), *self._canvas.snap(x, y))
                edits.append(place(trial, part, *at, nic=nic))
                trial.apply(edits[-1])
                columns.update(edits[-1])
            label = _("Place {n} devices").format(n=format_number(count))
            return edits[0] if count == 1 else merge(label, edits)

        self._show_new(self.attempt(build))

    def _part(self, slug: str) -> tuple[PartType, PartType | None]:
        catalog = self._canvas.catalog
        part = catalog.get(slug)
        return part, catalog.get(part.nic) if part.nic else None

    def _show_new(self, edit: Edit | None) -> None:
        """Apply an edit that places devices, select them, and bring them into view."""
        canvas = self._canvas
        whole = _held(canvas, canvas.columns.ids)
        if edit is None or not canvas.apply(edit):
            return
        new = edit.ids("devices")
        canvas.select(frozenset(new))
        if not _held(canvas, new):
            if whole:
                canvas.zoom_to_fit()
            else:
                canvas.zoom_to(new)

    def set_role(self, role: Role) -> None:
        """Give the selected devices a role."""
        chosen = [i for i in self._canvas.selection if i in self._canvas.design.devices]
        edit = self.attempt(lambda: set_field(self._canvas.design, chosen, "role", role))
        if edit:
            self._canvas.apply(edit)

    def rename(self, id_: str, name: str) -> None:
        """Give a device another name."""
        edit = self.attempt(lambda: set_field(self._canvas.design, [id_], "name", name.strip()))
        if edit:
            self._canvas.apply(edit)

    def write_note(self, id_: str, text: str, x: float, y: float) -> None:
        """Change the text of note `id_`, or add a note at (x, y) when it is empty."""
        design = self._canvas.design
        if id_ and not text.strip():
            edit: Edit | None = remove(design, [id_])
        elif id_:
            edit = self.attempt(lambda: set_field(design, [id_], "text", text.strip()))
        else:
            edit = add_note(design, text.strip(), x, y) if text.strip() else None
        if edit:
            self._canvas.apply(edit)

    def select_peers(self) -> None:
        """Select what the selected devices are cabled to."""
        design = self._canvas.design
        peers: set[str] = set()
        for id_ in self._canvas.selection:
            for cable_id in design.cables_of(id_):
                peers.add(design.cables[cable_id].other_end(id_).device)
        self._canvas.select(frozenset(peers))

    def attempt(self, build: Callable[[], Edit]) -> Edit | None:
        """Return the edit that `build` makes; a refusal becomes a notice and None."""
        try:
            return build()
        except DesignerError as fault:
            self._canvas.fault(fault)
            return None


def _held(canvas: "CanvasView", ids: Iterable[str]) -> bool:
    """Tell whether the view holds devices from edge to edge."""
    x, y, w, h = canvas.boxes(ids).T
    held = (x >= 0) & (y >= 0) & (x + w <= canvas.width()) & (y + h <= canvas.height())
    return bool(held.all())
