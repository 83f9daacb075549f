"""Tiers of an imported fabric out of its wiring: leaf, spine, core.

Leaves are switches of which hosts fill a good part. A switch stands one tier above those that fill
a good part of its other cables, so that a stray cable to a leaf pulls no core down. A few hosts on
a high switch (management machines hang there) make no leaf of it either: such a switch goes with
its kind, the switches that have the same neighbours.
"""

from collections import deque
from statistics import median

from designer.formats.importers.ib_blocks import Key
from designer.model.records import Role

# What counts as a good part of the cables of a switch.
_PART = 0.2
# A leaf carries at least this share of what the switch of a median host carries.
_BULK = 0.25
# Two switches are of a kind when they share at least this much of their neighbours.
_ALIKE = 0.5
_ROLES: tuple[Role, ...] = ("leaf", "spine", "core")

Neighbours = dict[Key, set[Key]]
Levels = dict[Key, int]


def tiers(hosts: dict[Key, int], neighbours: Neighbours) -> dict[Key, Role]:
    """Return the role of every switch.

    Args:
        hosts: Links to hosts, by switch; 0 where it has none.
        neighbours: Other switches it is cabled to, by switch.
    """
    carried = [n for n in hosts.values() for _host in range(min(n, 1000))]
    least = _BULK * median(carried) if carried else 1.0
    leaves = {
        s
        for s, n in hosts.items()
        if n >= max(1.0, least) and n >= _PART * (n + len(neighbours[s]))
    }
    level: Levels = {}
    for _pass in range(2):  # leaves found at the end of the first lift what is above them
        level = _levels(leaves, neighbours)
        pods = _pods(level, neighbours)
        for switch in _empty_leaves(level, neighbours, pods):
            level[switch] = 0
        for switch, n in hosts.items():
            if n and switch not in leaves:
                level[switch] = _doubtful(switch, n, level, neighbours, pods)
        leaves = {s for s, at in level.items() if at == 0}
    return {s: _ROLES[min(level[s], 2)] for s in hosts}


def _levels(leaves: set[Key], neighbours: Neighbours) -> Levels:
    """Return how many tiers above the leaves each switch stands; 0 where no leaf can be reached."""
    level = dict.fromkeys(leaves, 0)
    below, number = leaves, 0
    rest = [s for s in neighbours if s not in level]
    while below:
        number += 1
        above = {
            s for s in rest if len(neighbours[s] & below) >= max(1.0, _PART * len(neighbours[s]))
        }
        level |= dict.fromkeys(above, number)
        rest = [s for s in rest if s not in above]
        below = above
    queue = deque(level)
    while queue:  # what hangs by a thread
        at = queue.popleft()
        for other in neighbours[at]:
            if other not in level:
                level[other] = level[at] + 1
                queue.append(other)
    return {s: level.get(s, 0) for s in neighbours}


def _pods(level: Levels, neighbours: Neighbours) -> dict[Key, int]:
    """Return the pod of each leaf and spine: what hangs together below the cores."""
    pods: dict[Key, int] = {}
    number = 0
    for start, tier in level.items():
        if tier > 1 or start in pods:
            continue
        number += 1
        pods[start] = number
        queue = deque([start])
        while queue:
            for other in neighbours[queue.popleft()]:
                if level[other] < 2 and other not in pods:
                    pods[other] = number
                    queue.append(other)
    return pods


def _empty_leaves(level: Levels, neighbours: Neighbours, pods: dict[Key, int]) -> list[Key]:
    """Return switches without hosts that hang on the spines of one pod just as its leaves do.

    Only where other switches join that pod to more pods: those are the cores.
    """
    high = {s: {pods[n] for n in neighbours[s] if n in pods} for s, at in level.items() if at == 2}
    spanned = {pod for touched in high.values() if len(touched) > 1 for pod in touched}
    return [
        switch
        for switch, touched in high.items()
        if len(touched) == 1
        and touched <= spanned
        and _likeness(switch, 0, level, neighbours) >= _ALIKE
    ]


def _doubtful(
    switch: Key, hosts: int, level: Levels, neighbours: Neighbours, pods: dict[Key, int]
) -> int:
    """Return the level of a switch with few hosts: that of its kind, or by where it hangs.

    Where leaves and cores are cabled to the same spines, its share of hosts decides.
    """
    at, mine = level[switch], neighbours[switch]
    if at < 2:
        return at if hosts <= len(mine) else 0
    if at == 2 and len({pods[s] for s in mine if s in pods}) > 1:
        return 2
    kin = _likeness(switch, at, level, neighbours)
    leaf = _likeness(switch, 0, level, neighbours)
    if leaf >= _ALIKE and (leaf > kin or (leaf == kin and 10 * hosts > len(mine))):
        return 0
    if kin >= _ALIKE:
        return at
    if at == 2:
        return 0
    return at if 4 * hosts < len(mine) else 0


def _likeness(switch: Key, wanted: int, level: Levels, neighbours: Neighbours) -> float:
    """Return how much of its neighbours a switch shares with the nearest one of a level."""
    mine = neighbours[switch]
    near = {s for one in mine for s in neighbours[one] if s != switch and level[s] == wanted}
    return max((len(mine & neighbours[s]) / len(mine | neighbours[s]) for s in near), default=0.0)
