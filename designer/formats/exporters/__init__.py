"""Writers of foreign files that need nothing but the drawing: by name, with ending and title."""

from collections.abc import Callable
from dataclasses import dataclass

from designer.formats import native
from designer.formats.exporters.graph import dot, graphml, multigraph
from designer.messages import N_
from designer.model.design import Design

__all__ = ["EXPORTERS", "Exporter", "dot", "graphml", "multigraph"]


@dataclass(frozen=True, slots=True)
class Exporter:
    """One form a drawing can be written in.

    Attributes:
        ending: Of its files, with the dot.
        title: What people call it.
        text: Returns the contents of the file.
    """

    ending: str
    title: str
    text: Callable[[Design], str]


EXPORTERS: dict[str, Exporter] = {
    "railspine": Exporter(native.ENDING, N_("Railspine drawing"), native.dumps),
    "graphml": Exporter(".graphml", N_("GraphML graph"), graphml),
    "dot": Exporter(".dot", N_("DOT graph"), dot),
}
