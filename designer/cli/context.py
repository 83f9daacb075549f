"""What every command has at hand: the catalogue, and ways to write."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from designer.catalog.catalog import Catalog
from designer.catalog.load import load_catalog
from designer.services.export import PictureWriter

# Makes pictures of the window in a folder and returns their paths; comes from the window's side.
Screenshots = Callable[[Path], list[Path]]

# Clears the rest of a terminal's line.
CLEAR = "\x1b[K"
# Away from a terminal, a run says how far it is so often, seconds.
STEP_S = 10.0


class Context:
    """One run of the command line."""

    def __init__(
        self,
        catalog_file: Path | None = None,
        pictures: Mapping[str, PictureWriter] | None = None,
        screenshots: Screenshots | None = None,
    ) -> None:
        self.pictures = pictures or {}
        self.screenshots = screenshots
        self._catalog_file = catalog_file
        self._counting = False
        self._last_step = time.monotonic()

    @cached_property
    def catalog(self) -> Catalog:
        """Return the catalogue, with the user's own file laid over it.

        Raises:
            CatalogError: The user's file has a fault.
        """
        return load_catalog(self._catalog_file)

    def line(self, text: str = "") -> None:
        """Write one line to standard output."""
        self._end_steps()
        sys.stdout.write(text + "\n")

    def progress(self, text: str) -> None:
        """Write one line about what is going on to standard error."""
        self._end_steps()
        sys.stderr.write(text + "\n")

    def step(self, text: str, *, last: bool = False) -> None:
        """Say how far a long run is: in one line that changes on a terminal.

        Elsewhere, such as in a log, a line is written every ten seconds, and the last one.
        """
        if sys.stderr.isatty():
            self._counting = True
            sys.stderr.write(f"\r{text}{CLEAR}")
            sys.stderr.flush()
        elif last or time.monotonic() - self._last_step >= STEP_S:
            self._last_step = time.monotonic()
            sys.stderr.write(text + "\n")

    def _end_steps(self) -> None:
        if self._counting:
            self._counting = False
            sys.stderr.write(f"\r{CLEAR}")
            sys.stderr.flush()

    def json(self, value: Any) -> None:
        """Write a value as JSON to standard output, and nothing else."""
        self._end_steps()
        sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")

    def rows(self, command: str, rows: list[dict[str, Any]]) -> None:
        """Write rows in the envelope that every command but `analyze` uses."""
        self.json({"schema": f"railspine.{command}/1", "rows": rows})

    def table(self, rows: list[tuple[str, ...]], header: tuple[str, ...] = ()) -> None:
        """Write columns as wide as their widest cell."""
        every = [header, *rows] if header else rows
        if not every:
            return
        widths = [max(len(r[k]) for r in every if k < len(r)) for k in range(len(every[0]))]
        for row in every:
            cells = [c.ljust(w) for c, w in zip(row, widths, strict=False)]
            self.line("  ".join(cells).rstrip())
