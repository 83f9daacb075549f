"""The wheel is whole: installed in an empty environment it makes the demo from another folder."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_resources_and_nothing_of_the_tests(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "designer/_resources/catalog/servers.toml" in names
    assert any(n.startswith("designer/_resources/examples/") for n in names)
    assert not [n for n in names if n.startswith("tests/")]


def test_the_installed_wheel_makes_the_demo_elsewhere(wheel, tmp_path):
    """Only our own package is installed anew; its dependencies come from this environment."""
    place = tmp_path / "environment"
    venv.create(place, with_pip=False)
    bin_folder = place / ("Scripts" if os.name == "nt" else "bin")
    python = bin_folder / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    zipfile.ZipFile(wheel).extractall(site)
    own = [p for p in sys.path if p.endswith("site-packages")]
    (Path(site) / "dependencies.pth").write_text("\n".join(own))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {
        k: v
        for k, v in os.environ.items()
        if k not in ("PYTHONPATH", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    run = subprocess.run(  # noqa: PLW1510 - the return code is asserted
        [
            python,
            "-c",
            "import sys, designer, designer.__main__ as m; "
            "assert designer.__file__.startswith(sys.argv[1]), designer.__file__; "
            "sys.exit(m.main(['demo', '-o', 'out']))",
            site,
        ],
        cwd=elsewhere,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    made = {p.name for p in (elsewhere / "out").iterdir()}
    assert made == {
        "cluster-512.railspine.json",
        "cluster-512.svg",
        "cluster-512.html",
        "cluster-512.xlsx",
        "cluster-512.csv",
    }
