"""Readers of foreign topology files, and the one door to them."""

from collections.abc import Callable
from pathlib import Path

from designer.catalog.catalog import Catalog
from designer.errors import ImportRefusedError, ParameterError
from designer.formats.detect import IBNETDISCOVER, IBSIM, NATIVE, READABLE, detect, refusal
from designer.formats.importers import ibnetdiscover
from designer.formats.importers.report import ImportReport, ImportResult
from designer.formats.source import read_text
from designer.messages import _

__all__ = ["ImportReport", "ImportResult", "import_file"]


def import_file(
    path: Path,
    catalog: Catalog,
    format: str | None = None,
    *,
    cancelled: Callable[[], bool] = lambda: False,
) -> ImportResult:
    """Build a design, without placements, from a foreign file.

    Args:
        path: The file; `.gz` is unpacked.
        catalog: Where part types come from that are certain.
        format: One of `detect.READABLE`; told from the contents when None.
        cancelled: Asked now and then; the import ends when it says true.

    Raises:
        FileError: The file cannot be read.
        ImportRefusedError: It was recognised but is no wiring, or is nothing known.
        ParameterError: No such format.
        CancelledError: `cancelled` said so.
    """
    text = read_text(path)
    if not text.strip():
        raise ImportRefusedError(
            _("{where} is empty.").format(where=path.name),
            _("Run the tool that writes it again, and look whether it told an error."),
        )
    if format is not None and format not in READABLE:
        raise ParameterError(
            _("“{name}” is no form that can be imported.").format(name=format),
            _("Readable are {names}.").format(names=", ".join(READABLE)),
        )
    if format is None:
        found = detect(text)
        if found is NATIVE:
            raise ImportRefusedError(
                _("{where} is a Railspine drawing.").format(where=path.name),
                _("Open it instead of importing it."),
            )
        if found not in (IBNETDISCOVER, IBSIM):
            raise ImportRefusedError(*refusal(found, path.name))
    return ibnetdiscover.read(text, catalog, title=_title(path), cancelled=cancelled)


def _title(path: Path) -> str:
    name = path.name.removesuffix(".gz")
    return name.rpartition(".")[0] or name
