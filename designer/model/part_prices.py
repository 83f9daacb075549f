"""Prices of parts inside one design: changed and reset by edits of its own part types."""

from dataclasses import replace

from designer.catalog.types import PartType, Price
from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.units import Range


def set_price(design: Design, part: PartType, usd: Range, source: str, date: str) -> Edit:
    """Give a part another price in this design, in US dollars; the part is embedded if need be."""
    before = design.types.get(part.slug)
    after = replace(before or part, price=Price(usd, date, source))
    label = _("Set price of {part}").format(part=part.shown_model)
    return Edit(label, (Swap("types", part.slug, before, after),) if after != before else ())


def reset_price(design: Design, catalog_part: PartType) -> Edit:
    """Give a part the price of the catalogue again."""
    before = design.types.get(catalog_part.slug)
    if before is None or before.price == catalog_part.price:
        return Edit("", ())
    after = replace(before, price=catalog_part.price)
    label = _("Reset price of {part}").format(part=catalog_part.shown_model)
    return Edit(label, (Swap("types", catalog_part.slug, before, after),))
