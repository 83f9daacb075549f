"""What the table of assumptions lists: parameters of the model and prices of parts."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.catalog.types import PartType
from designer.gui.bridge import Document
from designer.messages import _
from designer.model.assumptions import assumption, parameters
from designer.units import Range

PRICE = "price."


@dataclass(frozen=True, slots=True)
class Value:
    """One parameter as the drawing uses it.

    Attributes:
        default: Value without a change by the person.
        assumed: True when no source was read for it.
        part: The part whose price it is, or None.
    """

    key: str
    group: str
    label: str
    unit: str
    value: Range | None
    default: Range | None
    source: str
    date: str
    changed: bool
    assumed: bool
    part: PartType | None = None


def values_of(document: Document) -> Iterator[Value]:
    """Yield every parameter of the model, then the prices of the parts the drawing needs."""
    design = document.design
    for key, parameter in parameters().items():
        used = assumption(design, key)
        yield Value(
            key,
            parameter.group,
            _(parameter.label),
            parameter.unit,
            used.value,
            parameter.value,
            used.source,
            used.date,
            used.changed,
            parameter.confidence == "estimate" and not used.changed,
        )
    for slug in _priced(document):
        value = _price(document, slug)
        if value is not None:
            yield value


def _priced(document: Document) -> list[str]:
    """Return the parts whose price the results depend on, or that are drawn."""
    found = dict.fromkeys(s for s, p in document.design.types.items() if p.price is not None)
    results = document.results
    for flip in (results.get("verdict.flips") if results is not None else None) or ():
        if str(flip["key"]).startswith(PRICE):
            found[str(flip["key"]).removeprefix(PRICE)] = None
    return sorted(found)


def _price(document: Document, slug: str) -> Value | None:
    stock = document.catalog.get(slug) if slug in document.catalog else None
    part = document.design.types.get(slug) or stock
    if part is None:
        return None
    price, default = part.price, stock.price if stock is not None else None
    return Value(
        f"{PRICE}{slug}",
        "part",
        part.title,
        "USD",
        price.usd if price is not None else None,
        default.usd if default is not None else None,
        price.source if price is not None else "",
        price.date if price is not None else "",
        stock is not None and price != default,
        False,
        part,
    )
