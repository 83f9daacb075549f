"""Keeps the garbage collector off the records of a large drawing.

A full collection walks every object there is: a tenth of a second with 24,576 GPUs, during which
neither the window nor the engine moves. The records of an open drawing live as long as it, so they
are set aside from collections until it closes.
"""

import gc

from designer.model.design import Design

# Records below which a full collection is too short to be noticed.
_MANY = 5_000


def set_aside(design: Design) -> bool:
    """Collect once, then leave all that is alive out of later collections, if there is much of it.

    Args:
        design: The drawing that is open.

    Returns:
        True when the drawing is large enough and it was done.
    """
    if len(design.devices) + len(design.cables) < _MANY:
        return False
    gc.collect()
    gc.freeze()
    return True


def take_back() -> None:
    """Let collections see everything again, so that what a closed drawing leaves can go."""
    gc.unfreeze()
