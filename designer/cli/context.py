"""What every command has at hand: the catalogue, and ways to write."""

import json
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from designer.catalog.catalog import Catalog
from designer.catalog.load import load_catalog
from designer.services.export import PictureWriter

# Makes pictures of the window in a folder and returns their paths; comes from the window's side.
Screenshots = Callable[[Path], list[Path]]


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

    @cached_property
    def catalog(self) -> Catalog:
        """Return the catalogue, with the user's own file laid over it.

        Raises:
            CatalogError: The user's file has a fault.
        """
        return load_catalog(self._catalog_file)

    def line(self, text: str = "") -> None:
        """Write one line to standard output."""
        sys.stdout.write(text + "\n")

    def progress(self, text: str) -> None:
        """Write one line about what is going on to standard error."""
        sys.stderr.write(text + "\n")

    def step(self, text: str = "") -> None:
        """Show how far work is, in one line that the next one replaces; nothing into files."""
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    def json(self, value: Any) -> None:
        """Write a value as JSON to standard output, and nothing else."""
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
