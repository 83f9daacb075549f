"""Runs the benchmarks: `python -m designer.bench engine [--json]`."""

import argparse
import json
import sys

from designer.bench import engine


def main(argv: list[str] | None = None) -> int:
    """Run one benchmark and print its rows."""
    parser = argparse.ArgumentParser(prog="python -m designer.bench")
    parser.add_argument("what", choices=("engine",))
    parser.add_argument("--fabric", action="append", help="su256, fab1k, fab24k or fab100k")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    names = tuple(options.fabric or ("su256", "fab1k", "fab24k"))
    found = engine.rows(names)
    if options.json:
        text = json.dumps({"schema": "railspine.bench/1", "rows": found}, indent=2)
        sys.stdout.write(text + "\n")
        return 0
    for row in found:
        place = f"{row['name']:18} {row['fabric']:8}"
        sys.stdout.write(f"{place} {row['value']:9.4f} s {row['ratio']:7.1f} × baseline\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
