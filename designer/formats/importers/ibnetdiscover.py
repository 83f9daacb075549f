"""Reads a real fabric: what `ibnetdiscover` prints in its default form, or the `ibsim` dialect."""

import re
from collections.abc import Callable
from pathlib import Path

from designer.catalog.catalog import Catalog
from designer.errors import ImportRefusedError
from designer.formats.importers.ib_blocks import BlockReader, Key, Node
from designer.formats.importers.ib_build import FabricBuilder
from designer.formats.importers.ib_links import Link, pair_ends
from designer.formats.importers.ib_planes import join_planes
from designer.formats.importers.report import ImportResult, Journal
from designer.formats.source import read_text
from designer.messages import _, ngettext
from designer.model.records import Info
from designer.units import format_number

_DATE = re.compile(r"([A-Z][a-z]{2})\s+(\d{1,2})\s+[\d:]+\s+(\d{4})")
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # noqa: SIM905


def read(
    source: str | Path,
    catalog: Catalog,
    *,
    title: str = "",
    cancelled: Callable[[], bool] = lambda: False,
) -> ImportResult:
    """Build a design, without placements, from a text or the file at a path.

    Args:
        source: The text itself, or a `Path`.
        catalog: Where certain switch and NIC types come from.
        title: Title of the drawing; the file's name when empty.
        cancelled: Asked now and then; the import ends when it says true.

    Raises:
        FileError: The file cannot be read.
        ImportRefusedError: It holds no node in this format.
        CancelledError: `cancelled` said so.
    """
    text = read_text(source) if isinstance(source, Path) else source
    name = title or (source.name.split(".")[0] if isinstance(source, Path) else "")
    journal = Journal()
    reader = BlockReader(journal)
    reader.read(text, cancelled)
    if not reader.nodes:
        raise ImportRefusedError(
            _("No switch or adapter is in this file."),
            _("The default output of “ibnetdiscover” is expected, without options."),
        )
    links = pair_ends(reader.nodes, journal)
    _tell_read(reader, links, journal)
    nodes, links = join_planes(reader.nodes, links, journal)
    design = FabricBuilder(catalog, journal).build(nodes, links)
    design.info["info"] = Info(title=name, date=_iso(reader.generated))
    journal.counts["lines"] = text.count("\n") + (not text.endswith("\n"))
    return ImportResult(design, journal.report())


def _tell_read(reader: BlockReader, links: list[Link], journal: Journal) -> None:
    nodes = list(reader.nodes.values())
    switches = sum(1 for n in nodes if n.kind == "switch")
    sharp = sum(1 for n in nodes if n.sharp)
    hcas = sum(1 for n in nodes if n.kind == "hca") - sharp
    journal.counts["sharp"] = sharp
    journal.read.append(
        _("{switches}, {hcas}, {cables}.").format(
            switches=ngettext("{n} switch", "{n} switches", switches).format(
                n=format_number(switches)
            ),
            hcas=ngettext("{n} adapter (HCA)", "{n} adapters (HCAs)", hcas).format(
                n=format_number(hcas)
            ),
            cables=ngettext("{n} cable", "{n} cables", len(links)).format(
                n=format_number(len(links))
            ),
        )
    )
    if reader.generated:
        journal.read.append(_("Written on {date}.").format(date=reader.generated))
    islands = _components(reader.nodes, links)
    if islands > 1:
        journal.read.append(_("{n} parts that no cable joins.").format(n=format_number(islands)))
    if sharp:
        journal.ignored.append(
            ngettext(
                "{n} SHARP aggregation node: an engine inside a switch, no adapter and no cable.",
                "{n} SHARP aggregation nodes: engines inside switches, no adapters and no cables.",
                sharp,
            ).format(n=format_number(sharp))
        )


def _components(nodes: dict[Key, Node], links: list[Link]) -> int:
    up: dict[Key, Key] = {k: k for k, n in nodes.items() if not n.sharp}

    def root(key: Key) -> Key:
        while up[key] != key:
            up[key] = up[up[key]]
            key = up[key]
        return key

    for link in links:
        up[root(link.a[0])] = root(link.b[0])
    return sum(1 for k in up if up[k] == k)


def _iso(generated: str) -> str:
    """Return the day of a line such as `Wed Aug  6 16:11:23 2025` as 2025-08-06."""
    found = _DATE.search(generated)
    if found is None or found[1] not in _MONTHS:
        return ""
    return f"{found[3]}-{_MONTHS.index(found[1]) + 1:02d}-{int(found[2]):02d}"
