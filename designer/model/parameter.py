"""What a parameter of the model is."""

from dataclasses import dataclass
from typing import Literal

from designer.catalog.types import Confidence
from designer.units import Range

Group = Literal["efficiency", "latency", "price", "use", "people", "facility", "roce"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number of the model.

    Attributes:
        key: Stable name, such as `nic_efficiency`.
        label: English name, marked with `N_`; translated where shown.
        unit: SI unit of `value`: `1` for a share or ratio, `s`, `B/s`, `USD`, `USD/h` ….
        symbol: As in the formulas of the method page, such as `η_nic`.
        value: Low, typical, high.
        confidence: `estimate` is shown as “assumed”.
    """

    key: str
    label: str
    unit: str
    value: Range
    source: str
    date: str
    group: Group
    symbol: str = ""
    confidence: Confidence = "estimate"
