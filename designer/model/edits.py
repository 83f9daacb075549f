"""Edits: the only way a design changes. A label and swaps of records, all or nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Swap(NamedTuple):
    """Replace record `id` of `table`: from `before` to `after`; None means absent."""

    table: str
    id: str
    before: object | None
    after: object | None


@dataclass(frozen=True, slots=True)
class Edit:
    """A named change of a design.

    Attributes:
        label: What the undo history shows, in the language in use when it was made.
        swaps: Record changes; one per (table, id).
    """

    label: str
    swaps: tuple[Swap, ...]

    def __bool__(self) -> bool:
        return bool(self.swaps)

    def inverse(self) -> "Edit":
        """Return the edit that undoes this one."""
        return Edit(self.label, tuple(Swap(t, i, a, b) for t, i, b, a in reversed(self.swaps)))

    def then(self, second: "Edit") -> "Edit":
        """Return one edit that does this and then `second`, under the label of this one."""
        return merge(self.label, (self, second))

    def tables(self) -> frozenset[str]:
        """Return the names of the tables it touches."""
        return frozenset(s.table for s in self.swaps)

    def ids(self, table: str) -> list[str]:
        """Return the ids it touches in one table, in order."""
        return [s.id for s in self.swaps if s.table == table]


def merge(label: str, edits: Iterable[Edit]) -> Edit:
    """Return one edit with the effect of `edits` in order; records that end as they began drop out.

    Raises:
        ValueError: Two edits do not follow from one another (a programming fault).
    """
    first: dict[tuple[str, str], object | None] = {}
    last: dict[tuple[str, str], object | None] = {}
    for edit in edits:
        for table, id_, before, after in edit.swaps:
            key = (table, id_)
            if key in last:
                if last[key] != before:
                    raise ValueError(f"edits do not follow: {table}/{id_}")
            else:
                first[key] = before
            last[key] = after
    swaps = tuple(
        Swap(table, id_, first[table, id_], after)
        for (table, id_), after in last.items()
        if first[table, id_] != after
    )
    return Edit(label, swaps)
