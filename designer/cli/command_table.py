"""The commands of the program, with the arguments of each."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designer.cli import commands
from designer.cli.calibrate_command import run_calibration
from designer.cli.context import Context
from designer.cli.explain_command import explain
from designer.cli.validate_command import run_validation
from designer.engine.options import ALGORITHMS, CHOICES, OPERATIONS, RELAYS, ROUTINGS
from designer.messages import N_
from designer.scene.page import PAPERS


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a command, as argparse takes it; `help` is translated."""

    names: tuple[str, ...]
    options: dict[str, Any]


def _arg(*names: str, **options: Any) -> Argument:
    return Argument(names, options)


_FILE = _arg("file", type=Path, metavar="FILE", help=N_("a drawing (.railspine.json)"))
_JSON = _arg("--json", action="store_true", help=N_("write JSON to standard output"))
_WORKLOAD = _arg("--workload", metavar="NAME|FILE", help=N_("a stock workload or a TOML file"))
_OUT = _arg("-o", "--output", type=Path, metavar="OUT", required=True, help=N_("file to write"))

# What `analyze` computes and `explain` explains.
_REQUEST = [
    _arg(
        "--collective",
        default="all_reduce",
        metavar="OP",
        choices=OPERATIONS,
        help=N_("collective to report"),
    ),
    _arg("--size", default="1GiB", metavar="SIZE", help=N_("message size, such as 16GiB")),
    _arg(
        "--algorithm",
        default="auto",
        metavar="A",
        choices=CHOICES,
        help=N_("its algorithm; auto: the fastest; nccl: by NCCL's published rule"),
    ),
    _arg("--ranks", type=int, metavar="N", help=N_("take only N GPUs")),
    _arg(
        "--placement",
        metavar="WHERE",
        help=N_("packed, spread, random:SEED, or names of servers and groups"),
    ),
    _arg(
        "--with-job",
        action="append",
        default=[],
        metavar="JOB",
        help=N_(
            "another job at the same time, such as"
            " spread,ranks=64,op=all_to_all,size=1GiB; repeatable"
        ),
    ),
    _arg(
        "--relay",
        default="auto",
        choices=RELAYS,
        help=N_("whether an all-to-all changes rails over NVLink first (PXN); shows both"),
    ),
    _arg(
        "--fabric",
        choices=("infiniband", "rocev2"),
        help=N_("technology the results speak of"),
    ),
    _arg(
        "--routing",
        default="auto",
        choices=ROUTINGS,
        help=N_("how switches spread traffic"),
    ),
    _arg(
        "--fail",
        action="append",
        default=[],
        metavar="ID",
        help=N_("take out a cable, device, rail:3, rack:NAME or SERVER:nic3; repeatable"),
    ),
]

COMMANDS: dict[str, tuple[str, Callable[[argparse.Namespace, Context], int], list[Argument]]] = {
    "demo": (
        N_("make a 512-GPU cluster: design, diagram, summary, bill of materials"),
        commands.demo,
        [
            _arg(
                "-o",
                "--output",
                type=Path,
                metavar="FOLDER",
                default=Path("railspine-demo"),
                help=N_("folder to write to"),
            )
        ],
    ),
    "templates": (
        N_("list what “new” can make, with parameters, units and defaults"),
        commands.templates,
        [_JSON],
    ),
    "new": (
        N_("make a drawing from a template"),
        commands.new,
        [
            _arg("template", metavar="TEMPLATE", help=N_("a name “railspine templates” lists")),
            _arg("--gpus", metavar="N", help=N_("how many GPUs, where the template asks")),
            _arg(
                "--set",
                action="append",
                default=[],
                metavar="KEY=VALUE",
                dest="settings",
                help=N_("a parameter of the template; may be repeated"),
            ),
            _OUT,
        ],
    ),
    "analyze": (
        N_("compute traffic, collectives, step time, cost and findings"),
        commands.analyze_file,
        [
            _FILE,
            _WORKLOAD,
            *_REQUEST,
            _arg(
                "--curve",
                action="store_true",
                help=N_("the collective at every size from 8 B to 16 GiB, as a table"),
            ),
            _arg(
                "--failures",
                action="store_true",
                help=N_("what every single fault does, the worst first"),
            ),
            _JSON,
        ],
    ),
    "explain": (
        N_("show how one number of the results was made"),
        explain,
        [
            _FILE,
            _arg("key", metavar="KEY", nargs="?", help=N_("such as verdict.margin_usd")),
            _WORKLOAD,
            *_REQUEST,
            _JSON,
        ],
    ),
    "check": (
        N_("list findings; exit code 1 when there are errors"),
        commands.check_file,
        [_FILE, _JSON],
    ),
    "export": (
        N_("write a diagram, summary, bill of materials or other file"),
        commands.export,
        [
            _FILE,
            _OUT,
            _arg("--to", metavar="FORMAT", help=N_("format, when the ending does not say it")),
            _arg("--dark", action="store_true", help=N_("dark colours, for the diagram")),
            _arg(
                "--colour",
                default="rail",
                choices=("rail", "kind"),
                help=N_("what the colour of a cable means"),
            ),
            _arg(
                "--select",
                action="append",
                default=[],
                metavar="NAME",
                help=N_("only these devices or groups; may be repeated"),
            ),
            _arg("--page", default="A3", choices=tuple(PAPERS), help=N_("paper of a PDF")),
        ],
    ),
    "import": (
        N_("open a foreign topology file as a drawing"),
        commands.import_file,
        [
            _arg("source", type=Path, metavar="SOURCE", help=N_("such as ibnetdiscover output")),
            _OUT,
            _arg("--from", dest="form", metavar="FORMAT", help=N_("format, if not recognised")),
            _JSON,
        ],
    ),
    "calibrate": (
        N_("fit efficiencies and latencies to an nccl-tests log"),
        run_calibration,
        [
            _FILE,
            _arg(
                "log",
                type=Path,
                metavar="LOG",
                help=N_("output of nccl-tests; - reads standard input"),
            ),
            _arg(
                "--collective",
                metavar="OP",
                choices=OPERATIONS,
                help=N_("collective measured, where the log does not say"),
            ),
            _arg("--ranks", type=int, metavar="N", help=N_("GPUs, where the log does not say")),
            _arg(
                "--algorithm",
                default="auto",
                metavar="A",
                choices=ALGORITHMS,
                help=N_("what NCCL was forced to"),
            ),
            _arg(
                "-o",
                "--output",
                type=Path,
                metavar="OUT",
                help=N_("write the drawing with the fitted assumptions"),
            ),
            _JSON,
        ],
    ),
    "validate": (
        N_("hold the model against published measurements, row by row"),
        run_validation,
        [
            _arg(
                "--page",
                type=Path,
                metavar="FOLDER",
                help=N_("write the help page and its plot into a folder"),
            ),
            _JSON,
        ],
    ),
    "catalog": (
        N_("list parts"),
        commands.catalog,
        [_arg("query", nargs="*", metavar="QUERY", help=N_("words to look for")), _JSON],
    ),
    "screenshots": (
        N_("make pictures of the program itself"),
        commands.screenshots,
        [
            _arg(
                "-o",
                "--output",
                type=Path,
                metavar="FOLDER",
                default=Path("railspine-screenshots"),
                help=N_("folder to write to"),
            )
        ],
    ),
}
