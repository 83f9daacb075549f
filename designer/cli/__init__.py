"""The command line: one function a command."""

from designer.cli.run import run

__all__ = ["run"]
