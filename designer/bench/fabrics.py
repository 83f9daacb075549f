"""The named fabrics that everybody measures on, and links to take out of them."""

import random

from designer.catalog.catalog import Catalog
from designer.catalog.load import default_catalog
from designer.errors import ParameterError
from designer.messages import _
from designer.model.design import Design
from designer.topologies import generate
from designer.topologies.builder import Builder
from designer.topologies.clos import Clos, Parts, Shape

FABRICS: dict[str, int] = {"su256": 256, "fab1k": 1_024, "fab24k": 24_576, "fab100k": 100_352}


def fabric(name: str, catalog: Catalog | None = None) -> Design:
    """Return one of the fabrics `su256`, `fab1k`, `fab24k` and `fab100k`, without placements.

    Raises:
        ParameterError: No such fabric.
    """
    if name not in FABRICS:
        raise ParameterError(
            _("No fabric is called “{name}”.").format(name=name),
            _("Fabrics: {names}.").format(names=", ".join(FABRICS)),
        )
    parts = catalog or default_catalog()
    if name == "fab100k":
        return _largest(parts)
    tiers = "3" if name == "fab24k" else "2"
    return generate("rail-optimized", parts, gpus=FABRICS[name], tiers=tiers)


def _largest(catalog: Catalog) -> Design:
    """Return 49 pods of 4 units of 64 servers, 64 half-filled spines a pod, radix 128."""
    build = Builder(catalog)
    switch = build.part("generic-128x400g")
    shape = Shape(12_544, 64, 8, units_per_pod=4, spines_per_pod=64, tiers=3)
    Clos(build, shape, Parts(build.part("hgx-h100"), switch, switch, switch), 400e9).make()
    return build.finish("fab100k", "fab100k")


def failed_links(design: Design, n: int, seed: int = 1) -> frozenset[str]:
    """Return the ids of `n` cables between switches, the same ones for the same seed."""
    switches = {d.id for d in design.devices.values() if d.role in ("leaf", "spine", "core")}
    links = sorted(
        c.id for c in design.cables.values() if c.a.device in switches and c.b.device in switches
    )
    return frozenset(random.Random(seed).sample(links, min(n, len(links))))
