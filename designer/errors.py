"""Errors that a person can act on: each says what is wrong and, in its hint, what to do."""

from collections.abc import Iterable


class DesignerError(Exception):
    """An expected fault, shown as a notice in the window and as one line by the command line.

    Attributes:
        message: What is wrong and where, in the language in use.
        hint: What to do about it; may be empty.
        ids: Records of the design that the notice selects when clicked.
    """

    def __init__(self, message: str, hint: str = "", ids: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.ids = tuple(ids)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


class CatalogError(DesignerError):
    """A part file cannot be used; names file, part and field."""


class ConflictError(DesignerError):
    """An edit does not fit the design it is applied to; nothing was changed."""


class WiringError(DesignerError):
    """A cable cannot be drawn as asked: port taken, missing, or incompatible."""


class ParameterError(DesignerError):
    """A template, workload or command got a value it cannot work with."""


class FileError(DesignerError):
    """A file cannot be read or written; it was left as it is."""


class ImportRefusedError(FileError):
    """A foreign file was recognised but cannot become a design."""


class CancelledError(DesignerError):
    """A newer request or the user stopped this computation; not a fault."""


class CannotRunHereError(DesignerError):
    """Something the machine lacks, such as a display; the command line exits with 3."""
