"""Which algorithm and protocol NCCL's published rule takes; a rule to choose by, not to predict by.

NCCL estimates a time for every algorithm and protocol and takes the smallest:

    t = α + S / B        B = bus bandwidth by its tables × ratio of algorithm to bus bandwidth
    ring        α = α_0 + (steps - m_steps) α_in + m_steps α_net    steps = 2(n-1), m_steps = 2(m-1)
    tree        α = α_0 + 2 [(n/m - 1) α_in + log2(m) α_net]
    nvls        α = α_in;   nvls_tree   α = α_0 + α_in + 2 log2(m) α_net

Figures: NVIDIA/nccl, src/graph/tuning.cc and topo.h, 2.30 (June 2026). It knows nothing of the
drawn links beyond the bandwidth of a server inside and at its NICs; how many channels it gives
the NVSwitch is assumed (16), which moves its choice by up to a factor of 2 in size.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from designer.engine.algorithms import FORMULAS, Timing, fastest, offered
from designer.engine.setting import Setting

_CHANNELS = 16
# Share of the line rate of NVLink that NCCL counts on, by the key of the assumption.
_NVLINK = {
    "nvlink_share_ampere": 20.0 / 25.0,
    "nvlink_share_hopper": 20.6 / 25.0,
    "nvlink_share_blackwell": 40.1 / 50.0,
}
_BASE = {
    "ring": {"ll": 6.6, "ll128": 14.0, "simple": 8.4},
    "tree": {"ll": 6.8, "ll128": 14.0, "simple": 8.4},
}
_INSIDE = {
    "nvlink": {
        "ring": {"ll": 0.6, "ll128": 1.9, "simple": 3.4},
        "tree": {"ll": 0.6, "ll128": 1.25, "simple": 4.0},
    },
    "pcie": {
        "ring": {"ll": 1.0, "ll128": 2.5, "simple": 5.7},
        "tree": {"ll": 1.0, "ll128": 1.9, "simple": 4.0},
    },
}
_NETWORK = {
    "ring": {"ll": 2.7, "ll128": 4.0, "simple": 14.0},
    "tree": {"ll": 5.0, "ll128": 8.5, "simple": 14.0},
}
_NVLS_INSIDE, _NVLS_TREE_NETWORK, _NVLS_TREE_BASE = 25.0, 20.9, 8.4
_COLLNET = {"collnet_direct": (3.7, 31.0), "collnet_chain": (2.8, 30.0)}
_COLLNET_BASE, _ARITY = 8.4, 0.4
# What the processor adds to steps between servers; three times for the protocol Simple.
_NET_OVERHEAD = 1.0
# A ring over several servers with the protocol Simple and at least so many bytes a step.
_PLATEAU, _PLATEAU_BYTES = 1.4, 64


@dataclass(frozen=True, slots=True)
class Limits:
    """Bandwidths of one generation of GPUs in GB/s, for 1, 2, and more nodes.

    Attributes:
        ll: Of the protocol LL.
        ring_ll128, tree_ll128, tree, nvls_tree: Of one channel.
        nvls: Share of the bandwidth that reductions in the NVSwitch reach.
    """

    ll: tuple[float, float, float]
    ring_ll128: tuple[float, float, float]
    tree_ll128: tuple[float, float, float]
    tree: tuple[float, float, float]
    nvls_tree: tuple[float, float, float]
    nvls: float


_LIMITS = {
    "ampere": Limits(
        (87.7, 22.5, 19.0), (20.0,) * 3, (20.0,) * 3, (24.0, 23.6, 17.8), (24.0, 23.6, 17.8), 0.85
    ),
    "hopper": Limits(
        (141.0, 45.0, 35.0),
        (36.7,) * 3,
        (36.7, 36.7, 29.0),
        (38.7, 41.4, 36.0),
        (0.0, 57.7, 45.5),
        0.85,
    ),
    "blackwell": Limits(
        (282.0, 90.0, 70.0),
        (40.0,) * 3,
        (55.6, 31.67, 20.0),
        (70.0, 42.8, 24.0),
        (0.0, 96.0, 80.0),
        0.74,
    ),
}
# Tenths of the bandwidth that trees reach (X: all), by size: 64 B, 128 B … 512 MiB.
_TREE_TENTHS = {
    "ll": "XXXX987777654456789XXXXX",
    "ll128": "XXXXX9888766666689999XXX",
    "simple": "999999987665555678778999",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What the rule takes, and the time it estimates, microseconds."""

    algorithm: str
    protocol: str
    estimate_us: float

    @property
    def text(self) -> str:
        """Return it in the form of the results: `tree/ll128`."""
        return f"{self.algorithm}/{self.protocol}"


def nccl_choice(setting: Setting, operation: str, size: float) -> Choice | None:
    """Return what NCCL's rule takes; None where it has no choice (all-to-all, send and receive).

    Args:
        setting: The machine.
        operation: Such as `all_reduce`.
        size: Bytes, S.
    """
    return next(iter(nccl_candidates(setting, operation, size)), None)


def nccl_candidates(setting: Setting, operation: str, size: float) -> list[Choice]:
    """Return all that NCCL's rule estimates and this machine can run, the least time first."""
    if operation not in ("all_reduce", "all_gather", "reduce_scatter") or setting.ranks < 2:
        return []
    known = [c for c in _candidates(setting, operation, size) if _runs(setting, operation, c)]
    return sorted(known, key=lambda c: c.estimate_us)


def nccl_timing(setting: Setting, operation: str, size: float) -> Timing:
    """Return the time, by the formulas of the model, of what NCCL's rule takes."""
    choice = nccl_choice(setting, operation, size)
    if choice is not None:
        only = replace(setting, protocols=(choice.protocol,))
        made = FORMULAS[operation][choice.algorithm](only, size)
        if made is not None:
            return made
    return fastest(setting, operation, size)


def _runs(setting: Setting, operation: str, choice: Choice) -> bool:
    formula = FORMULAS[operation].get(choice.algorithm)
    able = formula is not None and formula(setting, 1.0) is not None
    return able and offered(setting, choice.algorithm)


def _candidates(setting: Setting, operation: str, size: float) -> Iterator[Choice]:
    for protocol in setting.usable_protocols:
        yield Choice("ring", protocol, _ring(setting, operation, protocol, size))
        if operation == "all_reduce":
            yield Choice("tree", protocol, _tree(setting, protocol, size))
    if operation == "all_reduce":
        yield from _in_switches(setting, size)


def _limits(setting: Setting) -> Limits:
    name = setting.inside.ring_key.rpartition("_")[2]
    return _LIMITS.get(name, _LIMITS["hopper"])


def _row(setting: Setting) -> int:
    return min(setting.nodes, 3) - 1


def _inside_rate(setting: Setting) -> float:
    """Return what NCCL counts on inside a node, GB/s a GPU."""
    inside = setting.inside
    share = _NVLINK.get(inside.ring_key)
    return (inside.line * share if share is not None and inside.line > 0 else inside.ring) / 1e9


def _nic_rate(setting: Setting) -> float:
    """Return what the NICs of a server carry, GB/s."""
    return 1e-9 / setting.nic_s if setting.nic_s > 0 else float("inf")


def _bus(setting: Setting) -> float:
    """Return the bus bandwidth of a ring without its protocol, GB/s."""
    if setting.nodes == 1:
        return _inside_rate(setting)
    return min(_inside_rate(setting), _nic_rate(setting))


def _steps_inside(setting: Setting, shape: str, protocol: str) -> float:
    kind = "pcie" if setting.inside.kind == "pcie" else "nvlink"
    return _INSIDE[kind][shape][protocol]


def _estimate(latency: float, size: float, algorithm_rate: float) -> float:
    return latency + size / (1000 * algorithm_rate) if algorithm_rate > 0 else float("inf")


def _ring(setting: Setting, operation: str, protocol: str, size: float) -> float:
    n, m, row, limits = setting.ranks, setting.nodes, _row(setting), _limits(setting)
    rounds = 2 if operation == "all_reduce" else 1
    rate = _bus(setting)
    if protocol == "ll":
        rate = min(limits.ll[row], rate / 2)
    elif protocol == "ll128":
        rate = min(rate * 0.92, _CHANNELS * limits.ring_ll128[row])
    steps, outer = rounds * (n - 1), rounds * (m - 1)
    inside = _steps_inside(setting, "ring", protocol)
    if m > 1:
        inside = max(inside, _NET_OVERHEAD * (3 if protocol == "simple" else 1))
    # with one rank a node nothing hides the latency of the network
    network = _NETWORK["tree" if n == m else "ring"][protocol]
    latency = _BASE["ring"][protocol] + (steps - outer) * inside + outer * network
    slow = protocol == "simple" and m > 1 and operation == "all_reduce"
    if slow and size / (_CHANNELS * n) >= _PLATEAU_BYTES:
        latency *= _PLATEAU
    return _estimate(latency, size, rate * n / steps)


def _tree(setting: Setting, protocol: str, size: float) -> float:
    n, m, row, limits = setting.ranks, setting.nodes, _row(setting), _limits(setting)
    rate = min(_bus(setting) * 0.92, _CHANNELS * limits.tree[row])
    if protocol == "ll":
        rate = min(rate / 3.8, limits.ll[row])
    elif protocol == "ll128":
        rate = min(rate * (7 / 9 if m == 1 else 120 / 128), _CHANNELS * limits.tree_ll128[row])
    place = int(size).bit_length() - 7
    tenths = _TREE_TENTHS[protocol]
    if 0 <= place < len(tenths) - 1:
        rate *= 1.0 if tenths[place] == "X" else int(tenths[place]) / 10
    inside = _steps_inside(setting, "tree", protocol)
    depth = math.floor(math.log2(m))
    latency = _BASE["tree"][protocol]
    latency += 2 * ((n // m - 1) * inside + depth * _NETWORK["tree"][protocol])
    return _estimate(latency, size, rate / 2)


def _in_switches(setting: Setting, size: float) -> Iterator[Choice]:
    """Yield reductions in the NVSwitch and in the switches of the fabric."""
    n, m, g = setting.ranks, setting.nodes, setting.per_node
    limits, ratio = _limits(setting), n / (2 * (n - 1))
    # two operations go through one pipeline; one channel of all is lost to it
    inside = _inside_rate(setting) * limits.nvls * (_CHANNELS - 1) / _CHANNELS * 2
    if m == 1:
        yield Choice("nvls", "simple", _estimate(_NVLS_INSIDE, size, inside * ratio))
        return
    outer = _nic_rate(setting) * (2 if m == 2 else 1)
    rate = min(inside, outer, _CHANNELS * limits.nvls_tree[_row(setting)])
    depth = math.floor(math.log2(m))
    latency = _NVLS_TREE_BASE + _NVLS_INSIDE + 2 * depth * _NVLS_TREE_NETWORK
    yield Choice("nvls_tree", "simple", _estimate(latency, size, rate * ratio))
    for name, (local, network) in _COLLNET.items():
        direct = name == "collnet_direct"
        latency = _COLLNET_BASE + network
        latency += 2 * (min(1, g - 1) * local + (g - 1) * _ARITY if direct else (g - 1) * local)
        rate = _bus(setting) * (0.85 if direct else 1.0)
        yield Choice(name, "simple", _estimate(latency, size, rate / 2))
