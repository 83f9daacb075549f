"""Reads JSON two levels deep, record by record, so that every record's place is known.

The records themselves are decoded by the standard library. What it lets pass is refused here, with
line and column: a key that stands twice, numbers that are none, nesting without end.
"""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from designer.errors import FileError
from designer.messages import N_, _

# Deeper values would exhaust the stack of whoever compares or writes them later.
MAX_DEPTH = 64
_SPACE = re.compile(r"[ \t\n\r]*")
# A member up to its value; keys with escapes take the slow way.
_MEMBER = re.compile(r'[ \t\n\r]*"([^"\\\x00-\x1f]*)"[ \t\n\r]*:[ \t\n\r]*')

# What is left of a text that ends in the middle of a word or number.
_LAST_WORD = re.compile(r"[\w.+\\-]*\s*")
# Faults the standard library finds, in our words.
_FAULTS = {
    "Expecting value": N_("A value is expected."),
    "Expecting ',' delimiter": N_("A comma or a closing bracket is expected."),
    "Expecting ':' delimiter": N_("A colon is expected."),
    "Expecting property name enclosed in double quotes": N_("A name in double quotes is expected."),
    "Invalid control character at": N_("A line break or control character stands in a text."),
    "Invalid \\escape": N_("A backslash stands before a character that needs none."),
    "Invalid \\uXXXX escape": N_("“\\u” needs four hexadecimal digits."),
}


class _ValueRefusedError(ValueError):
    """A value that the standard library would let pass."""


class _BrokenTextError(Exception):
    """The text breaks at a position; it may be because its end is missing."""

    def __init__(self, what: str, at: int, *, may_be_cut: bool = True) -> None:
        super().__init__(what)
        self.what, self.at, self.may_be_cut = what, at, may_be_cut


@dataclass(slots=True)
class Document:
    """The outer two levels of a file: values by table and id, and where each record begins."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)
    starts: dict[str, dict[str, int]] = field(default_factory=dict)
    _breaks: list[int] | None = None

    def line(self, table: str, id_: str) -> int | None:
        """Return the line of a record, from 1; of a part of the file when `table` is empty."""
        at = self.starts.get(table, {}).get(id_)
        if at is None:
            return None
        if self._breaks is None:
            self._breaks = [m.start() for m in re.finditer("\n", self.text)]
        return bisect_right(self._breaks, at) + 1


def parse(text: str, where: str) -> Document:
    """Read the text of a file.

    Raises:
        FileError: It is no JSON object; names line and column of the fault.
    """
    document = Document(text)
    if not text.strip("\0 \t\r\n"):
        raise FileError(_("{where} is empty.").format(where=where), backup_hint(where))
    if _SPACE.match(text).end() != text.find("{"):  # type: ignore[union-attr]
        raise FileError(
            _("{where} is not a Railspine drawing.").format(where=where),
            _("Other files are opened with File > Import."),
        )
    try:
        end = _object(document, "", text.find("{") + 1)
        if _skip(text, end) != len(text):
            what = _("Nothing may follow the closing brace.")
            raise _BrokenTextError(what, _skip(text, end), may_be_cut=False)
    except _BrokenTextError as fault:
        raise _error(text, where, fault) from fault
    return document


def backup_hint(where: str) -> str:
    """Return where to find the version before, for a file that cannot be read."""
    if where.endswith("~"):
        return _("The file was not changed.")
    return _(
        "The file was not changed. If “{name}~” stands beside it, it holds the version before the "
        "last save."
    ).format(name=where)


def _error(text: str, where: str, fault: _BrokenTextError) -> FileError:
    line = text.count("\n", 0, fault.at) + 1
    column = fault.at - (text.rfind("\n", 0, fault.at) + 1) + 1
    if fault.may_be_cut and _LAST_WORD.fullmatch(text, fault.at):
        message = _("{where} is cut off in line {line}.").format(where=where, line=line)
    else:
        message = _("{where}: line {line}, column {column}: {what}").format(
            where=where, line=line, column=column, what=fault.what
        )
    return FileError(message, backup_hint(where))


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _object(document: Document, table: str, at: int) -> int:
    """Read the members of the object that opened before `at`; return where it ends."""
    text, values = document.text, document.data
    if table:
        values = document.data.setdefault(table, {})
    starts = document.starts.setdefault(table, {})
    at = _skip(text, at)
    if text.startswith("}", at):
        return at + 1
    while True:
        start = _skip(text, at)
        key, at = _key(text, at)
        if key in values:
            raise _BrokenTextError(
                _("“{key}” stands here for the second time.").format(key=key), start
            )
        starts[key] = start
        if not table and key and text.startswith("{", at):
            at = _object(document, key, at + 1)
            values.setdefault(key, {})
        else:
            values[key], at = _value(text, at)
        at = _skip(text, at)
        mark = text[at : at + 1]
        at += 1
        if mark == "}":
            return at
        if mark != ",":
            raise _BrokenTextError(_("A comma or a closing brace is expected."), at - 1)


def _key(text: str, at: int) -> tuple[str, int]:
    found = _MEMBER.match(text, at)
    if found is not None:
        return found[1], found.end()
    at = _skip(text, at)
    if not text.startswith('"', at):
        raise _BrokenTextError(_("A name in double quotes is expected."), at)
    key, at = _value(text, at)
    at = _skip(text, at)
    if not text.startswith(":", at):
        raise _BrokenTextError(_("A colon is expected."), at)
    return str(key), _skip(text, at + 1)


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as fault:
        raise _broken(fault) from fault
    except RecursionError as fault:
        raise _BrokenTextError(_("Values are nested too deeply."), at) from fault
    except ValueError as fault:  # also: more digits than Python reads
        raise _BrokenTextError(str(fault), at) from fault
    if end - at > 2 * MAX_DEPTH and _too_deep(value):
        raise _BrokenTextError(_("Values are nested too deeply."), at)
    return value, end


def _broken(fault: json.JSONDecodeError) -> _BrokenTextError:
    if fault.msg.startswith("Unterminated string"):  # it runs to the end of the text
        return _BrokenTextError(fault.msg, len(fault.doc))
    known = next((text for start, text in _FAULTS.items() if fault.msg.startswith(start)), "")
    return _BrokenTextError(_(known) if known else fault.msg, fault.pos)


def _too_deep(value: Any) -> bool:
    layer = [value]
    for _level in range(MAX_DEPTH):
        inner: list[Any] = []
        for one in layer:
            if isinstance(one, dict):
                inner.extend(v for v in one.values() if isinstance(v, (dict, list)))
            elif isinstance(one, list):
                inner.extend(v for v in one if isinstance(v, (dict, list)))
        if not inner:
            return False
        layer = inner
    return True


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _value in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _ValueRefusedError(_("A record holds “{key}” twice.").format(key=twice))
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise _ValueRefusedError(_("{number} is too large a number.").format(number=text))
    return value


def _constant(name: str) -> float:
    raise _ValueRefusedError(_("{name} is no number.").format(name=name))


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_constant
)
