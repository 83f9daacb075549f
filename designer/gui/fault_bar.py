"""The bar above the canvas while something has failed for the results: what, what it does, back."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from designer.engine.results import Results
from designer.gui.bridge import Document
from designer.gui.faults import change, failed_names
from designer.gui.labels import Elided, label, mark
from designer.messages import N_, _
from designer.units import format_bits_per_s, format_time

HEIGHT = 40
_FIGURES = (
    (N_("All-reduce"), "collectives.all_reduce.time_s", format_time),
    (N_("All-to-all"), "collectives.all_to_all.time_s", format_time),
    (N_("Step"), "step.time_s", format_time),
    (N_("Bisection"), "capacity.bisection_bits_per_s", format_bits_per_s),
)


class FaultBar(QFrame):
    """Hidden while nothing has failed; it is no notice, so it cannot be closed by mistake."""

    def __init__(self, document: Document, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setProperty("severity", "error")
        self.setFixedHeight(HEIGHT)
        self._document = document
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 8, 4)
        row.setSpacing(10)
        self.names = Elided("", "rowStrong", 120)
        self.effect = Elided("", "row", 60)
        self.effect.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.note = label(_("not in the drawing"), "row")
        self.restore = QPushButton(_("Restore all"))
        self.restore.clicked.connect(lambda: document.set_failed(()))
        row.addWidget(mark("error", "err", theme, 18))
        row.addWidget(self.names)
        row.addWidget(self.note)
        row.addWidget(self.effect, 1)
        row.addWidget(self.restore)
        document.failed_changed.connect(self._show)
        document.results_changed.connect(self._show)
        document.computing.connect(self._show)
        self._show()

    def _show(self, _any: object = None) -> None:
        document = self._document
        failed = document.options.fail
        self.setVisible(bool(failed))
        if not failed:
            return
        text = _("Failed: {names}").format(names=failed_names(document.design, failed))
        self.names.setText(text)
        self.setAccessibleName(text)
        known = document.current and document.results is not None
        self.effect.setText(effect_text(document.intact, document.results) if known else "…")


def effect_text(before: Results | None, after: Results | None) -> str:
    """Return what a failure does to the main figures: before, after and the change."""
    if after is None:
        return ""
    found = []
    for name, key, form in _FIGURES:
        new = after.get(key)
        old = before.get(key) if before is not None and before.revision == after.revision else None
        if new is None:
            if old is None:
                continue
            found.append(_("{figure} {old} → none").format(figure=_(name), old=form(old)))
        elif not old:
            found.append(f"{_(name)} {form(new)}")
        else:
            found.append(f"{_(name)} {form(old)} → {form(new)} ({change(new / old)})")
    return "  ·  ".join(found)
