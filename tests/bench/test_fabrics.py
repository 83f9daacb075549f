"""The named fabrics have the size that everybody speaks of."""

from collections import Counter

import pytest

from designer.bench.fabrics import fabric, failed_links
from designer.errors import ParameterError


@pytest.mark.parametrize(
    ("name", "switches", "links"),
    [("su256", (8, 4, 0), 512), ("fab1k", (32, 16, 0), 2_048), ("fab24k", (768, 768, 512), 73_728)],
)
def test_sizes(name, switches, links):
    design = fabric(name)
    roles = Counter(d.role for d in design.devices.values())
    assert (roles["leaf"], roles["spine"], roles["core"]) == switches
    assert sum(c.count for c in design.cables.values()) == links


def test_the_largest():
    design = fabric("fab100k")
    roles = Counter(d.role for d in design.devices.values())
    assert (roles["server"], roles["leaf"], roles["spine"], roles["core"]) == (
        12_544,
        1_568,
        3_136,
        1_024,
    )
    assert sum(c.count for c in design.cables.values()) == 301_056


def test_failed_links_repeat():
    design = fabric("su256")
    assert failed_links(design, 10) == failed_links(design, 10)
    assert len(failed_links(design, 10)) == 10
    with pytest.raises(ParameterError):
        fabric("fab1m")
