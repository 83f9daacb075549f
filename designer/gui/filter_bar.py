"""The bar above the canvas that filters the drawing: what is kept, and one way back."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from designer.gui.bridge import Document
from designer.gui.canvas.filtering import MOST_HOPS
from designer.gui.canvas.view import CanvasView
from designer.gui.labels import Elided, label, mark
from designer.gui.panels.page_parts import FABRIC_NAMES, ROLE_NAMES
from designer.messages import N_, _, ngettext
from designer.model.naming import natural
from designer.model.records import ROLES
from designer.scene.columns import NIC
from designer.units import format_number

HEIGHT = 44
_MENUS = (
    ("roles", N_("Tier")),
    ("rails", N_("Rail")),
    ("groups", N_("Group")),
    ("fabrics", N_("Network")),
)
_SWITCHES = (("failed", N_("Failed")), ("unused", N_("Free ports")))


class FilterBar(QFrame):
    """Hidden until it is asked for, or while nothing is filtered; Esc clears and hides it."""

    def __init__(
        self, document: Document, canvas: CanvasView, theme: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setProperty("severity", "info")
        self.setFixedHeight(HEIGHT)
        self._document, self._canvas = document, canvas
        self._filtering = canvas.filtering
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 8, 4)
        row.setSpacing(6)
        row.addWidget(mark("filter", "text2", theme, 18))
        self.menus: dict[str, QToolButton] = {}
        for name, text in _MENUS:
            self.menus[name] = self._menu(name, _(text))
            row.addWidget(self.menus[name])
        self.load = self._spin(0, 100, "≥ ", " %", _("Least utilisation"))
        self.load.setSpecialValueText(_("any load"))
        self.load.valueChanged.connect(self._set_load)
        row.addWidget(self.load)
        self.switches: dict[str, QToolButton] = {}
        for name, text in _SWITCHES:
            self.switches[name] = self._switch(name, _(text))
            row.addWidget(self.switches[name])
        self.hops_label = label(_("Hops"), "row")
        self.hops = self._spin(1, MOST_HOPS, "", "", _("Hops around the focus"))
        self.hops.valueChanged.connect(lambda n: self._filtering.change(hops=n))
        row.addWidget(self.hops_label)
        row.addWidget(self.hops)
        self.summary = Elided("", "rowStrong", 60)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self.summary, 1)
        self.clear_button = QPushButton(_("Show all"))
        self.clear_button.setToolTip(_("Show all (Esc)"))
        self.clear_button.clicked.connect(self.close_filter)
        row.addWidget(self.clear_button)
        self._filtering.changed.connect(self._show)
        self.hide()

    # --- parts ---

    def _menu(self, name: str, text: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(button)
        menu.aboutToShow.connect(lambda: self._fill(name, menu))
        button.setMenu(menu)
        return button

    def _spin(self, low: int, high: int, before: str, after: str, name: str) -> QSpinBox:
        spin = QSpinBox()
        spin.setRange(low, high)
        spin.setPrefix(before)
        spin.setSuffix(after)
        spin.setSingleStep(5 if high == 100 else 1)
        spin.setKeyboardTracking(False)
        spin.setAccessibleName(name)
        spin.setToolTip(name)
        return spin

    def _switch(self, name: str, text: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda on: self._filtering.change(**{name: on}))
        return button

    def _fill(self, name: str, menu: QMenu) -> None:
        """Offer what the drawing has."""
        menu.clear()
        chosen = getattr(self._filtering.filter, name)
        for value, text in self._choices(name):
            action = QAction(text, menu)
            action.setCheckable(True)
            action.setChecked(value in chosen)
            action.triggered.connect(lambda on, v=value: self._tick(name, v, on))
            menu.addAction(action)

    def _choices(self, name: str) -> Iterable[tuple[object, str]]:
        design = self._document.design
        if name == "roles":
            there = {d.role for d in design.devices.values()}
            return [(r, _(ROLE_NAMES[r])) for r in ROLES if r in there]
        if name == "rails":
            b = self._canvas.columns.bundles
            rails = sorted({int(r) for r in b.rail[b.kind == NIC]} - {0})
            return [(r, _("Rail {n}").format(n=r)) for r in rails]
        if name == "groups":
            groups = sorted(design.groups.values(), key=lambda g: (g.kind, natural(g.name)))
            return [(g.id, g.name) for g in groups]
        fabrics = {d.fabric for d in design.devices.values()}
        return [(f, _(text)) for f, text in FABRIC_NAMES.items() if f in fabrics]

    def _tick(self, name: str, value: object, on: bool) -> None:
        chosen = getattr(self._filtering.filter, name)
        self._filtering.change(**{name: chosen | {value} if on else chosen - {value}})

    def _set_load(self, percent: int) -> None:
        self._filtering.change(load=percent / 100 if percent else None)

    # --- showing ---

    def open(self) -> None:
        """Show the bar with the keyboard on its first choice."""
        self._show()
        self.show()
        self.menus["roles"].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_filter(self) -> None:
        """Show everything again, and hide the bar."""
        self._filtering.clear()
        self.hide()
        self._canvas.setFocus()

    def _show(self) -> None:
        chosen, kept = self._filtering.filter, self._canvas.state.kept
        self.setVisible(bool(chosen) or (self.isVisible() and self._holds_focus()))
        for name, text in _MENUS:
            values = getattr(chosen, name)
            names = [t for v, t in self._choices(name) if v in values] if values else []
            self.menus[name].setText(_short(_(text), names))
        for spin, value in (
            (self.load, round((chosen.load or 0.0) * 100)),
            (self.hops, chosen.hops),
        ):
            spin.blockSignals(True)
            spin.setValue(value)
            spin.blockSignals(False)
        for name, button in self.switches.items():
            button.setChecked(getattr(chosen, name))
        for widget in (self.hops, self.hops_label):
            widget.setVisible(bool(chosen.around))
        text = ""
        if kept is not None:
            n = int(kept.devices.sum())
            links = int(self._canvas.columns.bundles.count[kept.bundles].sum())
            text = _("{n} of {total} devices · {cables}").format(
                n=format_number(n),
                total=format_number(len(kept.devices)),
                cables=ngettext("{n} link", "{n} links", links).format(n=format_number(links)),
            )
        self.summary.setText(text)
        self.setAccessibleName(_("Filter: {text}").format(text=text))

    def _holds_focus(self) -> bool:
        focus = self.window().focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_filter()
        else:
            super().keyPressEvent(event)


def _short(title: str, names: list[str]) -> str:
    """Return the title of a menu with what is chosen: `Tier: Leaf, Spine` or `Rail: 3`."""
    if not names:
        return title
    if len(names) <= 2:
        return f"{title}: {', '.join(names)}"
    return f"{title}: {format_number(len(names))}"
