"""Does beside the window, right after the start, what the first drawing would wait for."""

from designer.catalog.catalog import Catalog
from designer.engine.analyze import analyze
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.view import SceneState, fit
from designer.services.create import new_design


def warm_up(catalog: Catalog) -> None:
    """Load fonts and libraries by drawing and computing a small network once."""
    design = new_design("four-servers", catalog)
    columns = SceneColumns.from_design(design)
    compose(columns, fit(columns, 800.0, 600.0), SceneState())
    analyze(design, catalog=catalog)
