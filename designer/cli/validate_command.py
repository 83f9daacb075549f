"""`railspine validate`: the model against published measurements, row by row."""

import argparse
from dataclasses import asdict

from designer.cli.context import Context
from designer.messages import _
from designer.services.validate import validate
from designer.services.validation import Checked
from designer.services.validation_page import HEADER, TOPICS, cells, summary, write_page


def run_validation(options: argparse.Namespace, context: Context) -> int:
    """Print every row; 1 when one is off that is not known to be."""
    rows = validate(context.catalog, lambda id_: context.step(_("row {id}").format(id=id_)))
    if options.page is not None:
        for path in write_page(rows, options.page):
            context.progress(str(path))
    if options.json:
        context.rows("validate", [_as_dict(row) for row in rows])
    else:
        for topic, title in TOPICS.items():
            _print(context, _(title), [r for r in rows if r.topic == topic])
        context.line(summary(rows))
    return 1 if any(row.verdict == "fails" for row in rows) else 0


def _as_dict(row: Checked) -> dict[str, object]:
    return {**asdict(row), "deviation": row.deviation, "verdict": row.verdict}


def _print(context: Context, title: str, rows: list[Checked]) -> None:
    context.line(title)
    context.table([cells(row) for row in rows], tuple(_(text) for text in HEADER))
    for row in rows:
        if row.verdict in ("fails", "misses", "excluded"):
            context.line(f"  {row.id}: {row.note}")
    context.line()
