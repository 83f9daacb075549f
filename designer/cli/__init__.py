"""The command line: one function a command."""

from designer.cli.run import Painter, QtParts, run

__all__ = ["Painter", "QtParts", "run"]
