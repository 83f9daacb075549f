"""`railspine calibrate`: fit the model's assumptions to an nccl-tests log."""

import argparse
import sys
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path

from designer.cli.context import Context
from designer.engine.calibrate import Calibration
from designer.formats import native
from designer.messages import N_, _
from designer.services.calibration import (
    Asked,
    calibrate_to_log,
    calibration_edit,
    factors,
    read_log,
    summary,
    times,
)
from designer.services.create import open_file

_TIMES = (
    N_("size"),
    N_("measured"),
    N_("model before"),
    N_("model after"),
    N_("deviation"),
    N_("bus bandwidth"),
)
_FITTED = (N_("assumption"), N_("before"), N_("after"), N_("± 95 %"), N_("factor"))


def run_calibration(options: argparse.Namespace, context: Context) -> int:
    """Fit, show measured against model, and write the drawing where asked to."""
    design = open_file(options.file)
    from_pipe = str(options.log) == "-"
    text = sys.stdin.read() if from_pipe else read_log(options.log)
    asked = Asked(options.collective, options.ranks, options.algorithm)
    found = calibrate_to_log(design, context.catalog, text, asked)
    if options.json:
        plain = asdict(replace(found, model=None))
        del plain["model"]
        context.json(
            {
                "schema": "railspine.calibrate/1",
                **plain,
                "error_before": found.error_before,
                "error_after": found.error_after,
            }
        )
    else:
        _print(context, found)
    if options.output is not None:
        name = _("standard input") if from_pipe else Path(options.log).name
        design.apply(calibration_edit(design, found, name, date.today()))
        native.save(design, options.output)
        context.progress(_("Wrote {path}.").format(path=options.output))
    return 0


def _print(context: Context, found: Calibration) -> None:
    context.table(times(found), tuple(_(text) for text in _TIMES))
    context.line()
    if found.fitted:
        context.table(factors(found), tuple(_(text) for text in _FITTED))
    else:
        context.line(_("Nothing had to be fitted."))
    context.line()
    context.line(summary(found))
    for note in found.notes:
        context.line(f"  {note}")
