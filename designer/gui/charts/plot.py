"""A plot without toolbars, menus and mouse, in the colours of the window: what the charts share."""

from typing import Any

from PySide6.QtCore import Qt

from designer.gui.fonts import font
from designer.gui.style import color


def bare_plot(theme: str, left: int) -> Any:
    """Return a pyqtgraph `PlotWidget` with two axes and a faint grid.

    Args:
        theme: `light` or `dark`.
        left: Width of the left axis with its numbers, pixels.
    """
    # imported with the first chart: the window is usable a third of a second sooner
    import pyqtgraph as pg

    plot = pg.PlotWidget(background=None)
    plot.setMouseEnabled(x=False, y=False)
    plot.hideButtons()
    plot.setMenuEnabled(False)
    plot.setFrameShape(plot.Shape.NoFrame)
    plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setTextPen(color("text2", theme))
        axis.setPen(color("border", theme))
        axis.setStyle(tickFont=font(10), tickLength=0, hideOverlappingLabels=False)
    plot.getAxis("left").setWidth(left)
    plot.getAxis("bottom").setHeight(18)
    plot.showGrid(y=True, alpha=0.12)
    return plot
