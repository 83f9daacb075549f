"""Notices: what happened, what is safe, what to do; shown in the window, without a modal box."""

from dataclasses import dataclass, replace
from typing import Literal

from designer.errors import DesignerError
from designer.messages import _
from designer.model.findings import Severity

Kind = Severity | Literal["ok"]


@dataclass(frozen=True, slots=True)
class NoticeText:
    """One notice.

    Attributes:
        title: What happened.
        text: What is safe and what to do; at most two lines.
        ids: Records that a click selects.
        actions: (name of an action, label) of its buttons, first the primary one.
        key: A later notice with the same key takes the place of this one.
        passing: It goes by itself: an answer to the gesture just made.
    """

    kind: Kind
    title: str
    text: str = ""
    ids: tuple[str, ...] = ()
    actions: tuple[tuple[str, str], ...] = ()
    key: str = ""
    passing: bool = False


def from_error(fault: BaseException) -> NoticeText:
    """Return the notice for an error: its own words when expected, a calm one otherwise."""
    if isinstance(fault, DesignerError):
        return NoticeText("error", fault.message, fault.hint, fault.ids, key=fault.message)
    return NoticeText(
        "error",
        _("Something went wrong: {fault}").format(fault=fault or type(fault).__name__),
        _("Your work is kept in the recovery copy; the details are in the log."),
        key="unexpected",
    )


def refusal(fault: BaseException) -> NoticeText:
    """Return the notice for a gesture that was refused; it stands over the drawing but a while."""
    return replace(from_error(fault), passing=isinstance(fault, DesignerError))
