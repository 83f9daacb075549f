"""What can be bought: part types, read from TOML with their sources."""

from designer.catalog.catalog import Catalog
from designer.catalog.load import default_catalog, load_catalog, load_parts
from designer.catalog.types import PartType

__all__ = ["Catalog", "PartType", "default_catalog", "load_catalog", "load_parts"]
