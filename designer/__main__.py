"""Starts the command line or the window, and hands the command line what needs Qt."""

import sys
from collections.abc import Sequence
from pathlib import Path

from designer import cli


class _Window:
    """The parts of the program that need Qt, imported when they are used."""

    def open(self, files: Sequence[Path], language: str | None) -> int:
        """Open the window on `files` and return its exit code."""
        from designer.gui.app import run

        return run(list(files), language)

    def picture(self, form: str) -> "cli.Painter":
        """Return the function that writes a display list as `png` or `pdf`."""
        from designer.gui import render

        return {"png": render.write_png, "pdf": render.write_pdf}[form]

    def screenshots(self, folder: Path) -> list[Path]:
        """Make every picture of the README and help, and return their paths."""
        from designer.gui.screenshots import make_screenshots

        return make_screenshots(folder)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with `argv` (of the process when None) and return its exit code."""
    return cli.run(list(sys.argv[1:] if argv is None else argv), _Window())


if __name__ == "__main__":
    sys.exit(main())
