"""Published training steps against the model: times, scaling, and MFU.

One compute efficiency a group (model, GPU, precision and software stack) is read from
`efficiency.csv`; it was fitted to the row of the group that is `set`, with `fitted_efficiency`.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from designer.catalog.catalog import Catalog
from designer.engine.analyze import analyze
from designer.engine.fabrics import FabricName
from designer.engine.options import Options
from designer.engine.results import Results
from designer.messages import _
from designer.model.design import Design
from designer.model.operations import remove, set_assumption
from designer.model.records import AssumptionValue
from designer.model.workload import Workload, stock_workloads
from designer.services.validation import Checked, number, table, use_of
from designer.topologies import generate
from designer.units import Range, format_number

FILE = "training.csv"
# GPUs of each rack that the published runs on GB200 used.
_OF_A_RACK = 64
_SCALING = 0.05
_MFU_POINTS = 2.0
_EFFICIENCY = {
    "dgx-a100": "gpu_efficiency_ampere",
    "dgx-h100": "gpu_efficiency_hopper",
    "nvl72": "gpu_efficiency_blackwell",
}
Row = dict[str, str]


class TrainingRuns:
    """Evaluates rows of `training.csv`; drawings are kept, as many rows share one."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._stock = stock_workloads()
        self._drawing = cache(self._make)

    def _make(self, server: str, gpus: int) -> Design:
        if server != "nvl72":
            leaf = "qm8700" if "a100" in server else "qm9700"
            return generate("rail-optimized", self._catalog, server=server, gpus=gpus, leaf=leaf)
        design = generate("nvl72", self._catalog, racks=-(-gpus // _OF_A_RACK))
        trays: dict[str, list[str]] = {}
        for device in design.devices.values():
            if device.role == "server":
                trays.setdefault(device.rack, []).append(device.id)
        per_tray = design.gpus(design.devices[next(iter(trays.values()))[0]]) or 1
        spare = [i for rack in trays.values() for i in rack[_OF_A_RACK // per_tray :]]
        design.apply(remove(design, spare))
        return design

    def workload(self, row: Row) -> Workload:
        """Return the job of a row: its stock workload at the row's size and batch."""
        stock = self._stock[row["workload"]]
        return replace(
            stock,
            dp=0,
            cp=int(row["cp"]) if row["cp"] else stock.cp,
            global_batch=int(row["global_batch"]),
            sequence=int(row["sequence"]),
            reference_gpus=int(row["gpus"]),
        )

    def results(self, row: Row, efficiency: float) -> Results:
        """Return the results of a row's drawing and job with GPUs at an efficiency."""
        design = self._drawing(row["server"], int(row["gpus"])).snapshot()
        value = AssumptionValue(Range(efficiency, efficiency, efficiency), row["group"])
        design.apply(set_assumption(design, _EFFICIENCY[row["server"]], value))
        if row["roce_tuning"]:
            level = float(row["roce_tuning"])
            value = AssumptionValue(Range(level, level, level), row["group"])
            design.apply(set_assumption(design, "roce_tuning", value))
        fabric: FabricName = "infiniband" if row["fabric"] == "infiniband" else "rocev2"
        return analyze(design, Options(workload=self.workload(row), fabric=fabric), self._catalog)

    def published_s(self, row: Row) -> float:
        """Return the published step time, or that of the published FLOP/s of a GPU."""
        stated = number(row["step_s"])
        if stated is not None:
            return stated
        w = self.workload(row)
        per_token = 6 * w.active_parameters + 6 * w.layers * w.sequence * w.hidden
        flops = per_token * w.global_batch * w.sequence / int(row["gpus"])
        return flops / (float(row["tflops_per_gpu"]) * 1e12)

    def fitted_efficiency(self, row: Row) -> float:
        """Return the efficiency at which the step of a row takes its published time."""
        low, high, wanted = 0.1, 2.0, self.published_s(row)
        for _round in range(24):
            middle = (low + high) / 2
            slow = self.results(row, middle).get("step.time_s") > wanted
            low, high = (middle, high) if slow else (low, middle)
        return (low + high) / 2


def efficiencies() -> dict[str, float]:
    """Return the compute efficiency of each group."""
    return {row["group"]: float(row["efficiency"]) for row in table("efficiency.csv")}


def training(catalog: Catalog, step: Callable[[str], None]) -> Iterator[Checked]:
    """Yield step times row by row, then scaling ratios by group, then MFUs."""
    runs, known = TrainingRuns(catalog), efficiencies()
    done: list[tuple[Row, Checked]] = []
    shares: list[Checked] = []
    for row in table(FILE):
        step(row["id"])
        model = None
        if use_of(row) != "excluded":
            found = runs.results(row, known[row["group"]])
            model = found.get("step.time_s")
            if row["workload"] == "llama3-405b" and not row["cp"]:
                shares.append(_mfu(row, found.get("step.mfu")))
        checked = _step(row, runs, model)
        done.append((row, checked))
        yield checked
    yield from _scaling(done)
    yield from shares


def _step(row: Row, runs: TrainingRuns, model: float | None) -> Checked:
    percent = number(row["tolerance_percent"])
    excluded = use_of(row) == "excluded"
    published = number(row["step_s"]) if excluded else runs.published_s(row)
    return Checked(
        row["id"],
        "training",
        use_of(row),
        _("{group}, {gpus} GPUs, step").format(group=row["group"], gpus=format_gpus(row["gpus"])),
        row["group"],
        published,
        model,
        "s",
        percent / 100 if percent is not None else None,
        row["note"],
        row["source"],
    )


def format_gpus(text: str) -> str:
    """Return a number of GPUs for people; a range stays as it is."""
    return format_number(int(text)) if text.isdecimal() else text


def _scaling(done: list[tuple[Row, Checked]]) -> Iterator[Checked]:
    """Yield the step at the largest over the smallest number of GPUs of each group."""
    groups: dict[str, list[tuple[Row, Checked]]] = {}
    for row, checked in done:
        if checked.model is not None:
            groups.setdefault(row["group"], []).append((row, checked))
    for group, every in groups.items():
        # a long sequence is another job, which no scaling of the first one gives
        rows = sorted((r for r in every if not r[0]["cp"]), key=lambda r: int(r[0]["gpus"]))
        (small, one), (large, two) = rows[0], rows[-1]
        if small is large or not (one.model and two.model and one.published and two.published):
            continue
        yield Checked(
            f"{small['id']}–{large['id']}",
            "scaling",
            "test",
            _("{group}, step at {large} over {small} GPUs").format(
                group=group, large=format_gpus(large["gpus"]), small=format_gpus(small["gpus"])
            ),
            _("scaling"),
            two.published / one.published,
            two.model / one.model,
            "1",
            _SCALING,
            large["scaling_note"],
            large["source"],
        )


def _mfu(row: Row, model: float | None) -> Checked:
    return Checked(
        f"{row['id']}m",
        "mfu",
        "test",
        _("{group}, {gpus} GPUs, MFU").format(group=row["group"], gpus=format_gpus(row["gpus"])),
        "MFU",
        float(row["mfu_percent"]),
        model * 100 if model is not None else None,
        "%",
        _MFU_POINTS,
        "",
        row["source"],
        absolute=True,
    )
