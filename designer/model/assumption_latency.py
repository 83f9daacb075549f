"""Parameters of latency: what each step of a collective costs besides its bytes.

From NCCL's tuning tables (src/graph/tuning.cc, June 2026), which hold one value for each protocol:
LL for small messages, LL128, and Simple for large ones. They contain the software part.
"""

from designer.messages import N_
from designer.model.parameter import Parameter
from designer.units import Range

_NCCL = N_("NVIDIA/nccl, src/graph/tuning.cc")


def _nccl(key: str, label: str, microseconds: float, symbol: str) -> Parameter:
    """Return one value of NCCL's tables; it has no spread of its own."""
    value = microseconds * 1e-6
    exact = Range(value, value, value)
    return Parameter(key, label, "s", exact, _NCCL, "2026-06", "latency", symbol, "found")


_BASE = (
    _nccl("base_ring_ll_s", N_("Start of a ring, LL"), 6.6, "α_0"),
    _nccl("base_ring_ll128_s", N_("Start of a ring, LL128"), 14.0, "α_0"),
    _nccl("base_ring_simple_s", N_("Start of a ring, Simple"), 8.4, "α_0"),
    _nccl("base_tree_ll_s", N_("Start of a tree, LL"), 6.8, "α_0"),
    _nccl("base_tree_ll128_s", N_("Start of a tree, LL128"), 14.0, "α_0"),
    _nccl("base_tree_simple_s", N_("Start of a tree, Simple"), 8.4, "α_0"),
)

_NVLINK = (
    _nccl("nvlink_ring_ll_s", N_("NVLink step of a ring, LL"), 0.6, "α_nv"),
    _nccl("nvlink_ring_ll128_s", N_("NVLink step of a ring, LL128"), 1.9, "α_nv"),
    _nccl("nvlink_ring_simple_s", N_("NVLink step of a ring, Simple"), 3.4, "α_nv"),
    _nccl("nvlink_tree_ll_s", N_("NVLink step of a tree, LL"), 0.6, "α_nv"),
    _nccl("nvlink_tree_ll128_s", N_("NVLink step of a tree, LL128"), 1.25, "α_nv"),
    _nccl("nvlink_tree_simple_s", N_("NVLink step of a tree, Simple"), 4.0, "α_nv"),
    _nccl("nvls_start_s", N_("Start of a reduction in the NVSwitch"), 25.0, "α_nvls"),
)

_PCIE = (
    _nccl("pcie_ring_ll_s", N_("PCIe step of a ring, LL"), 1.0, "α_pcie"),
    _nccl("pcie_ring_ll128_s", N_("PCIe step of a ring, LL128"), 2.5, "α_pcie"),
    _nccl("pcie_ring_simple_s", N_("PCIe step of a ring, Simple"), 5.7, "α_pcie"),
    _nccl("pcie_tree_ll_s", N_("PCIe step of a tree, LL"), 1.0, "α_pcie"),
    _nccl("pcie_tree_ll128_s", N_("PCIe step of a tree, LL128"), 1.9, "α_pcie"),
    _nccl("pcie_tree_simple_s", N_("PCIe step of a tree, Simple"), 4.0, "α_pcie"),
)

_NETWORK = (
    _nccl("network_ring_ll_s", N_("Network step of a ring, LL"), 2.7, "α_net"),
    _nccl("network_ring_ll128_s", N_("Network step of a ring, LL128"), 4.0, "α_net"),
    _nccl("network_ring_simple_s", N_("Network step of a ring, Simple"), 14.0, "α_net"),
    _nccl("network_tree_ll_s", N_("Network step of a tree, LL"), 5.0, "α_net"),
    _nccl("network_tree_ll128_s", N_("Network step of a tree, LL128"), 8.5, "α_net"),
    _nccl("network_tree_simple_s", N_("Network step of a tree, Simple"), 14.0, "α_net"),
    _nccl("network_nvls_tree_s", N_("Network step between NVSwitch reductions"), 20.9, "α_net"),
    _nccl("network_sharp_s", N_("Way through switches that reduce (SHARP)"), 31.0, "α_sharp"),
    Parameter(
        "reference_path_s",
        N_("Path that the network steps above were measured on"),
        "s",
        Range(1.0e-6, 1.5e-6, 2.0e-6),
        N_("assumed: two NICs and one InfiniBand switch"),
        "",
        "latency",
        "α_ref",
    ),
    Parameter(
        "message_overhead_s",
        N_("Each message of an all-to-all"),
        "s",
        Range(0.3e-6, 0.5e-6, 1.0e-6),
        N_("assumed; no published figure was found"),
        "",
        "latency",
        "α_msg",
    ),
)

LATENCY_PARAMETERS: tuple[Parameter, ...] = (*_BASE, *_NVLINK, *_PCIE, *_NETWORK)
