"""What has been found about a pattern on a routed network is not worked out again.

Both technologies, and the phases of a step, ask the same questions of the same pattern: how it
spreads in equal shares, how many hops its bytes travel, what arrives. Answers are kept with the
routed network and go with it, so a changed drawing never meets an old one. Those about the network
itself, and about patterns over all its servers, serve later analyses of the same drawing as well.
"""

from collections.abc import Callable
from typing import TypeVar, cast

from designer.engine.routing import Routed

T = TypeVar("T")
P = TypeVar("P")


def recall(routed: Routed, name: str, pattern: object, make: Callable[[], T]) -> T:
    """Return what `make` returns, made once for each name and pattern.

    Args:
        routed: The routed network that keeps the answer.
        name: Of the question.
        pattern: What it is about; known by identity, and kept so that no other gets its place.
        make: Works the answer out from the network and the pattern alone.
    """
    key = (name, id(pattern))
    about_all = pattern is routed.network or pattern is routed.graph or id(pattern) in routed.shared
    answers = routed.lasting if about_all else routed.known
    if key not in answers:
        answers[key] = (pattern, make())
    return cast(T, answers[key][1])


def share(routed: Routed, name: str, make: Callable[[], dict[str, P]]) -> dict[str, P]:
    """Return patterns by name that every analysis of the network has in common, made once.

    Args:
        routed: The routed network that keeps them, and from now on what is found about them.
        name: Of the question whose answer they are.
        make: Works them out from the network alone.
    """
    found = recall(routed, name, routed.network, make)
    routed.shared.update(map(id, found.values()))
    return found
