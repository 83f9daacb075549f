"""What a person hands over as TOML is read, or refused in words without Python in them."""

import pytest

from designer.catalog.load import load_catalog
from designer.errors import CatalogError, FileError
from designer.model.workload import load_workload
from designer.toml_text import MAX_BYTES, TomlError, read_toml


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a = = 1", "line 1"),
        (b'a = "\xe9"', "byte 5"),
        (b"a = " + b"[" * 100_000, "recursion"),
        (b"a = " + b"9" * 5000, "digits"),
        (b"#" * (MAX_BYTES + 1), "16 MB"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, data, says):
    path = tmp_path / "x.toml"
    path.write_bytes(data)
    with pytest.raises(TomlError, match=says):
        read_toml(path)
    with pytest.raises(CatalogError, match=r"x\.toml"):
        load_catalog(path)
    with pytest.raises(FileError, match=r"x\.toml"):
        load_workload(path)


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_what_is_no_file_says_so_without_an_error_number(tmp_path, name):
    with pytest.raises(TomlError) as caught:
        read_toml(tmp_path / name)
    assert "Errno" not in str(caught.value)


def test_a_mark_and_windows_line_ends_are_read(tmp_path):
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xef\xbb\xbf[a]\r\nb = 1\r\n")
    assert read_toml(path) == {"a": {"b": 1}}
