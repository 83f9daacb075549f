"""The bar above the canvas while jobs run on some servers only: where, and what it costs."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from designer.engine.placing import Placing
from designer.engine.results import Results
from designer.gui.bridge import Document
from designer.gui.labels import Elided, label, mark
from designer.messages import _, ngettext
from designer.units import format_number, format_significant, format_time

HEIGHT = 40


class JobBar(QFrame):
    """Hidden while one job runs on all servers."""

    def __init__(self, document: Document, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setProperty("severity", "info")
        self.setFixedHeight(HEIGHT)
        self._document = document
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 8, 4)
        row.setSpacing(10)
        self.words = Elided("", "rowStrong", 120)
        self.note = label(_("not in the drawing"), "row")
        self.effect = Elided("", "row", 60)
        self.effect.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.all_servers = QPushButton(_("Use all servers"))
        self.all_servers.clicked.connect(
            lambda: document.set_options(placing=None, ranks=None, others=())
        )
        row.addWidget(mark("info", "accent", theme, 18))
        row.addWidget(self.words)
        row.addWidget(self.note)
        row.addWidget(self.effect, 1)
        row.addWidget(self.all_servers)
        document.results_changed.connect(self._show)
        document.computing.connect(self._show)
        self._show()

    def _show(self, _any: object = None) -> None:
        document, asked = self._document, self._document.options
        placed = asked.placing is not None or asked.ranks is not None or bool(asked.others)
        self.setVisible(placed)
        if not placed:
            return
        results = document.results if document.current else None
        text = placed_text(results, asked.placing, len(asked.others))
        self.words.setText(text)
        self.setAccessibleName(text)
        self.effect.setText("…" if results is None else effect_text(results))


def placed_text(results: Results | None, placing: Placing | None, others: int) -> str:
    """Return where the first job runs, and how many others there are."""
    job = results.get("job") if results is not None else None
    how = (placing or Placing()).text
    if not job or not job["servers"]:
        text = _("Job on chosen servers, {how}").format(how=how)
    else:
        n = len(job["servers"])
        text = ngettext("Job on {n} server ({how})", "Job on {n} servers ({how})", n).format(
            n=format_number(n), how=how
        )
    if others:
        more = ngettext("{n} other job beside it", "{n} other jobs beside it", others)
        text = f"{text}, {more.format(n=format_number(others))}"
    return text


def effect_text(results: Results) -> str:
    """Return the time of the first job's operation, and how much others slow it down."""
    beside = results.get("interference")
    if not beside:
        name = results.get("job.ranks")
        return results.reason("job.ranks") if name is None else ""
    first = beside["jobs"][0]
    if first["alone_s"] is None:
        return str(first["reason"])
    text = _("{operation} {alone} alone, {together} together ({factor} ×)")
    return text.format(
        operation=first["operation"].replace("_", "-"),
        alone=format_time(first["alone_s"]),
        together=format_time(first["together_s"]),
        factor=format_significant(first["slow_down"]),
    )
