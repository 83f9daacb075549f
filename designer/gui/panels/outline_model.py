"""The outline as a tree: pods, units and roles with the devices in them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from designer.gui.icons import icon
from designer.gui.style import color
from designer.messages import N_, _
from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.records import Device
from designer.units import format_number

Index = QModelIndex | QPersistentModelIndex
ROLE_TITLES = {
    "server": N_("Servers"),
    "nvswitch": N_("NVSwitch trays"),
    "leaf": N_("Leaves"),
    "spine": N_("Spines"),
    "core": N_("Cores"),
    "host": N_("Hosts"),
}
ICONS = {
    "server": "server",
    "nvswitch": "nvswitch",
    "leaf": "leaf",
    "spine": "spine",
    "core": "core",
    "host": "nic",
}
_ORDER = ("core", "spine", "leaf", "server", "nvswitch", "host")
_NO_PARENT = QModelIndex()


@dataclass(slots=True, eq=False)
class Node:
    """One row: a group, a role inside a group, or a device.

    Attributes:
        key: Stable name of the row, so that open rows stay open when the tree is made anew.
        id: Id of the device or group; empty for a role.
    """

    key: str
    text: str
    picture: str
    token: str
    id: str = ""
    parent: "Node | None" = None
    row: int = 0
    count: int = 0
    children: list["Node"] = field(default_factory=list)

    def add(self, child: "Node") -> "Node":
        """Put a child at the end and return it."""
        child.parent, child.row = self, len(self.children)
        self.children.append(child)
        return child


def build_tree(design: Design, words: str = "") -> Node:
    """Return the root of the tree; `words` leaves only devices whose name holds all of them."""
    wanted = words.lower().split()
    root = Node("", "", "", "")
    groups = _group_nodes(design)
    roles: dict[tuple[str, str], Node] = {}
    ranked = sorted(design.devices.values(), key=lambda d: _ORDER.index(d.role))
    for device in ranked:
        if wanted and not all(w in device.name.lower() for w in wanted):
            continue
        home = device.unit or device.pod
        home = home if home in groups else ""
        node = roles.get((home, device.role))
        if node is None:
            node = roles[home, device.role] = _role_node(home, device.role)
            (groups[home] if home else root).add(node)
        node.add(_device_node(device))
    _attach(design, root, groups)
    _count(root)
    return root


def _group_nodes(design: Design) -> dict[str, Node]:
    found = {}
    for group in design.groups.values():
        if group.kind in ("unit", "pod"):
            picture = "su" if group.kind == "unit" else "pod"
            key = f"g:{group.id}"
            found[group.id] = Node(key, group.name, picture, "text2", group.id)
    return found


def _attach(design: Design, root: Node, groups: dict[str, Node]) -> None:
    """Hang groups that hold something below their parent, or below the root."""
    filled = {i for i, n in groups.items() if n.children}
    for group_id in list(filled):
        parent = design.groups[group_id].parent
        while parent in groups and parent not in filled:
            filled.add(parent)
            parent = design.groups[parent].parent
    for group_id, node in groups.items():
        if group_id in filled:
            above = design.groups[group_id].parent
            groups.get(above, root).add(node)


def _role_node(home: str, role: str) -> Node:
    return Node(f"r:{home}:{role}", _(ROLE_TITLES[role]), ICONS[role], role)


def _device_node(device: Device) -> Node:
    return Node(f"d:{device.id}", device.name, ICONS[device.role], device.role, device.id)


def _count(node: Node) -> int:
    node.count = sum(_count(c) for c in node.children) if node.children else 1
    return node.count


class OutlineModel(QAbstractItemModel):
    """Rows of the outline; made anew when devices or groups come, go or move between groups."""

    def __init__(self, design: Design, theme: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._design, self._theme, self._words = design, theme, ""
        self._kept: frozenset[str] | None = None
        self._kept_rows: dict[str, bool] = {}
        self._root = Node("", "", "", "")
        self._by_id: dict[str, Node] = {}
        self.rebuild()

    def rebuild(self) -> None:
        """Make the tree anew."""
        self.beginResetModel()
        self._root = build_tree(self._design, self._words)
        self._kept_rows.clear()
        self._by_id = {n.id: n for n in _walk(self._root) if n.id}
        self.endResetModel()

    def set_filter(self, words: str) -> None:
        """Leave only devices whose name holds all words."""
        if words != self._words:
            self._words = words
            self.rebuild()

    def follow(self, edit: Edit) -> bool:
        """Follow an edit that only renames; return False when the tree has to be made anew."""
        if edit.ids("groups"):
            return False
        touched = [s for s in edit.swaps if s.table == "devices"]
        for swap in touched:
            if not isinstance(swap.before, Device) or not isinstance(swap.after, Device):
                return False
            if _place(swap.before) != _place(swap.after) or self._words:
                return False
        for swap in touched:
            node = self._by_id.get(swap.id)
            if node is not None and isinstance(swap.after, Device):
                node.text = swap.after.name
                index = self._index_of(node)
                self.dataChanged.emit(index, index)
        return True

    def index_for(self, id_: str) -> QModelIndex:
        """Return the row of a device or group; invalid when it is not shown."""
        node = self._by_id.get(id_)
        return self._index_of(node) if node is not None else QModelIndex()

    def ids_at(self, index: Index) -> list[str]:
        """Return what a row stands for: its device or group, or all devices of a role."""
        node = self._node(index)
        return [node.id] if node.id else [c.id for c in node.children]

    def open_by_default(self) -> Iterator[QModelIndex]:
        """Yield the rows that are open in a new drawing: units, and groups of few."""
        for node in _walk(self._root):
            if node.children and not node.key.startswith("r:") and len(self._root.children) <= 4:
                yield self._index_of(node)

    def key_at(self, index: Index) -> str:
        """Return the stable name of a row."""
        return self._node(index).key

    def with_keys(self, keys: Iterable[str]) -> Iterator[QModelIndex]:
        """Yield the rows of these names that still exist."""
        wanted = set(keys)
        for node in _walk(self._root):
            if node.key in wanted:
                yield self._index_of(node)

    # --- Qt ---

    def _node(self, index: Index) -> Node:
        found: Any = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, Node) else self._root

    def _index_of(self, node: Node) -> QModelIndex:
        return self.createIndex(node.row, 0, node)

    def index(self, row: int, column: int, parent: Index = _NO_PARENT) -> QModelIndex:
        """Return the index of a child."""
        children = self._node(parent).children
        if 0 <= row < len(children):
            return self.createIndex(row, column, children[row])
        return QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        """Return the index of the row above."""
        above = self._node(index).parent
        return QModelIndex() if above is None or above is self._root else self._index_of(above)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of children."""
        return 0 if parent.isValid() and parent.column() else len(self._node(parent).children)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of columns: name and count."""
        return 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        node = self._node(index)
        if role == Qt.ItemDataRole.DisplayRole:
            if index.column() == 0:
                return node.text
            return format_number(node.count) if node.children else self._ports(node)
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return icon(node.picture, node.token, self._theme)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 1:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole and self._is_faded(node):
            return color("border2", self._theme)
        return None

    def set_kept(self, ids: frozenset[str] | None) -> None:
        """Fade the rows of devices that a filter of the drawing leaves out; None fades none."""
        if ids != self._kept:
            self._kept = ids
            self._kept_rows.clear()

    def _is_faded(self, node: Node) -> bool:
        if self._kept is None:
            return False
        if node.key not in self._kept_rows:
            self._kept_rows[node.key] = (
                node.id in self._kept
                if not node.children
                else not all(self._is_faded(c) for c in node.children)
            )
        return not self._kept_rows[node.key]

    def _ports(self, node: Node) -> str:
        """Return used and all compute ports of a device."""
        device = self._design.devices.get(node.id)
        if device is None:
            return ""
        families = self._design.families(device)
        name = next((f for f in ("nic", "fabric", "nvlink") if f in families), "")
        if not name:
            return ""
        used = 0
        for cable_id in self._design.cables_of(node.id):
            end = self._design.cables[cable_id].end_at(node.id)
            used += end.count if end.family == name else 0
        return f"{used}/{families[name].count}"


def _place(device: Device) -> tuple[str, str, str]:
    return device.role, device.unit, device.pod


def _walk(node: Node) -> Iterator[Node]:
    for child in node.children:
        yield child
        yield from _walk(child)
