"""Runs every validation: counts, collectives, training steps, and often repeated statements."""

from collections.abc import Callable
from itertools import chain

from designer.catalog.catalog import Catalog
from designer.services.validation import Checked
from designer.services.validation_claims import claims
from designer.services.validation_collectives import collectives
from designer.services.validation_counts import counts
from designer.services.validation_training import training


def validate(catalog: Catalog, step: Callable[[str], None]) -> list[Checked]:
    """Return all published rows beside the model's figures.

    Args:
        catalog: Parts and prices.
        step: Told the id of each row before it is computed.
    """
    parts = (part(catalog, step) for part in (counts, collectives, training, claims))
    return list(chain.from_iterable(parts))
