"""The native file: UTF-8 JSON, one record a line, opened field by field, saved atomically.

Nothing a file holds is dropped: a record that cannot be read, and what depends on it, is kept aside
as it stood and written back into its own table; unknown fields and unknown parts survive too.
"""

import json
import math
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from designer.errors import FileError
from designer.formats.atomic import write_atomically
from designer.formats.json_text import Document, parse
from designer.formats.kept import Returned, keep, kept_from_json, set_aside
from designer.formats.migrations import VERSION, migrate
from designer.formats.records_json import FROM_JSON, KNOWN, TO_JSON, RecordError
from designer.messages import _
from designer.model.collection import collection_paused
from designer.model.design import TABLES, Design
from designer.model.records import KeptRecord

__all__ = ["ENDING", "MAX_BYTES", "dumps", "loads", "open_design", "save", "write_atomically"]

ENDING = ".railspine.json"
# A hundred thousand GPUs with every cable a record of its own take 30 MB.
MAX_BYTES = 1 << 28
_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "), allow_nan=False).encode


# --- writing -------------------------------------------------------------------------------------


def dumps(design: Design) -> str:
    """Return a design as the text of its file; the same design gives the same text."""
    returned = Returned(design)
    parts = [f'{{\n"format": "railspine",\n"version": {VERSION}']
    for name in TABLES:
        rows = list(_rows(design, returned, name))
        if rows:
            parts.append(f'"{name}": {{\n' + ",\n".join(rows) + "\n}")
    for key, raw in sorted(returned.rows.get("", {}).items()):
        parts.append(f"{_text(key)}: {_text(raw)}")
    text = ",\n".join(parts) + "\n}\n"
    # half a surrogate pair can stand in JSON as an escape only
    return _SURROGATE.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def _text(value: Any) -> str:
    try:
        return _ENCODE(value)
    except ValueError:  # a number that is none must not keep the rest from being saved
        return _ENCODE(_without_nan(value))


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_nan(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _rows(design: Design, returned: Returned, name: str) -> Iterator[str]:
    """Yield the lines of one table, by id: records that are drawn and records kept for it."""
    drawn = design.table(name) if name != "kept" else returned.parked
    convert, kept = TO_JSON.get(name), returned.rows.get(name, {})
    fields = returned.fields.get(name, {})
    for id_ in sorted({**drawn, **kept}):
        if id_ in kept:
            value = kept[id_]
        else:
            value = convert(drawn[id_]) if convert else drawn[id_]
            if id_ in fields:
                value = {**fields[id_], **value}
        yield f"{_text(id_)}: {_text(value)}"


def save(design: Design, path: Path) -> None:
    """Write a design to `path` in one step; the file that was there stays as `NAME~`.

    Raises:
        FileError: It could not be written; the file on disk is as it was.
    """
    write_atomically(path, dumps(design).encode("utf-8"), backup=True)


# --- reading -------------------------------------------------------------------------------------


def open_design(path: Path) -> Design:
    """Read a drawing; never writes.

    Raises:
        FileError: No such file, no drawing, or of a newer version.
    """
    data = read_bytes(path, MAX_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise FileError(
            _("{path} is not UTF-8 text (byte {n}).").format(path=path.name, n=fault.start),
            _("A drawing is a JSON file in UTF-8; other files are opened with File > Import."),
        ) from fault
    return loads(text, path.name)


def read_bytes(path: Path, limit: int) -> bytes:
    """Return the contents of a file of at most `limit` bytes.

    Raises:
        FileError: It is no file, too large, or cannot be read.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise FileError(_("{path} is no file.").format(path=path), _("Choose a file."))
        if found.st_size > limit:
            raise FileError(
                _("{path} is larger than {n} MB.").format(path=path, n=limit >> 20),
                _("No drawing or wiring file of this program is."),
            )
        return path.read_bytes()
    except (OSError, ValueError) as fault:
        what = getattr(fault, "strerror", None) or fault
        raise FileError(
            _("{path} cannot be read: {fault}").format(path=path, fault=what),
            _("Check the path and its permissions."),
        ) from fault


def loads(text: str, where: str = "") -> Design:
    """Build a design from the text of a file; `where` names it in errors.

    Raises:
        FileError: The text is no drawing; names line and column where JSON breaks.
    """
    with collection_paused():
        document = parse(text.removeprefix("\ufeff"), where)
        if document.data.get("format") != "railspine":
            raise FileError(
                _("{where} is not a Railspine drawing.").format(where=where),
                _("Other files are opened with File > Import."),
            )
        document.data = migrate(document.data, where)
        return _build(document)


def _build(document: Document) -> Design:
    design = Design()
    for name, table in document.data.items():
        if name in ("format", "version"):
            continue
        if name not in TABLES or not isinstance(table, dict):
            reason = (
                _("An object was expected.")
                if name in TABLES
                else _("This part of the file is unknown.")
            )
            keep(design, KeptRecord("", name, table, reason, document.line("", name)))
        elif name == "kept":
            _read_kept(design, table, document)
        else:
            _read_table(design, name, table, document)
    set_aside(design, document)
    return design


def _read_table(design: Design, name: str, table: dict[str, Any], document: Document) -> None:
    build, known, target = FROM_JSON[name], KNOWN.get(name), design.table(name)
    for id_, raw in table.items():
        try:
            if known is not None and type(raw) is not dict:
                raise RecordError(_("An object was expected."))
            target[id_] = build(id_, raw)
        except RecordError as fault:
            keep(design, KeptRecord(name, id_, raw, str(fault), document.line(name, id_)))
            continue
        if known is not None and not known.issuperset(raw):
            extra = {k: v for k, v in raw.items() if k not in known}
            reason = _("Fields that this version does not know: {names}.").format(
                names=", ".join(extra)
            )
            line = document.line(name, id_)
            keep(design, KeptRecord(name, id_, extra, reason, line, "fields"))


def _read_kept(design: Design, table: dict[str, Any], document: Document) -> None:
    for id_, raw in table.items():
        line = document.line("kept", id_)
        try:
            record = kept_from_json(raw, line)
        except RecordError as fault:
            record = KeptRecord("kept", id_, raw, str(fault), line)
        keep(design, record)
