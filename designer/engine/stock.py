"""What can be bought for a design: the types it carries itself first, then the catalogue."""

from collections.abc import Mapping

from designer.catalog.catalog import Catalog
from designer.catalog.types import PartType, Technology
from designer.errors import CatalogError
from designer.model.design import Design


class Stock:
    """Part types by slug; a type embedded in the design hides the one of the catalogue.

    A design means the same after the catalogue moves on, so its own prices and ports count.
    """

    def __init__(self, design: Design, catalog: Catalog) -> None:
        self._own: Mapping[str, PartType] = design.types
        self._catalog = catalog
        self._merged = {p.slug: p for p in catalog} | dict(design.types)
        self.cables = tuple(p for p in self._merged.values() if p.kind == "cable")
        self.optics = tuple(p for p in self._merged.values() if p.kind == "optic")

    def get(self, slug: str) -> PartType | None:
        """Return a part by slug or alias, or None."""
        if not slug:
            return None
        if slug in self._merged:
            return self._merged[slug]
        try:
            return self._catalog.get(slug)
        except CatalogError:
            return None

    def of_kind(self, kind: str) -> list[PartType]:
        """Return all parts of one kind."""
        return [p for p in self._merged.values() if p.kind == kind]

    def equivalent(self, part: PartType, technology: Technology) -> PartType | None:
        """Return the part that takes the place of `part` in `technology`, or None."""
        if part.technology in (technology, "any", "nvlink"):
            return part
        for slug in part.equivalents:
            other = self.get(slug)
            if other is not None and other.technology in (technology, "any"):
                return other
        return None
