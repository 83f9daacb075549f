"""Imports go down only, and everything below the window runs without Qt."""

import subprocess
import sys
from pathlib import Path

import designer

PACKAGE = Path(designer.__file__).parent


def modules_without_window():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if "gui" in parts or "bench" in parts or parts[-1] == "__main__" or "_resources" in parts:
            continue
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_everything_below_the_window_imports_without_qt():
    code = (
        "import sys\n"
        "for name in ('PySide6', 'pyqtgraph', 'shiboken6'):\n"
        "    sys.modules[name] = None\n"
        "import importlib\n"
        "for name in sys.argv[1:]:\n"
        "    importlib.import_module(name)\n"
    )
    run = subprocess.run(  # noqa: PLW1510 - the return code is asserted
        [sys.executable, "-W", "error", "-c", code, *modules_without_window()],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr


def test_file_names_say_something():
    vague = {
        "utils.py",
        "helpers.py",
        "misc.py",
        "common.py",
        "manager.py",
        "base.py",
        "controller.py",
    }
    assert not [p for p in PACKAGE.rglob("*.py") if p.name in vague]


def test_no_file_is_longer_than_400_lines():
    long = {
        str(p): n
        for p in PACKAGE.rglob("*.py")
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long
