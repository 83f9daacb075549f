"""Both technologies and the verdict in one go, in the form the results need."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from designer.catalog.catalog import Catalog
from designer.engine.bom_rows import Bom
from designer.engine.census import Census, take_census
from designer.engine.compare import FabricResult, evaluate_fabric
from designer.engine.explain_money import explain_fabric, explain_verdict
from designer.engine.fabrics import FabricName, FabricPerformance, Verdict
from designer.engine.results import Explanation, Explanations
from designer.engine.verdict import verdict
from designer.messages import _
from designer.model.design import Design


@dataclass(frozen=True, slots=True)
class Comparison:
    """A drawing in both technologies.

    Attributes:
        infiniband, rocev2: What each costs and delivers.
        verdict: Which is cheaper for the same training.
        explanations: How their figures of money were made, by dotted key of the results.
    """

    infiniband: FabricResult
    rocev2: FabricResult
    verdict: Verdict
    explanations: Mapping[str, Explanation]

    def values(self) -> dict[str, Any]:
        """Return the keys `fabrics` and `verdict` of the results."""
        return {
            "fabrics": {
                "infiniband": self.infiniband.as_dict(),
                "rocev2": self.rocev2.as_dict(),
            },
            "verdict": self.verdict.as_dict(),
        }

    def reasons(self) -> dict[str, str]:
        """Return why values are null, by dotted key of the results."""
        found = {
            f"fabrics.{result.fabric}.{key}": text
            for result in (self.infiniband, self.rocev2)
            for key, text in result.reasons.items()
        }
        if self.verdict.reason:
            keys = ("verdict.choice", "verdict.margin_usd", "verdict.difference_usd")
            found |= dict.fromkeys(keys, self.verdict.reason)
        if any(flip.value is None for flip in self.verdict.flips):
            found["verdict.flips"] = _("No value of this input turns the verdict.")
        return found


def compare_fabrics(
    design: Design,
    catalog: Catalog,
    performance: Mapping[FabricName, FabricPerformance],
    census: Census | None = None,
    bills: Mapping[FabricName, Bom] | None = None,
) -> Comparison:
    """Evaluate a drawing as InfiniBand and as RoCE, and judge.

    Args:
        design: The drawing.
        catalog: Parts, equivalents and prices.
        performance: What the performance model found, by technology; a missing one is unknown.
        census: Result of `take_census`, to save counting twice.
        bills: Bills of materials by technology, when they have been made before.
    """
    counted, made = census or take_census(design), bills or {}

    def one_of(fabric: FabricName) -> FabricResult:
        known = performance.get(fabric, FabricPerformance())
        return evaluate_fabric(design, catalog, fabric, known, counted, made.get(fabric))

    one, two = one_of("infiniband"), one_of("rocev2")
    judged = verdict(one, two)

    def explained() -> dict[str, Explanation]:
        margin = explain_verdict(one, two, judged)
        last = {margin.key: margin} if margin is not None else {}
        return explain_fabric(design, one) | explain_fabric(design, two) | last

    return Comparison(one, two, judged, Explanations([("", explained)]))
