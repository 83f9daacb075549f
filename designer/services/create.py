"""New drawings: from a template or a file, laid out and ready to show."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from designer.catalog.catalog import Catalog
from designer.errors import FileError
from designer.formats import native
from designer.formats.importers import ImportResult, import_file
from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.resources import resource
from designer.scene.layout import arrange
from designer.topologies import generate

NATIVE_ENDINGS = (".railspine.json", ".json", ".railspine.json~")


def new_design(template: str, catalog: Catalog, **parameters: Any) -> Design:
    """Return a template's network with its placements.

    Raises:
        ParameterError: No such template, or a parameter it cannot work with.
    """
    design = generate(template, catalog, **parameters)
    design.apply(arrange(design))
    design.revision = 0
    return design


def import_design(
    path: Path,
    catalog: Catalog,
    form: str | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> ImportResult:
    """Read a foreign file and lay the network out in tiers.

    Raises:
        FileError: The file cannot be read, or is no wiring; says why.
        ParameterError: No such form.
        CancelledError: `cancelled` said so.
    """
    result = import_file(path, catalog, form, cancelled=cancelled)
    result.design.apply(arrange(result.design))
    result.design.revision = 0
    return result


def open_file(path: Path) -> Design:
    """Open a native file; devices without a place get one, in memory only.

    Raises:
        FileError: The file cannot be read.
    """
    design = native.open_design(path)
    missing = [i for i in design.devices if i not in design.placements]
    if missing:
        design.apply(arrange(design, missing))
        design.revision = 0
    return design


def as_edit(design: Design, label: str, base: Design) -> Edit:
    """Return the edit that turns `base` into `design`: a template or import as one undo step."""
    swaps = []
    for name in (
        "info",
        "types",
        "groups",
        "devices",
        "cables",
        "placements",
        "notes",
        "workloads",
        "assumptions",
        "variants",
        "kept",
    ):
        old, new = base.table(name), design.table(name)
        swaps += [Swap(name, i, r, None) for i, r in old.items() if i not in new]
        swaps += [Swap(name, i, old.get(i), r) for i, r in new.items() if old.get(i) != r]
    return Edit(label, tuple(swaps))


def examples() -> dict[str, Path]:
    """Return the drawings that ship with the program, by name."""
    found = sorted(resource("examples").glob("*.railspine.json"))
    return {p.name.removesuffix(".railspine.json"): p for p in found}


def is_native(path: Path) -> bool:
    """Tell whether a file is one of ours, by its first bytes.

    Raises:
        FileError: The file cannot be read.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError as fault:
        raise FileError(
            _("{path} cannot be read: {fault}").format(path=path, fault=fault),
            _("Check the path and its permissions."),
        ) from fault
    return b'"format"' in head and b'"railspine"' in head
