"""Standard streams that are closed, full or read by nobody, and Ctrl-C: never a traceback."""

import os
import signal
import subprocess
import sys
import time

import pytest

from designer.__main__ import main

RUN = [sys.executable, "-m", "designer"]


@pytest.fixture(scope="module")
def drawing(tmp_path_factory):
    path = tmp_path_factory.mktemp("streams") / "d.railspine.json"
    assert main(["new", "four-servers", "-o", str(path)]) == 0
    return str(path)


def shell(command, *words):
    return subprocess.run(
        ["sh", "-c", command, "sh", *RUN, *words], capture_output=True, check=False, text=True
    )


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("command", "codes"),
    [
        ('"$@" >&-', {0}),
        ('"$@" 2>&-', {0}),
        ('"$@" >&- 2>&-', {0}),
        ('"$@" | true', {0}),
        ('"$@" | head -1', {0}),
    ],
)
def test_a_stream_that_is_closed_is_no_fault(drawing, command, codes):
    done = shell(command, "analyze", drawing, "--json")
    assert done.returncode in codes, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
@pytest.mark.parametrize("words", [("check",), ("analyze", "--json")])
def test_a_full_output_is_told_and_exits_with_2(drawing, words):
    done = shell('"$@" > /dev/full', words[0], drawing, *words[1:])
    assert done.returncode == 2
    assert done.stderr.startswith("railspine: The output cannot be written")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_a_fault_keeps_its_code_without_a_place_to_tell_it():
    assert shell('"$@" 2>&-', "check", "/no/such/file").returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("after_s", [0.25, 0.6])
def test_an_interrupt_ends_without_a_traceback(tmp_path, after_s):
    out = tmp_path / "big.railspine.json"
    words = [*RUN, "new", "roce-24k", "-o", str(out)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(after_s)
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=60)
    # before Python reaches the program nothing can be done about its own traceback
    if b"designer/__main__" in err or b"runpy" not in err:
        assert b"Traceback" not in err
    assert list(tmp_path.iterdir()) in ([], [out])
