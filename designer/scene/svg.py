"""Writes a display list as SVG: self-contained, text as text, icons as paths, a `viewBox`."""

import re
from collections.abc import Iterable
from functools import cache
from html import escape

from designer.resources import resource
from designer.scene.display_list import (
    Array,
    Circles,
    Curves,
    DisplayList,
    Icons,
    Lines,
    Polygons,
    Polylines,
    Primitive,
    Rects,
    Texts,
)
from designer.scene.theme import token

# Long paths are quadratic in common viewers; 16 segments a path is the fastest to open.
_PER_PATH = 16


def _n(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def svg(picture: DisplayList, title: str = "") -> str:
    """Return a display list as the text of an SVG file."""
    w, h = _n(picture.width), _n(picture.height)
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
        f"viewBox=\"0 0 {w} {h}\" font-family=\"Inter, 'Inter Variable', 'Segoe UI', "
        f"'Helvetica Neue', 'DejaVu Sans', sans-serif\">",
    ]
    if title:
        parts.append(f"<title>{escape(title, quote=False)}</title>")
    if picture.background:
        fill = token(picture.background, picture.theme)
        parts.append(f'<rect width="{w}" height="{h}" fill="{fill}"/>')
    for item in picture.items:
        parts += _item(item, picture.theme)
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _paint(fill: str, stroke: str, width: float, theme: str, dash: tuple[float, ...] = ()) -> str:
    out = f'fill="{token(fill, theme) if fill else "none"}"'
    if stroke:
        out += f' stroke="{token(stroke, theme)}" stroke-width="{_n(width)}"'
    if dash:
        out += f' stroke-dasharray="{" ".join(_n(d * max(1.0, width)) for d in dash)}"'
    return out


def _paths(segments: list[str], style: str) -> Iterable[str]:
    for k in range(0, len(segments), _PER_PATH):
        yield f'<path d="{"".join(segments[k : k + _PER_PATH])}" {style}/>'


def _item(item: Primitive, theme: str) -> Iterable[str]:
    if isinstance(item, Rects):
        style = _paint(item.fill, item.stroke, item.width, theme, item.dash)
        round_ = f' rx="{_n(item.radius)}"' if item.radius else ""
        yield f"<g {style}>"
        for x, y, w, h in item.xywh:
            yield (
                f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(max(0, w))}" '
                f'height="{_n(max(0, h))}"{round_}/>'
            )
        yield "</g>"
    elif isinstance(item, Lines):
        style = _paint("", item.color, item.width, theme, item.dash)
        yield from _paths([f"M{_n(a)} {_n(b)}L{_n(c)} {_n(d)}" for a, b, c, d in item.xyxy], style)
    elif isinstance(item, Curves):
        style = _paint("", item.color, item.width, theme, item.dash)
        yield from _paths(
            [f"M{_n(p[0])} {_n(p[1])}C{' '.join(map(_n, p[2:]))}" for p in item.points], style
        )
    elif isinstance(item, Polygons):
        style = _paint(item.fill, item.stroke, item.width, theme)
        yield from _paths(
            ["M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in shape) + "Z" for shape in item.points],
            style,
        )
    elif isinstance(item, Polylines):
        style = _paint("", item.color, item.width, theme, item.dash)
        yield from _paths([rounded(p, item.radius) for p in item.lines], style)
    elif isinstance(item, Circles):
        yield f"<g {_paint(item.fill, item.stroke, item.width, theme)}>"
        for x, y, r in item.xyr:
            yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}"/>'
        yield "</g>"
    elif isinstance(item, Texts):
        yield from _texts(item, theme)
    elif isinstance(item, Icons):
        for name, x, y, size, color in item.items:
            yield (
                f'<g transform="translate({_n(x)} {_n(y)}) scale({_n(size / 24)})" fill="none" '
                f'stroke="{token(color, theme)}" stroke-width="1.75" stroke-linecap="round" '
                f'stroke-linejoin="round">{icon_body(name)}</g>'
            )


def _texts(item: Texts, theme: str) -> Iterable[str]:
    for t in item.runs:
        anchor = f' text-anchor="{t.anchor}"' if t.anchor != "start" else ""
        weight = f' font-weight="{t.weight}"' if t.weight != 400 else ""
        yield (
            f'<text x="{_n(t.x)}" y="{_n(t.y)}" font-size="{_n(t.size)}"{weight}{anchor} '
            f'fill="{escape(token(t.color, theme))}">{escape(t.text, quote=False)}</text>'
        )


def rounded(points: Array, radius: float) -> str:
    """Return the path of a polyline whose corners are rounded by up to `radius`."""
    out = f"M{_n(points[0][0])} {_n(points[0][1])}"
    for k in range(1, len(points) - 1):
        before, here, after = points[k - 1], points[k], points[k + 1]
        one, two = before - here, after - here
        a, b = float((one**2).sum()) ** 0.5, float((two**2).sum()) ** 0.5
        r = min(radius, a / 2, b / 2)
        if r < 0.5:
            out += f"L{_n(here[0])} {_n(here[1])}"
            continue
        p, q = here + one / a * r, here + two / b * r
        out += f"L{_n(p[0])} {_n(p[1])}Q{_n(here[0])} {_n(here[1])} {_n(q[0])} {_n(q[1])}"
    return out + f"L{_n(points[-1][0])} {_n(points[-1][1])}"


@cache
def icon_body(name: str) -> str:
    """Return what is inside the `<svg>` of an icon that ships with the program."""
    text = resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    match = re.search(r"<svg[^>]*>(.*)</svg>", text, re.DOTALL)
    return match[1].strip() if match else ""
