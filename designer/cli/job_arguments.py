"""What is to be computed: what the arguments of `analyze` and `explain` say, jobs among them."""

import argparse
from functools import cache
from typing import get_args

from designer.engine.compile import compile_network
from designer.engine.failure_parts import failed_ids
from designer.engine.options import (
    CHOICES,
    OPERATIONS,
    Algorithm,
    Job,
    Operation,
    Options,
    message_size,
)
from designer.engine.placing import Placing, read_placing
from designer.errors import ParameterError
from designer.messages import _
from designer.model.design import Design
from designer.model.workload import find_workload
from designer.units import format_number

_KEYS = ("ranks", "op", "size", "algorithm")


def placing_of(text: str | None, design: Design) -> Placing | None:
    """Return what `--placement` says; None without it.

    Raises:
        ParameterError: It names nothing in the drawing.
    """
    return None if text is None else read_placing(text, design)


def ranks_of(asked: int | None, design: Design) -> int | None:
    """Return how many GPUs are to take part, None for all.

    Raises:
        ParameterError: The drawing does not have that many.
    """
    known = [design.gpus(d) for d in design.devices.values() if d.role == "server"]
    total = sum(n or 0 for n in known)
    if asked is not None and not 1 <= asked <= max(total, 1) and None not in known:
        raise ParameterError(
            _("{ranks} ranks cannot be had from {gpus} GPUs.").format(
                ranks=format_number(asked), gpus=format_number(total)
            ),
            _("Leave --ranks out for all GPUs."),
        )
    return asked


def other_jobs(texts: list[str], design: Design) -> tuple[Job, ...]:
    """Return the jobs that `--with-job` names, such as `spread,ranks=64,op=all_to_all`.

    Raises:
        ParameterError: A placement, key or value means nothing.
    """
    return tuple(_job(text, design) for text in texts)


def _job(text: str, design: Design) -> Job:
    words = [w.strip() for w in text.split(",") if w.strip()]
    settings = dict(w.split("=", 1) for w in words if "=" in w)
    names = [w for w in words if "=" not in w]
    for key in settings:
        if key not in _KEYS:
            raise ParameterError(
                _("A job has no “{key}”.").format(key=key),
                _("Write it like spread,ranks=64,op=all_to_all,size=1GiB."),
            )
    job = Job(read_placing(",".join(names), design) if names else Placing())
    ranks = settings.get("ranks")
    if ranks is not None and not ranks.isdigit():
        raise ParameterError(
            _("“{text}” is no number of GPUs.").format(text=ranks), _("Write it like ranks=64.")
        )
    return Job(
        job.placing,
        ranks_of(int(ranks), design) if ranks is not None else None,
        _operation(settings.get("op", job.operation)),
        message_size(settings["size"]) if "size" in settings else job.size_bytes,
        _algorithm(settings.get("algorithm", job.algorithm)),
    )


def _operation(text: str) -> Operation:
    for name in OPERATIONS:
        if name == text.replace("-", "_"):
            return name
    raise ParameterError(
        _("“{text}” is no collective.").format(text=text),
        _("Known are {names}.").format(names=", ".join(OPERATIONS)),
    )


def _algorithm(text: str) -> Algorithm:
    for name in get_args(Algorithm):
        if name == text:
            found: Algorithm = name
            return found
    raise ParameterError(
        _("“{text}” is no algorithm.").format(text=text),
        _("Known are {names}.").format(names=", ".join(CHOICES)),
    )


def add_job_options(options: argparse.Namespace, design: Design) -> dict[str, object]:
    """Return what the arguments about jobs change in `Options`.

    Raises:
        ParameterError: One of them means nothing.
    """
    return {
        "placing": placing_of(options.placement, design),
        "ranks": ranks_of(options.ranks, design),
        "others": other_jobs(options.with_job, design),
        "relay": options.relay,
    }


def analysis_options(options: argparse.Namespace, design: Design) -> Options:
    """Return the request that the arguments of `analyze` and `explain` make.

    Raises:
        ParameterError: One of them means nothing.
    """
    return Options(
        workload=find_workload(options.workload) if options.workload else None,
        collective=options.collective,
        size_bytes=message_size(options.size),
        algorithm=options.algorithm,
        fabric=options.fabric,
        routing=options.routing,
        fail=_failed(options.fail, design),
        **add_job_options(options, design),  # type: ignore[arg-type]
    )


def _failed(names: list[str], design: Design) -> tuple[str, ...]:
    """Return the ids of what is to fail: cables, devices, NICs, rails and racks by name."""
    network = cache(lambda: compile_network(design))
    return tuple(dict.fromkeys(i for name in names for i in failed_ids(design, name, network)))
