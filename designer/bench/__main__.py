"""Runs the benchmarks: `python -m designer.bench engine|canvas [--json]`."""

import argparse
import json
import sys
from dataclasses import asdict

from designer.bench import engine, failures, ratios
from designer.bench.fabrics import FABRICS
from designer.bench.rows import Row

_QUICK = ("su256", "fab1k", "fab24k")
_CANVAS = ("fab1k", "fab24k", "fab100k")


def main(argv: list[str] | None = None) -> int:
    """Run one benchmark and print its rows."""
    parser = argparse.ArgumentParser(prog="python -m designer.bench")
    parser.add_argument("what", choices=("engine", "canvas"))
    parser.add_argument("--fabric", action="append", choices=tuple(FABRICS))
    parser.add_argument("--quick", action="store_true", help="without the largest fabric")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    if options.what == "canvas":
        found = _canvas(tuple(options.fabric or (_QUICK[1:] if options.quick else _CANVAS)))
    elif options.fabric:
        found = engine.rows(tuple(options.fabric)) + failures.rows(tuple(options.fabric))
    else:
        found = engine.rows(_QUICK if options.quick else None) + ratios.rows()
        found += failures.rows(_QUICK if options.quick else None) + _window()
    if options.json:
        text = json.dumps({"schema": "railspine.bench/1", "rows": [asdict(r) for r in found]})
        sys.stdout.write(text + "\n")
        return 0
    for row in found:
        sys.stdout.write(_line(row) + "\n")
    return 0


def _canvas(names: tuple[str, ...]) -> list[Row]:
    from designer.bench import canvas  # it needs Qt

    return list(canvas.rows(names))


def _window() -> list[Row]:
    from designer.bench import window  # it needs Qt

    return window.rows()


def _line(row: Row) -> str:
    """Return one row as text: value, target and whether it is met, and the baseline."""
    text = f"{row.name:36} {row.fabric:8} {_amount(row.value, row.unit):>12}"
    if row.target is not None:
        met = row.value >= row.target if row.unit == "x" else row.value <= row.target
        text += f"  target {_amount(row.target, row.unit):>10} {'met' if met else 'MISSED'}"
    if row.baseline is not None:
        unit = "s" if row.unit == "x" else row.unit
        text += f"  baseline {_amount(row.baseline, unit)}"
    return text


def _amount(value: float, unit: str) -> str:
    if unit == "byte":
        return f"{value / 1e6:,.0f} MB"
    if unit == "s":
        return f"{value * 1e3:,.1f} ms"
    return f"{value:,.0f} {unit}"


if __name__ == "__main__":
    sys.exit(main())
