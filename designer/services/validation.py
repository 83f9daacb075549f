"""The model against published measurements, row by row: what `railspine validate` shows.

Every row is evaluated the way a user would: a drawing is generated and analysed. Rows are read
from `resources/validation/`; each is `set` (it was used to choose a parameter), `test`, or
`excluded` with a reason.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from designer.resources import resource

Use = Literal["set", "test", "excluded"]
Verdict = Literal["holds", "misses", "fails", "reported", "excluded", "unknown"]
FOLDER = resource("validation")
# Notes of rows that are known to miss their tolerance begin with this.
KNOWN = "known: "


@dataclass(frozen=True, slots=True)
class Checked:
    """One published figure beside the model's.

    Attributes:
        id: Of the row in its file.
        topic: `collective`, `counts`, `training`, `scaling`, `mfu`, `fabric` or `traffic`.
        use: `set`, `test` or `excluded`.
        what: The set-up, for people.
        group: Rows of one kind that a chart shows on one line.
        published, model: In `unit`; None where there is none.
        unit: Such as `GB/s`, `µs`, `s`, `1`.
        tolerance: Share that the model may be off; None for rows that are only reported.
        absolute: True when the tolerance is a difference in `unit` (points of MFU), not a share.
        note: Why it is excluded or only reported, or what it sets.
        source: Where the figure was published.
    """

    id: str
    topic: str
    use: Use
    what: str
    group: str
    published: float | None
    model: float | None
    unit: str
    tolerance: float | None
    note: str
    source: str
    absolute: bool = False

    @property
    def deviation(self) -> float | None:
        """Return model less published, as a share of it (or in `unit` when `absolute`)."""
        if self.model is None or self.published is None:
            return None
        if self.published == 0 and not self.absolute:
            return None
        off = self.model - self.published
        return off if self.absolute else off / self.published

    @property
    def verdict(self) -> Verdict:
        """Return `holds` or `fails` where there is a tolerance, else why not.

        A row that is known to lie outside, with the likely cause in its note, `misses`.
        """
        if self.use == "excluded":
            return "excluded"
        if self.deviation is None:
            return "unknown"
        if self.tolerance is None:
            return "reported"
        if abs(self.deviation) <= self.tolerance + 1e-12:
            return "holds"
        return "misses" if self.note.startswith(KNOWN) else "fails"


def table(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of one file of `resources/validation`."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)


def number(text: str) -> float | None:
    """Return a number of a table; None for an empty cell."""
    return float(text) if text else None


def use_of(row: dict[str, str]) -> Use:
    """Return how a row is used."""
    found = row["use"]
    if found == "set":
        return "set"
    return "excluded" if found == "excluded" else "test"
