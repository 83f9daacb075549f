"""The style sheet of the window, written from the colour tokens."""

from designer.resources import resource
from designer.scene.theme import THEMES

_BASE = """
* {{ outline: none; }}
QWidget {{ color: {text}; }}
QMainWindow, QDialog, QWidget#comparePage {{ background: {window}; }}
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {border}; padding: 4px 6px; }}
QMainWindow::separator {{ background: {border}; width: 1px; height: 1px; }}
QMainWindow::separator:hover {{ background: {accent}; }}
QSplitter::handle {{ background: {border}; }}
QSplitter::handle:hover {{ background: {accent}; }}
QLabel[role="secondary"], QLabel[role="small"], QLabel[role="row"] {{ color: {text2}; }}
QLabel[role="tiny"] {{ color: {text3}; }}
QLabel[severity="error"] {{ color: {err}; }}
QLabel[severity="warning"] {{ color: {warn}; }}
QLabel[severity="ok"] {{ color: {ok}; }}
QLabel[stale="true"] {{ color: {text3}; }}
"""

_MENUS = """
QMenuBar {{ background: {window}; border: none; padding: 0 12px; spacing: 0; }}
QMenuBar::item {{ background: transparent; padding: 5px 10px; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {hover}; }}
QMenu {{ background: {raised}; border: 1px solid {border}; padding: 4px; }}
QMenu::item {{ padding: 5px 28px 5px 12px; border-radius: 4px; }}
QMenu::icon {{ padding-left: 8px; }}
QMenu::item:selected {{ background: {selTint}; }}
QMenu::item:disabled {{ color: {border2}; }}
QMenu::separator {{ height: 1px; background: {border}; margin: 4px 8px; }}
QMenu::indicator {{ width: 14px; height: 14px; left: 6px; }}
QMenu::indicator:checked {{ image: url("{icons}/check.svg"); }}
QStatusBar {{ background: {window}; border-top: 1px solid {border}; min-height: 27px; }}
QStatusBar::item {{ border: none; }}
"""

_BUTTONS = """
QPushButton {{ background: {surface}; border: 1px solid {border2}; border-radius: 6px;
    padding: 5px 12px; min-height: 16px; }}
QPushButton:hover {{ background: {hover}; }}
QPushButton:pressed, QPushButton:checked {{ background: {selTint}; border-color: {accent}; }}
QPushButton:focus {{ border: 2px solid {accent}; padding: 4px 11px; }}
QPushButton:disabled {{ color: {border2}; border-color: {border}; }}
QPushButton[primary="true"] {{ background: {accent}; color: {accentText};
    border-color: {accent}; }}
QPushButton[primary="true"]:focus {{ border-color: {text}; }}
QPushButton[primary="true"]:disabled {{ background: {hover}; color: {border2};
    border-color: {border}; }}
QPushButton[role="link"], QToolButton[role="link"] {{ background: transparent; border: none;
    color: {accent}; padding: 2px 0; text-align: left; }}
QPushButton[role="link"]:hover, QToolButton[role="link"]:hover {{ text-decoration: underline; }}
QPushButton[role="link"]:focus {{ border: 1px solid {accent}; border-radius: 3px; padding: 1px; }}
QPushButton[role="side"] {{ background: transparent; border: none; text-align: left;
    padding: 9px 12px; border-radius: 6px; }}
QPushButton[role="side"]:hover {{ background: {hover}; }}
QPushButton[role="side"]:checked {{ background: {selTint}; color: {accent}; }}
QPushButton[role="side"]:focus {{ border: 2px solid {accent}; padding: 7px 10px; }}
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 6px;
    padding: 5px; }}
QToolButton:hover {{ background: {hover}; }}
QToolButton:pressed {{ background: {selTint}; }}
QToolButton:checked {{ background: {selTint}; border-color: {accent}; }}
QToolButton:focus {{ border: 1px solid {accent}; }}
QToolButton#exportButton {{ background: {surface}; border-color: {border2}; padding: 5px 12px; }}
QToolButton#exportButton:hover {{ background: {hover}; }}
QToolButton#exportButton:focus {{ border-color: {accent}; }}
QStatusBar QToolButton {{ padding: 0 5px; border-radius: 4px; }}
QStatusBar QToolButton[severity="error"] {{ color: {err}; }}
QStatusBar QToolButton[severity="warning"] {{ color: {warn}; }}
QToolButton::menu-indicator {{ image: none; }}
"""

_FIELDS = """
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox, QPlainTextEdit, QTextEdit {{
    background: {surface}; border: 1px solid {border2}; border-radius: 6px; padding: 4px 8px;
    selection-background-color: {accent}; selection-color: {accentText}; }}
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QPlainTextEdit:focus {{
    border: 2px solid {accent}; padding: 3px 7px; }}
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled {{
    color: {text3}; border-color: {border}; background: {window}; }}
QLineEdit[wrong="true"], QComboBox[wrong="true"] {{ border-color: {err}; background: {errTint}; }}
QComboBox {{ padding-right: 22px; }}
QComboBox::drop-down {{ border: none; width: 22px; }}
QComboBox::down-arrow {{ image: url("{icons}/chevron-down.svg"); width: 14px; height: 14px; }}
QComboBox QAbstractItemView {{ background: {raised}; border: 1px solid {border};
    selection-background-color: {selTint}; selection-color: {text}; padding: 4px; }}
QSpinBox, QDoubleSpinBox {{ padding-right: 20px; }}
QSpinBox::up-button, QDoubleSpinBox::up-button {{ border: none; width: 18px;
    subcontrol-position: top right; }}
QSpinBox::down-button, QDoubleSpinBox::down-button {{ border: none; width: 18px;
    subcontrol-position: bottom right; }}
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {{ image: url("{icons}/plus.svg");
    width: 10px; height: 10px; }}
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {{ image: url("{icons}/minus.svg");
    width: 10px; height: 10px; }}
QCheckBox {{ spacing: 8px; }}
QCheckBox::indicator, QTableView::indicator {{ width: 14px; height: 14px;
    border: 1px solid {border2}; border-radius: 4px; background: {surface}; }}
QCheckBox::indicator:checked, QTableView::indicator:checked {{
    background: {accent}; border-color: {accent}; image: url("{icons}/check-on.svg"); }}
QCheckBox::indicator:indeterminate {{ background: {selTint}; border-color: {accent}; }}
QCheckBox:focus {{ color: {accent}; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {hover}; }}
QSlider::sub-page:horizontal {{ background: {accent}; border-radius: 2px; }}
QSlider::handle:horizontal {{ width: 14px; margin: -5px 0; border-radius: 7px;
    background: {accent}; border: 1px solid {surface}; }}
QSlider::handle:horizontal:focus {{ border: 2px solid {text}; }}
"""

_VIEWS = """
QAbstractItemView {{ background: {surface}; alternate-background-color: {surface};
    border: none; selection-background-color: {selTint}; selection-color: {text}; }}
QAbstractItemView::item:hover {{ background: {hover}; }}
QAbstractItemView::item:selected {{ background: {selTint}; color: {text}; }}
QTreeView::item {{ height: 24px; border: none; }}
QTreeView::branch {{ background: transparent; }}
QTreeView::branch:selected {{ background: {selTint}; }}
QTreeView::branch:has-children:closed {{ image: url("{icons}/chevron-right.svg"); }}
QTreeView::branch:has-children:open {{ image: url("{icons}/chevron-down.svg"); }}
QTableView {{ gridline-color: {border}; }}
QTableView::item {{ padding: 0 8px; border: none; border-bottom: 1px solid {hover}; }}
QTableView#peers::item {{ padding: 0 3px; }}
QTableView#peers QHeaderView::section {{ padding: 5px 3px; }}
QTableView:focus, QTreeView:focus, QListView:focus {{ border: 1px solid {accent}; }}
QHeaderView {{ background: {window}; border: none; }}
QHeaderView::section {{ background: {window}; color: {text2}; border: none; padding: 5px 8px;
    border-bottom: 1px solid {border}; }}
QTableCornerButton::section {{ background: {window}; border: none; }}
QGraphicsView {{ background: transparent; border: none; }}
QScrollArea {{ background: transparent; border: none; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {border2}; border-radius: 3px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 28px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; }}
QScrollBar::handle:hover {{ background: {text3}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""

_PARTS = """
QFrame#card, QFrame#fileList, QListWidget {{ background: {surface}; border: 1px solid {border};
    border-radius: 8px; }}
QFrame#card:hover[clickable="true"], QFrame#card:focus {{ border-color: {accent}; }}
QFrame#fileRow {{ border: none; border-bottom: 1px solid {hover}; background: transparent; }}
QFrame#fileRow:hover {{ background: {hover}; }}
QFrame#fileRow:focus {{ background: {selTint}; }}
QListWidget::item {{ border-radius: 6px; padding: 4px 8px; }}
QDialog#templateDialog {{ background: {surface}; }}
QListWidget#templateList {{ border: none; border-radius: 0; padding: 8px; }}
QListWidget#templateList::item {{ border: 1px solid {border}; border-radius: 8px;
    margin-bottom: 8px; padding: 0; }}
QListWidget#templateList::item:selected {{ border-color: {accent}; background: {selTint}; }}
QFrame#finding[severity="ok"] {{ background: {okTint}; }}
QFrame#startSide {{ background: {surface}; border: none; border-right: 1px solid {border}; }}
QWidget#startContent {{ background: {window}; }}
QFrame#popover {{ background: {raised}; border: 1px solid {border2}; border-radius: 10px; }}
QListWidget#helpList {{ border: none; border-radius: 0; padding: 12px 8px;
    background: {window}; }}
QTextBrowser#helpText {{ border: none; border-radius: 0; padding: 0; }}
QFrame#tableBand {{ background: {window}; border: none; border-radius: 4px; }}
QLabel[fabric="infiniband"] {{ color: {ib}; }}
QLabel[fabric="rocev2"] {{ color: {roce}; }}
QWidget#popoverBody {{ background: {raised}; }}
QLabel#formula {{ background: {window}; border: 1px solid {border}; border-radius: 8px;
    padding: 14px; }}
QFrame#bottleneck, QFrame#faultCard, QLabel#faultCard {{ background: {warnTint};
    border-radius: 6px; padding: 8px; color: {warn}; }}
QFrame#notice {{ border-radius: 8px; border: 1px solid {accent}; border-left: 4px solid {accent};
    background: {selTint}; }}
QFrame#notice[severity="error"] {{ background: {errTint}; border-color: {err}; }}
QFrame#notice[severity="warning"] {{ background: {warnTint}; border-color: {warn}; }}
QFrame#notice[severity="ok"] {{ background: {okTint}; border-color: {ok}; }}
QFrame#notice QLabel {{ background: transparent; }}
QDockWidget {{ border: none; }}
QFrame#dockTitle {{ background: {window}; border: none; border-bottom: 1px solid {border}; }}
QFrame#dockTitle QToolButton[tab="true"] {{ border: none; border-radius: 0; padding: 7px 0 6px 0;
    margin: 0 10px; color: {text2}; border-bottom: 2px solid transparent; }}
QFrame#dockTitle QToolButton[tab="true"]:hover {{ color: {text}; background: transparent; }}
QFrame#dockTitle QToolButton[tab="true"]:checked {{ color: {text};
    border-bottom: 2px solid {accent}; background: transparent; }}
QFrame#dockTitle QToolButton[tab="true"]:focus {{ color: {accent}; }}
QWidget#dockBody, QWidget#panel {{ background: {surface}; }}
QFrame#toolbar {{ background: {window}; border: none; border-bottom: 1px solid {border}; }}
QFrame#segments {{ background: {hover}; border: 1px solid {hover}; border-radius: 7px; }}
QFrame#segments QToolButton {{ border: 1px solid transparent; border-radius: 6px;
    padding: 0 12px; color: {text2}; }}
QFrame#segments QToolButton:hover {{ color: {text}; }}
QFrame#segments QToolButton:checked {{ background: {surface}; border-color: {accent};
    color: {accent}; }}
QFrame#segments QToolButton:focus {{ border-color: {accent}; }}
QFrame#line {{ background: {border}; border: none; }}
QFrame#tile {{ background: {surface}; border: 1px solid {border}; border-radius: 6px; }}
QFrame#tile:hover {{ background: {hover}; }}
QFrame#tile:focus {{ border: 1px solid {accent}; background: {selTint}; }}
QFrame#finding {{ background: {window}; border: none; border-radius: 6px; }}
QFrame#finding[severity="error"] {{ background: {errTint}; }}
QFrame#finding[severity="warning"] {{ background: {warnTint}; }}
QFrame#finding:focus {{ border: 1px solid {accent}; }}
QFrame#finding QLabel, QFrame#tile QLabel {{ background: transparent; }}
QToolButton[figure="true"] {{ border: none; border-radius: 4px; padding: 0; }}
QToolButton[figure="true"]:hover {{ color: {accent}; background: transparent;
    text-decoration: underline; }}
QToolButton[figure="true"]:focus {{ background: {selTint}; }}
QToolButton[figure="true"][stale="true"] {{ color: {text3}; }}
QLabel[pill="warning"] {{ background: {warnTint}; color: {warn}; border-radius: 8px;
    padding: 1px 7px; }}
QLabel[pill="error"] {{ background: {errTint}; color: {err}; border-radius: 8px;
    padding: 1px 7px; }}
QLabel[pill="ok"] {{ background: {okTint}; color: {ok}; border-radius: 8px; padding: 1px 7px; }}
QLabel[pill="info"] {{ background: {hover}; color: {text2}; border-radius: 8px;
    padding: 1px 7px; }}
QFrame#hint {{ border-radius: 6px; background: {okTint}; border: none; }}
QFrame#hint[severity="error"] {{ background: {errTint}; }}
QFrame#hint QLabel {{ background: transparent; }}
"""


def style_sheet(theme: str) -> str:
    """Return the style sheet of `light` or `dark`."""
    icons = resource("icons", theme).as_posix()
    text = _BASE + _MENUS + _BUTTONS + _FIELDS + _VIEWS + _PARTS
    return text.format(icons=icons, **THEMES[theme])
