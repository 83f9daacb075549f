"""Tables as CSV and XLSX: numbers stay numbers, and no text is ever run as a formula."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel.numbers import get_decimal_symbol

from designer.formats.atomic import write_atomically
from designer.messages import language

Value = str | int | float | None
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading, how numbers look in XLSX, and its width in characters."""

    title: str
    number_format: str = "General"
    width: int = 14


@dataclass(frozen=True, slots=True)
class Table:
    """A table that becomes a CSV file or a sheet."""

    name: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Value]]


def neutral(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    A text that begins with one of `= + - @`, a tab or a line break gets an apostrophe in front,
    which spreadsheets show as plain text.
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def separator() -> str:
    """Return what separates cells in the language in use: `;` where a comma is the decimal mark."""
    return ";" if language() == "pt_BR" else ","


def _written(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return neutral(value)
    if isinstance(value, float):
        # no thousands mark: other programs read this
        return _plain(value)
    return str(value)


def _plain(value: float) -> str:
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return text.replace(".", get_decimal_symbol(language()))


def csv_text(table: Table) -> str:
    """Return a table as CSV, with the separator and the decimal mark of the language in use."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator(), lineterminator="\r\n")
    writer.writerow([neutral(c.title) for c in table.columns])
    for row in table.rows:
        writer.writerow([_written(v) for v in row])
    return out.getvalue()


def write_csv(table: Table, path: Path) -> None:
    """Write a table as CSV with a byte order mark, by which spreadsheets know it as UTF-8.

    Raises:
        FileError: The file cannot be written.
    """
    write_atomically(path, csv_text(table).encode("utf-8-sig"))


def xlsx_bytes(tables: Sequence[Table]) -> bytes:
    """Return a workbook with one sheet a table: frozen bold headings, filters, number formats."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for table in tables:
        _sheet(book, table)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def write_xlsx(tables: Sequence[Table], path: Path) -> None:
    """Write a workbook with one sheet a table.

    Raises:
        FileError: The file cannot be written.
    """
    write_atomically(path, xlsx_bytes(tables))


def _sheet(book: Any, table: Table) -> None:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    sheet = book.create_sheet(table.name[:31])
    for i, column in enumerate(table.columns, 1):
        sheet.column_dimensions[get_column_letter(i)].width = column.width
    sheet.freeze_panes = "A2"
    last = get_column_letter(len(table.columns))
    sheet.auto_filter.ref = f"A1:{last}{len(table.rows) + 1}"
    bold = Font(bold=True)
    heads = []
    for column in table.columns:
        cell = WriteOnlyCell(sheet, column.title)
        cell.font = bold
        heads.append(cell)
    sheet.append(heads)
    for row in table.rows:
        sheet.append([_cell(sheet, v, c) for v, c in zip(row, table.columns, strict=True)])


def _cell(sheet: Any, value: Value, column: Column) -> Any:
    """Return a cell; only where plain appending would lose a format or run a formula."""
    from openpyxl.cell import WriteOnlyCell

    if isinstance(value, str):
        if not value.startswith(_FORMULA_STARTS):
            return value
        cell = WriteOnlyCell(sheet, neutral(value))
        cell.data_type = "s"
        return cell
    if value is None or column.number_format == "General":
        return value
    cell = WriteOnlyCell(sheet, value)
    cell.number_format = column.number_format
    return cell
