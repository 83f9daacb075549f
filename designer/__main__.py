"""Starts the command line, and hands it what opens a window."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from designer.scene.display_list import DisplayList


def open_window(files: Sequence[Path], language: str | None) -> int:
    """Open the window on files and return the exit code.

    Raises:
        CannotRunHereError: There is no display.
    """
    from designer.gui.app import run

    return run(files, language)


def _png(picture: "DisplayList", path: Path, _paper: tuple[float, float]) -> None:
    from designer.gui.picture_files import write_png

    write_png(picture, path)


def _pdf(picture: "DisplayList", path: Path, paper: tuple[float, float]) -> None:
    from designer.gui.picture_files import write_pdf

    write_pdf(picture, path, page_mm=paper)


def _screenshots(folder: Path) -> list[Path]:
    from designer.gui.screenshots import make_screenshots

    return make_screenshots(folder)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with `argv` (of the process when None) and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        from designer import cli  # it takes a moment, in which Ctrl-C is to be no traceback
    except KeyboardInterrupt:
        return 130
    return cli.run(words, open_window, {"png": _png, "pdf": _pdf}, _screenshots)


if __name__ == "__main__":
    sys.exit(main())
