"""Icons of the window: SVG of one stroke colour, painted in a colour token at any pixel ratio."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from designer.errors import FileError
from designer.messages import _
from designer.resources import resource
from designer.scene.theme import token

# Logical pixels an icon is shown at; anything else is scaled from the nearest.
SIZES = (14, 16, 18, 20, 28, 36)


@lru_cache(maxsize=512)
def _renderer(name: str, color: str) -> QSvgRenderer:
    path = resource("icons", f"{name}.svg")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as fault:
        raise FileError(
            _("The icon “{name}” is missing.").format(name=name), _("Install railspine again.")
        ) from fault
    return QSvgRenderer(QByteArray(text.replace("currentColor", color).encode()))


@lru_cache(maxsize=2048)
def pixmap(name: str, color: str, theme: str, size: int = 16, ratio: float = 1.0) -> QPixmap:
    """Return an icon of `size` logical pixels as a pixmap of `ratio` pixels each.

    Raises:
        FileError: The icon is missing from the installation.
    """
    side = max(1, round(size * ratio))
    found = QPixmap(side, side)
    found.fill(Qt.GlobalColor.transparent)
    painter = QPainter(found)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _renderer(name, token(color, theme)).render(painter, QRectF(0, 0, side, side))
    painter.end()
    found.setDevicePixelRatio(ratio)
    return found


@lru_cache(maxsize=512)
def icon(name: str, color: str = "text", theme: str = "light", checked: str = "") -> QIcon:
    """Return an icon in a colour token; `checked` is its token while a button is down.

    Raises:
        FileError: The icon is missing from the installation.
    """
    found = QIcon()
    screen = QGuiApplication.primaryScreen()
    ratios = sorted({1.0, screen.devicePixelRatio() if screen is not None else 1.0})
    tones = [
        (color, QIcon.Mode.Normal, QIcon.State.Off),
        ("border2", QIcon.Mode.Disabled, QIcon.State.Off),
        (checked or color, QIcon.Mode.Normal, QIcon.State.On),
    ]
    for tone, mode, state in tones:
        for ratio in ratios:
            for size in SIZES:
                found.addPixmap(pixmap(name, tone, theme, size, ratio), mode, state)
    return found
