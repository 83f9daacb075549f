"""Tells what a file is by what it holds, not by its name."""

import re
from dataclasses import dataclass

from designer.messages import N_, _

# So much of a file is looked at; logs may begin with a banner.
HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file.

    Attributes:
        name: What `--from` takes.
        title: What people call it.
        readable: True when an importer reads it, or the program opens it.
        advice: What to do with one that nothing reads.
    """

    name: str
    title: str
    readable: bool = False
    advice: str = ""


NATIVE = Format("railspine", N_("Railspine drawing"), True)
IBNETDISCOVER = Format("ibnetdiscover", N_("ibnetdiscover output"), True)
IBSIM = Format("ibsim", N_("ibsim net file"), True)
_PLAIN = N_("Run “ibnetdiscover” on the fabric without options and import what it prints.")
_LOGICAL = N_("It says who is near whom, not which port is cabled to which: no drawing follows.")
_LATER = N_("This version does not read it.")

# In the order they are tried: the surest signs first.
_SIGNS: tuple[tuple[Format, str], ...] = (
    (NATIVE, r'\A\ufeff?\s*\{\s*"format"\s*:\s*"railspine"'),
    (
        Format(
            "nccl-graph",
            N_("NCCL graph file"),
            advice=N_("It holds the rings and trees that NCCL chose, not what is cabled."),
        ),
        r"<graphs\s+version=",
    ),
    (
        Format(
            "nccl-topology",
            N_("NCCL topology file"),
            advice=N_("It describes the inside of one server, not the fabric."),
        ),
        r"<system\s+version=",
    ),
    (Format("graphml", N_("GraphML graph"), advice=_LATER), r"<graphml[\s>]"),
    (
        Format(
            "drawio",
            N_("draw.io diagram"),
            advice=N_("A picture has no ports: draw it here, or import the wiring of the fabric."),
        ),
        r"<mxfile|<mxGraphModel",
    ),
    (
        Format("ibnetdiscover-p", N_("port list of ibnetdiscover -p"), advice=_PLAIN),
        r"^(?:CA|SW|RT)\s+\d+\s+\d+\s+0x[0-9a-fA-F]{4,16}\s",
    ),
    (
        Format("ibnetdiscover-l", N_("node list of ibnetdiscover -l"), advice=_PLAIN),
        r"^(?:Switch|Ca|Rt)\s*:\s*0x[0-9a-fA-F]{4,16}\s+ports\s",
    ),
    (IBNETDISCOVER, r'(?:Switch|Ca|Rt|\?\?\?)\s*\d+\s*"[SHR?]-[0-9a-fA-F]{1,16}"'),
    (IBSIM, r'^[ \t]*(?:Switch|Hca|Ca)\s*\d+\s*"[^"\n]+"'),
    (
        Format("iblinkinfo", N_("iblinkinfo output"), advice=_PLAIN),
        r"==\(.*\)==>|^(?:CA|Switch):?[ \t].*:[ \t]*\n[ \t]+0x",
    ),
    (
        Format("ibdiagnet-lst", N_("ibdiagnet link list"), advice=_PLAIN),
        r"^\{\s*(?:CA|SW)\s+Ports:",
    ),
    (
        Format("ibdiagnet-db", N_("ibdiagnet database"), advice=_PLAIN),
        r"^START_(?:NODES|LINKS|PORTS)\b",
    ),
    (
        Format("forwarding", N_("forwarding tables"), advice=_PLAIN),
        r"dump_ucast_routes:\s*Switch\s+0x",
    ),
    (
        Format("ibdm-topo", N_("IBDM topology file"), advice=_LATER),
        r"^[ \t]*\S+[ \t]+-(?:\d+[xX]-)?(?:[\d.]+G-)?>[ \t]*\S+[ \t]+\S+|^(?:TOP)?SYSTEM[ \t]+\w",
    ),
    (
        Format("slurm", N_("Slurm topology"), advice=_LOGICAL),
        r"(?im)^[ \t]*(?:SwitchName|BlockName|BlockSizes)\s*=",
    ),
    (
        Format(
            "nvidia-smi-topo",
            N_("nvidia-smi topo matrix"),
            advice=N_("It describes the inside of one server, not the fabric."),
        ),
        r"^[ \t]*(?:\x1b\[4m)?GPU0\s.*(?:CPU Affinity|GPU1)",
    ),
    (
        Format("simulator", N_("simulator topology"), advice=_LATER),
        r"\A(?:\d+\s+){2,5}\d+(?:\s+[A-Z]\w+)?\s*\n|^Nodes\s+\d+[ \t]*\nTiers\s+\d"
        r"|^topology:[ \t]*\[|\"logical-dims\"",
    ),
    (
        Format("containerlab", N_("containerlab topology"), advice=_LATER),
        r"^topology:[ \t]*\n(?:.*\n){0,40}?[ \t]+(?:nodes|kinds|defaults|groups):",
    ),
    (
        Format(
            "netbox",
            N_("NetBox device type"),
            advice=N_("Describe the part in your own catalogue file instead."),
        ),
        r"^manufacturer:.*\n(?:.*\n){0,40}?model:",
    ),
    (
        Format("dot", N_("DOT graph"), advice=_LATER),
        r"^[ \t]*(?:strict[ \t]+)?(?:di)?graph\b[^{;\n]{0,200}\n?[ \t]*\{",
    ),
    (Format("gml", N_("GML graph"), advice=_LATER), r"^[ \t]*graph[ \t]*\n?[ \t]*\["),
    (
        Format("cable-list", N_("cable list"), advice=_LATER),
        r"(?i)\A[^\n]{0,400}?(?:StartDevice|A-Node Name|Node Interface)"
        r"[^\n]{0,400}?(?:EndDevice|Z-Node Name|Peer)",
    ),
    (Format("lldp", N_("LLDP neighbours"), advice=_LATER), r'\A\s*\{\s*"lldp"'),
    (
        Format("topograph", N_("topograph model"), advice=_LOGICAL),
        r"^switches:[ \t]*\n(?:[ \t#].*\n|\n){0,2000}?(?:blocks|nodes|capacity_blocks):"
        r"|^blocks:[ \t]*\n",
    ),
)
_COMPILED = tuple((f, re.compile(sign, re.MULTILINE)) for f, sign in _SIGNS)
FORMATS = tuple(f for f, _sign in _SIGNS)
READABLE = tuple(f.name for f in FORMATS if f.readable and f is not NATIVE)


def detect(text: str) -> Format | None:
    """Return what a text is, or None when it is nothing known.

    Only the first 64 kB are looked at; the rest only where those are all comment.
    """
    head = text[:HEAD]
    if head.lstrip().startswith("#"):
        start = re.search(r"^[^#\s]", text, re.MULTILINE)
        if start and start.start() >= HEAD:
            head += text[start.start() : start.start() + HEAD]
    for form, sign in _COMPILED:
        if sign.search(head):
            return form
    return None


def refusal(form: Format | None, where: str) -> tuple[str, str]:
    """Return message and hint for a file that no importer reads."""
    if form is None:
        return (
            _("{where}: this kind of file is unknown.").format(where=where),
            _("Readable are {names}.").format(names=", ".join(READABLE)),
        )
    return _("{where} is a {title}.").format(where=where, title=_(form.title)), _(form.advice)
