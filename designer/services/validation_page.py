"""The help page of the validation: what is held to which figure, as table and plot."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from designer.formats.native import write_atomically
from designer.messages import N_, _, language
from designer.reports.charts import Deviations, deviation_chart
from designer.services.validation import Checked
from designer.units import format_number, format_percent

CHART = "validation.svg"
TOPICS = {
    "counts": N_("Component counts"),
    "collective": N_("Collective operations"),
    "training": N_("Training steps"),
    "scaling": N_("Scaling of training steps"),
    "mfu": N_("Model FLOP/s utilisation"),
    "fabric": N_("RoCE against InfiniBand"),
    "traffic": N_("Traffic by tier"),
}
VERDICTS = {
    "holds": N_("holds"),
    "misses": N_("misses"),
    "fails": N_("FAILS"),
    "reported": N_("reported"),
    "excluded": N_("excluded"),
    "unknown": N_("no figure"),
}
USES = {"set": N_("set"), "test": N_("test"), "excluded": N_("excluded")}
HEADER = (
    N_("row"),
    N_("use"),
    N_("set-up"),
    N_("published"),
    N_("model"),
    N_("off by"),
    N_("allowed"),
    N_("verdict"),
)


def cells(row: Checked) -> tuple[str, ...]:
    """Return one row as texts, in the order of `HEADER`."""
    return (
        row.id,
        _(USES[row.use]),
        row.what,
        _figure(row.published, row.unit),
        _figure(row.model, row.unit),
        _off(row.deviation, row),
        _off(row.tolerance, row),
        _(VERDICTS[row.verdict]),
    )


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return "—"
    text = format_number(value, 0 if unit == "1" and value == int(value) else 3)
    return text if unit == "1" else f"{text} {unit}"


def _off(value: float | None, row: Checked) -> str:
    if value is None:
        return "—"
    return format_number(value, 2) if row.absolute else format_percent(value)


def summary(rows: Sequence[Checked]) -> str:
    """Return how many rows there are of each kind, in one sentence."""
    verdicts, uses = [r.verdict for r in rows], [r.use for r in rows]
    return _(
        "{n} rows: {set} set a parameter, {test} only test, {excluded} are excluded; {holds} hold, "
        "{misses} miss as known, {fails} fail, {reported} are only reported."
    ).format(
        n=format_number(len(rows)),
        set=uses.count("set"),
        test=uses.count("test"),
        excluded=uses.count("excluded"),
        holds=verdicts.count("holds"),
        misses=verdicts.count("misses"),
        fails=verdicts.count("fails"),
        reported=verdicts.count("reported"),
    )


def page(rows: Sequence[Checked]) -> str:
    """Return the help page as Markdown."""
    return "\n".join(_lines(rows)) + "\n"


def _lines(rows: Sequence[Checked]) -> Iterator[str]:
    yield "# " + _("Validation: the model against published figures")
    yield ""
    yield _(
        "Made by “railspine validate --page FOLDER”; each row is drawn from a template and "
        "analysed as any drawing. “Set” rows chose a parameter of the model, “test” rows did not. "
        "A row without an allowed deviation is only reported. Rows that miss are known, with their "
        "likely cause."
    )
    yield ""
    yield _(
        "Training runs on RoCE count as tuned by experts where their paper describes it: many "
        "flows between two GPUs, fewer hash conflicts, congestion control of their own."
    )
    yield ""
    yield summary(rows)
    yield ""
    yield f"![{_('Deviations by kind of row')}]({CHART})"
    for topic, title in TOPICS.items():
        mine = [row for row in rows if row.topic == topic]
        yield from ("", "## " + _(title), "")
        yield "| " + " | ".join(_(text) for text in HEADER) + " |"
        yield "|" + "---|" * len(HEADER)
        for row in mine:
            yield "| " + " | ".join(cells(row)) + " |"
        notes = [row for row in mine if row.note and row.verdict in ("misses", "fails", "excluded")]
        yield ""
        for row in notes:
            yield f"- {row.id}: {row.note}"
    yield from ("", "## " + _("Sources"), "")
    for source in sorted({row.source for row in rows}):
        yield f"- {source}"


def chart(rows: Sequence[Checked]) -> str:
    """Return the deviations of all rows with an allowed one, by kind, as SVG."""
    held: dict[tuple[str, float], list[Checked]] = {}
    for row in rows:
        if row.tolerance and row.deviation is not None and not row.absolute:
            held.setdefault((row.group, row.tolerance), []).append(row)
    lines = [
        Deviations(
            group,
            [r.deviation for r in some if r.deviation is not None and r.verdict == "holds"],
            [r.deviation for r in some if r.deviation is not None and r.verdict != "holds"],
            tolerance,
        )
        for (group, tolerance), some in held.items()
    ]
    return deviation_chart(lines, _("Deviations by kind of row"))


def write_page(rows: Sequence[Checked], folder: Path) -> list[Path]:
    """Write the page and its plot into a help folder; returns their paths.

    Raises:
        FileError: The folder cannot be written.
    """
    own = folder if language() == "en" else folder / language()
    texts = {own / "validation.md": page(rows), own / CHART: chart(rows)}
    for path, text in texts.items():
        write_atomically(path, text.encode("utf-8"))
    return list(texts)
