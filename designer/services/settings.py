"""What the program remembers for a person: language, theme, recent files, window geometry.

One small JSON file in the system's configuration folder. A damaged file is set aside, never
overwritten silently, and the defaults are used.
"""

import json
import os
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from designer.errors import FileError
from designer.messages import _, system_language

RECENT_FILES = 12


@dataclass(frozen=True, slots=True)
class Settings:
    """Preferences of one person.

    Attributes:
        theme: `light`, `dark` or `system`.
        recent: Paths of files opened or saved, newest first.
        held: GPUs of each recent file, and when it was written, in ns: [256, 17…]. A file that
            was written since holds what nobody here knows.
        geometry: Window geometry and dock layout as base64 text; empty at the first start.
        catalog_file: A catalogue file of the user's own, or empty.
        dim: Share of strength kept by cables that do not belong to the selection.
    """

    language: str = ""
    theme: str = "system"
    recent: tuple[str, ...] = ()
    held: dict[str, list[int]] = field(default_factory=dict)
    geometry: str = ""
    layout: str = ""
    catalog_file: str = ""
    reduced_motion: bool = False
    snap: bool = True
    dim: float = 0.46
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def language_in_use(self) -> str:
        """Return the chosen language, or the system's."""
        return self.language or system_language()

    def with_recent(self, path: Path, gpus: int | None = None) -> "Settings":
        """Return settings with `path` as the newest recent file, and what it holds."""
        text = str(path.resolve())
        recent = (text, *(p for p in self.recent if p != text))[:RECENT_FILES]
        held = {p: h for p, h in self.held.items() if p in recent and p != text}
        written = _written(path)
        if gpus is not None and written is not None:
            held[text] = [gpus, written]
        return replace(self, recent=recent, held=held)

    def gpus_of(self, path: Path) -> int | None:
        """Return the GPUs of a recent file; None when it was written since, or is unknown."""
        gpus, written = (*self.held.get(str(path), ()), None, None)[:2]
        return gpus if written is not None and written == _written(path) else None


def _written(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except (OSError, ValueError):
        return None


def settings_path() -> Path:
    """Return where the settings live; `RAILSPINE_CONFIG` names another folder."""
    own = os.environ.get("RAILSPINE_CONFIG")
    return (Path(own) if own else user_config_path("railspine")) / "settings.json"


def load_settings(path: Path | None = None) -> tuple[Settings, str]:
    """Return the settings and a warning; the warning is empty when all is well."""
    source = path or settings_path()
    try:
        data = json.loads(source.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings(), ""
    except (OSError, ValueError) as fault:
        return Settings(), _(
            "The settings in {path} could not be read ({fault}); defaults are used."
        ).format(path=source, fault=fault)
    return _from_dict(data if isinstance(data, dict) else {}), ""


def _from_dict(data: dict[str, Any]) -> Settings:
    """Build settings from what was stored; a value of the wrong type falls back to its default."""
    default = Settings()
    values: dict[str, Any] = {}
    for f in fields(Settings):
        if f.name not in data:
            continue
        value, model = data[f.name], getattr(default, f.name)
        if isinstance(model, tuple) and isinstance(value, list):
            values[f.name] = tuple(v for v in value if isinstance(v, str))
        elif f.name == "held":
            values[f.name] = _held(value)
        elif type(value) is type(model):
            values[f.name] = value
        elif isinstance(model, float) and isinstance(value, int):
            values[f.name] = float(value)
    return Settings(**values)


def _held(value: object) -> dict[str, list[int]]:
    table = value if isinstance(value, dict) else {}
    pairs = {k: v for k, v in table.items() if isinstance(v, list) and len(v) == 2}
    return {str(k): v for k, v in pairs.items() if all(type(n) is int for n in v)}


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings, atomically.

    Raises:
        FileError: The folder cannot be written.
    """
    target = path or settings_path()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_text(json.dumps(asdict(settings), indent=1), encoding="utf-8")
        temporary.replace(target)
    except OSError as fault:
        raise FileError(
            _("The settings could not be saved: {fault}").format(fault=fault),
            _("Check that {folder} can be written.").format(folder=target.parent),
        ) from fault
