"""Writes a drawing in another form; the form comes from the ending of the file, or by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from designer.catalog.catalog import Catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.engine.results import Results
from designer.errors import ParameterError
from designer.formats.exporters import dot, graphml
from designer.formats.native import write_atomically
from designer.messages import _
from designer.model.design import Design
from designer.reports.bom_sheet import write_bom_csv, write_workbook
from designer.reports.cable_sheet import write_cable_csv
from designer.reports.summary import summary_json
from designer.reports.summary_html import summary_html
from designer.reports.summary_markdown import summary_markdown
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import DisplayList
from designer.scene.page import PAPERS, page
from designer.scene.svg import svg
from designer.scene.view import ColourMode, SceneState
from designer.scene.whole import whole
from designer.services.export_page import page_content

# The nominal view that drawings are laid out for.
WIDTH, HEIGHT = 1600.0, 1000.0


@dataclass(frozen=True, slots=True)
class Look:
    """How a diagram looks; `only` holds ids of the devices to show, empty for all."""

    dark: bool = False
    colour: ColourMode = "rail"
    only: tuple[str, ...] = ()
    paper: str = "A3"


class Job:
    """One drawing to write, with its results computed once, when a form needs them."""

    def __init__(
        self,
        design: Design,
        catalog: Catalog,
        look: Look | None = None,
        results: Results | None = None,
        file: str = "",
    ) -> None:
        self.design, self.catalog, self.file = design, catalog, file
        self.look = look or Look()
        if results is not None:
            self.results = results

    @cached_property
    def results(self) -> Results:
        """Return the results of the drawing."""
        return analyze(self.design, Options(), self.catalog)

    @cached_property
    def _shown(self) -> Design:
        return _part_of(self.design, self.look.only) if self.look.only else self.design

    @cached_property
    def _columns(self) -> SceneColumns:
        return SceneColumns.from_design(self._shown)

    @cached_property
    def _state(self) -> SceneState:
        theme = "dark" if self.look.dark else "light"
        loads = self.results.utilization if self.look.colour == "utilization" else {}
        return SceneState(theme=theme, colour=self.look.colour, utilization=loads)

    @cached_property
    def picture(self) -> DisplayList:
        """Return the diagram."""
        view = whole(self._columns, WIDTH, HEIGHT, self._state)
        return compose(self._columns, view, self._state)

    @cached_property
    def page(self) -> DisplayList:
        """Return the diagram on a page with frame, legend, tables and title block."""
        content = page_content(self._shown, self.catalog, self.results, self.look.paper, self.file)
        return page(self._columns, content, self._state)

    @property
    def diagram(self) -> str:
        """Return the diagram as SVG."""
        return svg(self.picture, self.design.title_block.title)


def _part_of(design: Design, ids: tuple[str, ...]) -> Design:
    """Return a copy with only some devices and the cables between them."""
    part, wanted = design.snapshot(), set(ids)
    part.devices = {i: d for i, d in design.devices.items() if i in wanted}
    part.cables = {
        i: c for i, c in design.cables.items() if c.a.device in wanted and c.b.device in wanted
    }
    return part


Writer = Callable[[Job, Path], None]
# Writes a picture as PNG or PDF; comes from the window's side, as it needs Qt. The last argument
# is the size of the paper in millimetres, for PDF.
PictureWriter = Callable[[DisplayList, Path, tuple[float, float]], None]


def _text(make: Callable[[Job], str]) -> Writer:
    return lambda job, path: write_atomically(path, make(job).encode("utf-8"))


WRITERS: dict[str, Writer] = {
    "svg": _text(lambda j: j.diagram),
    "html": _text(lambda j: summary_html(j.design, j.results, j.catalog, j.diagram)),
    "md": _text(lambda j: summary_markdown(j.design, j.results, j.catalog)),
    "json": _text(lambda j: summary_json(j.design, j.results, j.catalog)),
    "csv": lambda j, path: write_bom_csv(j.design, j.catalog, path),
    "cables": lambda j, path: write_cable_csv(j.design, j.catalog, path),
    "graphml": _text(lambda j: graphml(j.design)),
    "dot": _text(lambda j: dot(j.design)),
    "xlsx": lambda j, path: write_workbook(j.design, j.catalog, path),
}


def write(
    job: Job,
    path: Path,
    form: str | None = None,
    pictures: Mapping[str, PictureWriter] = MappingProxyType({}),
) -> None:
    """Write a drawing to `path` in a form of `WRITERS` or `pictures`; by default its ending's.

    Raises:
        ParameterError: No such form.
        FileError: The file cannot be written.
    """
    name = (form or path.suffix.lstrip(".")).lower()
    if name in pictures:
        picture = job.page if name == "pdf" else job.picture
        pictures[name](picture, path, PAPERS[job.look.paper])
        return
    writer = WRITERS.get(name)
    if writer is None:
        raise ParameterError(
            _("“{name}” is no form that can be written.").format(name=name),
            _("Forms are {names}.").format(names=", ".join((*WRITERS, *pictures))),
        )
    writer(job, path)
