"""In which tier of the picture a device stands."""

from designer.model.design import Design

ROLE_TIERS = {
    "server": "server",
    "nvswitch": "nvswitch",
    "leaf": "leaf",
    "spine": "spine",
    "core": "core",
    "host": "host",
}


def tier_order(design: Design) -> dict[str, str]:
    """Return the tier of every device: server, nvswitch, leaf, spine, core, host."""
    return {d.id: ROLE_TIERS[d.role] for d in design.devices.values()}
