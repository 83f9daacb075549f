"""What to compute: chosen by the command line or the window, never by the design."""

from dataclasses import dataclass, field
from typing import Literal

from designer.engine.fabrics import FabricName
from designer.engine.placing import Placing
from designer.errors import ParameterError
from designer.messages import _
from designer.model.workload import Workload
from designer.units import format_binary_size, parse_size

Operation = Literal[
    "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "send_recv"
]
Algorithm = Literal[
    "auto",
    "nccl",
    "ring",
    "tree",
    "hierarchical",
    "nvls",
    "nvls_tree",
    "collnet_direct",
    "collnet_chain",
]
Routing = Literal["auto", "ecmp", "hashed", "adaptive"]
Relay = Literal["auto", "on", "off"]

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
# `nccl` chooses by NCCL's published rule, `auto` by the times of the model.
CHOICES: tuple[Algorithm, ...] = ("auto", "nccl", *ALGORITHMS[1:])
RELAYS: tuple[Relay, ...] = ("auto", "on", "off")
ROUTINGS: tuple[Routing, ...] = ("auto", "ecmp", "hashed", "adaptive")
DEFAULT_SIZE = 2**30
# The memory of the largest clusters together is less.
LARGEST_SIZE = 1 << 50


def message_size(text: str) -> int:
    """Return a message size in bytes, from a text such as `1GiB`.

    Raises:
        ParameterError: It is no size, less than a byte, or more than any cluster holds.
    """
    size = parse_size(text)
    if size < 1:
        raise ParameterError(_("A message has at least 1 byte."), _("Write it like 1GiB."))
    if size > LARGEST_SIZE:
        raise ParameterError(
            _("A message has at most {size}.").format(size=format_binary_size(LARGEST_SIZE)),
            _("Write it like 1GiB."),
        )
    return size


@dataclass(frozen=True, slots=True)
class Job:
    """Another job that runs at the same time, on servers the first one leaves.

    Attributes:
        placing: Which servers it gets of those.
        ranks: GPUs; None: all of these servers.
        operation: What it does all the time.
        size_bytes: Message size.
        algorithm: As in `Options`.
    """

    placing: Placing = field(default_factory=Placing)
    ranks: int | None = None
    operation: Operation = "all_reduce"
    size_bytes: int = DEFAULT_SIZE
    algorithm: Algorithm = "auto"


@dataclass(frozen=True, slots=True)
class Options:
    """One request to `analyze`.

    Attributes:
        workload: The job that step time and traffic speak of; None: the design's own.
        collective: The operation that `algorithm` is for; all of them are always computed.
        size_bytes: Message size of every operation.
        algorithm: For `collective`; `auto` takes the fastest that NCCL offers by itself, `nccl`
            what NCCL's published rule takes.
        ranks: GPUs that take part, from the first one on; None: all.
        fabric: Technology the results speak of; None: the one that is drawn.
        routing: How traffic spreads over equal paths; `auto`: adaptive on InfiniBand, by tuning
            on RoCE.
        fail: Ids of cables and devices taken out for this run.
        failures: True adds the effects of every single fault.
        placing: Which servers the job gets; the training step then runs on them as well. None:
            the first ones, and the step on all.
        others: Jobs that run at the same time, for their interference.
        relay: Whether data of an all-to-all changes rails over NVLink first (PXN); `auto`: where
            servers have NVLink. Asked for, the time of the other way is computed as well.
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
    placing: Placing | None = None
    others: tuple[Job, ...] = ()
    relay: Relay = "auto"
