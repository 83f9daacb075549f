"""Findings: what is wrong or noteworthy about a design, as data that can be listed and clicked."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Finding:
    """One observation by a rule.

    Attributes:
        rule: Stable name of the rule, such as `port-taken`.
        ids: Devices, cables or groups it is about; a click selects them.
        message: What, where and its effect.
        hint: One thing to do about it.
    """

    rule: str
    severity: Severity
    ids: tuple[str, ...]
    message: str
    hint: str = ""
