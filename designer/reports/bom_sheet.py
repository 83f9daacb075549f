"""The bill of materials as a table: pieces, prices with date and source, power, and totals."""

from pathlib import Path

from designer.catalog.catalog import Catalog
from designer.engine.bom import bill_of_materials
from designer.engine.bom_rows import KIND_NAMES, Bom, BomRow
from designer.messages import N_, _, ngettext
from designer.model.design import Design
from designer.reports.cable_sheet import cable_table
from designer.reports.cells import Column, Table, Value, csv_text, write_csv, write_xlsx
from designer.units import Range, format_number

ROLE_NAMES = {
    "server": N_("server"),
    "host": N_("host"),
    "nvswitch": N_("NVSwitch tray"),
    "leaf": N_("leaf"),
    "spine": N_("spine"),
    "core": N_("core"),
    "server_leaf": N_("server to leaf"),
    "leaf_spine": N_("leaf to spine"),
    "spine_core": N_("spine to core"),
    "nvlink": N_("NVLink"),
    "other": N_("other"),
}
_MONEY, _POWER, _COUNT = "#,##0.00", "#,##0", "#,##0"


def role_name(row: BomRow) -> str:
    """Return what a row is for: the role of a device, or kind and end of a link."""
    name = _(ROLE_NAMES[row.role]) if row.role in ROLE_NAMES else row.role
    if row.end:
        end = _(ROLE_NAMES.get(row.end, row.end))
        return _("{link}, at the {end}").format(link=name, end=end)
    return name


def bom_columns() -> tuple[Column, ...]:
    """Return the columns of the bill of materials."""
    return (
        Column(_("Class"), width=16),
        Column(_("Part"), width=26),
        Column(_("Description"), width=52),
        Column(_("Role"), width=30),
        Column(_("Fabric"), width=10),
        Column(_("Count"), _COUNT, 10),
        Column(_("Unit price low, USD"), _MONEY, 18),
        Column(_("Unit price typical, USD"), _MONEY, 20),
        Column(_("Unit price high, USD"), _MONEY, 18),
        Column(_("Total low, USD"), _MONEY, 16),
        Column(_("Total typical, USD"), _MONEY, 18),
        Column(_("Total high, USD"), _MONEY, 16),
        Column(_("Power typical, W"), _POWER, 16),
        Column(_("Power maximum, W"), _POWER, 18),
        Column(_("Price date"), width=14),
        Column(_("Price source"), width=60),
        Column(_("Remark"), width=40),
    )


def _three(value: Range | None) -> list[Value]:
    return [value.low, value.typical, value.high] if value is not None else [None, None, None]


def bom_table(bom: Bom) -> Table:
    """Return a bill of materials as a table; totals of the rows with a price stand last."""
    rows: list[list[Value]] = [_row(r) for r in bom.rows]
    priced = [r.total_usd for r in bom.rows if r.total_usd is not None]
    total = sum(priced, start=Range.exact(0.0))
    lacking = len(bom.unpriced)
    remarks = [price_note()]
    if lacking:
        text = ngettext(
            "{n} row without a price is not in it.",
            "{n} rows without a price are not in it.",
            lacking,
        )
        remarks.insert(0, text.format(n=format_number(lacking)))
    blank: list[Value] = [None] * 17
    blank[0], blank[16] = _("Total"), " ".join(remarks)
    blank[9:12] = _three(total)
    rows.append(blank)
    return Table(_("Bill of materials"), bom_columns(), rows)


def price_note() -> str:
    """Return why the sum differs from the money of the comparison."""
    return _(
        "List prices: licences, spares and what InfiniBand adds for the switch maker's optics are "
        "in the comparison only."
    )


def _row(row: BomRow) -> list[Value]:
    power = row.total_power_w
    remarks = [
        row.reason,
        _("estimated price") if row.estimated else "",
        _("data without a source") if not row.sourced and row.type is not None else "",
    ]
    remark = "; ".join(r for r in remarks if r)
    return [
        _(KIND_NAMES[row.kind]),
        row.part,
        row.title,
        role_name(row),
        row.fabric,
        row.count,
        *_three(row.unit_usd),
        *_three(row.total_usd),
        power.typical if power is not None else None,
        power.high if power is not None else None,
        row.price_date,
        row.price_source,
        remark,
    ]


def bom_csv(design: Design, catalog: Catalog) -> str:
    """Return the bill of materials of a drawing as CSV."""
    return csv_text(bom_table(bill_of_materials(design, catalog)))


def write_bom_csv(design: Design, catalog: Catalog, path: Path) -> None:
    """Write the bill of materials of a drawing as CSV.

    Raises:
        FileError: The file cannot be written.
    """
    write_csv(bom_table(bill_of_materials(design, catalog)), path)


def write_workbook(design: Design, catalog: Catalog, path: Path) -> None:
    """Write bill of materials and cable schedule as two sheets of one XLSX workbook.

    Raises:
        FileError: The file cannot be written.
    """
    bom = bill_of_materials(design, catalog)
    write_xlsx([bom_table(bom), cable_table(design, catalog)], path)
