"""The cable schedule as a table: one row a link, both ends, part, length."""

from pathlib import Path

from designer.catalog.catalog import Catalog
from designer.engine.schedule import ScheduleEnd, ScheduleRow, cable_schedule
from designer.messages import N_, _
from designer.model.design import Design
from designer.reports.cells import Column, Table, Value, csv_text, write_csv

MEDIUM_NAMES = {
    "passive_copper": N_("passive copper"),
    "active_copper": N_("active copper"),
    "aoc": N_("active optical cable"),
    "multimode": N_("multimode fibre"),
    "single_mode": N_("single-mode fibre"),
}
_LINK_NAMES = {
    "server_leaf": N_("server to leaf"),
    "leaf_spine": N_("leaf to spine"),
    "spine_core": N_("spine to core"),
    "nvlink": N_("NVLink"),
    "other": N_("other"),
}


def cable_columns() -> tuple[Column, ...]:
    """Return the columns of the cable schedule."""
    return (
        Column(_("Cable"), width=18),
        Column(_("Link of trunk"), "0", 12),
        Column(_("From device"), width=20),
        Column(_("From port"), width=12),
        Column(_("From rack"), width=10),
        Column(_("From unit (U)"), "0", 12),
        Column(_("To device"), width=20),
        Column(_("To port"), width=12),
        Column(_("To rack"), width=10),
        Column(_("To unit (U)"), "0", 12),
        Column(_("Kind"), width=16),
        Column(_("Fabric"), width=10),
        Column(_("Rail"), "0", 7),
        Column(_("Speed, Gb/s, one way"), "#,##0", 20),
        Column(_("Medium"), width=20),
        Column(_("Cable part"), width=24),
        Column(_("Transceiver from"), width=24),
        Column(_("Transceiver to"), width=24),
        Column(_("Length, m"), "0.0", 10),
        Column(_("Length is"), width=12),
        Column(_("Count"), "0", 8),
        Column(_("Splitter"), width=14),
        Column(_("Remark"), width=36),
    )


def cable_table(design: Design, catalog: Catalog, *, trunks: bool = False) -> Table:
    """Return the cable schedule of a drawing: one row a link, or a record with `trunks`."""
    rows = [_row(r) for r in cable_schedule(design, catalog, trunks=trunks)]
    return Table(_("Cable schedule"), cable_columns(), rows)


def _end(end: ScheduleEnd) -> list[Value]:
    return [end.device, end.port, end.rack, end.rack_unit]


def _row(row: ScheduleRow) -> list[Value]:
    medium = MEDIUM_NAMES.get(row.medium, "")
    return [
        row.cable,
        row.link or None,
        *_end(row.a),
        *_end(row.b),
        _(_LINK_NAMES[row.kind]),
        row.fabric,
        row.rail,
        row.speed / 1e9 if row.speed else None,
        _(medium),
        row.part,
        row.a.optic,
        row.b.optic,
        row.length_m,
        _("assumed") if row.assumed else _("given"),
        row.count,
        row.assembly,
        "" if row.part else row.title,
    ]


def cable_csv(design: Design, catalog: Catalog, *, trunks: bool = False) -> str:
    """Return the cable schedule of a drawing as CSV."""
    return csv_text(cable_table(design, catalog, trunks=trunks))


def write_cable_csv(design: Design, catalog: Catalog, path: Path, *, trunks: bool = False) -> None:
    """Write the cable schedule of a drawing as CSV.

    Raises:
        FileError: The file cannot be written.
    """
    write_csv(cable_table(design, catalog, trunks=trunks), path)
