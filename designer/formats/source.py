"""Foreign files as text: packed ones opened, other encodings understood, sizes bounded."""

import gzip
import zlib
from pathlib import Path

from designer.errors import FileError
from designer.formats.native import read_bytes
from designer.messages import _

# The largest fabrics known give some tens of megabytes.
MAX_BYTES = 1 << 28


def read_text(path: Path, limit: int = MAX_BYTES) -> str:
    """Return the text of a file; `.gz` is unpacked, whatever its name.

    Raises:
        FileError: It cannot be read, is larger than `limit` (unpacked), or is no text.
    """
    data = read_bytes(path, limit)
    if data[:2] == b"\x1f\x8b":
        data = _unpacked(data, path, limit)
    return decode(data, path.name)


def _unpacked(data: bytes, path: Path, limit: int) -> bytes:
    out, rest = bytearray(), data
    try:
        while rest[:2] == b"\x1f\x8b":
            unpacker = zlib.decompressobj(wbits=31)
            out += unpacker.decompress(rest, limit + 1 - len(out))
            if len(out) > limit:
                raise FileError(
                    _("{path} is larger than {n} MB when unpacked.").format(
                        path=path, n=limit >> 20
                    ),
                    _("No wiring file is. Unpack it and look what it holds."),
                )
            if not unpacker.eof:
                raise EOFError(_("it is cut off"))
            rest = unpacker.unused_data
    except (zlib.error, gzip.BadGzipFile, EOFError) as fault:
        raise FileError(
            _("{path} cannot be unpacked: {fault}").format(path=path, fault=fault),
            _("Copy it again."),
        ) from fault
    return bytes(out)


def decode(data: bytes, where: str) -> str:
    """Return bytes as text: UTF-8, UTF-16 with its mark, or single bytes as a last resort.

    Raises:
        FileError: It is no text.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # what a Windows shell writes
        return data.decode("utf-16", "replace").removeprefix("\ufeff")
    if b"\0" in data[:4096]:
        raise FileError(
            _("{where} is no text file.").format(where=where),
            _("Choose the text that the tool printed."),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
