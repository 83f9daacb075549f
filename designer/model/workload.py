"""A training job: model, parallel layout, batch, precision and overlap; read from TOML."""

from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from designer.errors import FileError, ParameterError
from designer.messages import N_, _
from designer.resources import resource
from designer.toml_text import TomlError, read_toml
from designer.units import format_number


@dataclass(frozen=True, slots=True)
class Workload:
    """A transformer training step.

    Attributes:
        layers, hidden, heads, kv_heads, ffn, vocab: Shape of the model.
        experts, topk: Mixture of experts; 0 experts is a dense model.
        sequence: Tokens of one sequence.
        parameters, active_parameters: Weights in all, and weights used per token.
        tp, sp, pp, virtual_stages, cp, ep, dp: Parallel layout; dp 0 takes what the GPUs leave.
        regather: With sequence parallelism, inputs are kept split and gathered again backward.
        pp_outer: True numbers the ranks TP < CP < DP < PP, so that replicas are neighbours and
            stages far apart, as Megatron does; False TP < CP < PP < DP.
        end_layers: Places of layers that embedding, output head and further-token heads take in
            the first and last stages, so that layers and these divide by the stages.
        zero: 0 (DDP), 1, 2 or 3 (FSDP).
        reduce_each: True reduces gradients after every micro-batch, False once a step.
        global_batch: Sequences of one step over all replicas; 0 keeps `sequences_per_gpu`.
        micro_batch: Sequences of one micro-batch on one replica.
        param_bytes, grad_bytes: Bytes of one weight and of one gradient as sent.
        optimizer_bytes: Bytes the optimizer keeps a weight: FP32 copy and two moments of Adam.
        recompute: True computes activations again in the backward pass instead of keeping them.
        dp_overlap, pp_overlap, tp_overlap, cp_overlap, ep_overlap: Share of each kind of traffic
            that compute can hide; for `dp` the share of the compute that can hide it.
        reference_gpus: GPUs of the run it was taken from; its batch a GPU is kept elsewhere.
    """

    name: str
    title: str = ""
    layers: int = 1
    hidden: int = 1
    heads: int = 1
    kv_heads: int = 1
    ffn: int = 1
    vocab: int = 1
    experts: int = 0
    topk: int = 0
    sequence: int = 1
    parameters: float = 0.0
    active_parameters: float = 0.0
    tp: int = 1
    sp: bool = True
    regather: bool = False
    pp: int = 1
    virtual_stages: int = 1
    pp_outer: bool = False
    end_layers: int = 0
    cp: int = 1
    ep: int = 1
    dp: int = 0
    zero: int = 0
    reduce_each: bool = False
    global_batch: int = 0
    micro_batch: int = 1
    param_bytes: float = 2.0
    grad_bytes: float = 4.0
    optimizer_bytes: float = 12.0
    recompute: bool = False
    dp_overlap: float = 0.7
    pp_overlap: float = 0.8
    tp_overlap: float = 0.0
    cp_overlap: float = 0.0
    ep_overlap: float = 0.0
    reference_gpus: int = 0
    source: str = ""


# Where each field stands in a workload file: section -> {key in the file: field of Workload}.
SECTIONS: dict[str, dict[str, str]] = {
    "model": {
        k: k
        for k in (
            "layers",
            "hidden",
            "heads",
            "kv_heads",
            "ffn",
            "vocab",
            "experts",
            "topk",
            "sequence",
            "parameters",
            "active_parameters",
        )
    },
    "parallel": {
        k: k
        for k in (
            "tp",
            "sp",
            "regather",
            "pp",
            "virtual_stages",
            "pp_outer",
            "end_layers",
            "cp",
            "ep",
            "dp",
            "zero",
            "reduce_each",
        )
    },
    "batch": {"global": "global_batch", "micro": "micro_batch"},
    "precision": {"param_bytes": "param_bytes", "grad_bytes": "grad_bytes"},
    "memory": {"optimizer_bytes": "optimizer_bytes", "recompute": "recompute"},
    "overlap": {k: f"{k}_overlap" for k in ("dp", "pp", "tp", "cp", "ep")},
    "source": {"text": "source", "gpus": "reference_gpus"},
}
_HINTS = get_type_hints(Workload)
_ADDED = (
    "regather",
    "pp_outer",
    "end_layers",
    "reduce_each",
    "optimizer_bytes",
    "recompute",
    "cp_overlap",
    "ep_overlap",
)
# Written only where they differ from their default: files made before they existed stay the same.
_LATER = {f.name: f.default for f in fields(Workload) if f.name in _ADDED}
_KINDS = {
    bool: N_("True or false"),
    int: N_("A whole number"),
    float: N_("A number"),
    str: N_("A text"),
}
# No model or run is near these; what is computed from them stays a number.
_MOST: dict[type, float] = {bool: 1, int: 10**9, float: 1e15}
_SHOWN = 10**40


def workload_from_dict(name: str, data: dict[str, Any], where: str) -> Workload:
    """Build a workload from the sections of a TOML file.

    Raises:
        FileError: A section, key or value is not what a workload holds; names `where` and the key.
    """
    values: dict[str, Any] = {"name": name, "title": str(data.get("title", name))}
    for section, content in data.items():
        if section == "title":
            continue
        keys = SECTIONS.get(section)
        if keys is None or not isinstance(content, dict):
            raise FileError(
                _("{where}: “{key}” does not belong in a workload.").format(
                    where=where, key=section
                ),
                _("Sections are {names}.").format(names=", ".join(SECTIONS)),
            )
        for key, value in content.items():
            if key not in keys:
                raise FileError(
                    _("{where}: [{section}] has no key “{key}”.").format(
                        where=where, section=section, key=key
                    ),
                    _("Keys are {names}.").format(names=", ".join(keys)),
                )
            values[keys[key]] = _typed(value, keys[key], f"{where}: [{section}] {key}")
    return Workload(**values)


def _typed(value: Any, name: str, where: str) -> Any:
    wanted = _HINTS[name]
    fits = (
        isinstance(value, bool)
        if wanted is bool
        else isinstance(value, (int, float)) and not isinstance(value, bool)
        if wanted is float
        else isinstance(value, int) and not isinstance(value, bool)
        if wanted is int
        else isinstance(value, str)
    )
    if not fits:
        raise _unfit(value, where, _("{what} is expected.").format(what=_(_KINDS[wanted])))
    if isinstance(value, (int, float)) and not 0 <= value <= _MOST[wanted]:
        most = format_number(_MOST[wanted], 0)
        raise _unfit(value, where, _("A number from 0 to {most} is expected.").format(most=most))
    return float(value) if wanted is float else value


def _unfit(value: Any, where: str, expected: str) -> FileError:
    """Return the error for a value that does not fit; a long one is not written out."""
    shown = repr(value) if not isinstance(value, int) or abs(value) < _SHOWN else "…"
    return FileError(_("{where}: {value} does not fit.").format(where=where, value=shown), expected)


def workload_to_dict(workload: Workload) -> dict[str, Any]:
    """Return the sections a workload file holds, so that `workload_from_dict` gives it back."""
    data: dict[str, Any] = {"title": workload.title}
    for section, keys in SECTIONS.items():
        content = {key: getattr(workload, name) for key, name in keys.items()}
        kept = {
            k: v for k, v in content.items() if _LATER.get(keys[k]) != v or keys[k] not in _LATER
        }
        if kept:
            data[section] = kept
    return data


def load_workload(path: Path) -> Workload:
    """Read a workload file.

    Raises:
        FileError: The file is missing, no TOML, or no workload.
    """
    try:
        data = read_toml(path)
    except TomlError as fault:
        raise FileError(
            _("{path} cannot be read as a workload: {fault}").format(path=path, fault=fault),
            _("A workload is a TOML file; see the help page “Workloads”."),
        ) from fault
    return workload_from_dict(
        path.name.removesuffix(".toml").removesuffix(".workload"), data, path.name
    )


def stock_workloads() -> dict[str, Workload]:
    """Return the workloads that ship with the program, by name."""
    return {w.name: w for w in _loaded(resource("workloads"))}


@cache
def _loaded(folder: Path) -> tuple[Workload, ...]:
    """Return the workloads of a folder of the program, whose files stay as they are."""
    return tuple(load_workload(p) for p in sorted(folder.glob("*.toml")))


def find_workload(text: str) -> Workload:
    """Return the stock workload called `text`, or read the file it names.

    Raises:
        ParameterError: Neither a stock workload nor a file.
    """
    stock = stock_workloads()
    if text in stock:
        return stock[text]
    path = Path(text)
    if path.is_file():
        return load_workload(path)
    raise ParameterError(
        _("No workload is called “{name}” and no such file exists.").format(name=text),
        _("Stock workloads: {names}.").format(names=", ".join(stock)),
    )


def with_field(workload: Workload, name: str, value: Any) -> Workload:
    """Return the workload with one field changed, checked like a file.

    Raises:
        ParameterError: No such field, or the value does not fit.
    """
    if name not in {f.name for f in fields(Workload)} or name == "name":
        raise ParameterError(_("A workload has no field “{name}”.").format(name=name))
    if get_args(_HINTS[name]):
        raise ParameterError(_("“{name}” cannot be edited.").format(name=name))
    try:
        return replace(workload, **{name: _typed(value, name, name)})
    except FileError as fault:
        raise ParameterError(fault.message, fault.hint) from fault
