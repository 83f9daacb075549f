"""Published component counts against the templates, figure by figure."""

from collections import Counter
from collections.abc import Callable, Iterator

from designer.catalog.catalog import Catalog
from designer.errors import DesignerError
from designer.messages import _
from designer.model.design import Design
from designer.services.validation import Checked, table, use_of
from designer.topologies import generate

FILE = "counts.csv"
_FIGURES = (
    "gpus",
    "leaf",
    "spine",
    "core",
    "server_leaf",
    "leaf_spine",
    "spine_core",
    "switches",
)
_LINKS = {
    frozenset(("server", "leaf")): "server_leaf",
    frozenset(("host", "leaf")): "server_leaf",
    frozenset(("leaf", "spine")): "leaf_spine",
    frozenset(("spine", "core")): "spine_core",
}


def counts(catalog: Catalog, step: Callable[[str], None]) -> Iterator[Checked]:
    """Yield, for every row of `counts.csv`, how many of its figures the template reproduces."""
    for row in table(FILE):
        step(row["id"])
        stated = {name: int(row[name]) for name in _FIGURES if row[name].isdecimal()}
        model: int | None = None
        off = ""
        if use_of(row) != "excluded":
            found = _counted(_generated(catalog, row))
            model = sum(found[name] == value for name, value in stated.items())
            off = ", ".join(f"{n} {found[n]} ≠ {v}" for n, v in stated.items() if found[n] != v)
        yield Checked(
            row["id"],
            "counts",
            use_of(row),
            _("{design}: figures").format(design=row["what"]),
            row["what"].partition(",")[0],
            float(len(stated)),
            model,
            "1",
            0.0,
            off or row["note"],
            row["source"],
        )


def _generated(catalog: Catalog, row: dict[str, str]) -> Design:
    """Return the drawing of a row.

    Raises:
        DesignerError: The template refuses the row's parameters.
    """
    pairs = (pair.partition("=") for pair in row["parameters"].split())
    try:
        return generate(row["template"], catalog, **{key: value for key, _eq, value in pairs})
    except DesignerError as fault:
        raise DesignerError(f"{row['id']}: {fault.message}", fault.hint) from fault


def _counted(design: Design) -> Counter[str]:
    found: Counter[str] = Counter()
    for device in design.devices.values():
        found[device.role] += 1
        found["gpus"] += design.gpus(device) or 0
    for cable in design.cables.values():
        roles = frozenset(design.devices[end.device].role for end in (cable.a, cable.b))
        found[_LINKS.get(roles, "other")] += cable.count
    found["switches"] = found["leaf"] + found["spine"] + found["core"]
    return found
