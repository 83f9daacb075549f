"""Rules for every test: no display needed, English, and no stray log records or threads."""

import logging
import os
import threading

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from hypothesis import settings

from designer.messages import set_language

# Machines differ; a slow one is no fault of the code. Where a change is checked (CI), examples are
# the same every time, so that what fails is the change; elsewhere every run looks further.
settings.register_profile(
    "railspine",
    deadline=None,
    max_examples=60,
    print_blob=True,
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("railspine")


@pytest.fixture(autouse=True)
def english():
    """Every test starts in English, whatever ran before."""
    set_language("en")
    yield
    set_language("en")


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """Settings and recovery files of a test stay in its own folder."""
    monkeypatch.setenv("RAILSPINE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("RAILSPINE_STATE", str(tmp_path / "state"))


@pytest.fixture(autouse=True)
def quiet(caplog):
    """Fail a test that leaves a log record of level WARNING or above that it did not expect."""
    yield
    stray = [
        r
        for r in caplog.get_records("call")
        if r.levelno >= logging.WARNING and not getattr(r, "expected", False)
    ]
    expected = getattr(caplog, "expected_warnings", False)
    assert expected or not stray, [r.getMessage() for r in stray]


@pytest.fixture(autouse=True)
def no_leaked_threads():
    """Fail a test that leaves a thread of ours running."""
    before = set(threading.enumerate())
    yield
    left = [
        t
        for t in set(threading.enumerate()) - before
        if t.name.startswith("railspine") and t.is_alive()
    ]
    assert not left, left
