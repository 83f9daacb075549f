"""What the menu under the right button offers for jobs: run one on the selected servers."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from designer.engine.options import Job, Options
from designer.engine.placing import Placing
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.units import format_number

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView


def selected_servers(design: Design, ids: frozenset[str]) -> tuple[str, ...]:
    """Return the servers that are selected, themselves or by their group, in drawing order."""
    members = {
        device.id
        for id_ in ids
        if id_ in design.groups
        for device in design.members(design.groups[id_])
    }
    wanted = ids | members
    return tuple(d.id for d in design.devices.values() if d.role == "server" and d.id in wanted)


def beside(design: Design, asked: Options, servers: tuple[str, ...]) -> dict[str, object]:
    """Return what to ask so that another job runs on some servers.

    A first job that runs on all servers keeps the others, as a server runs one job.
    """
    changes: dict[str, object] = {
        "others": (*asked.others, Job(Placing("picked", devices=servers) if servers else Placing()))
    }
    if servers and asked.placing is None and asked.ranks is None:
        taken = set(servers)
        left = [d.id for d in design.devices.values() if d.role == "server" and d.id not in taken]
        changes["placing"] = Placing("picked", devices=tuple(left))
    return changes


def add_job_actions(canvas: "CanvasView", menu: QMenu) -> None:
    """Add what runs a job on the selected servers, or on all again; the drawing stays as it is."""
    servers = selected_servers(canvas.design, canvas.selection)
    placed = bool(canvas.state.jobs)
    if not servers and not placed:
        return
    menu.addSeparator()
    document = canvas.document
    if servers:
        picked, n = Placing("picked", devices=servers), len(servers)
        text = ngettext("Run the job on this server", "Run the job on these {n} servers", n)
        menu.addAction(
            text.format(n=format_number(n)),
            lambda: document.set_options(placing=picked, ranks=None),
        )
        text = ngettext("Run another job on it", "Run another job on these {n} servers", n)
        menu.addAction(
            text.format(n=format_number(n)),
            lambda: document.set_options(**beside(canvas.design, document.options, servers)),
        )
    if placed:
        menu.addAction(
            _("Run one job on all servers"),
            lambda: document.set_options(placing=None, ranks=None, others=()),
        )
