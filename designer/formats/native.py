"""The native file: UTF-8 JSON, one record a line, opened field by field, saved atomically.

Nothing a file holds is dropped: a record that cannot be read, and what depends on it, is kept aside
as it stood and written back into its own table; unknown fields and unknown tables survive too.
"""

import json
import os
import re
import stat
import tempfile
from pathlib import Path
from typing import Any

from designer.errors import FileError
from designer.formats.migrations import VERSION, migrate
from designer.formats.records_json import FROM_JSON, KNOWN, TO_JSON, RecordError
from designer.messages import _
from designer.model.design import TABLES, Design
from designer.model.records import KeptRecord

ENDING = ".railspine.json"
MAX_BYTES = 1 << 30
_WRITTEN = tuple(t for t in TABLES if t != "kept")


# --- writing -------------------------------------------------------------------------------------


def dumps(design: Design) -> str:
    """Return a design as the text of its file; the same design gives the same text."""
    parts = [f'{{\n"format": "railspine",\n"version": {VERSION}']
    kept = _kept_by_table(design)
    for name in (*_WRITTEN, *sorted(set(kept) - set(_WRITTEN) - {""})):
        rows = _rows(design, name, kept.get(name, {}))
        if rows:
            parts.append(f'"{name}": {{\n' + ",\n".join(rows) + "\n}")
    for key, raw in sorted(kept.get("", {}).items()):
        parts.append(f"{json.dumps(key)}: {_text(raw)}")
    return ",\n".join(parts) + "\n}\n"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)


def _kept_by_table(design: Design) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for record in design.kept.values():
        found.setdefault(record.table, {})[record.id] = record.raw
    return found


def _rows(design: Design, name: str, kept: dict[str, Any]) -> list[str]:
    table = design.table(name) if name in _WRITTEN else {}
    convert = TO_JSON.get(name)
    rows = []
    for id_ in sorted({*table, *kept}):
        if id_ in table and convert is not None:
            value = convert(table[id_])
            extra = kept.get(id_)
            if isinstance(value, dict) and isinstance(extra, dict):
                value = {**value, **{k: v for k, v in extra.items() if k not in value}}
        else:
            value = kept[id_]
        rows.append(f"{json.dumps(id_, ensure_ascii=False)}: {_text(value)}")
    return rows


def save(design: Design, path: Path) -> None:
    """Write a design to `path` in one step; the file that was there stays as `NAME~`.

    Raises:
        FileError: It could not be written; the file on disk is as it was.
    """
    write_atomically(path, dumps(design).encode("utf-8"), backup=True)


def write_atomically(path: Path, data: bytes, *, backup: bool = False) -> None:
    """Replace a file by `data`: temporary file beside it, flush, fsync, rename.

    A symbolic link keeps pointing to its file, and the file keeps its permissions.

    Raises:
        FileError: Any step failed; the old file is untouched and no temporary file stays.
    """
    target = Path(os.path.realpath(path))
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".tmp", dir=target.parent
        )
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _copy_mode(target, temporary)
        if backup and target.exists():
            _keep_backup(target)
        os.replace(temporary, target)  # noqa: PTH105 - its failures are what tests provoke
        _sync_folder(target.parent)
    except OSError as fault:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise FileError(
            _("Not saved: {path}: {fault}").format(path=path, fault=fault.strerror or fault),
            _("The file on disk is as it was. Save elsewhere, or make room and try again."),
        ) from fault


def _copy_mode(target: Path, temporary: str) -> None:
    if target.exists():
        os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))  # noqa: PTH101
    else:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)  # noqa: PTH101


def _keep_backup(target: Path) -> None:
    """Keep the present file as `NAME~` without a moment in which neither name exists."""
    old = target.with_name(target.name + "~")
    spare = target.with_name(f".{target.name}.{os.getpid()}.old")
    spare.unlink(missing_ok=True)
    try:
        os.link(target, spare)
    except OSError:  # a file system without hard links
        spare.write_bytes(target.read_bytes())
    os.replace(spare, old)  # noqa: PTH105


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:  # some network file systems refuse; the rename has happened
        pass
    finally:
        os.close(handle)


# --- reading -------------------------------------------------------------------------------------


def open_design(path: Path) -> Design:
    """Read a drawing; never writes.

    Raises:
        FileError: No such file, no drawing, or of a newer version.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise FileError(
                _("{path} is larger than {n} MB.").format(path=path, n=MAX_BYTES >> 20),
                _("It is no Railspine drawing."),
            )
        data = path.read_bytes()
    except OSError as fault:
        raise FileError(
            _("{path} cannot be read: {fault}").format(path=path, fault=fault.strerror or fault),
            _("Check the path and its permissions."),
        ) from fault
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise FileError(
            _("{path} is not UTF-8 text (byte {n}).").format(path=path.name, n=fault.start),
            _("A drawing is a JSON file."),
        ) from fault
    return loads(text, path.name)


def loads(text: str, where: str = "") -> Design:
    """Build a design from the text of a file.

    Raises:
        FileError: The text is no drawing; names line and column where JSON breaks.
    """
    data = migrate(_parse(text, where), where)
    design = Design()
    for name, table in data.items():
        if name in ("format", "version"):
            continue
        if name not in FROM_JSON or not isinstance(table, dict):
            _keep(design, "", name, table, _("This part of the file is unknown."), None)
            continue
        _read_table(design, name, table, text)
    _set_aside_dependents(design, text)
    return design


def _parse(text: str, where: str) -> dict[str, Any]:
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as fault:
        cut = fault.pos >= len(text.rstrip())
        raise FileError(
            _("{where} is cut off in line {line}.").format(where=where, line=fault.lineno)
            if cut
            else _("{where}: line {line}, column {column}: {what}").format(
                where=where, line=fault.lineno, column=fault.colno, what=fault.msg
            ),
            _("The file was not changed. The version before the last save is in “{name}~”.").format(
                name=where
            ),
        ) from fault
    except (RecursionError, ValueError) as fault:
        raise FileError(
            _("{where} cannot be read: {fault}").format(where=where, fault=fault),
            _("It is no Railspine drawing."),
        ) from fault
    if not isinstance(data, dict) or data.get("format") != "railspine":
        raise FileError(
            _("{where} is not a Railspine drawing.").format(where=where),
            _("Other files are opened with File > Import."),
        )
    _refuse_duplicates(text, data, where)
    return data


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


_KEY = re.compile(r'^\s*("(?:[^"\\]|\\.)*")\s*:', re.MULTILINE)


def _refuse_duplicates(text: str, data: dict[str, Any], where: str) -> None:
    """Refuse a file that names a record twice: one of the two would be lost silently.

    The count of lines that begin with a key is compared first, as the full look is slow.
    """
    lines = len(_KEY.findall(text))
    records = len(data) + sum(len(t) for t in data.values() if isinstance(t, dict))
    if lines == records:
        return

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for key, value in items:
            if key in seen:
                raise FileError(
                    _("{where} holds “{key}” twice.").format(where=where, key=key),
                    _("Rename or remove one of them in a text editor; nothing was changed."),
                )
            seen[key] = value
        return seen

    json.loads(text, object_pairs_hook=pairs)


def _read_table(design: Design, name: str, table: dict[str, Any], text: str) -> None:
    build, known, target = FROM_JSON[name], KNOWN.get(name), design.table(name)
    for id_, raw in table.items():
        if name != "placements" and not isinstance(raw, dict):
            _keep(design, name, id_, raw, _("An object was expected."), text)
            continue
        try:
            target[id_] = build(id_, raw)
        except RecordError as fault:
            _keep(design, name, id_, raw, str(fault), text)
            continue
        if known is not None and not known.issuperset(raw):
            extra = {k: v for k, v in raw.items() if k not in known}
            _keep(
                design,
                name,
                id_,
                extra,
                _("Fields {names} are unknown.").format(names=", ".join(extra)),
                text,
            )


def _keep(design: Design, table: str, id_: str, raw: Any, reason: str, text: str | None) -> None:
    design.kept[f"{table}/{id_}"] = KeptRecord(table, id_, raw, reason, _line(text, id_))


def _line(text: str | None, id_: str) -> int | None:
    if text is None:
        return None
    place = text.find(json.dumps(id_, ensure_ascii=False) + ":")
    return text.count("\n", 0, place) + 1 if place >= 0 else None


def _set_aside_dependents(design: Design, text: str) -> None:
    """Keep what hangs on a damaged device beside it, so that repairing it brings all back."""
    gone = {
        r.id for r in design.kept.values() if r.table == "devices" and r.id not in design.devices
    }
    if not gone:
        return
    reason = _("It waits for a device that could not be read.")
    for id_, cable in list(design.cables.items()):
        if cable.a.device in gone or cable.b.device in gone:
            _keep(design, "cables", id_, TO_JSON["cables"](cable), reason, text)
            del design.cables[id_]
    for id_ in gone & set(design.placements):
        _keep(
            design, "placements", id_, TO_JSON["placements"](design.placements[id_]), reason, text
        )
        del design.placements[id_]
