"""How the figures of speed were made."""

from collections.abc import Mapping

from designer.engine.capacity import Capacity
from designer.engine.fabrics import FabricName
from designer.engine.performance import Machines, Performance
from designer.engine.results import Explanation
from designer.engine.usage import Usage


def explain_performance(
    machines: Machines,
    speeds: Mapping[FabricName, Performance],
    main: FabricName,
    found: Capacity,
    usage: Usage,
) -> dict[str, Explanation]:
    """Return the explanations of everything but money, by dotted key of the results."""
    return {}
