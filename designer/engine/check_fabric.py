"""Checks of the fabric as a whole: uplinks, tiers, rails, and who can reach whom."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from designer.engine.check_rules import finding, listed
from designer.engine.network import NVLINK, OTHER, CompiledNetwork, FloatArray
from designer.engine.survey import MOST_IDS, Survey
from designer.messages import _, ngettext
from designer.model.findings import Finding
from designer.model.records import SWITCH_ROLES, Device
from designer.units import format_number, format_ratio

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
_RANK = {"leaf": 1, "spine": 2, "core": 3}


def check_fabric(survey: Survey) -> Iterator[Finding]:
    """Yield findings about tiers, cabling of servers, reach and technology."""
    yield from _oversubscription(survey)
    yield from _roles(survey)
    yield from _uncabled(survey)
    yield from _unreachable(survey)
    yield from _technologies(survey)


def up_links(network: CompiledNetwork) -> npt.NDArray[np.bool_]:
    """Return which directed bundles go up: to a switch of higher rank."""
    b = network.bundles
    found: npt.NDArray[np.bool_] = network.rank[b.dst] > network.rank[b.src]
    return found


def down_and_up(network: CompiledNetwork) -> tuple[FloatArray, FloatArray]:
    """Return capacity down and up by switch, bits/s one way: NICs and lower tiers, higher tiers."""
    b, n = network.bundles, len(network.switches)
    up = up_links(network)
    below = network.rank[b.dst] < network.rank[b.src]
    down: FloatArray = np.zeros(n)
    down += np.bincount(network.nics.switch, network.nics.speed, n)
    down += np.bincount(b.src[below], b.capacity[below], n)
    above: FloatArray = np.zeros(n)
    above += np.bincount(b.src[up], b.capacity[up], n)
    return down, above


def _oversubscription(survey: Survey) -> Iterator[Finding]:
    network = survey.network
    down, up = down_and_up(network)
    for rank in sorted(set(network.rank.tolist())):
        at = np.flatnonzero((network.rank == rank) & (up > 0) & (down > up * 1.001))
        if not len(at):
            continue
        ratio = down[at] / up[at]
        worst = at[np.argsort(-ratio)]
        devices = network.switches[worst]
        yield finding(
            "oversubscribed",
            [network.device_ids[d] for d in devices[:MOST_IDS]],
            ngettext(
                "{n} switch of tier {tier} has less up than down, at worst {ratio}: {names}.",
                "{n} switches of tier {tier} have less up than down, at worst {ratio}: {names}.",
                len(at),
            ).format(
                n=len(at),
                tier=rank,
                ratio=format_ratio(float(ratio.max())),
                names=listed([survey.device_name(int(d)) for d in devices]),
            ),
            _("Add uplinks, or see what it costs in the step time."),
        )


def _roles(survey: Survey) -> Iterator[Finding]:
    network = survey.network
    cabled = np.zeros(len(network.switches), dtype=bool)
    cabled[network.bundles.src] = True
    cabled[network.nics.switch] = True
    for s in np.flatnonzero(cabled):
        index = int(network.switches[s])
        device = survey.design.devices[network.device_ids[index]]
        wanted, found = _RANK.get(device.role, 0), int(network.rank[s])
        if device.fabric != "compute" or not wanted or wanted == found:
            continue
        yield finding(
            "role-mismatch",
            (device.id,),
            _role_text(device.role, found).format(device=device.name, tier=found),
            _("Change its role, or its cables."),
        )


def _role_text(role: str, found: int) -> str:
    if found == 1:
        return {
            "spine": _("{device} is drawn as a spine, yet servers are cabled to it."),
            "core": _("{device} is drawn as a core switch, yet servers are cabled to it."),
        }.get(role, _("{device} stands in tier {tier} by its wiring."))
    return {
        "leaf": _("{device} is drawn as a leaf, yet no server is cabled to it (tier {tier})."),
        "spine": _("{device} is drawn as a spine, but its wiring puts it in tier {tier}."),
        "core": _("{device} is drawn as a core switch, but its wiring puts it in tier {tier}."),
    }.get(role, _("{device} stands in tier {tier} by its wiring."))


def _uncabled(survey: Survey) -> Iterator[Finding]:
    """Yield servers with free NIC ports, alike ones together, and devices without any cable."""
    used, touched = _cabled_ports(survey)
    ports: dict[tuple[str, str], int] = {}
    short: dict[tuple[int, int], list[Device]] = {}
    lonely: list[Device] = []
    for i, device in enumerate(survey.devices):
        key = (device.type, device.nics)
        if key not in ports:
            family = survey.design.families(device).get("nic")
            ports[key] = family.count if family is not None else 0
        if device.role == "server" and used[i] < ports[key]:
            short.setdefault((int(used[i]), ports[key]), []).append(device)
        elif not touched[i] and device.role not in ("server", "spine", "core"):
            lonely.append(device)
    for (n, total), devices in short.items():
        yield finding(
            "server-uncabled",
            [d.id for d in devices[:MOST_IDS]],
            ngettext(
                "{names}: {n} of {total} NIC ports are cabled.",
                "{names}: {n} of {total} NIC ports are cabled at each.",
                len(devices),
            ).format(names=listed([d.name for d in devices]), n=n, total=total),
            _("Cable the free NIC ports to the leaves of their rails."),
        )
    if lonely:
        yield finding(
            "isolated-device",
            [d.id for d in lonely[:MOST_IDS]],
            ngettext("{names} has no cable.", "{names} have no cable.", len(lonely)).format(
                names=listed([d.name for d in lonely])
            ),
            _("Cable it, or delete it."),
        )


def _cabled_ports(survey: Survey) -> tuple[IntArray, BoolArray]:
    """Return NIC ports in use by device, and which devices have any cable."""
    census = survey.census
    used: IntArray = np.zeros(len(survey.devices), dtype=np.int64)
    touched = np.zeros(len(survey.devices), dtype=np.bool_)
    for end in (0, 1):
        devices = census.device[end]
        touched[devices[devices >= 0]] = True
        nic = np.array([c.end(end).family == "nic" for c in census.classes] or [False])
        rows = nic[census.cls] & (devices >= 0)
        used += np.bincount(devices[rows], census.count[rows], len(used)).astype(np.int64)
    return used, touched


def _unreachable(survey: Survey) -> Iterator[Finding]:
    network = survey.network
    if len(network.servers) < 2:
        return
    group = _groups(network, _unknown_speed(survey))[network.servers]
    gpus = np.maximum(network.gpus[network.servers], 0)
    weight = np.bincount(group, np.maximum(gpus, 1))
    main = int(np.argmax(weight))
    apart = network.servers[group != main]
    if not len(apart):
        return
    lost = int(np.maximum(network.gpus[apart], 0).sum())
    total = int(gpus.sum())
    names = listed([survey.device_name(int(d)) for d in apart])
    if total:
        text = ngettext(
            "{n} server ({names}) cannot reach the others: {lost} of {total} GPUs are cut off.",
            "{n} servers ({names}) cannot reach the others: {lost} of {total} GPUs are cut off.",
            len(apart),
        )
    else:
        text = ngettext(
            "{n} server ({names}) cannot reach the others.",
            "{n} servers ({names}) cannot reach the others.",
            len(apart),
        )
    yield finding(
        "unreachable-gpus",
        [network.device_ids[d] for d in apart[:MOST_IDS]],
        text.format(
            n=len(apart), names=names, lost=format_number(lost), total=format_number(total)
        ),
        _("Cable them to a leaf of the same fabric."),
    )


def _unknown_speed(survey: Survey) -> BoolArray:
    """Return which cables have an end whose ports have no known speed: they may well be alive."""
    unknown = np.zeros(len(survey.cable_ids), dtype=np.bool_)
    for cls, link in survey.link_classes():
        ends = [survey.tally.cage(end) for end in (link.a, link.b)]
        unknown[survey.rows(cls)] = any(e is not None and not e.speeds for e in ends)
    return unknown


def _groups(network: CompiledNetwork, unknown: BoolArray) -> IntArray:
    """Return a group number by device: devices of one group are joined by live links."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    live = (network.cable_a >= 0) & (network.cable_b >= 0) & ((network.cable_speed > 0) | unknown)
    live &= (network.cable_kind != OTHER) | (network.cable_kind == NVLINK)
    a, b = network.cable_a[live], network.cable_b[live]
    n = len(network.device_ids)
    matrix = coo_matrix((np.ones(len(a), dtype=np.int8), (a, b)), shape=(n, n))
    labels: IntArray = connected_components(matrix, directed=False)[1]
    return labels


def _technologies(survey: Survey) -> Iterator[Finding]:
    by_technology: dict[str, list[int]] = {}
    for i, device in enumerate(survey.devices):
        part = survey.design.types.get(device.type)
        if part is not None and device.role in SWITCH_ROLES and device.fabric == "compute":
            by_technology.setdefault(part.technology, []).append(i)
    if not {"infiniband", "ethernet"} <= set(by_technology):
        return
    fewer = min(("infiniband", "ethernet"), key=lambda t: len(by_technology[t]))
    names = {"infiniband": _("InfiniBand"), "ethernet": _("Ethernet")}
    yield finding(
        "mixed-technology",
        [survey.devices[i].id for i in by_technology[fewer][:MOST_IDS]],
        _("The compute fabric mixes {one} and {two} switches ({n} and {m}).").format(
            one=names["infiniband"],
            two=names["ethernet"],
            n=len(by_technology["infiniband"]),
            m=len(by_technology["ethernet"]),
        ),
        _("Convert it to one technology, or set the fabric of the others."),
    )
