"""Bill of materials and cable schedule as CSV and XLSX: counts, numbers, neutral formulas."""

import csv
import io

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.bom import bill_of_materials
from designer.errors import FileError
from designer.messages import set_language
from designer.reports.bom_sheet import bom_csv, bom_table, write_bom_csv, write_workbook
from designer.reports.cable_sheet import cable_csv, cable_table, write_cable_csv
from designer.reports.cells import Column, Table, csv_text, neutral, xlsx_bytes
from tests.engine.drawings import change, fabric

CATALOG = default_catalog()


def rows_of(text, delimiter=","):
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


def test_bill_counts_equal_the_drawing():
    rows = rows_of(bom_csv(fabric(4, 2), CATALOG))
    head, body = rows[0], rows[1:]
    count = head.index("Count")
    switches = [r for r in body if r[0] == "Switches"]
    assert sum(int(r[count]) for r in switches) == 10
    assert sum(int(r[count]) for r in body if r[0] == "Cables") == 4 * 8 + 8 * 2 * 2
    assert body[-1][0] == "Total"
    assert "1 row without a price" in body[-1][-1]


def test_totals_are_sums_of_their_rows():
    table = bom_table(bill_of_materials(fabric(4, 2), CATALOG))
    for column in (9, 10, 11):
        parts = [r[column] for r in table.rows[:-1] if r[column] is not None]
        assert table.rows[-1][column] == pytest.approx(sum(parts))


def test_cable_csv_holds_one_row_a_link():
    design = fabric(4, 2)
    rows = rows_of(cable_csv(design, CATALOG))
    assert len(rows) - 1 == 64
    assert len(rows_of(cable_csv(design, CATALOG, trunks=True))) - 1 == len(design.cables)
    first = dict(zip(rows[0], rows[1], strict=True))
    assert first["Speed, Gb/s, one way"] == "400"


def test_portuguese_uses_semicolon_and_decimal_comma():
    set_language("pt_BR")
    rows = rows_of(bom_csv(fabric(4, 2), CATALOG), ";")
    assert all(len(r) == len(rows[0]) for r in rows)
    nic = next(r for r in rows if "connectx-7" in r[1])
    assert nic[7] == "1893,5"


def test_files_are_written_with_a_mark_and_can_be_read(tmp_path):
    design = fabric(2, 2)
    write_bom_csv(design, CATALOG, tmp_path / "b.csv")
    write_cable_csv(design, CATALOG, tmp_path / "c.csv")
    assert (tmp_path / "b.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert (tmp_path / "c.csv").read_text("utf-8-sig").startswith("Cable,")
    with pytest.raises(FileError) as caught:
        write_bom_csv(design, CATALOG, tmp_path / "none" / "b.csv")
    assert caught.value.hint


def test_workbook_holds_both_sheets_with_numbers(tmp_path):
    design = fabric(4, 2)
    write_workbook(design, CATALOG, tmp_path / "b.xlsx")
    book = openpyxl.load_workbook(tmp_path / "b.xlsx")
    assert book.sheetnames == ["Bill of materials", "Cable schedule"]
    bill, cables = book.worksheets
    assert cables.max_row - 1 == 64
    assert bill.freeze_panes == "A2"
    money = next(c for row in bill.iter_rows() for c in row if c.value == 36_000)
    assert money.number_format == "#,##0.00"
    assert bill["A1"].font.bold


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=cmd|' /C'!A0"])
def test_formulas_in_names_are_neutral(name, tmp_path):
    design = fabric(1, 0)
    change(design, "devices", "v0.0", name=name)
    cells = [c for row in rows_of(cable_csv(design, CATALOG)) for c in row]
    assert not any(c.startswith(("=", "+", "-", "@", "\t", "\r")) for c in cells)
    write_workbook(design, CATALOG, tmp_path / "b.xlsx")
    book = openpyxl.load_workbook(tmp_path / "b.xlsx")
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type != "f"


@given(text=st.text(max_size=20))
def test_neutral_text_never_starts_a_formula(text):
    safe = neutral(text)
    assert not safe.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert safe in (text, f"'{text}")


@given(
    rows=st.lists(
        st.tuples(
            st.text(alphabet='ab;,"\n=é', max_size=8),
            st.floats(-1e6, 1e6).map(lambda x: round(x, 3)),
        ),
        max_size=5,
    )
)
def test_csv_survives_separators_and_quotes(rows):
    table = Table("t", (Column("a"), Column("b")), rows)
    out = list(csv.reader(io.StringIO(csv_text(table), newline="")))
    assert [r[0] for r in out[1:]] == [neutral(a) for a, _b in rows]
    assert [float(r[1]) for r in out[1:]] == pytest.approx([b for _a, b in rows])


def test_empty_tables_are_valid():
    table = Table("t", (Column("a"),), [])
    assert csv_text(table) == "a\r\n"
    assert openpyxl.load_workbook(io.BytesIO(xlsx_bytes([table]))).worksheets[0]["A1"].value == "a"


def test_cable_table_remarks_links_without_parts():
    table = cable_table(fabric(1, 0, length_m=5000.0), CATALOG)
    assert all(r[-1] for r in table.rows)


def test_a_full_disk_keeps_the_workbook_that_was_there(tmp_path, monkeypatch):
    design = fabric(4, 2)
    path = tmp_path / "b.xlsx"
    path.write_bytes(b"yesterday's")

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("designer.formats.atomic.os.fsync", full)
    for write in (write_workbook, write_bom_csv, write_cable_csv):
        with pytest.raises(FileError, match="No space left"):
            write(design, CATALOG, path)
        assert path.read_bytes() == b"yesterday's"
        assert [p.name for p in tmp_path.iterdir()] == ["b.xlsx"]
