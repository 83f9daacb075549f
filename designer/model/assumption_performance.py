"""Parameters of speed: what links, GPUs and collectives reach of what is written on them."""

from designer.messages import N_
from designer.model.parameter import Parameter
from designer.units import Range

_ASSUMED = N_("assumed; no published figure was found")
_NCCL = N_("NVIDIA/nccl, src/graph/tuning.cc")

_LINKS = (
    Parameter(
        "nic_efficiency",
        N_("NIC, share of line rate"),
        "1",
        Range(0.92, 0.95, 0.96),
        N_("46–48 GB/s of 50 measured per NDR NIC, nccl-tests #290"),
        "2025",
        "efficiency",
        "η_nic",
        "found",
    ),
    Parameter(
        "nvlink_share_ampere",
        N_("NVLink in rings, A100: share of line rate"),
        "1",
        Range(0.767, 0.783, 0.8),
        N_(
            "235 GB/s measured of 300, stas00/ml-engineering, network/README.md; high: "
            "NCCL's own 240"
        ),
        "2024",
        "efficiency",
        "η_nv",
        "found",
    ),
    Parameter(
        "nvlink_share_hopper",
        N_("NVLink in rings, H100 and H200: share of line rate"),
        "1",
        Range(0.811, 0.822, 0.824),
        N_("365–370 GB/s measured of 450, nccl #1455; high: NCCL's own 371"),
        "2024-11",
        "efficiency",
        "η_nv",
        "found",
    ),
    Parameter(
        "nvlink_share_blackwell",
        N_("NVLink in rings, B200 and later: share of line rate"),
        "1",
        Range(0.748, 0.758, 0.802),
        N_(
            "673–682 GB/s measured of 900, stas00/ml-engineering, network/README.md; "
            "high: NCCL's own 722"
        ),
        "2025",
        "efficiency",
        "η_nv",
        "found",
    ),
    Parameter(
        "nvls_share_hopper",
        N_("NVSwitch reduction, H100 and H200: share of NVLink's line rate"),
        "1",
        Range(0.676, 0.687, 0.69),
        N_("309 GB/s fitted to 420–480 GB/s measured on 5 to 8 GPUs, nccl #1455, of 450"),
        "2024-11",
        "efficiency",
        "η_nvls",
        "found",
    ),
    Parameter(
        "nvls_share_blackwell",
        N_("NVSwitch reduction, B200 and later: share of NVLink's line rate"),
        "1",
        Range(0.58, 0.599, 0.605),
        N_("fitted to 838 GB/s measured on 8 GPUs, stas00/ml-engineering, network/README.md"),
        "2025",
        "efficiency",
        "η_nvls",
        "found",
    ),
    Parameter(
        "nvls_share_rack",
        N_("NVSwitch reduction, whole rack: share of NVLink's line rate"),
        "1",
        Range(0.468, 0.477, 0.486),
        N_("fitted to 835–850 GB/s measured on 72 GPUs, coreweave/nccl-tests and gtc25-s72583"),
        "2025",
        "efficiency",
        "η_nvls",
        "found",
    ),
    Parameter(
        "pcie_share",
        N_("PCIe between GPUs, share of line rate, servers without NVLink"),
        "1",
        Range(0.5, 0.75, 0.88),
        N_(
            "high: 55 GB/s of 63 measured as one copy, stas00/ml-engineering, "
            "network/README.md; low and typical assumed"
        ),
        "2024",
        "efficiency",
        "η_pcie",
    ),
)

_ALGORITHMS = (
    Parameter(
        "tree_share",
        N_("Tree, share of the bandwidth a ring reaches"),
        "1",
        Range(0.92, 0.92, 0.92),
        _NCCL,
        "2026-06",
        "efficiency",
        "η_tree",
        "found",
    ),
    Parameter(
        "ll_share",
        N_("Protocol LL, share of bandwidth"),
        "1",
        Range(0.5, 0.5, 0.5),
        N_("NVIDIA/nccl, src/graph/tuning.cc: half of what is sent are flags"),
        "2026-06",
        "efficiency",
        "η_ll",
        "found",
    ),
    Parameter(
        "ll128_share",
        N_("Protocol LL128, share of bandwidth"),
        "1",
        Range(0.92, 0.92, 0.94),
        N_("NVIDIA/nccl, src/graph/tuning.cc: 0.92 for rings, 120 of 128 bytes for trees"),
        "2026-06",
        "efficiency",
        "η_ll128",
        "found",
    ),
    Parameter(
        "adaptive_efficiency",
        N_("Adaptive routing, share of the ideal balance"),
        "1",
        Range(0.92, 0.95, 0.97),
        _ASSUMED,
        "",
        "efficiency",
        "η_ar",
    ),
    Parameter(
        "sharp_used",
        N_("Reduction in InfiniBand switches (SHARP): 1 in use, 0 not"),
        "1",
        Range(0, 0, 0),
        N_("NCCL uses it only when told to (NCCL_COLLNET_ENABLE)"),
        "2026-06",
        "efficiency",
        "",
        "found",
    ),
    Parameter(
        "sharp_efficiency",
        N_("Reduction in InfiniBand switches (SHARP), share of the ideal"),
        "1",
        Range(0.65, 0.71, 1.0),
        N_("387 GB/s measured on 96 H100s of an ideal 543, coreweave/nccl-tests"),
        "2024",
        "efficiency",
        "η_sharp",
        "found",
    ),
    Parameter(
        "pipeline_chunks",
        N_("Hierarchical all-reduce, pieces that its stages overlap in"),
        "1",
        Range(4, 8, 16),
        _ASSUMED,
        "",
        "efficiency",
        "k",
    ),
)

_TRAINING = (
    Parameter(
        "gpu_efficiency_ampere",
        N_("Computing GPU, A100: share of BF16 peak"),
        "1",
        Range(0.62, 0.7, 0.74),
        N_("fitted to GPT 175B on 256 to 12,288 A100s, MegaScale, NSDI 2024, Table 2"),
        "2024-02",
        "efficiency",
        "η",
        "found",
    ),
    Parameter(
        "gpu_efficiency_hopper",
        N_("Computing GPU, H100 and H200: share of BF16 peak"),
        "1",
        Range(0.5, 0.55, 0.7),
        N_("fitted to Llama 3 405B on 8,192 and 16,384 H100s, arXiv 2407.21783, Table 4"),
        "2024-07",
        "efficiency",
        "η",
        "found",
    ),
    Parameter(
        "gpu_efficiency_blackwell",
        N_("Computing GPU, B200 and later: share of BF16 peak"),
        "1",
        Range(0.45, 0.5, 0.65),
        N_("43 % of peak measured with all overheads on 128 GB200, NVIDIA/dgxc-benchmarking"),
        "2025-10",
        "efficiency",
        "η",
    ),
    Parameter(
        "jitter",
        N_("Jitter and stragglers, share added to the step"),
        "1",
        Range(0.02, 0.03, 0.06),
        N_("fitted to Llama 3 405B on 16,384 H100s, arXiv 2407.21783, Table 4"),
        "2024-07",
        "efficiency",
        "ε",
    ),
)

_ROCE = (
    Parameter(
        "roce_tuning",
        N_("RoCE tuning: 0 untuned, 1 tuned, 2 expert"),
        "1",
        Range(1, 1, 1),
        N_("a choice, not a measurement"),
        "",
        "roce",
    ),
    Parameter(
        "roce_factor_untuned",
        N_("RoCE throughput without hash collisions, untuned"),
        "1",
        Range(0.5, 0.85, 0.95),
        N_(
            "low: tuning NCCL and network together gave more than 2 times, Meta, SIGCOMM 2024; "
            "typical and high assumed"
        ),
        "2024-08",
        "roce",
        "τ_0",
    ),
    Parameter(
        "roce_factor_tuned",
        N_("RoCE throughput without hash collisions, tuned"),
        "1",
        Range(0.95, 0.98, 1.0),
        N_("high: parity measured, Tolly 225107; low and typical assumed"),
        "2025",
        "roce",
        "τ_1",
    ),
    Parameter(
        "roce_factor_expert",
        N_("RoCE throughput without hash collisions, expert"),
        "1",
        Range(0.98, 0.99, 1.0),
        N_("“equivalent performance” after tuning, Llama 3 paper, section 3.3; figures assumed"),
        "2024-07",
        "roce",
        "τ_2",
    ),
    Parameter(
        "queue_pairs",
        N_("RoCE queue pairs a connection, tuned"),
        "1",
        Range(1, 4, 16),
        N_("4 to 32 used by Meta, SIGCOMM 2024"),
        "2024-08",
        "roce",
        "q",
    ),
)

PERFORMANCE_PARAMETERS: tuple[Parameter, ...] = (*_LINKS, *_ALGORITHMS, *_TRAINING, *_ROCE)
