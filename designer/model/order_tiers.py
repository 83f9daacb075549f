"""Orders the devices of a tier so that cables cross less: by rail, then by where peers stand."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.operations import move

# Devices whose middles differ in height by less stand in one row.
SAME_ROW = 40.0
_ROUNDS = 8

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Order = dict[str, float]
# Pairs of devices and their links (upper device first), by the pair of rows they join.
Links = dict[tuple[float, float], list[tuple[str, str, int]]]


def order_by_rail(design: Design, ids: Iterable[str] = ()) -> Edit:
    """Return the move that lets devices of each row change places so that fewer cables cross.

    Rows keep their places, devices of `ids` (all when empty) change among those of their own row.
    Barycentres sweep down and up, from the order as it is and from that of the rails; the best one
    seen is taken, so that crossings never grow. Of orders that cross alike the one that keeps the
    rails of a unit in order is the better; with no gain the edit is empty.
    """
    chosen = [i for i in (ids or design.placements) if i in design.devices]
    at = {i: (p.x, p.y) for i, p in design.placements.items() if i in design.devices}
    rows = _rows(at, [i for i in chosen if i in at])
    links = _links(design, at)
    peers = _peers(links)
    before: Order = {i: x for i, (x, _y) in at.items()}
    keys = _keys(design, rows, before)

    def cost(x: Order) -> tuple[int, int]:
        return crossings(links, x), _disorder(rows, keys, x)

    best, least = before, cost(before)
    for start in (before, _by_rail(rows, keys, before)):
        now = dict(start)
        for sweep in range(_ROUNDS):
            found = cost(now)
            if found < least:
                best, least = dict(now), found
            was = dict(now)
            for row in rows if sweep % 2 == 0 else reversed(rows):
                _seat(row, _middles(row, peers, now), now)
            if now == was and sweep:
                break
    label = _("Order to cross fewer cables")
    moved = {i: (x, at[i][1]) for i, x in best.items() if x != before[i]}
    return Edit(label, move(design, moved).swaps)


def crossings(links: Links, x: Order) -> int:
    """Return how many pairs of links cross, each link a straight line between its rows."""
    total = 0
    for pairs in links.values():
        a = np.array([x[one] for one, _two, _n in pairs])
        b = np.array([x[two] for _one, two, _n in pairs])
        total += _inversions(a, b, np.array([n for _one, _two, n in pairs], dtype=np.int64))
    return total


def _inversions(a: Floats, b: Floats, count: Ints) -> int:
    """Return the weight of pairs with a ascending and b descending, by a Fenwick tree over b."""
    order = np.lexsort((b, a))
    place = np.unique(b, return_inverse=True)[1][order].tolist()
    weight = count[order].tolist()
    keys = a[order].tolist()
    tree = [0] * (max(place, default=0) + 2)
    total = seen = 0
    waiting: list[tuple[int, int]] = []
    last = None
    for key, at, n in zip(keys, place, weight, strict=True):
        if key != last:
            # links of one device do not cross one another
            for k, m in waiting:
                seen += m
                _add(tree, k, m)
            waiting, last = [], key
        total += n * (seen - _sum(tree, at))
        waiting.append((at, n))
    return total


def _add(tree: list[int], k: int, n: int) -> None:
    k += 1
    while k < len(tree):
        tree[k] += n
        k += k & -k


def _sum(tree: list[int], k: int) -> int:
    """Return what was added at places 0 to k."""
    k, total = k + 1, 0
    while k > 0:
        total += tree[k]
        k -= k & -k
    return total


def _rows(at: Mapping[str, tuple[float, float]], ids: list[str]) -> list[list[str]]:
    """Return devices by row, rows from the top."""
    found: dict[float, list[str]] = {}
    for id_ in ids:
        found.setdefault(round(at[id_][1] / SAME_ROW), []).append(id_)
    return [sorted(found[y], key=lambda i: at[i][0]) for y in sorted(found) if len(found[y]) > 1]


def _links(design: Design, at: Mapping[str, tuple[float, float]]) -> Links:
    """Return the links between two rows, upper device first, by the pair of rows."""
    found: dict[tuple[float, float], dict[tuple[str, str], int]] = {}
    for cable in design.cables.values():
        one, two = cable.a.device, cable.b.device
        if one not in at or two not in at:
            continue
        if at[one][1] > at[two][1]:
            one, two = two, one
        rows = round(at[one][1] / SAME_ROW), round(at[two][1] / SAME_ROW)
        if rows[0] != rows[1]:
            pairs = found.setdefault(rows, {})
            pairs[one, two] = pairs.get((one, two), 0) + cable.count
    return {rows: [(a, b, n) for (a, b), n in pairs.items()] for rows, pairs in found.items()}


def _seat(row: list[str], wish: Mapping[str, float], x: Order) -> None:
    """Give the places of a row to its devices in the order of what they wish for."""
    places = sorted(x[i] for i in row)
    order = sorted(row, key=lambda i: (wish.get(i, x[i]), x[i]))
    x.update(zip(order, places, strict=True))


def _middles(row: list[str], peers: Mapping[str, list[tuple[str, int]]], x: Order) -> Order:
    """Return the barycentre of the peers of each device of a row."""
    return {
        i: sum(n * x[j] for j, n in peers[i]) / sum(n for _j, n in peers[i])
        for i in row
        if i in peers
    }


def _peers(links: Links) -> dict[str, list[tuple[str, int]]]:
    found: dict[str, list[tuple[str, int]]] = {}
    for pairs in links.values():
        for one, two, n in pairs:
            found.setdefault(one, []).append((two, n))
            found.setdefault(two, []).append((one, n))
    return found


def _keys(design: Design, rows: list[list[str]], before: Order) -> dict[str, tuple[float, float]]:
    """Return what devices of a row are ordered by: where their unit begins, then their rail."""
    rails = _rails(design)
    keys: dict[str, tuple[float, float]] = {}
    for row in rows:
        left: dict[str, float] = {}
        for id_ in row:
            unit = design.devices[id_].unit
            left[unit] = min(left.get(unit, before[id_]), before[id_])
        keys.update({i: (left[design.devices[i].unit], rails.get(i, 0.0)) for i in row})
    return keys


def _by_rail(rows: list[list[str]], keys: Mapping[str, tuple[float, float]], x: Order) -> Order:
    """Return an order in which devices of one row stand by unit, then by their rail."""
    now = dict(x)
    for row in rows:
        order = sorted(row, key=lambda i: (keys[i], x[i]))
        now.update(zip(order, sorted(x[i] for i in row), strict=True))
    return now


def _disorder(rows: list[list[str]], keys: Mapping[str, tuple[float, float]], x: Order) -> int:
    """Return how many neighbours of one row stand against the order of their rails."""
    total = 0
    for row in rows:
        order = sorted(row, key=lambda i: x[i])
        total += sum(keys[a] > keys[b] for a, b in pairwise(order) if x[a] < x[b])
    return total


def _rails(design: Design) -> dict[str, float]:
    """Return the mean rail of the server cables at each switch."""
    total: dict[str, list[int]] = {}
    for cable in design.cables.values():
        for near, far in ((cable.a, cable.b), (cable.b, cable.a)):
            server = design.devices.get(far.device)
            if far.family == "nic" and server is not None and near.family != "nic":
                total.setdefault(near.device, []).append(design.rail(server, far.first))
    return {i: sum(r) / len(r) for i, r in total.items()}
