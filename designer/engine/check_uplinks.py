"""Checks of symmetry: uplinks spread evenly, every spine in use, NICs on the leaf of their rail."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from designer.engine.check_fabric import down_and_up, up_links
from designer.engine.check_rules import finding, listed
from designer.engine.columns import sum_by
from designer.engine.network import BoolArray, CompiledNetwork, FloatArray
from designer.engine.survey import MOST_IDS, Survey
from designer.messages import _, ngettext
from designer.model.findings import Finding
from designer.model.ports import Port, port_name
from designer.units import format_ratio

# A leaf is a rail's leaf when at least this share of its NIC links is of one rail.
_MAIN_RAIL = 0.75


@dataclass(frozen=True, slots=True)
class _Uplinks:
    """Links by switch, counted once for all findings.

    Attributes:
        rises: Which directed bundles go up.
        links_up, links_down: Links toward higher and lower tiers, NIC links included, by switch.
        up, down: Capacity likewise, bits/s one way.
        nics: Rows of the NIC links, by switch; see `start`.
        start: First row of each switch, length switches + 1.
    """

    rises: BoolArray
    links_up: FloatArray
    links_down: FloatArray
    up: FloatArray
    down: FloatArray
    nics: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]

    @staticmethod
    def of(network: CompiledNetwork) -> "_Uplinks":
        """Return the links of all switches."""
        b, n, on = network.bundles, len(network.switches), network.nics.switch
        rises = up_links(network)
        falls = network.rank[b.dst] < network.rank[b.src]
        down, up = down_and_up(network)
        order = np.argsort(on, kind="stable")
        return _Uplinks(
            rises,
            sum_by(b.src[rises], b.count[rises], n),
            sum_by(b.src[falls], b.count[falls], n) + np.bincount(on, minlength=n),
            up,
            down,
            order,
            np.searchsorted(on[order], np.arange(n + 1)),
        )


def check_uplinks(survey: Survey) -> Iterator[Finding]:
    """Yield findings about uneven uplinks, missing trunks and unused spines."""
    uplinks = _Uplinks.of(survey.network)
    yield from _uneven(survey, uplinks)
    yield from _missing_trunks(survey, uplinks)
    yield from _unused(survey)


def _uneven(survey: Survey, uplinks: _Uplinks) -> Iterator[Finding]:
    """Yield trunks that hold fewer or more cables than the other uplinks of their switch."""
    b = survey.network.bundles
    up = np.flatnonzero(uplinks.rises)
    if not len(up):
        return
    src, count = b.src[up], b.count[up]
    starts = np.flatnonzero(np.r_[True, src[1:] != src[:-1]])
    low, high = np.minimum.reduceat(count, starts), np.maximum.reduceat(count, starts)
    ends = np.r_[starts[1:], len(src)]
    for k in np.flatnonzero(low != high):
        rows = up[starts[k] : ends[k]]
        usual = _usual(b.count[rows].tolist())
        for row in rows[b.count[rows] != usual]:
            yield _trunk(survey, uplinks, int(row), usual)


def _usual(counts: list[int]) -> int:
    """Return the commonest count; of equally common ones the largest."""
    tally = Counter(counts)
    return max(tally, key=lambda c: (tally[c], c))


def _trunk(survey: Survey, uplinks: _Uplinks, row: int, usual: int) -> Finding:
    network, b = survey.network, survey.network.bundles
    leaf, spine = int(network.switches[b.src[row]]), int(network.switches[b.dst[row]])
    cables = np.flatnonzero((b.cable_bundle == row) | (b.cable_bundle == int(b.reverse[row])))
    text = _("{leaf} → {spine}: {n} of {usual} cables. {links}").format(
        leaf=survey.device_name(leaf),
        spine=survey.device_name(spine),
        n=int(b.count[row]),
        usual=usual,
        links=_balance(survey, uplinks, int(b.src[row])),
    )
    ids = [network.device_ids[leaf], network.device_ids[spine]]
    ids += [network.cable_ids[c] for c in cables[:MOST_IDS]]
    missing = usual - int(b.count[row])
    hint = (
        ngettext("Add {n} cable between them.", "Add {n} cables between them.", missing)
        if missing > 0
        else ngettext(
            "Move {n} cable to another spine.", "Move {n} cables to other spines.", -missing
        )
    ).format(n=abs(missing))
    return finding("uneven-uplinks", ids, text.strip(), hint)


def _balance(survey: Survey, uplinks: _Uplinks, switch: int) -> str:
    """Return `Rail 5: 32 down, 30 up (1.07 : 1).` for a switch."""
    on_leaf = uplinks.nics[uplinks.start[switch] : uplinks.start[switch + 1]]
    rails = set(survey.network.nics.rail[on_leaf].tolist())
    text = _("{down} down, {up} up ({ratio}).").format(
        down=int(uplinks.links_down[switch]),
        up=int(uplinks.links_up[switch]),
        ratio=format_ratio(float(uplinks.down[switch] / uplinks.up[switch])),
    )
    if len(rails) == 1:
        return _("Rail {n}: {balance}").format(n=rails.pop(), balance=text)
    return text


def _missing_trunks(survey: Survey, uplinks: _Uplinks) -> Iterator[Finding]:
    """Yield switches that reach fewer switches above than their neighbours of the same kind."""
    network, b = survey.network, survey.network.bundles
    above = np.bincount(b.src[uplinks.rises], minlength=len(network.switches))
    kinds: dict[tuple[int, str, str], list[int]] = {}
    for s, index in enumerate(network.switches):
        device = survey.design.devices[network.device_ids[int(index)]]
        if device.fabric == "compute":
            kinds.setdefault((int(network.rank[s]), device.pod, device.plane), []).append(s)
    for (rank, _pod, _plane), members in kinds.items():
        usual = _usual([int(above[s]) for s in members])
        for s in members:
            if 0 <= above[s] < usual and (above[s] or rank == 1):
                yield _short(survey, uplinks, s, int(above[s]), usual)


def _short(survey: Survey, uplinks: _Uplinks, switch: int, reached: int, usual: int) -> Finding:
    network = survey.network
    index = int(network.switches[switch])
    text = _("{device} is cabled to {n} switches above; its neighbours to {usual}.").format(
        device=survey.device_name(index), n=reached, usual=usual
    )
    if reached:
        text = f"{text} {_balance(survey, uplinks, switch)}"
    return finding(
        "uneven-uplinks",
        (network.device_ids[index],),
        text,
        _("Cable it to the same spines as its neighbours."),
    )


def _unused(survey: Survey) -> Iterator[Finding]:
    network, b = survey.network, survey.network.bundles
    used = np.zeros(len(network.switches), dtype=bool)
    used[b.src] = True
    used[network.nics.switch] = True
    if len(network.nics.switch):
        # an island of switches that no server reaches carries nothing either
        used &= np.isin(network.component, network.component[network.nics.switch])
    idle = []
    for s in np.flatnonzero(~used):
        device = survey.design.devices[network.device_ids[int(network.switches[s])]]
        if device.fabric == "compute" and device.role in ("spine", "core"):
            idle.append(device)
    if idle:
        yield finding(
            "unused-spine",
            [d.id for d in idle[:MOST_IDS]],
            ngettext(
                "{n} switch above the leaves carries nothing: {names}.",
                "{n} switches above the leaves carry nothing: {names}.",
                len(idle),
            ).format(n=len(idle), names=listed([d.name for d in idle])),
            _("Cable it to every leaf of its plane, or delete it."),
        )


def check_rails(survey: Survey) -> Iterator[Finding]:
    """Yield NICs on a leaf that carries another rail."""
    nics = survey.network.nics
    if not len(nics.rail):
        return
    leaves, rails = len(survey.network.leaves), int(nics.rail.max()) + 1
    table = np.zeros((leaves, rails), dtype=np.int64)
    np.add.at(table, (nics.leaf, nics.rail), 1)
    main = table.argmax(axis=1)
    ruled = table.max(axis=1) >= _MAIN_RAIL * table.sum(axis=1)
    wrong = ruled[nics.leaf] & (nics.rail != main[nics.leaf])
    for row in np.flatnonzero(wrong):
        if _has_rails(survey, int(row)):
            yield _misplaced(survey, int(row), int(main[nics.leaf[row]]))


def _has_rails(survey: Survey, row: int) -> bool:
    """Tell whether the server of a NIC has several: one alone (an unnamed HCA) has no rail."""
    index = int(survey.network.nics.server[row])
    part = survey.design.type_of(survey.design.devices[survey.network.device_ids[index]])
    return part is None or part.nic_slots != 1


def _misplaced(survey: Survey, row: int, main: int) -> Finding:
    network, nics = survey.network, survey.network.nics
    server = survey.design.devices[network.device_ids[int(nics.server[row])]]
    leaf = network.device_ids[int(network.switches[nics.switch[row]])]
    cable = survey.design.cables[network.cable_ids[int(nics.cable[row])]]
    end = cable.end_at(server.id)
    return finding(
        "rail-misaligned",
        (server.id, leaf, cable.id),
        _(
            "{server} {port} (rail {rail}) is on {leaf}, the leaf of rail {main}: its traffic "
            "crosses the spines."
        ).format(
            server=server.name,
            port=port_name(survey.design, server, Port("nic", end.first)),
            rail=int(nics.rail[row]),
            leaf=survey.design.devices[leaf].name,
            main=main,
        ),
        _("Move the cable to the leaf of rail {rail}.").format(rail=int(nics.rail[row])),
    )
