"""What has been found about a pattern on a routed network is not worked out again.

Both technologies, and the phases of a step, ask the same questions of the same pattern: how it
spreads in equal shares, how many hops its bytes travel, what arrives. Answers are kept with the
routed network and go with it, so a changed drawing never meets an old one.
"""

from collections.abc import Callable
from typing import TypeVar, cast

from designer.engine.routing import Routed

T = TypeVar("T")


def recall(routed: Routed, name: str, pattern: object, make: Callable[[], T]) -> T:
    """Return what `make` returns, made once for each name and pattern.

    Args:
        routed: The routed network that keeps the answer.
        name: Of the question.
        pattern: What it is about; known by identity, and kept so that no other gets its place.
        make: Works the answer out from the network and the pattern alone.
    """
    key = (name, id(pattern))
    if key not in routed.known:
        routed.known[key] = (pattern, make())
    return cast(T, routed.known[key][1])
