"""Templates: whole networks made from a few parameters."""

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.messages import N_, _
from designer.model.collection import collection_paused
from designer.model.design import Design
from designer.model.workload import stock_workloads
from designer.topologies import templates as make
from designer.topologies.builder import Builder
from designer.topologies.parameters import RATIO, Parameter, read_all


@dataclass(frozen=True, slots=True)
class Template:
    """One template.

    Attributes:
        title, description, size, technology_title: English, marked with `N_`.
        workload: Name of the stock workload a new drawing starts with; empty for none.
    """

    name: str
    title: str
    description: str
    build: Callable[[Builder, dict[str, Any]], None] = field(repr=False)
    parameters: tuple[Parameter, ...] = ()
    workload: str = "llama3-8b-ddp"
    technology: str = "infiniband"
    size: str = ""

    @property
    def technology_title(self) -> str:
        """Return what the card says of the technology."""
        return {
            "infiniband": N_("InfiniBand"),
            "ethernet": N_("RoCE"),
            "nvlink": N_("NVLink + InfiniBand"),
            "": "",
        }[self.technology]


def _gpus(default: int) -> Parameter:
    return Parameter("gpus", "int", default, N_("GPUs"), "GPUs", 1, 131_072)


def _part(name: str, default: str | None, text: str) -> Parameter:
    return Parameter(name, "part", default, text)


_SERVER = _part("server", "dgx-h100", N_("Server"))
_LEAF = _part("leaf", "qm9700", N_("Leaf switch"))
_SPINE = _part("spine", None, N_("Spine switch; empty: as the leaf"))
_CORE = _part("core", None, N_("Core switch; empty: as the spine"))
_PER_UNIT = Parameter(
    "servers_per_unit",
    "int",
    None,
    N_("Servers a unit; empty: fill the leaf"),
    N_("servers"),
    1,
    4096,
)
_RATIO = Parameter(
    "oversubscription", "float", 1.0, N_("Oversubscription at the leaf"), RATIO, 1, 16
)
_TIERS = Parameter(
    "tiers", "text", "auto", N_("Tiers of switches"), "", None, None, ("auto", "2", "3")
)


def _units(default: int, most: int) -> Parameter:
    return Parameter("scalable_units", "int", default, N_("Scalable units"), "", 1, most)


def _ufm(default: bool | None) -> Parameter:
    return Parameter(
        "ufm", "bool", default, N_("UFM takes the place of one server (H100: up to 4 units)"), "UFM"
    )


_LIST = (
    Template(
        "rail-optimized",
        N_("Rail-optimised units"),
        N_("NIC k of every server on leaf k of its unit; two or three tiers by size."),
        make.rail_optimized,
        (_gpus(256), _SERVER, _LEAF, _SPINE, _CORE, _PER_UNIT, _RATIO, _TIERS),
        "llama3-70b-fsdp",
        size=N_("256 GPUs"),
    ),
    Template(
        "leaf-spine",
        N_("Leaf–spine, no rails"),
        N_("All NICs of a server on one leaf."),
        make.leaf_spine,
        (_gpus(256), _SERVER, _LEAF, _SPINE, _CORE, _PER_UNIT, _RATIO),
        "llama3-70b-fsdp",
        size=N_("256 GPUs"),
    ),
    Template(
        "nvl72",
        N_("NVL72 pod"),
        N_("Racks of 18 compute trays and 9 NVSwitch trays, and a NIC fabric of 4 rails."),
        make.nvl72,
        (Parameter("racks", "int", 8, N_("NVL72 racks"), N_("racks"), 1, 128), _LEAF, _SPINE),
        "llama3-70b-fsdp",
        "nvlink",
        N_("576 GPUs"),
    ),
    Template(
        "superpod-h100",
        N_("SuperPOD H100"),
        N_("DGX H100 and QM9700, 32 servers a unit."),
        make.superpod_h100,
        (_units(4, 64), _ufm(None)),
        "llama3-70b-fsdp",
        size=N_("1,016 GPUs"),
    ),
    Template(
        "superpod-b200",
        N_("SuperPOD B200"),
        N_("DGX B200 and QM9700, 32 servers a unit."),
        make.superpod_b200,
        (_units(4, 64), _ufm(False)),
        "llama3-70b-tp8",
        size=N_("1,024 GPUs"),
    ),
    Template(
        "superpod-b300-xdr",
        N_("SuperPOD B300, XDR"),
        N_("DGX B300 and Q3400, 72 servers a unit."),
        make.superpod_b300_xdr,
        (_units(1, 18), _ufm(False)),
        "llama3-70b-tp8",
        size=N_("576 GPUs"),
    ),
    Template(
        "superpod-b300-spectrum",
        N_("SuperPOD B300, Spectrum"),
        N_("DGX B300 and SN5610, 64 servers a unit; two planes beyond four units."),
        make.superpod_b300_spectrum,
        (_units(1, 16), _ufm(False)),
        "llama3-70b-tp8",
        "ethernet",
        N_("512 GPUs"),
    ),
    Template(
        "cluster-512",
        N_("Cluster of 512"),
        N_("Eight leaves of 128 ports, one a rail, 64 ports down to NICs."),
        make.cluster_512,
        (_SERVER, _part("leaf", "generic-128x400g", N_("Leaf switch"))),
        "llama3-70b-tp8",
        "ethernet",
        N_("512 GPUs"),
    ),
    Template(
        "fat-tree",
        N_("Fat tree"),
        N_("A k-ary fat tree; every NIC is a host of the tree."),
        make.fat_tree,
        (
            Parameter("k", "int", 8, N_("Ports a switch uses, k"), N_("ports"), 2, 128),
            _SERVER,
            _part("switch", "qm9700", N_("Switch")),
            Parameter("tiers", "text", "3", N_("Tiers of switches"), "", None, None, ("2", "3")),
        ),
        "llama3-8b-ddp",
        size=N_("128 GPUs"),
    ),
    Template(
        "rail-only",
        N_("Rail only"),
        N_("A network for each rail and none between them; NVLink joins the rails."),
        make.rail_only,
        (_gpus(512), _SERVER, _LEAF, _SPINE),
        "llama3-70b-fsdp",
        size=N_("512 GPUs"),
    ),
    Template(
        "dual-plane",
        N_("Dual plane"),
        N_("Each NIC port to its own plane, as in Alibaba's HPN; 1,024 GPUs a segment."),
        make.dual_plane,
        (
            Parameter("segments", "int", 1, N_("Segments of 128 servers"), "", 1, 16),
            _part("server", "hgx-h100", N_("Server")),
        ),
        "llama3-70b-fsdp",
        "ethernet",
        N_("1,024 GPUs"),
    ),
    Template(
        "roce-24k",
        N_("RoCE, 8 pods"),
        N_("Pods of 3,072 GPUs with full bisection, 1 : 7 between pods."),
        make.roce_24k,
        (
            Parameter("pods", "int", 8, N_("Pods of 3,072 GPUs"), "", 1, 8),
            _part("server", "hgx-h100", N_("Server")),
        ),
        "llama3-405b",
        "ethernet",
        N_("24,576 GPUs"),
    ),
    Template(
        "four-servers",
        N_("Four-server sketch"),
        N_("Two leaves, one spine, every cable visible."),
        make.four_servers,
        (_SERVER, _LEAF),
        "llama3-8b-ddp",
        size=N_("32 GPUs"),
    ),
    Template(
        "blank", N_("Blank drawing"), N_("Start from the parts palette."), make.blank, (), "", ""
    ),
)
TEMPLATES: dict[str, Template] = {t.name: t for t in _LIST}


def generate(template: str, catalog: Catalog, **parameters: Any) -> Design:
    """Return the network of a template, without placements.

    Raises:
        ParameterError: No such template, or parameters it cannot work with.
        CatalogError: A part that does not exist.
    """
    found = TEMPLATES.get(template)
    if found is None:
        near = get_close_matches(template, TEMPLATES, n=3, cutoff=0.4)
        raise ParameterError(
            _("No template is called “{name}”.").format(name=template),
            _("Did you mean {names}?").format(names=", ".join(near))
            if near
            else _("Templates: {names}.").format(names=", ".join(TEMPLATES)),
        )
    values = read_all(found.parameters, parameters)
    build = Builder(catalog)
    with collection_paused():
        found.build(build, values)
    command = " ".join([template, *(f"{k}={v}" for k, v in parameters.items())])
    design = build.finish(command, _(found.title))
    if found.workload:
        design.workloads["workload"] = stock_workloads()[found.workload]
    return design
