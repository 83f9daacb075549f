"""Every time of jobs beside one another says how it was made, and the parts add up."""

import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.explain import explanation_text
from designer.engine.options import Job, Options
from designer.engine.placing import Placing
from designer.services.create import new_design

CATALOG = default_catalog()


@pytest.fixture(scope="module")
def results():
    design = new_design("rail-optimized", CATALOG, gpus=128, servers_per_unit=8, oversubscription=4)
    spread = Placing("spread")
    options = Options(
        placing=spread,
        ranks=64,
        collective="all_to_all",
        relay="off",
        others=(Job(spread, 64, "all_to_all"), Job(spread)),
    )
    return analyze(design, options, CATALOG)


def test_every_time_is_explained(results):
    for number in (0, 1):
        for key in ("alone_s", "together_s", "slow_down", "ends_s"):
            dotted = f"interference.jobs.{number}.{key}"
            made = results.explanations[dotted]
            assert made.steps[-1].value == pytest.approx(results.get(dotted))
            assert explanation_text(made)
    key = "interference.slow_down"
    assert results.explanations[key].steps[-1].value == pytest.approx(results.get(key))


def test_a_job_that_cannot_run_has_no_explanation_but_a_reason(results):
    assert "interference.jobs.2.alone_s" not in results.explanations
    assert results.get("interference.jobs.2.reason")


def test_seeds_and_both_ways_are_explained():
    design = new_design("rail-optimized", CATALOG, gpus=128, servers_per_unit=8, oversubscription=4)
    options = Options(collective="all_to_all", relay="off", routing="hashed")
    results = analyze(design, options, CATALOG)
    keys = [f"hashing.{k}_s" for k in ("p50", "p95", "worst")] + ["relay.with_s", "relay.without_s"]
    for key in keys:
        dotted = f"collectives.all_to_all.{key}"
        made = results.explanations[dotted]
        assert made.steps[-1].value == pytest.approx(results.get(dotted))
        assert explanation_text(made)
