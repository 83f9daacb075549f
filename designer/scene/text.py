"""Widths of texts in Inter, without Qt: advances read once from the font the window shows."""

from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

import fontpkg_inter


@cache
def font_file() -> Path:
    """Return the upright Inter variable font."""
    return Path(fontpkg_inter.__file__).parent / "files" / "Inter[opsz,wght].ttf"


@cache
def _advances(weight: int) -> tuple[dict[int, int], int, int]:
    """Return advance by code point, that of an unknown glyph, and the units of an em."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    # read whole: a lazy font keeps its file open
    font = TTFont(BytesIO(font_file().read_bytes()), lazy=True)
    for tag in set(font.keys()) - {
        "GlyphOrder",
        "head",
        "hhea",
        "maxp",
        "hmtx",
        "cmap",
        "fvar",
        "avar",
        "HVAR",
        "OS/2",
        "post",
        "glyf",
        "loca",
        "name",
        "STAT",
    }:
        del font[tag]
    del font["glyf"], font["loca"], font["STAT"]
    instantiateVariableFont(font, {"wght": weight, "opsz": 14}, inplace=True)
    metrics, names = font["hmtx"], font.getBestCmap()
    table = {code: metrics[name][0] for code, name in names.items()}
    return table, metrics[".notdef"][0], font["head"].unitsPerEm


@lru_cache(maxsize=65536)
def text_width(text: str, size: float = 12.0, weight: int = 400) -> float:
    """Return the width of a text in pixels at `size` pixels an em; kerning is left out."""
    table, unknown, em = _advances(500 if weight == 500 else 600 if weight > 500 else 400)
    return sum(table.get(ord(c), unknown) for c in text) * size / em


def elide(text: str, room: float, size: float = 12.0, weight: int = 400) -> str:
    """Return the text, cut with an ellipsis to fit `room` pixels; empty when nothing fits."""
    if text_width(text, size, weight) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        cut = text[:end].rstrip() + "…"
        if text_width(cut, size, weight) <= room:
            return cut
    return ""
