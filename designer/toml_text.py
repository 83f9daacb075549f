"""Reads TOML files that people write: bounded in size, and every fault in words they can act on."""

import tomllib
from pathlib import Path
from typing import Any

from designer.messages import _

# Thousands of parts fit; a device or a disk image given by mistake does not.
MAX_BYTES = 1 << 24


class TomlError(Exception):
    """Why a file could not be read, in the language in use; callers say what file it was to be."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        TomlError: The file is missing, no file, too large, not UTF-8 or no TOML.
    """
    try:
        if path.exists() and not path.is_file():
            raise TomlError(_("it is no file"))
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as fault:
        raise TomlError(getattr(fault, "strerror", None) or str(fault)) from fault
    if len(data) > MAX_BYTES:
        raise TomlError(_("it is larger than {n} MB").format(n=MAX_BYTES >> 20))
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        raise TomlError(_("it is not UTF-8 text (byte {n})").format(n=fault.start)) from fault
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as fault:
        raise TomlError(str(fault)) from fault
