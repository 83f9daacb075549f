"""Pieces of HTML: every text goes through `text` or an argument that is escaped here."""

from collections.abc import Sequence
from html import escape


def tag(name: str, *inner: str, cls: str = "") -> str:
    """Return an element around markup that is already safe."""
    mark = f' class="{escape(cls)}"' if cls else ""
    return f"<{name}{mark}>{''.join(inner)}</{name}>"


def text(value: str, name: str = "", cls: str = "") -> str:
    """Return a plain text as safe markup, inside an element if one is named."""
    return tag(name, escape(value), cls=cls) if name else escape(value)


def heading(title: str, small: str = "") -> str:
    """Return a section heading with a remark at its right."""
    return tag("h2", text(title), text(small, "small") if small else "")


def bullets(lines: Sequence[str]) -> str:
    """Return a bullet list of plain texts; empty without lines."""
    return tag("ul", *(text(line, "li") for line in lines)) if lines else ""


def row(cells: Sequence[str], classes: Sequence[str], cls: str = "") -> str:
    """Return a table row of plain texts."""
    made = (text(c, "td", k) for c, k in zip(cells, classes, strict=True))
    return tag("tr", *made, cls=cls)


def group_row(title: str, columns: int) -> str:
    """Return a row that heads a group of rows."""
    return f'<tr class="group"><td colspan="{columns}">{escape(title)}</td></tr>'


def head_row(titles: Sequence[str], classes: Sequence[str], span: int = 1) -> str:
    """Return a row of headings; with `span` all but the first cover that many columns."""
    cells = []
    for i, (title, cls) in enumerate(zip(titles, classes, strict=True)):
        wide = f' colspan="{span}"' if i and span > 1 else ""
        mark = f' class="{escape(cls)}"' if cls else ""
        cells.append(f"<th{mark}{wide}>{escape(title)}</th>")
    return tag("tr", *cells)


def table(heads: str, rows: Sequence[str]) -> str:
    """Return a table of ready rows; `heads` may be empty."""
    return tag("table", tag("thead", heads) if heads else "", tag("tbody", *rows))
