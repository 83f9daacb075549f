"""Writes fabrics in the block format of ibnetdiscover: a small independent writer for tests."""

from dataclasses import dataclass, field

RATES = {"SDR": 2.5, "DDR": 5, "QDR": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100, "XDR": 200}


@dataclass
class Box:
    """A switch chip or an adapter."""

    guid: int
    text: str
    ports: int
    switch: bool
    device_id: int = 0xD2F2
    system: int | None = None
    ends: dict[int, tuple["Box", int, str]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{'S' if self.switch else 'H'}-{self.guid:016x}"


class FabricText:
    """Collects boxes and cables, then prints them as the tool does: each cable at both ends."""

    def __init__(self):
        self.boxes = []
        self._guid = 0x0C42A10300000000

    def _next(self):
        self._guid += 16
        return self._guid

    def switch(self, name, model="MQM9700", ports=65, device_id=0xD2F2, **fields):
        text = f"MF0;{name}:{model}" if "/" in model else f"MF0;{name}:{model}/U1"
        return self.add(Box(self._next(), text, ports, True, device_id, **fields))

    def hca(self, text, ports=1, device_id=0x1021, **fields):
        return self.add(Box(self._next(), text, ports, False, device_id, **fields))

    def add(self, box):
        if box.system is None:
            box.system = box.guid
        self.boxes.append(box)
        return box

    def cable(self, a, p, b, q, rate="4xNDR"):
        assert p not in a.ends
        assert q not in b.ends or (a is b and p != q)
        a.ends[p] = (b, q, rate)
        b.ends[q] = (a, p, rate)

    def next_port(self, box):
        return next(p for p in range(1, 1000) if p not in box.ends)

    def join(self, a, b, count=1, rate="4xNDR"):
        for _ in range(count):
            self.cable(a, self.next_port(a), b, self.next_port(b), rate)

    def links(self):
        found = {
            frozenset(((box.guid, p), (peer.guid, q)))
            for box in self.boxes
            for p, (peer, q, _rate) in box.ends.items()
        }
        return len(found)

    def __str__(self):
        head = (
            "#\n# Topology file: generated on Tue Feb 23 14:02:12 2027\n#\n# Initiated from node\n"
        )
        return head + "\n" + "\n".join(self._block(b) for b in self.boxes)

    def _block(self, box):
        kind = "switch" if box.switch else "ca"
        lines = ["vendid=0x2c9", f"devid=0x{box.device_id:x}", f"sysimgguid=0x{box.system:x}"]
        own = f"({box.guid:x})" if box.switch else ""
        lines.append(f"{kind}guid=0x{box.guid:x}{own}")
        if box.switch:
            lines.append(
                f'Switch\t{box.ports} "{box.id}"\t\t# "{box.text}" enhanced port 0 lid 7 lmc 0'
            )
        else:
            lines.append(f'Ca\t{box.ports} "{box.id}"\t\t# "{box.text}"')
        for p, (peer, q, rate) in sorted(box.ends.items()):
            guid = "" if peer.switch else f"({peer.guid:x}) "
            if box.switch:
                lines.append(f'[{p}]\t"{peer.id}"[{q}]{guid}\t\t# "{peer.text}" lid 3 {rate}')
            else:
                lines.append(
                    f'[{p}]({box.guid:x}) \t"{peer.id}"[{q}]{guid}\t\t'
                    f'# lid 3 lmc 0 "{peer.text}" lid 7 {rate}'
                )
        return "\n".join(lines) + "\n"


def clos(pods=1, leaves=4, spines=2, cores=0, hosts=8, **switch):
    """Return a fabric of pods; each host has one adapter on each leaf of its pod."""
    fabric = FabricText()
    core_boxes = [fabric.switch(f"core{c + 1}", **switch) for c in range(cores)]
    for pod in range(pods):
        leaf_boxes = [fabric.switch(f"p{pod}leaf{k + 1}", **switch) for k in range(leaves)]
        spine_boxes = [fabric.switch(f"p{pod}spine{k + 1}", **switch) for k in range(spines)]
        for h in range(hosts):
            for k, leaf in enumerate(leaf_boxes):
                fabric.join(fabric.hca(f"p{pod}n{h + 1:02d} mlx5_{k}"), leaf)
        for leaf in leaf_boxes:
            for spine in spine_boxes:
                fabric.join(leaf, spine, 2)
        for k, spine in enumerate(spine_boxes):
            for c, core in enumerate(core_boxes):
                if c % max(1, spines) == k % max(1, cores) or cores <= spines:
                    fabric.join(spine, core)
    return fabric
