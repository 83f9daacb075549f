"""What to compute: chosen by the command line or the window, never by the design."""

from dataclasses import dataclass
from typing import Literal

from designer.engine.fabrics import FabricName
from designer.model.workload import Workload

Operation = Literal[
    "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "send_recv"
]
Algorithm = Literal[
    "auto", "ring", "tree", "hierarchical", "nvls", "nvls_tree", "collnet_direct", "collnet_chain"
]
Routing = Literal["auto", "ecmp", "hashed", "adaptive"]

OPERATIONS: tuple[Operation, ...] = (
    "all_reduce",
    "all_gather",
    "reduce_scatter",
    "all_to_all",
    "broadcast",
    "send_recv",
)
ALGORITHMS: tuple[Algorithm, ...] = (
    "auto",
    "ring",
    "tree",
    "hierarchical",
    "nvls",
    "nvls_tree",
    "collnet_direct",
    "collnet_chain",
)
ROUTINGS: tuple[Routing, ...] = ("auto", "ecmp", "hashed", "adaptive")
DEFAULT_SIZE = 2**30


@dataclass(frozen=True, slots=True)
class Options:
    """One request to `analyze`.

    Attributes:
        workload: The job that step time and traffic speak of; None: the design's own.
        collective: The operation that `algorithm` is for; all of them are always computed.
        size_bytes: Message size of every operation.
        algorithm: For `collective`; `auto` takes the fastest that NCCL offers by itself.
        ranks: GPUs that take part, from the first one on; None: all.
        fabric: Technology the results speak of; None: the one that is drawn.
        routing: How traffic spreads over equal paths; `auto`: adaptive on InfiniBand, by tuning
            on RoCE.
        fail: Ids of cables and devices taken out for this run.
        failures: True adds the effects of every single fault.
    """

    workload: Workload | None = None
    collective: Operation = "all_reduce"
    size_bytes: int = DEFAULT_SIZE
    algorithm: Algorithm = "auto"
    ranks: int | None = None
    fabric: FabricName | None = None
    routing: Routing = "auto"
    fail: tuple[str, ...] = ()
    failures: bool = False
