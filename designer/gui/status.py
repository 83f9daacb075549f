"""The status bar: what was computed, what is drawn, what is wrong, which catalogue is in use."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QStatusBar, QToolButton, QWidget

from designer.engine.results import Results
from designer.gui.icons import icon
from designer.gui.labels import label, line, restyle
from designer.gui.style import color
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.units import format_number, format_time


class Status(QStatusBar):
    """One line about the drawing and its results.

    Signals:
        findings_clicked: The count of findings was clicked.
    """

    findings_clicked = Signal()

    def __init__(self, theme: str, catalog_text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._counted: tuple[tuple[int, int], int] = ((0, -1), 0)
        self.setSizeGripEnabled(False)
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(14)
        self.disc = QLabel()
        self.disc.setFixedSize(8, 8)
        self.state = label("", "rowStrong")
        self.counts = label("", "row")
        self.assumed = label("", "row")
        self.findings = QToolButton()
        self.findings.setProperty("role", "row")
        self.findings.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.findings.setAutoRaise(True)
        self.findings.clicked.connect(self.findings_clicked)
        self.notice = label("", "row")
        right = label(
            _("{catalogue} · all speeds one way · decimal units").format(catalogue=catalog_text),
            "row",
        )
        right.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        right.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._dividers = [line(vertical=True) for _k in range(3)]
        row.addWidget(self.disc)
        row.addWidget(self.state)
        for divider, item in zip(
            self._dividers, (self.counts, self.findings, self.assumed), strict=True
        ):
            divider.setFixedHeight(14)
            row.addWidget(divider)
            row.addWidget(item)
        row.addWidget(right, 1)
        self.addWidget(box, 1)
        self._paint_disc("ok", round_=True)
        self.messageChanged.connect(self._on_message)

    def _on_message(self, text: str) -> None:
        # Qt shows the tip of a menu entry over everything; the state stays readable instead
        if text:
            self.clearMessage()

    def _paint_disc(self, token: str, *, round_: bool) -> None:
        tone = color(token, self._theme).name()
        radius = 4 if round_ else 1
        self.disc.setStyleSheet(f"background: {tone}; border-radius: {radius}px;")

    def show_state(self, results: Results | None, behind: int, paused: bool) -> None:
        """Say whether results are up to date, and how long they took."""
        if paused and behind:
            self.state.setText(_("Paused. Resume with Shift+F5"))
            self._paint_disc("warn", round_=False)
        elif behind:
            text = ngettext("Computing, {n} edit behind", "Computing, {n} edits behind", behind)
            self.state.setText(text.format(n=format_number(behind)))
            self._paint_disc("accent", round_=True)
        elif results is not None:
            took = results.get("timings_s.total") or 0.0
            self.state.setText(_("Recomputed in {time}").format(time=format_time(took)))
            self._paint_disc("ok", round_=True)
        else:
            self.state.setText(_("Ready"))
            self._paint_disc("ok", round_=True)

    def show_busy(self, text: str) -> None:
        """Say what the program is doing, such as reading a file."""
        self.state.setText(text)
        self._paint_disc("accent", round_=True)

    def show_trouble(self, text: str) -> None:
        """Say in a few words what went wrong, with a square in place of the disc."""
        self.state.setText(text)
        self._paint_disc("err", round_=False)

    def show_drawing(self, design: Design, results: Results | None) -> None:
        """Count what is drawn."""
        devices, cables = len(design.devices), self._links(design)
        parts = [
            ngettext("{n} device", "{n} devices", devices).format(n=format_number(devices)),
            ngettext("{n} cable", "{n} cables", cables).format(n=format_number(cables)),
        ]
        gpus = results.get("counts.gpus") if results is not None else None
        if gpus is not None:
            parts.append(ngettext("{n} GPU", "{n} GPUs", gpus).format(n=format_number(gpus)))
        self.counts.setText(" · ".join(parts))
        n = len(design.assumptions)
        text = ngettext("{n} assumption changed", "{n} assumptions changed", n)
        self.assumed.setText(text.format(n=format_number(n)))
        self._show_parts(True, bool(self.findings.text()), bool(n))

    def _links(self, design: Design) -> int:
        """Return links over all cables, counted once for each state of the drawing."""
        state = (id(design), design.revision)
        if state != self._counted[0]:
            self._counted = (state, sum(c.count for c in design.cables.values()))
        return self._counted[1]

    def show_none(self) -> None:
        """Speak of no drawing."""
        self._show_parts(False, False, False)

    def _show_parts(self, *shown: bool) -> None:
        parts = (self.counts, self.findings, self.assumed)
        for divider, part, visible in zip(self._dividers, parts, shown, strict=True):
            divider.setVisible(visible)
            part.setVisible(visible)

    def show_findings(self, errors: int, warnings: int, notes: int = 0) -> None:
        """Count what is wrong."""
        if errors:
            text = ngettext("{n} error", "{n} errors", errors).format(n=format_number(errors))
        elif warnings:
            text = ngettext("{n} warning", "{n} warnings", warnings).format(
                n=format_number(warnings)
            )
        elif notes:
            text = ngettext("{n} note", "{n} notes", notes).format(n=format_number(notes))
        else:
            text = _("No findings")
        token = "err" if errors else "warn" if warnings else "ok"
        picture = "error" if errors else "warning" if warnings else "info" if notes else "ok"
        self.findings.setText(text)
        self.findings.show()
        self._dividers[1].show()
        self.findings.setIcon(icon(picture, "text2" if picture == "info" else token, self._theme))
        restyle(self.findings, severity={"err": "error", "warn": "warning"}.get(token, "ok"))
