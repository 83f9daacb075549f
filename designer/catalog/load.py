"""Reads the catalogue: the parts that ship with the program, and a user's file over them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from designer.catalog.catalog import Catalog
from designer.catalog.convert import part_from_dict, part_to_dict, twin_keys
from designer.catalog.rules import check_catalog, check_part
from designer.catalog.types import PartType
from designer.errors import CatalogError
from designer.messages import _
from designer.resources import resource
from designer.toml_text import TomlError, read_toml

__all__ = ["default_catalog", "load_catalog", "load_parts", "part_from_dict", "part_to_dict"]

FILES = (
    "servers",
    "nvswitch",
    "switches_infiniband",
    "switches_ethernet",
    "nics",
    "cables",
    "optics",
)
# Changing these says nothing about what the part is, so its own source still holds.
_NO_DATA = frozenset(
    {"price", "equivalents", "aliases", "notes", "source", "checked", "confidence", "unsourced"}
)

Tables = dict[str, dict[str, Any]]


@cache
def default_catalog() -> Catalog:
    """Return the parts that ship with the program; read once."""
    return load_catalog()


def load_catalog(user_file: Path | None = None) -> Catalog:
    """Read the bundled catalogue and lay a user's file over it.

    A table of the user's file adds a part, or replaces single fields of the part of that name.

    Raises:
        CatalogError: A file cannot be read or holds a fault; names file, part and field.
    """
    tables: Tables = {}
    places: dict[str, str] = {}
    for path in bundled_files():
        for slug, data in _read(path).items():
            if slug in tables:
                raise CatalogError(
                    _("{where}: part “{slug}” already stands in {other}.").format(
                        where=path.name, slug=slug, other=places[slug]
                    ),
                    _("Remove one of the two."),
                )
            tables[slug], places[slug] = data, path.name
    own = _lay_over(tables, places, user_file) if user_file is not None else set()
    parts = [_part(slug, data, places[slug]) for slug, data in tables.items()]
    # the user's parts come last: a clash is theirs to mend
    check_catalog(sorted(parts, key=lambda part: part.slug in own), places)
    return Catalog(parts)


def bundled_files() -> list[Path]:
    """Return the catalogue files that ship with the program, in the order they are read."""
    return [resource("catalog", f"{name}.toml") for name in FILES]


def load_parts(path: Path) -> list[PartType]:
    """Read the parts of one catalogue file, each complete in itself.

    Raises:
        CatalogError: The file cannot be read or holds a fault; names file, part and field.
    """
    return [_part(slug, data, path.name) for slug, data in _read(path).items()]


def _part(slug: str, data: Mapping[str, Any], where: str) -> PartType:
    part = part_from_dict(slug, data, where)
    check_part(part, where)
    return part


def _read(path: Path) -> Tables:
    try:
        tables = read_toml(path)
    except TomlError as fault:
        raise CatalogError(
            _("{path} cannot be read as a catalogue: {fault}").format(path=path, fault=fault),
            _("A catalogue is a TOML file with one table a part."),
        ) from fault
    for slug, data in tables.items():
        if not isinstance(data, dict):
            raise CatalogError(
                _("{where}: “{slug}” is not a part.").format(where=path.name, slug=slug),
                _("Each part is a table, such as [my-switch]."),
            )
    return tables


def _lay_over(tables: Tables, places: dict[str, str], path: Path) -> set[str]:
    own = _read(path)
    for slug, data in own.items():
        base = tables.get(slug)
        tables[slug] = dict(data) if base is None else _marked(base, data, path.name)
        places[slug] = path.name
    return set(own)


def _marked(base: dict[str, Any], data: dict[str, Any], where: str) -> dict[str, Any]:
    merged = _merge(base, data)
    changed = [key for key in data if key not in _NO_DATA]
    if changed and "source" not in data:
        # the original source does not speak for figures that somebody replaced
        merged["source"] = _("{source}; {fields} set by {file}, which names no source").format(
            source=base.get("source", ""), fields=", ".join(changed), file=where
        )
        merged["confidence"] = data.get("confidence", "unknown")
    price = data.get("price")
    if isinstance(price, dict) and isinstance(merged.get("price"), dict):
        if "source" not in price:
            merged["price"]["source"] = _("set by {file}").format(file=where)
        if "date" not in price:
            merged["price"]["date"] = "n/d"
    return merged


def _merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    twins = twin_keys()
    merged = {key: value for key, value in base.items() if twins.get(key) not in over}
    for key, value in over.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[key] = _merge(old, value)
        else:
            merged[key] = value
    return merged
