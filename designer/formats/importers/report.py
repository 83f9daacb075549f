"""What an import gives: a design, and an account of what was read, inferred, ignored, doubted."""

from dataclasses import dataclass, field

from designer.messages import _, ngettext
from designer.model.design import Design
from designer.units import format_number

# More warnings than this help nobody; the rest is counted.
MOST_WARNINGS = 200


@dataclass(frozen=True, slots=True)
class ImportReport:
    """An account of one import, each entry one sentence.

    Attributes:
        read: What the file holds.
        inferred: What it does not say and how that was concluded.
        ignored: What is no part of a drawing.
        warnings: Faults, in the order of their lines; each names its line.
        counts: `switches`, `hcas`, `hosts`, `sharp`, `cables` (links), `lines`.
    """

    read: tuple[str, ...] = ()
    inferred: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ImportResult:
    """A design without placements, and the account of its import."""

    design: Design
    report: ImportReport


class Journal:
    """Collects the account while a file is read."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.inferred: list[str] = []
        self.ignored: list[str] = []
        self.counts: dict[str, int] = {}
        self._warnings: list[tuple[int, str]] = []

    def warn(self, line: int, text: str) -> None:
        """Note a fault at a line of the file; 0 stands for the whole file."""
        self._warnings.append((line, text))

    def report(self) -> ImportReport:
        """Return the account."""
        found = sorted(self._warnings)
        warnings = [
            _("line {line}: {text}").format(line=line, text=text) if line else text
            for line, text in found[:MOST_WARNINGS]
        ]
        more = len(found) - MOST_WARNINGS
        if more > 0:
            warnings.append(
                ngettext("{n} more warning.", "{n} more warnings.", more).format(
                    n=format_number(more)
                )
            )
        return ImportReport(
            tuple(self.read),
            tuple(self.inferred),
            tuple(self.ignored),
            tuple(warnings),
            dict(self.counts),
        )
