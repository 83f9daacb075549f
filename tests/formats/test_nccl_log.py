"""Logs of nccl-tests as its programs print them, with the oddities of launchers and versions."""

import pytest

from designer.errors import FileError
from designer.formats.importers.nccl_log import parse_nccl_log

HEAD = """# nThread 1 nGpus 8 minBytes 8 maxBytes 1024 step: 2(factor) validation: 1 graph: 0
#
# Collective test starting: {program}
# Using devices
{ranks}
#
#                                      out-of-place              in-place
#  size   count   type   redop  root   time   algbw   busbw #wrong   time   algbw   busbw #wrong
#   (B)  (elements)                    ({unit})  (GB/s)  (GB/s)         ({unit})  (GB/s)  (GB/s)
"""
TAIL = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 12.3\n#\n"


def head(program="all_reduce_perf", hosts=("a", "a", "b", "b"), unit="us"):
    ranks = "\n".join(
        f"#  Rank {k:2d} Group  0 Pid  {k + 7} on  node-{h} device  {k} [0x1b] NVIDIA H100"
        for k, h in enumerate(hosts)
    )
    return HEAD.format(program=program, ranks=ranks, unit=unit)


def row(size, time, *, words=("float", "sum", "-1"), wrong="0", places=2, times=1.5):
    rate = size / time / 1e3
    group = f"{time:.2f} {rate:.2f} {rate * times:.2f} {wrong}"
    return f"  {size}   {size // 4}  {'  '.join(words)}  {'   '.join([group] * places)}\n"


def test_a_whole_log():
    log = parse_nccl_log(head() + row(2**20, 50.0) + row(2**30, 9000.0) + TAIL)
    assert (log.program, log.ranks, log.hosts) == ("all_reduce_perf", 4, 2)
    assert [(m.size_bytes, m.time_s, m.in_place) for m in log.rows] == [
        (2**20, pytest.approx(50e-6), False),
        (2**20, pytest.approx(50e-6), True),
        (2**30, pytest.approx(9e-3), False),
        (2**30, pytest.approx(9e-3), True),
    ]
    big = log.rows[-1]
    assert big.algorithm_bandwidth == pytest.approx(119.3e9, rel=1e-3)
    assert big.bus_bandwidth == pytest.approx(1.5 * big.algorithm_bandwidth, rel=1e-3)
    assert not log.notes


@pytest.mark.parametrize(
    "words", [("float", "none", "-1"), ("half", "sum"), ("bfloat16",), ("uint8", "none", "0")]
)
@pytest.mark.parametrize("places", [1, 2])
def test_columns_of_every_program(words, places):
    log = parse_nccl_log(head() + row(2**20, 50.0, words=words, places=places))
    assert [m.time_s for m in log.rows] == pytest.approx([50e-6] * places)


@pytest.mark.parametrize("prefix", ["[1,0]<stdout>:", "[1,12]<stdout>: ", "0: ", " 3: "])
def test_prefixes_of_launchers(prefix):
    text = "".join(prefix + line + "\n" for line in (head() + row(2**20, 50.0)).splitlines())
    log = parse_nccl_log(text)
    assert log.ranks == 4 and len(log.rows) == 2


def test_other_units_and_line_ends():
    text = (head(unit="ms") + "  1048576 262144 float sum -1 0.05 20.97 31.46 0\n").replace(
        "\n", "\r\n"
    )
    (one,) = parse_nccl_log(text).rows
    assert one.time_s == pytest.approx(50e-6)


def test_wrong_elements_and_contradictions_are_left_out_with_a_note():
    bad = row(2**20, 50.0, wrong="17") + "  2097152 524288 float sum -1 10.0 999.0 999.0 0\n"
    log = parse_nccl_log(head() + bad + row(2**22, 90.0))
    assert [m.size_bytes for m in log.rows] == [2**22, 2**22]
    assert len(log.notes) == 3 and "17" in log.notes[0]
    assert all("line" in note for note in log.notes)


def test_rows_without_a_time_are_passed_over():
    text = "  1048576 262144 float sum -1 nan 20.97 31.46 0\n  8 2 float sum -1 N/A N/A N/A N/A\n"
    log = parse_nccl_log(head() + text + row(0, 5.0) + row(2**20, 50.0))
    assert [m.size_bytes for m in log.rows] == [2**20, 2**20]


@pytest.mark.parametrize("text", ["", "\n\n", "hello", head(), "\x00\x01" * 50, "{}", "1 2 3"])
def test_other_texts_are_refused(text):
    with pytest.raises(FileError) as caught:
        parse_nccl_log(text)
    assert caught.value.hint
