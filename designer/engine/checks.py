"""The checks of a drawing: what is wrong or noteworthy, as findings that can be clicked."""

from collections.abc import Iterable
from itertools import chain

from designer.catalog.catalog import Catalog
from designer.engine.bom import Tally
from designer.engine.census import Census, take_census
from designer.engine.check_fabric import check_fabric
from designer.engine.check_links import check_links
from designer.engine.check_ports import check_ports
from designer.engine.check_records import check_records
from designer.engine.check_rules import SEVERITY, capped
from designer.engine.check_uplinks import check_rails, check_uplinks
from designer.engine.network import CompiledNetwork
from designer.engine.survey import Survey
from designer.model.design import Design
from designer.model.findings import SEVERITIES, Finding

CHECKS = (check_records, check_ports, check_links, check_fabric, check_uplinks, check_rails)


def check(
    design: Design,
    network: CompiledNetwork,
    catalog: Catalog | None = None,
    census: Census | None = None,
) -> list[Finding]:
    """Check a drawing against every rule of the table.

    Args:
        design: The drawing.
        network: Its compiled form.
        catalog: Parts to choose cables and optics from; without it, that none fits is not told.
        census: Result of `take_census`, to save counting twice.

    Returns:
        Findings, errors first, then by the order of the rules.
    """
    counted = census or take_census(design)
    survey = Survey(
        design,
        network,
        counted,
        Tally(design, catalog or Catalog(), None, counted),
        tuple(design.devices.values()),
        tuple(design.cables),
        bool(catalog and len(catalog)),
    )
    by_rule: dict[str, list[Finding]] = {rule: [] for rule in SEVERITY}
    for found in chain.from_iterable(run(survey) for run in CHECKS):
        by_rule[found.rule].append(found)
    rows = [f for found in by_rule.values() for f in capped(found)]
    return sorted(rows, key=lambda f: SEVERITIES.index(f.severity))


def rules_passed(findings: Iterable[Finding]) -> int:
    """Return how many rules of the table the drawing passed."""
    return len(SEVERITY) - len({f.rule for f in findings if f.rule in SEVERITY})
