"""Charts of the reports as SVG text: ranges on one axis, bars, stacked bars, a tornado.

Colours are those of the light theme; every series has a shape or a label beside its colour.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from designer.engine.fabrics import Flip
from designer.reports.chart_axis import Scale, ticks
from designer.units import Range, format_number, format_percent

TEXT, TEXT2, TEXT3 = "#17202E", "#465264", "#5D697A"
BORDER, BORDER2, TRACK = "#D9DEE5", "#7F8897", "#E8ECF1"
IB, ROCE = "#23446F", "#C4741A"
LOC1, LOC2, LOC3 = "#23446F", "#5E8FCB", "#E0912F"
BUBBLE, SURFACE = "#7F8897", "#FFFFFF"

# Characters of a name beside a chart, so that it ends before the bars begin.
_LONGEST = 54

Format = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class RangeRow:
    """One range of a range chart; `square` marks RoCE, a disc marks InfiniBand."""

    label: str
    value: Range
    colour: str
    square: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a stacked bar."""

    label: str
    value: float
    colour: str
    text: str


def _svg(width: int, height: float, body: Sequence[str], title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" role="img" '
        f'width="{width}" height="{height:g}" class="chart" '
        'font-family="Inter, system-ui, sans-serif" font-size="11">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def _text(
    x: float,
    y: float,
    text: str,
    colour: str = TEXT2,
    anchor: str = "start",
    weight: int = 400,
    size: int = 11,
    halo_on: bool = False,
) -> str:
    place = f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
    place += f'font-size="{size}"'
    # a second text in the colour of the paper keeps labels legible where they cross a line
    halo = f'{place} stroke="{SURFACE}" stroke-width="4">{escape(text)}</text>' if halo_on else ""
    return f'{halo}{place} fill="{colour}">{escape(text)}</text>'


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip(" ,") + "…"


def _bar(x: float, y: float, width: float, height: float, colour: str, opacity: float = 1) -> str:
    shown = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:g}" rx="2" '
        f'fill="{colour}"{shown}/>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = BORDER2) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" fill="none"/>'


def _mark(x: float, y: float, colour: str, square: bool) -> str:
    ring = f'fill="{colour}" stroke="{SURFACE}" stroke-width="2"'
    if square:
        return f'<rect x="{x - 6:.1f}" y="{y - 6:.1f}" width="12" height="12" {ring}/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" {ring}/>'


def range_chart(rows: Sequence[RangeRow], divisor: float, title: str, width: int = 470) -> str:
    """Return ranges on one axis, in units of `divisor`: a bar and a mark at typical."""
    low_end = min(r.value.low for r in rows) / divisor
    shown = ticks(low_end, max(r.value.high for r in rows) / divisor, 4)
    scale = Scale(shown[0], shown[-1], 96, width - 30)

    def fmt(value: float) -> str:
        return format_number(value, 2)

    body = []
    for i, row in enumerate(rows):
        y = 22 + i * 56
        value = row.value * (1 / divisor)
        low, high, mid = (scale.at(v) for v in (value.low, value.high, value.typical))
        body += [
            _text(0, y + 12, row.label, TEXT, weight=600, size=12),
            _bar(low, y, high - low, 14, row.colour, 0.3),
            _mark(mid, y + 7, row.colour, row.square),
            _text(mid, y - 6, fmt(value.typical), TEXT, "middle", 600, 12),
            _text(low, y + 28, fmt(value.low), TEXT2),
            _text(high, y + 28, fmt(value.high), TEXT2, "end"),
        ]
    base = 22 + len(rows) * 56 - 4
    body.append(_line(scale.left, base, scale.right, base))
    for at in shown:
        x = scale.at(at)
        body += [
            _line(x, base, x, base + 4),
            _text(x, base + 16, format_number(at), TEXT3, "middle"),
        ]
    return _svg(width, base + 22, body, title)


def pair_bars(
    rows: Sequence[tuple[str, Range, Range]], fmt: Format, title: str, width: int = 470
) -> str:
    """Return two bars a row, InfiniBand above RoCE, with whiskers from low to high."""
    top = max((max(a.high, b.high) for _n, a, b in rows), default=0.0)
    scale = Scale(0, top or 1.0, 110, width - 76)
    body = []
    for i, (name, one, two) in enumerate(rows):
        y = 6 + i * 42
        body.append(_text(0, y + 19, name, TEXT))
        for value, colour, dy in ((one, IB, 0), (two, ROCE, 16)):
            end = scale.at(value.typical)
            far = scale.at(value.high)
            middle = y + dy + 6.5
            body += [
                _bar(scale.left, y + dy, end - scale.left, 13, colour),
                _line(scale.at(value.low), middle, end, middle, SURFACE),
                _line(end, middle, far, middle, TEXT),
                _line(far, y + dy + 3, far, y + dy + 10, TEXT),
                _text(far + 6, y + dy + 11, fmt(value.typical), TEXT, weight=600),
            ]
    return _svg(width, 6 + len(rows) * 42, body, title)


def stacked_bars(
    rows: Sequence[tuple[str, Sequence[Part], str]], title: str, width: int = 700
) -> str:
    """Return one stacked bar a row on one scale, its total at the right, and a legend below."""
    top = max((sum(p.value for p in parts) for _n, parts, _t in rows), default=0.0) or 1.0
    scale = Scale(0, top, 110, width - 80)
    body = []
    for i, (name, parts, total) in enumerate(rows):
        y, x = 4 + i * 34, scale.left
        body.append(_text(0, y + 15, name, TEXT))
        for part in parts:
            wide = scale.at(part.value) - scale.left
            body.append(_bar(x, y, max(0.0, wide - 1), 22, part.colour))
            x += wide
        body.append(_text(x + 8, y + 15, total, TEXT, weight=600, size=12))
    y = 4 + len(rows) * 34 + 8
    legend = {p.label: p for _n, parts, _t in rows[:1] for p in parts}
    x = scale.left
    for label, part in legend.items():
        text = f"{label} {part.text}".strip()
        body += [_bar(x, y, 10, 10, part.colour), _text(x + 15, y + 9, text)]
        x += 30 + 6.1 * len(text)
    return _svg(width, y + 18, body, title)


def tornado(
    flips: Sequence[Flip],
    today: float,
    lines: Sequence[tuple[str, str]],
    words: tuple[str, str, str],
    fmt: Format,
    title: str,
    width: int = 760,
) -> str:
    """Return what moves the difference: one bar an input, from its low to its high value.

    Args:
        flips: Inputs, widest first.
        today: Difference at typical values.
        lines: Name and second line of each input.
        words: Texts left and right of zero, and the name of today's value.
        fmt: Writes an amount of money.
        title: What a screen reader says.
        width: Of the chart, px.
    """
    ends = [v for f in flips for v in (f.margin_low, f.margin_high)] + [today, 0.0]
    shown = ticks(min(ends), max(ends), 5)
    scale = Scale(shown[0], shown[-1], 424, width - 84)
    zero, at, bottom = scale.at(0), scale.at(today), 24 + len(flips) * 38
    body = [
        _line(zero, 18, zero, bottom),
        _text(zero - 8, 12, "◂ " + words[0], ROCE, "end", 600),
        _text(zero + 8, 12, words[1] + " ▸", IB, "start", 600),
    ]
    for i, (flip, (name, second)) in enumerate(zip(flips, lines, strict=True)):
        y = 24 + i * 38
        low, high = sorted((flip.margin_low, flip.margin_high))
        body += [_text(0, y + 10, _short(name), TEXT, weight=600), _text(0, y + 24, second, TEXT2)]
        for start, end, colour in ((low, min(high, 0.0), ROCE), (max(low, 0.0), high, IB)):
            if end > start:
                body.append(
                    _bar(scale.at(start), y, scale.at(end) - scale.at(start), 13, colour, 0.8)
                )
        body += [
            _text(min(scale.at(low), at - 8) - 5, y + 11, fmt(low), TEXT2, "end", halo_on=True),
            _text(max(scale.at(high), at + 8) + 5, y + 11, fmt(high), TEXT2, halo_on=True),
            _mark(at, y + 6.5, TEXT, False),
        ]
    body.append(_text(at, bottom + 13, words[2], TEXT, "middle", 600))
    return _svg(width, bottom + 20, body, title)


@dataclass(frozen=True, slots=True)
class Deviations:
    """One line of a deviation chart: shares that a model is off by, those within and those not."""

    label: str
    within: Sequence[float]
    outside: Sequence[float]
    tolerance: float


def deviation_chart(rows: Sequence[Deviations], title: str, width: int = 860) -> str:
    """Return dots of deviations on one axis, a line a kind of row, over the band that is allowed.

    Args:
        rows: From the top.
        title: For who cannot see it.
        width: Pixels.
    """
    left, pitch, top = 330.0, 22.0, 30.0
    most = max((abs(d) for row in rows for d in (*row.within, *row.outside)), default=0.1)
    most = max(most, max((row.tolerance for row in rows), default=0.0)) * 1.05
    scale = Scale(-most, most, left, width - 20.0)
    bottom = top + pitch * len(rows)
    body = [f'<rect width="{width}" height="{bottom + 30:g}" rx="6" fill="{SURFACE}"/>']
    for value in (v for v in ticks(-most, most, 7) if abs(v) <= most):
        x = scale.at(value)
        body.append(_line(x, top - 6, x, bottom, BORDER2 if value == 0 else BORDER))
        body.append(_text(x, bottom + 18, format_percent(value, 0), TEXT3, "middle"))
    for k, row in enumerate(rows):
        y = top + pitch * (k + 0.5)
        low, high = scale.at(-row.tolerance), scale.at(row.tolerance)
        body.append(_bar(low, y - 7, high - low, 14, LOC2, 0.2))
        body.append(_text(left - 12, y + 4, _short(row.label), TEXT, "end"))
        body += [_dot(scale.at(d), y, LOC1, LOC1) for d in row.within]
        body += [_dot(scale.at(d), y, SURFACE, ROCE) for d in row.outside]
    return _svg(width, bottom + 30, body, title)


def _dot(x: float, y: float, fill: str, ring: str) -> str:
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" fill-opacity="0.75" '
        f'stroke="{ring}" stroke-width="1.6"/>'
    )
