"""The look of the window: palette and one style sheet, both from the colour tokens."""

from functools import lru_cache

from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from designer.gui.fonts import RoleStyle, font
from designer.gui.style_sheet import style_sheet
from designer.scene.theme import token

THEMES = ("light", "dark")


@lru_cache(maxsize=512)
def color(name: str, theme: str) -> QColor:
    """Return the colour of a token in `light` or `dark`; `#RRGGBB` passes through."""
    return QColor(token(name, theme))


def theme_in_use(chosen: str) -> str:
    """Return `light` or `dark` for a setting; `system` follows the desktop."""
    if chosen in THEMES:
        return chosen
    from PySide6.QtCore import Qt

    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return "dark" if dark else "light"


_ROLES: tuple[tuple[QPalette.ColorRole, str], ...] = (
    (QPalette.ColorRole.Window, "window"),
    (QPalette.ColorRole.WindowText, "text"),
    (QPalette.ColorRole.Base, "surface"),
    (QPalette.ColorRole.AlternateBase, "window"),
    (QPalette.ColorRole.Text, "text"),
    (QPalette.ColorRole.Button, "surface"),
    (QPalette.ColorRole.ButtonText, "text"),
    (QPalette.ColorRole.BrightText, "accentText"),
    (QPalette.ColorRole.ToolTipBase, "raised"),
    (QPalette.ColorRole.ToolTipText, "text"),
    (QPalette.ColorRole.Highlight, "selTint"),
    (QPalette.ColorRole.HighlightedText, "text"),
    (QPalette.ColorRole.PlaceholderText, "text3"),
    (QPalette.ColorRole.Link, "accent"),
    (QPalette.ColorRole.LinkVisited, "accent"),
    (QPalette.ColorRole.Light, "hover"),
    (QPalette.ColorRole.Midlight, "hover"),
    (QPalette.ColorRole.Mid, "border"),
    (QPalette.ColorRole.Dark, "border2"),
    (QPalette.ColorRole.Shadow, "border2"),
    (QPalette.ColorRole.Accent, "accent"),
)


def palette(theme: str) -> QPalette:
    """Return the palette of a theme; disabled text is weaker."""
    found = QPalette()
    for role, name in _ROLES:
        found.setColor(role, color(name, theme))
    for role in (
        QPalette.ColorRole.Text,
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.ButtonText,
    ):
        found.setColor(QPalette.ColorGroup.Disabled, role, color("border2", theme))
    return found


def apply_style(application: QApplication, theme: str) -> None:
    """Give the whole application the look of a theme."""
    if application.property("railspineStyle") is None:
        application.setStyle(RoleStyle())
        application.setProperty("railspineStyle", "set")
    application.setPalette(palette(theme))
    application.setFont(font())
    application.setStyleSheet(style_sheet(theme))
