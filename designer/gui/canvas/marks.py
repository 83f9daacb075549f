"""Which devices and cables carry a mark: the worst severity of the findings about them."""

from designer.engine.results import Results
from designer.model.findings import SEVERITIES


def marks_of(results: Results | None) -> dict[str, str]:
    """Return severity by id; empty without results."""
    found: dict[str, str] = {}
    if results is None:
        return found
    for severity in reversed(SEVERITIES):
        for finding in results.findings:
            if finding.severity == severity:
                found.update(dict.fromkeys(finding.ids, severity))
    return found
