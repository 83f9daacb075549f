"""The defaults of every parameter, each with its source; see `model.assumptions` for their use."""

from designer.messages import N_
from designer.model.assumption_money import MONEY_PARAMETERS
from designer.model.parameter import Parameter
from designer.units import Range

PARAMETERS: tuple[Parameter, ...] = (
    Parameter(
        "nic_efficiency",
        N_("NIC, share of line rate"),
        "1",
        Range(0.92, 0.95, 0.96),
        "46–48 GB/s of 50 measured per NDR NIC, nccl-tests #290",
        "2025",
        "efficiency",
        "η_nic",
        "found",
    ),
    *MONEY_PARAMETERS,
)
