"""What results say of devices and cables: the worst severity of a finding, the job of a server."""

from dataclasses import replace

from designer.engine.results import Results
from designer.model.findings import SEVERITIES
from designer.scene.view import SceneState


def with_results(state: SceneState, results: Results | None) -> SceneState:
    """Return a state that shows utilisation, findings and jobs of results; None shows none."""
    loads = results.utilization if results is not None else {}
    return replace(state, utilization=loads, marks=marks_of(results), jobs=jobs_of(results))


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


def jobs_of(results: Results | None) -> dict[str, int]:
    """Return the number of its job by server id, from 1; empty when one job has all GPUs."""
    job = results.get("job") if results is not None else None
    if not job:
        return {}
    beside = results.get("interference") if results is not None else None
    every = [one["servers"] for one in beside["jobs"]] if beside else [job["servers"]]
    return {id_: number for number, ids in enumerate(every, start=1) for id_ in ids}
