"""Headings and errors of argparse in the language in use: it knows only its own catalogue."""

import argparse
from typing import Final

from designer.messages import N_, _, ngettext

TEXTS: Final = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("expected one argument"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
)


def translate() -> None:
    """Make argparse look its texts up here; those it has and we have not stay English."""
    vars(argparse).update(_=_, ngettext=ngettext)
