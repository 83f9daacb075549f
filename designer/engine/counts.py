"""What is on the drawing, counted from the compiled network."""

from typing import Any

import numpy as np

from designer.engine.network import NVLINK, SERVER_LEAF, CompiledNetwork
from designer.messages import _
from designer.model.records import ROLES


def counts_of(network: CompiledNetwork) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the object `counts` and why values in it are null. Links count, a trunk of n as n."""
    found = np.bincount(network.role, minlength=len(ROLES))
    by_role = dict(zip(ROLES, found.tolist(), strict=True))
    unknown = bool((network.gpus < 0).any())
    reasons = {"counts.gpus": _("The GPUs of a server are unknown.")} if unknown else {}
    counts: dict[str, Any] = {
        "gpus": None if unknown else int(network.gpus.sum()),
        "servers": by_role["server"],
        "hosts": by_role["host"],
        "nvswitch_trays": by_role["nvswitch"],
        "leaf": by_role["leaf"],
        "spine": by_role["spine"],
        "core": by_role["core"],
        "cables": _cables(network),
    }
    return counts, reasons


def _cables(network: CompiledNetwork) -> dict[str, int]:
    n, kind = network.cable_count, network.cable_kind
    # one more, so that ends without a device, -1, have a role of their own
    role = np.append(network.role, -1)
    role_a, role_b = role[network.cable_a], role[network.cable_b]
    leaf, spine, core = (ROLES.index(r) for r in ("leaf", "spine", "core"))

    def between(one: int, two: int) -> int:
        hit = ((role_a == one) & (role_b == two)) | ((role_a == two) & (role_b == one))
        return int(n[hit & (kind != NVLINK)].sum())

    nvlink = int(n[kind == NVLINK].sum())
    total = int(n.sum()) - nvlink
    server_leaf = int(n[kind == SERVER_LEAF].sum())
    leaf_spine, spine_core = between(leaf, spine), between(spine, core)
    return {
        "server_leaf": server_leaf,
        "leaf_spine": leaf_spine,
        "spine_core": spine_core,
        "nvlink": nvlink,
        "other": total - server_leaf - leaf_spine - spine_core,
        "total": total,
    }
