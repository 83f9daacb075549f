"""The defaults of every parameter, each with its source; see `model.assumptions` for their use."""

from designer.model.assumption_latency import LATENCY_PARAMETERS
from designer.model.assumption_money import MONEY_PARAMETERS
from designer.model.assumption_performance import PERFORMANCE_PARAMETERS
from designer.model.parameter import Parameter

PARAMETERS: tuple[Parameter, ...] = (
    *PERFORMANCE_PARAMETERS,
    *LATENCY_PARAMETERS,
    *MONEY_PARAMETERS,
)
