"""What templates read from their parameters: parts, speeds, whole numbers of servers and units."""

from typing import Any

from designer.catalog.types import PartType
from designer.errors import ParameterError
from designer.messages import _, ngettext
from designer.topologies.builder import Builder
from designer.topologies.clos import Parts
from designer.units import format_number

Values = dict[str, Any]
_TECHNOLOGIES = {"infiniband": "InfiniBand", "ethernet": "Ethernet", "nvlink": "NVLink"}


def speed(build: Builder, server: PartType, nics: str = "") -> float:
    """Return the speed of a NIC port, bits/s, at its fastest.

    Raises:
        ParameterError: The part has no NICs.
    """
    part = build.part(nics) if nics else server
    family = part.family("nic")
    if family is None:
        raise ParameterError(
            _("{part} has no NICs.").format(part=part.title), _("Choose a server with NICs.")
        )
    return max(family.speeds)


def servers(server: PartType, gpus: int) -> int:
    """Return the servers that hold so many GPUs.

    Raises:
        ParameterError: The part has no GPUs, or they do not fill whole servers.
    """
    each = server.gpu.count if server.gpu else None
    if not each:
        raise ParameterError(
            _("{part} has no GPUs.").format(part=server.title), _("Choose a GPU server.")
        )
    if gpus % each:
        raise ParameterError(
            ngettext(
                "{gpus} GPU does not fill servers of {each}.",
                "{gpus} GPUs do not fill servers of {each}.",
                gpus,
            ).format(gpus=format_number(gpus), each=each),
            _("Nearest: {gpus}.").format(gpus=_either(gpus // each * each, each)),
        )
    return gpus // each


def _either(below: int, each: int) -> str:
    """Return the whole number of servers below and above, as GPUs; none is no choice."""
    return (
        _("{a} or {b}").format(a=format_number(below), b=format_number(below + each))
        if below
        else format_number(each)
    )


def parts(build: Builder, v: Values, nics: str = "") -> Parts:
    """Return the parts a template is made of.

    Raises:
        ParameterError: Switches of two technologies, which cannot be linked.
    """
    leaf = build.part(v["leaf"])
    spine = build.part(v.get("spine") or v["leaf"])
    core = build.part(v.get("core") or v.get("spine") or v["leaf"])
    if nics:
        build.part(nics)
    for upper in (spine, core):
        if upper.technology != leaf.technology and "any" not in (upper.technology, leaf.technology):
            raise ParameterError(
                _("{upper} does not link with {leaf}: one is {a}, the other {b}.").format(
                    upper=upper.title,
                    leaf=leaf.title,
                    a=_TECHNOLOGIES[upper.technology],
                    b=_TECHNOLOGIES[leaf.technology],
                ),
                _("Choose switches of one technology."),
            )
    return Parts(build.part(v["server"]), leaf, spine, core, nics)


def down(ports: int, ratio: float) -> int:
    """Return the ports down of a full leaf at `ratio` : 1 that leave a whole number up."""
    up = int(ports / (1 + ratio))
    while up > 0 and (up * ratio) % 1 > 1e-9:
        up -= 1
    return round(up * ratio)


def unit(full: int, servers: int, links: int, ratio: float) -> int:
    """Return the servers of a unit: a full leaf's, or all there are when they are fewer.

    A lone small unit gets as many uplinks as its servers need, in whole numbers, and not those of
    a full leaf.
    """
    return next(
        (n for n in range(min(full, servers), full) if (n * links / ratio) % 1 < 1e-9), full
    )
