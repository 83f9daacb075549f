"""Writes a workload as the TOML file that `model.workload.load_workload` reads."""

import json
from pathlib import Path

from designer.formats.atomic import write_atomically
from designer.model.workload import Workload, workload_to_dict


def workload_text(workload: Workload) -> str:
    """Return a workload as TOML."""
    lines: list[str] = []
    for section, content in workload_to_dict(workload).items():
        if not isinstance(content, dict):
            lines.append(f"{section} = {_value(content)}")
            continue
        lines += ["", f"[{section}]"]
        lines += [f"{key} = {_value(value)}" for key, value in content.items()]
    return "\n".join(lines).lstrip("\n") + "\n"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    # a JSON text is a TOML basic string as long as DEL, which JSON leaves alone, is escaped
    return str(value) if isinstance(value, int) else json.dumps(value).replace("\x7f", "\\u007f")


def save_workload(workload: Workload, path: Path) -> None:
    """Write a workload file in one step.

    Raises:
        FileError: It could not be written.
    """
    write_atomically(path, workload_text(workload).encode("utf-8"))
