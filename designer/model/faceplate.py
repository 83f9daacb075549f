"""The front of a device: in which row and column each port sits, cages of two side by side."""

from designer.catalog.types import PortFamily

# A family of so few ports stands in one row; up to the second figure in two, else in four.
_ONE_ROW, _TWO_ROWS = 12, 72


def rows_of(family: PortFamily) -> int:
    """Return how many rows the ports of a family take on the front panel."""
    if family.count <= _ONE_ROW:
        return 1
    return 2 if family.count <= _TWO_ROWS else 4


def seat(family: PortFamily, number: int) -> tuple[int, int]:
    """Return column and row, from 0, of port `number` (from 1).

    Makers number cages down a column, then to the right; the ports of one cage are side by side.
    """
    cage, inside = divmod(number - 1, max(1, family.ports_per_cage))
    column, row = divmod(cage, rows_of(family))
    return column * max(1, family.ports_per_cage) + inside, row


def columns_of(family: PortFamily) -> int:
    """Return how many columns the ports of a family take."""
    return max((seat(family, n)[0] for n in range(1, family.count + 1)), default=-1) + 1
