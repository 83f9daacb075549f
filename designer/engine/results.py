"""Results of one analysis: a nested mapping of plain values, with what explains and draws them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from designer.model.findings import Finding


@dataclass(frozen=True, slots=True)
class Term:
    """One symbol of a formula: what it stands for, its value and where that comes from.

    Attributes:
        key: Assumption key when the user can change it; ids when it comes from the drawing.
    """

    symbol: str
    meaning: str
    value: float | None
    unit: str
    source: str
    key: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the arithmetic: the expression with numbers put in, and its result."""

    expression: str
    value: float
    unit: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one number was made.

    Attributes:
        key: Dotted key in the results, such as `step.time_s`.
        title: The question, such as “Why 6.26 ms?” without the number.
        formula: With the symbols of the method page.
        parts: (label, seconds or share) of the term bar; empty when it has no parts.
        bottleneck_ids: What the canvas points at.
    """

    key: str
    title: str
    formula: str
    terms: tuple[Term, ...]
    steps: tuple[Step, ...]
    sources: tuple[str, ...] = ()
    parts: tuple[tuple[str, float], ...] = ()
    bottleneck_ids: tuple[str, ...] = ()
    bottleneck: str = ""


Section = Callable[[], Mapping[str, Explanation]]


class Explanations(Mapping[str, Explanation]):
    """Explanations by dotted key, written section by section when somebody asks.

    A person reads one or two of two hundred, so none is written before. A section holds the keys
    that begin with its name; one with an empty name may hold any.
    """

    def __init__(self, sections: Sequence[tuple[str, Section]]) -> None:
        self._open = list(sections)
        self._found: dict[str, Explanation] = {}

    def _write(self, name: str | None) -> None:
        """Write the sections of a name, or all of them; what they needed is let go."""
        for section in [s for s in self._open if name is None or s[0] in ("", name)]:
            self._found.update(section[1]())
            self._open.remove(section)

    def __getitem__(self, key: str) -> Explanation:
        if key not in self._found:
            self._write(key.split(".", 1)[0])
        return self._found[key]

    def __iter__(self) -> Iterator[str]:
        self._write(None)
        return iter(self._found)

    def __len__(self) -> int:
        self._write(None)
        return len(self._found)


@dataclass(frozen=True, slots=True)
class Results:
    """What `analyze` returns.

    Attributes:
        values: The object that `analyze --json` writes; see the results contract in the help.
        revision: Revision of the design it was computed on.
        findings: Also in `values`, here as records.
        explanations: By dotted key.
        utilization: Peak share of capacity by cable id (0 to 1 and above), maximum over phases
            and directions; cables that carry no compute traffic are absent.
    """

    values: dict[str, Any]
    revision: int = 0
    findings: tuple[Finding, ...] = ()
    explanations: Mapping[str, Explanation] = field(default_factory=dict)
    utilization: Mapping[str, float] = field(default_factory=dict)

    def get(self, dotted: str) -> Any:
        """Return the value at a dotted key; None where it is null or absent.

        Entries of lists are counted from 0: `interference.jobs.0.alone_s`.
        """
        value: Any = self.values
        for part in dotted.split("."):
            if isinstance(value, dict):
                value = value.get(part)
            elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
                value = value[int(part)]
            else:
                return None
        return value

    def reason(self, dotted: str) -> str:
        """Return why a key is null: its own reason or that of a key above it; else empty."""
        reasons = self.values.get("reasons", {})
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            found = reasons.get(".".join(parts[:end]))
            if found:
                return str(found)
        return ""
