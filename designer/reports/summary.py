"""The summary of a design, in three forms: HTML, Markdown and JSON."""

import json

from designer import __version__
from designer.catalog.catalog import Catalog
from designer.engine.bom import bill_of_materials
from designer.engine.results import Results
from designer.model.design import Design
from designer.reports.summary_html import summary_html
from designer.reports.summary_markdown import summary_markdown

__all__ = ["summary_html", "summary_json", "summary_markdown"]


def summary_json(design: Design, results: Results, catalog: Catalog) -> str:
    """Return the summary as JSON: title block, all results, and the bill of materials."""
    block = design.title_block
    bom = bill_of_materials(design, catalog)
    value = {
        "schema": "railspine.summary/1",
        "version": __version__,
        "title": block.title,
        "project": block.project,
        "revision": block.revision,
        "template": block.template,
        "workload": design.workload.name if design.workload is not None else None,
        "results": results.values,
        "bill_of_materials": [row.as_dict() for row in bom.rows],
    }
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
