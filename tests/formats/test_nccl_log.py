"""Logs of nccl-tests as its programs print them, with the oddities of launchers and versions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import FileError
from designer.formats.importers.nccl_log import parse_nccl_log, parse_nccl_logs

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
TAIL = "# Out of bounds values : 0 OK\n#\n# Collective test concluded: all_reduce_perf\n"


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


@pytest.mark.parametrize(
    "prefix", ["[1,0]<stdout>:", "[1,12]<stdout>: ", "0: ", " 3: ", "node-7.rack: "]
)
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


def test_terminal_colours_are_passed_over():
    text = "".join(f"\x1b[1;32m{x}\x1b[0m\n" for x in (head() + row(2**20, 50.0)).splitlines())
    log = parse_nccl_log(text)
    assert log.ranks == 4 and len(log.rows) == 2


def test_gpus_of_each_machine_and_their_names():
    log = parse_nccl_log(head(hosts=("a", "a", "a", "b")) + row(2**20, 50.0))
    assert log.per_host == (3, 1) and log.hosts == 2
    assert log.devices == ("NVIDIA H100",)


def test_sizes_with_a_unit():
    text = "  4MiB 1048576 float sum -1 100.0 41.94 62.91 0\n"
    (one,) = parse_nccl_log(head() + text).rows
    assert one.size_bytes == 4 * 2**20


def test_several_programs_are_several_tables():
    first = head() + row(2**20, 50.0) + TAIL
    second = head("all_gather_perf", ("a",) * 8) + row(2**20, 40.0, times=0.875) + TAIL
    one, two = parse_nccl_logs(first + second)
    assert (one.program, one.ranks, len(one.rows)) == ("all_reduce_perf", 4, 2)
    assert (two.program, two.ranks, len(two.rows)) == ("all_gather_perf", 8, 2)
    assert two.line == first.count("\n") + 1


def test_rows_cut_off_are_told_with_their_line_and_never_read_as_something_else():
    whole = row(2**20, 50.0).rstrip("\n")
    good = head() + row(2**22, 90.0)
    line = good.count("\n") + 1
    # without its second half a row is one of an out-of-place run
    half = whole.rindex("   50.00")
    for cut in range(3, len(whole) - 1):
        log = parse_nccl_log(good + whole[:cut] + "\n")
        times = [m.time_s for m in log.rows[2:]]
        assert times in ([], [pytest.approx(50e-6)]), whole[:cut]
        if not times:
            assert any(f"line {line}:" in note for note in log.notes), whole[:cut]
        else:
            assert cut >= half, whole[:cut]


def test_mixed_lines_are_told():
    whole = row(2**20, 50.0)
    log = parse_nccl_log(head() + whole[:30] + whole + row(2**22, 90.0))
    assert [m.size_bytes for m in log.rows] == [2**22, 2**22]
    assert "line 13:" in log.notes[0]


def test_an_average_that_is_not_that_of_the_rows_tells_missing_ones():
    rows = row(2**20, 50.0) + row(2**30, 9000.0)
    mean = (2**20 / 50e-6 + 2**30 / 9e-3) * 1.5 / 2 / 1e9
    average = f"# Avg bus bandwidth    : {mean:.4f}\n"
    assert not parse_nccl_log(head() + rows + average).notes
    (note,) = parse_nccl_log(head() + row(2**20, 50.0) + average).notes
    assert "rows are missing" in note


_PIECES = st.sampled_from(
    [
        *head().splitlines(True),
        row(2**20, 50.0),
        row(2**20, 50.0)[:33],
        TAIL,
        "# Avg bus bandwidth : 3\n",
        "[1,0]<stdout>:",
        "\x1b[0m",
        "9" * 30,
        " 1e999",
        " nan",
        "\u0663",
        "\n",
        " -1 ",
    ]
)


@given(st.lists(_PIECES | st.text(max_size=12), max_size=30))
def test_no_text_is_a_fault_of_the_program(pieces):
    try:
        logs = parse_nccl_logs("".join(pieces))
    except FileError:
        return
    for log in logs:
        assert log.rows and all(m.time_s > 0 and m.size_bytes > 0 for m in log.rows)
