import subprocess
import sys

from designer.catalog.load import default_catalog
from designer.services.warm_up import warm_up


def test_the_first_drawing_need_not_wait_for_libraries():
    warm_up(default_catalog())
    assert "fontTools.ttLib" in sys.modules


def test_a_window_starts_without_the_libraries_that_can_wait():
    code = (
        "import sys, designer.gui.app;"
        "print([m for m in ('pyqtgraph', 'scipy', 'networkx', 'numba', 'openpyxl',"
        " 'urllib.request') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
