"""The look of what floats over the drawing: cards, small buttons, hints, by theme."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QFrame, QGraphicsDropShadowEffect, QToolButton, QWidget

from designer.gui.render import canvas_font, icon_pixmap
from designer.scene.theme import token


def card_sheet(theme: str, edge: str = "border") -> str:
    """Return the style sheet of a floating card; `edge` is the token of its outline."""
    c = {n: token(n, theme) for n in ("raised", "text", "text2", "text3", "accent", "hover")}
    return f"""
        QFrame#card {{ background: {c["raised"]}; border: 1px solid {token(edge, theme)};
            border-radius: 8px; }}
        QFrame#card QLabel {{ background: transparent; border: none; color: {c["text"]}; }}
        QFrame#card QLabel[dim="true"] {{ color: {c["text2"]}; }}
        QFrame#card QToolButton {{ border: none; border-radius: 4px; background: transparent;
            color: {c["text"]}; padding: 2px; }}
        QFrame#card QToolButton:hover {{ background: {c["hover"]}; }}
        QFrame#card QToolButton:focus {{ border: 2px solid {c["accent"]}; }}
        QFrame#card QPushButton {{ background: {token("surface", theme)}; color: {c["text"]};
            border: 1px solid {token("border2", theme)}; border-radius: 6px; padding: 7px 14px; }}
        QFrame#card QPushButton:hover {{ background: {c["hover"]}; }}
        QFrame#card QPushButton[primary="true"] {{ background: {c["accent"]};
            color: {token("accentText", theme)}; border-color: {c["accent"]}; }}
        QFrame#card QPushButton:focus {{ border: 2px solid {c["accent"]}; }}
        QFrame#card QPushButton[primary="true"]:focus {{ border-color: {c["text"]}; }}
        QFrame#card QLineEdit, QFrame#card QListWidget, QFrame#card QPlainTextEdit,
        QFrame#card QSpinBox {{ background: {token("surface", theme)}; color: {c["text"]};
            border: 1px solid {token("border2", theme)}; border-radius: 6px; padding: 4px; }}
        QFrame#card QListWidget {{ border: none; padding: 0; }}
        QFrame#card QListWidget::item {{ padding: 5px 8px; border-radius: 4px; }}
        QFrame#card QListWidget::item:selected {{ background: {token("selTint", theme)};
            color: {c["text"]}; }}
    """


class Card(QFrame):
    """A card that floats over the drawing, in the colours of the theme."""

    def __init__(self, parent: QWidget, theme: str, edge: str = "border") -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setFont(canvas_font(12, 400))
        self.theme = theme
        self.edge = edge
        self.set_theme(theme)

    def set_theme(self, theme: str) -> None:
        """Use the colours of `theme` from now on."""
        self.theme = theme
        self.setStyleSheet(card_sheet(theme, self.edge))
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setOffset(0, 3)
        shadow.setBlurRadius(8)
        shadow.setColor(QColor(0, 0, 0, 26))
        self.setGraphicsEffect(shadow)


def icon_button(parent: QWidget, icon: str, tip: str, theme: str) -> QToolButton:
    """Return a small flat button with an icon; `tip` is also its accessible name."""
    button = QToolButton(parent)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setIconSize(QSize(16, 16))
    paint_icon(button, icon, theme)
    return button


def paint_icon(button: QToolButton, icon: str, theme: str) -> None:
    """Give a button its icon in the text colour of the theme."""
    ratio = button.devicePixelRatioF()
    button.setIcon(QIcon(icon_pixmap(icon, token("text2", theme), 16, ratio)))
