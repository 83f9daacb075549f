"""What templates cannot make is refused in words that say what fits."""

import pytest

from designer.catalog.load import default_catalog
from designer.errors import ParameterError
from designer.topologies import generate

CATALOG = default_catalog()


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"gpus": "1"}, "1 GPU does not fill servers of 8. Nearest: 8."),
        ({"gpus": "9"}, "Nearest: 8 or 16."),
        ({"gpus": "1,001"}, "1,001 GPUs do not fill"),
        ({"gpus": "abc"}, "gpus cannot be “abc”. A whole number is expected."),
        ({"gpus": "9" * 400}, "A whole number is expected."),
        ({"oversubscription": "1:3"}, "values from 1 to 16"),
        ({"oversubscription": "3:0"}, "A number is expected."),
        ({"oversubscription": "3:x"}, "A number is expected."),
        ({"leaf": "dgx-h100"}, "NVIDIA DGX H100 is no switch."),
        ({"leaf": "sn5600", "spine": "qm9700"}, "one is InfiniBand, the other Ethernet"),
        ({"leaf": "qm9700", "spine": "qm9700", "core": "sn5400"}, "Choose switches of one tech"),
        ({"servers_per_unit": 1000}, "1,000 ports down"),
    ],
)
def test_what_does_not_fit_says_what_does(parameters, says):
    with pytest.raises(ParameterError) as caught:
        generate("rail-optimized", CATALOG, **parameters)
    assert says in str(caught.value)


@pytest.mark.parametrize("text", ["3", "3:1", "3 : 1", "6:2", "3.0"])
def test_a_ratio_is_read_as_it_is_written(text):
    made = generate("rail-optimized", CATALOG, gpus=512, oversubscription=text)
    assert len(made.cables) == len(
        generate("rail-optimized", CATALOG, gpus=512, oversubscription=3).cables
    )
