"""Brings files of older versions up to date, one small function a version step."""

from collections.abc import Callable
from typing import Any

from designer.errors import FileError
from designer.formats.json_text import backup_hint
from designer.messages import _

VERSION = 1
Migration = Callable[[dict[str, Any]], dict[str, Any]]
_STEPS: dict[int, Migration] = {}


def migration(version: int) -> Callable[[Migration], Migration]:
    """Register the function that turns a file of `version` into one of `version + 1`."""

    def register(step: Migration) -> Migration:
        _STEPS[version] = step
        return step

    return register


def migrate(data: dict[str, Any], where: str) -> dict[str, Any]:
    """Return the contents of a file in the present version.

    Raises:
        FileError: The version is newer than this program, or no version at all.
    """
    version = data.get("version")
    if type(version) is not int or version < 1:
        raise FileError(
            _("{where}: the version is {version!r}, a whole number was expected.").format(
                where=where, version=version
            ),
            backup_hint(where),
        )
    if version > VERSION:
        raise FileError(
            _("{where} is of version {version}; this program reads up to {known}.").format(
                where=where, version=version, known=VERSION
            ),
            _("Open it with a newer Railspine. The file was not changed."),
        )
    while version < VERSION:
        data = _STEPS[version](data)
        version += 1
    return data
