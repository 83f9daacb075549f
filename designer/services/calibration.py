"""From an nccl-tests log to assumptions of a drawing that say where they come from."""

import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from pathlib import Path

from designer.catalog.catalog import Catalog
from designer.engine.algorithms import bus_factor
from designer.engine.calibrate import Calibration, calibrate
from designer.engine.calibrate_fit import Fitted
from designer.engine.options import OPERATIONS, Algorithm, Operation
from designer.engine.samples import Sample
from designer.errors import FileError, ParameterError
from designer.formats.importers.nccl_log import OPERATION_OF, NcclLog, parse_nccl_logs
from designer.messages import _, ngettext
from designer.model.assumptions import parameters
from designer.model.design import Design
from designer.model.edits import Edit, merge
from designer.model.operations import set_assumption
from designer.model.records import AssumptionValue
from designer.units import format_binary_size, format_number, format_percent

# No log of nccl-tests comes near this; a larger file is something else.
_MOST_BYTES = 64 * 2**20
# The name of a GPU in what it calls itself, such as `H100` or `GB200`.
_MODEL = re.compile(r"\b[A-Z]{1,3}\d{2,4}")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person says about a log beside what it says itself.

    Attributes:
        operation, ranks: In place of what the log says; None: as in the log.
        algorithm: What NCCL was forced to.
    """

    operation: Operation | None = None
    ranks: int | None = None
    algorithm: Algorithm = "auto"


def read_log(path: Path) -> str:
    """Return the text of a log.

    Raises:
        FileError: It cannot be read.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise FileError(_("{path} is too large for a log of nccl-tests.").format(path=path))
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as fault:
        raise FileError(
            _("{path} cannot be read: {fault}").format(path=path, fault=fault.strerror)
        ) from fault


def calibrate_to_log(
    design: Design,
    catalog: Catalog,
    text: str,
    asked: Asked | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Calibration:
    """Fit the drawing's assumptions to a log.

    Raises:
        FileError: The text is no log of nccl-tests.
        ParameterError: Operation or ranks are unknown or do not fit the log or the drawing.
        CancelledError: `cancelled()` became true.
    """
    asked = asked or Asked()
    log = _chosen(parse_nccl_logs(text), asked)
    operation, ranks = _operation(log, asked), _ranks(log, asked)
    samples = [
        Sample(m.size_bytes, m.time_s, m.algorithm_bandwidth, m.bus_bandwidth, m.line)
        for m in log.rows
    ]
    hosts = log.per_host if asked.ranks is None else ()
    found = calibrate(design, catalog, operation, ranks, samples, asked.algorithm, cancelled, hosts)
    notes = (*log.notes, *_mirrored(log), *_other_gpus(design, log), *found.notes)
    return replace(found, notes=notes)


def calibration_edit(
    design: Design,
    found: Calibration,
    name: str,
    today: date,
    keys: Collection[str] | None = None,
) -> Edit:
    """Return the edit that stores fitted assumptions with the log as their source.

    Args:
        design: The drawing.
        found: The fit.
        name: Of the log.
        today: Date of the assumptions.
        keys: Which of the fitted assumptions; None for all.
    """
    source = _("fitted to {operation} on {ranks} ranks, {name}").format(
        operation=found.operation, ranks=format_number(found.ranks), name=name
    )
    day = today.isoformat()
    edits = [
        set_assumption(design, f.key, AssumptionValue(f.after, source, day))
        for f in found.fitted
        if keys is None or f.key in keys
    ]
    return merge(_("Calibrate to {name}").format(name=name), tuple(edits))


def together(found: Calibration) -> list[tuple[Fitted, ...]]:
    """Return what was fitted, the latencies that were scaled by one factor together."""
    rows: dict[tuple[str, float], list[int]] = {}
    for k, f in enumerate(found.fitted):
        p = parameters()[f.key]
        moved = math.log(f.after.typical / f.before.typical)
        rows.setdefault((f.key if p.unit == "1" else "s", round(moved, 6)), []).append(k)
    return [tuple(found.fitted[k] for k in members) for members in rows.values()]


def factors(found: Calibration) -> list[tuple[str, ...]]:
    """Return what was fitted for people, a line for each of `together`.

    Columns: label, before, after, half the range after, change.
    """
    out: list[tuple[str, ...]] = []
    for members in together(found):
        first = members[0]
        p = parameters()[first.key]
        label = _(p.label)
        if len(members) > 1:
            more = len(members) - 1
            text = ngettext("{label} and {n} more", "{label} and {n} more", more)
            label = text.format(label=label, n=format_number(more))
        factor = "× " + format_number(first.after.typical / first.before.typical, 2)
        before, after = (_shown(r.typical, p.unit) for r in (first.before, first.after))
        reach = "± " + _shown((first.after.high - first.after.low) / 2, p.unit)
        out.append((label, before, after, reach, factor))
    return out


def times(found: Calibration) -> list[tuple[str, ...]]:
    """Return every time for people.

    Columns: size, measured, model before and after, deviation after, measured bus bandwidth.
    """
    factor = bus_factor(found.operation, found.ranks)
    return [
        (
            format_binary_size(s.size_bytes),
            *(_shown(t, "s") for t in (s.time_s, before, after)),
            _signed(after / s.time_s - 1),
            f"{format_number(factor * s.size_bytes / s.time_s / 1e9, 1)} GB/s",
        )
        for s, before, after in zip(found.samples, found.before_s, found.after_s, strict=True)
    ]


def bandwidths(found: Calibration) -> tuple[list[float], list[float], list[float]]:
    """Return the bus bandwidths of every sample, bytes/s: measured, model before, model after."""
    factor = bus_factor(found.operation, found.ranks)
    sizes = [factor * s.size_bytes for s in found.samples]
    columns = ([s.time_s for s in found.samples], found.before_s, found.after_s)
    measured, before, after = (
        [size / time for size, time in zip(sizes, column, strict=True)] for column in columns
    )
    return measured, before, after


def summary(found: Calibration) -> str:
    """Return how far the model was off before and after, in one sentence."""
    return _(
        "{n} times measured; the model was {before} off on average and is {after} off after the "
        "fit."
    ).format(
        n=format_number(len(found.samples)),
        before=format_percent(math.expm1(found.error_before)),
        after=format_percent(math.expm1(found.error_after)),
    )


def _signed(share: float) -> str:
    share = round(share, 3) or 0.0
    return ("+" if share > 0 else "") + format_percent(share)


def _shown(value: float, unit: str) -> str:
    if unit == "s":
        return f"{format_number(value * 1e6, 2)} µs"
    return format_percent(value)


def _chosen(logs: Sequence[NcclLog], asked: Asked) -> NcclLog:
    """Return the table that was asked for; those of one program and machine are one.

    Raises:
        ParameterError: Several tables are left that measured different things.
    """
    wanted = asked.operation
    left = [x for x in logs if wanted is None or OPERATION_OF.get(x.program) == wanted] or logs
    left = [x for x in left if asked.ranks is None or x.ranks == asked.ranks] or left
    first = left[0]
    same = (first.program, first.per_host, first.devices)
    if all((x.program, x.per_host, x.devices) == same for x in left):
        rows, notes = ((x.rows for x in left), (x.notes for x in left))
        return replace(first, rows=tuple(chain(*rows)), notes=tuple(chain(*notes)))
    tables = [
        _("line {line}: {program} on {ranks} ranks").format(
            line=x.line, program=x.program or "?", ranks="?" if x.ranks is None else x.ranks
        )
        for x in left
    ]
    raise ParameterError(
        _("The log holds tables of different runs ({tables}).").format(tables="; ".join(tables)),
        _("Choose the collective and the ranks, or give one run only."),
    )


def _mirrored(log: NcclLog) -> list[str]:
    """Return a note where one operation stands for another."""
    if log.program != "reduce_perf":
        return []
    return [
        _("A reduce is taken for a broadcast the other way: as many bytes over the same links.")
    ]


def _other_gpus(design: Design, log: NcclLog) -> list[str]:
    """Return a note when the log names a GPU that no server of the drawing has."""
    drawn = {p.gpu.model for p in design.types.values() if p.gpu is not None and p.gpu.model}
    names = {m[0] for model in drawn for m in [_MODEL.search(model)] if m}
    for device in log.devices:
        found = _MODEL.search(device)
        if found and names and found[0] not in names:
            text = _("The log was measured on {device}; the drawing has {drawn}.")
            return [text.format(device=device, drawn=", ".join(sorted(drawn)))]
    return []


def _operation(log: NcclLog, asked: Asked) -> Operation:
    if asked.operation is not None:
        return asked.operation
    known = OPERATION_OF.get(log.program)
    for operation in OPERATIONS:
        if operation == known:
            return operation
    if log.program:
        raise ParameterError(
            _("The log is of {program}, which the model has no formula for.").format(
                program=log.program
            ),
            _("These can be fitted: {names}.").format(names=", ".join(OPERATION_OF)),
        )
    raise ParameterError(
        _("The log does not say which collective it measured."),
        _("Name the collective, such as all_reduce."),
    )


def _ranks(log: NcclLog, asked: Asked) -> int:
    if asked.ranks is not None:
        return asked.ranks
    if log.ranks is None:
        raise ParameterError(
            _("The log does not list the ranks that were measured."),
            _("Say how many GPUs took part."),
        )
    return log.ranks
