"""Every number of the results is explained, or says why it needs no explanation."""

import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.explain import explanation_text
from designer.engine.explain_plain import plain_reason
from designer.engine.options import Job, Options
from designer.engine.placing import Placing
from designer.model.workload import stock_workloads
from designer.topologies import generate
from tests.engine.builders import rail_fabric

CATALOG = default_catalog()
OTHERS = (Job(Placing(), 40, "all_to_all"), Job(Placing("random", 3)))


def two_jobs(**more):
    options = Options(placing=Placing("spread"), ranks=64, relay="on", others=OTHERS, **more)
    return analyze(rail_fabric(4, 4).build(), options, CATALOG)


def trained():
    design = generate("rail-optimized", CATALOG, gpus=256)
    options = Options(workload=stock_workloads()["llama3-405b"], relay="off")
    return analyze(design, options, CATALOG)


RUNS = {
    "jobs, hashed": lambda: two_jobs(fabric="rocev2", routing="hashed"),
    "jobs, adaptive, rule of NCCL": lambda: two_jobs(fabric="infiniband", algorithm="nccl"),
    "trained": trained,
    "racks": lambda: analyze(generate("nvl72", CATALOG, racks=2), Options(), CATALOG),
    "four servers, one taken down": lambda: analyze(
        generate("four-servers", CATALOG), Options(failures=True), CATALOG
    ),
    "nothing": lambda: analyze(generate("blank", CATALOG), Options(), CATALOG),
}


@pytest.fixture(scope="module", params=list(RUNS))
def results(request):
    return RUNS[request.param]()


def numbers(value, key=""):
    if isinstance(value, dict):
        for name, below in value.items():
            yield from numbers(below, f"{key}.{name}".strip("."))
    elif isinstance(value, list):
        for place, below in enumerate(value):
            yield from numbers(below, f"{key}.{place}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield key, value


def test_every_number_is_explained_or_says_why_not(results):
    silent = [
        key
        for key, _value in numbers(results.values)
        if key not in results.explanations and not plain_reason(key)
    ]
    assert silent == []


def test_a_plain_reason_that_points_at_a_key_points_at_an_explained_one(results):
    for key, _value in numbers(results.values):
        above, _dot, last = key.rpartition(".")
        if last in ("low", "typical", "high") and plain_reason(key).startswith("It is a bound"):
            whole = above if above in results.explanations else plain_reason(above)
            assert whole, key


def test_the_last_step_gives_the_number(results):
    made = ("collectives.", "interference.", "job.")
    for key, value in numbers(results.values):
        one = results.explanations.get(key)
        if one is not None and key.startswith(made):
            assert one.steps[-1].value == pytest.approx(value, rel=1e-9), key
            assert one.formula
            assert one.terms
            assert all(t.source for t in one.terms)
            assert one.title in explanation_text(one)


def test_the_rule_of_nccl_and_the_choice_list_all_that_can_run(results):
    for name, found in results.values["collectives"].items():
        key = f"collectives.{name}"
        if found["time_s"] and (found["ranks"] or 0) > 1:
            chosen = results.explanations[f"{key}.chosen_by"]
            assert {t.value for t in chosen.terms} == set(found["alternatives"].values())
        if found["nccl_choice"]:
            rule = results.explanations[f"{key}.nccl_choice"]
            times = [t.value for t in rule.terms if t.unit == "s"]
            assert times == sorted(times)
            assert rule.steps[0].value == times[0]


def test_shares_of_the_full_link_add_up_to_it():
    """What a job gets times its share of the link, over all jobs, fills the link that slows it."""
    results = two_jobs(fabric="rocev2", routing="ecmp")
    jobs = results.values["interference"]["jobs"]
    slow = [k for k, one in enumerate(jobs) if one["slow_down"] > 1.001]
    assert slow
    rates = [
        next(
            t.value
            for t in results.explanations[f"interference.jobs.{k}.together_s"].terms
            if t.symbol == "y"
        )
        for k in range(len(jobs))
    ]
    for k in slow:
        one = results.explanations[f"interference.jobs.{k}.together_s"]
        full = next(t.value for t in one.terms if t.symbol == "c_l")
        shares = [t.value for t in one.terms if t.symbol == "w"]
        # the smallest rate of those that use it is this job's
        assert min(rates) * sum(shares) <= full * (1 + 1e-6)
        assert rates[k] * max(shares) <= full * (1 + 1e-6)
        assert max(rates) * sum(shares) >= full * (1 - 1e-6)
