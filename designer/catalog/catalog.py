"""The catalogue as the program uses it: look-up by slug or alias, search, equivalents."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from designer.catalog.types import Kind, PartType, Technology
from designer.errors import CatalogError
from designer.messages import _


class Catalog:
    """Part types by slug, in the order they were read; later parts replace earlier ones."""

    def __init__(self, parts: Iterable[PartType] = ()) -> None:
        self._parts: dict[str, PartType] = {}
        self._aliases: dict[str, str] = {}
        for part in parts:
            self._parts[part.slug] = part
            for alias in part.aliases:
                self._aliases[alias] = part.slug

    def __iter__(self) -> Iterator[PartType]:
        return iter(self._parts.values())

    def __len__(self) -> int:
        return len(self._parts)

    def __contains__(self, slug: str) -> bool:
        return slug in self._parts or slug in self._aliases

    def get(self, slug: str) -> PartType:
        """Return the part called `slug` or one of its aliases; case does not matter.

        Raises:
            CatalogError: No such part; the hint names near matches.
        """
        key = slug.strip().lower()
        part = self._parts.get(self._aliases.get(key, key))
        if part is None:
            near = get_close_matches(key, [*self._parts, *self._aliases], n=3, cutoff=0.4)
            hint = (
                _("Did you mean {names}?").format(names=", ".join(near))
                if near
                else _("“railspine catalog” lists all parts.")
            )
            raise CatalogError(_("No part is called “{slug}”.").format(slug=slug), hint)
        return part

    def of_kind(self, kind: Kind, technology: Technology | None = None) -> list[PartType]:
        """Return the parts of one kind, of one technology if given (`any` fits every one)."""
        return [
            p
            for p in self
            if p.kind == kind and (technology is None or p.technology in (technology, "any"))
        ]

    def equivalent(self, part: PartType, technology: Technology) -> PartType | None:
        """Return the part that takes the place of `part` in `technology`, or None.

        A part that already is of that technology, or fits any, is its own equivalent.
        """
        if part.technology in (technology, "any", "nvlink"):
            return part
        for slug in part.equivalents:
            other = self._parts.get(slug)
            if other is not None and other.technology in (technology, "any"):
                return other
        return None

    def search(self, query: str) -> list[PartType]:
        """Return parts whose slug, vendor, model, kind or technology hold every word of `query`."""
        words = query.lower().split()
        found = []
        for part in self:
            text = " ".join(
                (part.slug, part.vendor, part.model, part.kind, part.technology, *part.aliases)
            ).lower()
            if all(word in text for word in words):
                found.append(part)
        return found
