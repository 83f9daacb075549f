"""Results that dialogs show, made once."""

import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.services.create import new_design


@pytest.fixture(scope="session")
def catalog():
    return default_catalog()


@pytest.fixture(scope="session")
def results(catalog):
    """Results of the 256-GPU unit with its workload."""
    design = new_design("rail-optimized", catalog)
    return analyze(design, Options(workload=design.workload), catalog)


@pytest.fixture(scope="session")
def bare_results(catalog):
    """Results of a drawing without a workload."""
    design = new_design("four-servers", catalog)
    design.workloads.clear()
    return analyze(design, Options(), catalog)
