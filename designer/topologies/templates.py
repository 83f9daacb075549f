"""The templates people start from, each a function from checked parameters to a builder."""

from dataclasses import replace

from designer.errors import ParameterError
from designer.messages import _
from designer.model.records import PortBreakout
from designer.topologies import reading
from designer.topologies.builder import Builder, radix
from designer.topologies.clos import Clos, Shape
from designer.topologies.reading import Values


def rail_optimized(build: Builder, v: Values) -> None:
    """One leaf a rail and unit; NIC k of every server on leaf k."""
    parts = reading.parts(build, v)
    ratio = v["oversubscription"]
    ports, _lanes = radix(parts.leaf, reading.speed(build, parts.server))
    slots = parts.server.nic_slots
    family = parts.server.family("nic")
    each = family.count // slots if family and slots else 1
    servers = reading.servers(parts.server, v["gpus"])
    per_unit = v["servers_per_unit"] or reading.unit(
        reading.down(ports, ratio) // each, servers, each, ratio
    )
    if per_unit < 1:
        raise ParameterError(
            _("No server fits under a leaf at {ratio} : 1.").format(ratio=f"{ratio:g}"),
            _("Lower the oversubscription."),
        )
    tiers = {"auto": 0, "2": 2, "3": 3}[v["tiers"]]
    shape = Shape(servers, per_unit, slots, each, 1, ratio, tiers)
    Clos(build, shape, parts, reading.speed(build, parts.server)).make()


def leaf_spine(build: Builder, v: Values) -> None:
    """All NICs of a server on one leaf."""
    parts = reading.parts(build, v)
    ratio = v["oversubscription"]
    ports, _lanes = radix(parts.leaf, reading.speed(build, parts.server))
    family = parts.server.family("nic")
    nics = family.count if family else 0
    down = reading.down(ports, ratio)
    servers = reading.servers(parts.server, v["gpus"])
    full = max(1, down // nics if nics else 0)
    per_unit = v["servers_per_unit"] or reading.unit(full, servers, nics, ratio)
    shape = Shape(servers, per_unit, 1, nics, 1, ratio, 0)
    Clos(build, shape, parts, reading.speed(build, parts.server)).make()


def _superpod(build: Builder, v: Values, server: str, switch: str, per_unit: int) -> Clos:
    parts = reading.parts(build, {"server": server, "leaf": switch})
    servers = v["scalable_units"] * per_unit - (1 if v.get("ufm") else 0)
    rails = parts.server.nic_slots
    clos = Clos(build, Shape(servers, per_unit, rails), parts, reading.speed(build, parts.server))
    clos.make()
    if v.get("ufm"):
        _add_ufm(build, clos)
    return clos


def _add_ufm(build: Builder, clos: Clos) -> None:
    """Give the ports of the last server of the last unit to the UFM: one on each of four leaves."""
    last = clos.plan.units - 1
    ufm = build.device("ufm-1", build.part("ufm-appliance"), "host", unit=clos._unit(last))
    for rail in range(4):
        build.link(
            clos.leaves[0, last, rail],
            ufm,
            first_a=clos.plan.down,
            family_b="nic",
            lanes_a=clos.leaf_lanes,
        )


def superpod_h100(build: Builder, v: Values) -> None:
    """NVIDIA DGX SuperPOD H100: 32 servers a unit, QM9700 throughout (RA-11333-001 V11)."""
    if v["ufm"] is None:
        v["ufm"] = v["scalable_units"] <= 4
    _superpod(build, v, "dgx-h100", "qm9700", 32)


def superpod_b200(build: Builder, v: Values) -> None:
    """NVIDIA DGX SuperPOD B200: 32 servers a unit, QM9700 throughout."""
    _superpod(build, v, "dgx-b200", "qm9700", 32)


def superpod_b300_xdr(build: Builder, v: Values) -> None:
    """NVIDIA DGX SuperPOD B300 with Quantum-X800: 72 servers a unit, Q3400 throughout."""
    _superpod(build, v, "dgx-b300", "q3400-ra", 72)


def superpod_b300_spectrum(build: Builder, v: Values) -> None:
    """NVIDIA DGX SuperPOD B300 with Spectrum: 64 servers a unit; two planes beyond 2,048 GPUs."""
    units = v["scalable_units"]
    servers = units * 64 - (1 if v.get("ufm") else 0)
    if units <= 4:
        parts = reading.parts(build, {"server": "dgx-b300", "leaf": "sn5610"})
        shape = Shape(servers, 32, 8, groups_per_unit=2)
        clos = Clos(build, shape, parts, 800e9)
    else:
        # 800G ports reach 2,048 GPUs in two tiers; as 2 x 400G in two planes they reach 8,192
        parts = reading.parts(build, {"server": "dgx-b300", "leaf": "sn5610"}, "connectx-8-2x400")
        clos = Clos(build, Shape(servers, 64, 8, planes=2), parts, 400e9)
    clos.make()
    if v.get("ufm"):
        _add_ufm(build, clos)


def cluster_512(build: Builder, v: Values) -> None:
    """The classic group: eight leaves of 128 ports, one a rail, 64 ports down to NICs."""
    parts = reading.parts(build, {"server": v["server"], "leaf": v["leaf"]})
    shape = Shape(64, 64, parts.server.nic_slots)
    Clos(build, shape, parts, reading.speed(build, parts.server)).make()


def nvl72(build: Builder, v: Values) -> None:
    """Racks of 18 compute trays and 9 NVSwitch trays, and the NIC fabric of four rails."""
    parts = reading.parts(
        build, {"server": "gb200-compute-tray", "leaf": v["leaf"], "spine": v["spine"]}
    )
    racks = v["racks"]
    shape = Shape(racks * 18, 18, 4, groups_per_unit=8)
    clos = Clos(build, shape, parts, 400e9)
    clos.per_rack, clos.server_stem = 18, "tray"
    clos.make()
    tray = build.part("nvl72-nvswitch-tray")
    for rack in range(racks):
        trays = clos.servers[rack * 18 : (rack + 1) * 18]
        home = build.design.devices[trays[0]]
        for k in range(9):
            name = build.device(
                f"{home.rack}-nvs-{k + 1}",
                tray,
                "nvswitch",
                unit=home.unit,
                pod=home.pod,
                rack=home.rack,
            )
            for server in trays:
                build.link(server, name, 8, family_a="nvlink", family_b="nvlink")


def fat_tree(build: Builder, v: Values) -> None:
    """A k-ary fat tree of switches that use k ports each; every NIC is a host of the tree."""
    k, parts = v["k"], reading.parts(build, {"server": v["server"], "leaf": v["switch"]})
    speed = reading.speed(build, parts.server)
    ports, lanes = radix(parts.leaf, speed)
    if k % 2 or k > ports:
        raise ParameterError(
            _("k = {k} does not fit: even numbers up to {ports} do.").format(k=k, ports=ports),
            _("Choose an even k, or another switch."),
        )
    half, tiers = k // 2, int(v["tiers"])
    nics = parts.server.family("nic")
    each = nics.count if nics else 0
    hosts = k**3 // 4 if tiers == 3 else k * k // 2
    servers = hosts // each if each else 0
    if servers < 1:
        raise ParameterError(
            _("k = {k} has {hosts} host ports, too few for one server of {n} NICs.").format(
                k=k, hosts=hosts, n=each
            ),
            _("Choose a larger k."),
        )
    edges = [
        build.device(
            _edge(i, half, tiers),
            parts.leaf,
            "leaf",
            pod=_fat_pod(build, i // half, tiers),
            lanes=lanes,
        )
        for i in range(k * half if tiers == 3 else k)
    ]
    spines = [
        build.device(
            _spine(i, half, tiers),
            parts.leaf,
            "spine",
            pod=_fat_pod(build, i // half, tiers),
            lanes=lanes,
        )
        for i in range(k * half if tiers == 3 else half)
    ]
    cores = [
        build.device(f"core-{i // half + 1}.{i % half + 1}", parts.leaf, "core", lanes=lanes)
        for i in range(half * half if tiers == 3 else 0)
    ]
    for i, edge in enumerate(edges):
        build.skip_to(edge, "fabric", half + 1)
        pod = i // half if tiers == 3 else 0
        for spine in spines[pod * half : (pod + 1) * half]:
            build.link(edge, spine, lanes_a=lanes, lanes_b=lanes)
    for i, spine in enumerate(spines if tiers == 3 else []):
        for core in cores[(i % half) * half : (i % half + 1) * half]:
            build.link(spine, core, lanes_a=lanes, lanes_b=lanes)
    for s in range(servers):
        first = s * each // half
        pod = _fat_pod(build, first // half, tiers)
        name = build.device(f"srv-{s + 1:0{len(str(servers))}d}", parts.server, "server", pod=pod)
        for n in range(each):
            host = s * each + n
            build.link(
                edges[host // half], name, first_a=host % half + 1, family_b="nic", lanes_a=lanes
            )


def _fat_pod(build: Builder, pod: int, tiers: int) -> str:
    return build.group("pod", f"pod{pod + 1}") if tiers == 3 else ""


def _edge(i: int, half: int, tiers: int) -> str:
    return f"pod{i // half + 1}-leaf-{i % half + 1}" if tiers == 3 else f"leaf-{i + 1}"


def _spine(i: int, half: int, tiers: int) -> str:
    return f"pod{i // half + 1}-spine-{i % half + 1}" if tiers == 3 else f"spine-{i + 1}"


def rail_only(build: Builder, v: Values) -> None:
    """A separate network for each rail; traffic between rails goes through NVLink."""
    parts = reading.parts(build, v)
    speed = reading.speed(build, parts.server)
    ports, _lanes = radix(parts.leaf, speed)
    servers = reading.servers(parts.server, v["gpus"])
    rails = parts.server.nic_slots
    if servers <= ports:
        shape = Shape(servers, servers, 1, 1, rails, single_tier=True)
    else:
        shape = Shape(servers, ports // 2, 1, 1, rails, 1.0, 2)
    Clos(build, shape, parts, speed).make()


def dual_plane(build: Builder, v: Values) -> None:
    """Alibaba HPN: each NIC port to its own plane; 8 ToRs a plane and segment, 60 aggregations."""
    server, tor = build.part(v["server"]), build.part("hpn-tor-51t")
    spine = build.part("generic-128x400g")
    build.part("connectx-7-2x200")
    rails, per_segment, planes, spines = server.nic_slots, 128, 2, 60
    if v["segments"] * rails > 128:
        raise ParameterError(
            _("An aggregation switch takes {n} segments.").format(n=128 // rails),
            _("Use fewer segments."),
        )
    names: dict[tuple[int, int, int], str] = {}
    aggs = {}
    for plane in range(planes):
        group = build.group("plane", f"plane{plane + 1}")
        for j in range(spines):
            aggs[plane, j] = build.device(
                f"p{plane + 1}-spine-{j + 1}", spine, "spine", plane=group
            )
    for segment in range(v["segments"]):
        unit = build.group("unit", f"su{segment + 1:02d}")
        for plane in range(planes):
            for rail in range(rails):
                name = build.device(
                    f"{unit}-p{plane + 1}-leaf-{rail + 1}",
                    tor,
                    "leaf",
                    unit=unit,
                    plane=f"plane{plane + 1}",
                )
                device = build.design.devices[name]
                # ports 1 to 68 split into 136 x 200G down; 69 to 128 are 60 x 400G up
                build.design.devices[name] = replace(
                    device, breakouts=(PortBreakout("fabric", 1, 68, 2),)
                )
                names[segment, plane, rail] = name
                build.skip_to(name, "fabric", 69)
                for j in range(spines):
                    build.link(name, aggs[plane, j])
        for k in range(per_segment):
            host = build.device(
                f"{unit}-srv-{k + 1:03d}", server, "server", unit=unit, nics="connectx-7-2x200"
            )
            for port in range(rails * planes):
                leaf = names[segment, port % planes, port // planes]
                build.link(leaf, host, first_a=k + 1, family_b="nic", lanes_a=2)


def roce_24k(build: Builder, v: Values) -> None:
    """Meta's 24K cluster: a ToR for two servers, 16 cluster switches a pod, 28 aggregations."""
    server, tor = build.part(v["server"]), build.part("generic-64x400g")
    spine, core = build.part("arista-7808r3"), build.part("generic-128x400g")
    cores = [build.device(f"core-{k + 1}", core, "core") for k in range(28)]
    for p in range(v["pods"]):
        pod = build.group("pod", f"pod{p + 1}")
        spines = [build.device(f"{pod}-spine-{j + 1}", spine, "spine", pod=pod) for j in range(16)]
        for r in range(192):
            unit = build.group("unit", f"{pod}-su{r + 1:03d}", pod)
            rack = build.group("rack", f"{pod}-r{r + 1:03d}", unit)
            leaf = build.device(
                f"{pod}-leaf-{r + 1:03d}", tor, "leaf", unit=unit, pod=pod, rack=rack
            )
            for s in range(2):
                host = build.device(
                    f"{pod}-srv-{2 * r + s + 1:03d}",
                    server,
                    "server",
                    unit=unit,
                    pod=pod,
                    rack=rack,
                )
                build.link(leaf, host, 8, family_b="nic")
            for one in spines:
                build.link(leaf, one)
        for one in spines:
            for other in cores:
                build.link(one, other)


def four_servers(build: Builder, v: Values) -> None:
    """Four servers, two leaves of four rails each, one spine."""
    server, switch = build.part(v["server"]), build.part(v["leaf"])
    speed = reading.speed(build, server)
    _ports, lanes = radix(switch, speed)
    spine = build.device("spine-1", switch, "spine", lanes=lanes)
    unit = build.group("unit", "su01")
    leaves = [
        build.device(f"leaf-{k + 1}", switch, "leaf", unit=unit, lanes=lanes) for k in range(2)
    ]
    rack = build.group("rack", "A01", unit)
    half = server.nic_slots // 2
    for s in range(4):
        name = build.device(f"srv-{s + 1:02d}", server, "server", unit=unit, rack=rack)
        for nic in range(server.nic_slots):
            build.link(
                leaves[nic // half],
                name,
                first_a=nic % half * 4 + s + 1,
                family_b="nic",
                lanes_a=lanes,
            )
    for leaf in leaves:
        build.skip_to(leaf, "fabric", 33)
        build.link(leaf, spine, 4 * half, lanes_a=lanes, lanes_b=lanes)


def blank(build: Builder, v: Values) -> None:
    """Nothing."""
