"""Finds the files that ship with the program, in a checkout and in an installed wheel."""

from functools import cache
from pathlib import Path

from designer.errors import FileError


@cache
def resources_folder() -> Path:
    """Return the folder that holds catalogue, examples, icons, help and translations.

    Raises:
        FileError: Neither `designer/_resources` (wheel) nor `resources` (checkout) exists.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "_resources", package.parent / "resources"):
        if folder.is_dir():
            return folder
    raise FileError(
        f"The program's resources are missing beside {package}.", "Install railspine again."
    )


def resource(*parts: str) -> Path:
    """Return the path of one resource, such as `resource("catalog", "switches.toml")`."""
    return resources_folder().joinpath(*parts)
