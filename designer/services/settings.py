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
        geometry: Window geometry and dock layout as base64 text; empty at the first start.
        catalog_file: A catalogue file of the user's own, or empty.
        dim: Share of strength kept by cables that do not belong to the selection.
    """

    language: str = ""
    theme: str = "system"
    recent: tuple[str, ...] = ()
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

    def with_recent(self, path: Path) -> "Settings":
        """Return settings with `path` as the newest recent file."""
        text = str(path.resolve())
        kept = tuple(p for p in self.recent if p != text)
        return replace(self, recent=(text, *kept)[:RECENT_FILES])


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
        elif type(value) is type(model):
            values[f.name] = value
        elif isinstance(model, float) and isinstance(value, int):
            values[f.name] = float(value)
    return Settings(**values)


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
