"""Colours by token, in light and dark; rail colours; the map of link utilisation."""

from functools import lru_cache

LIGHT = {
    "canvas": "#FBFCFD",
    "grid": "#E4E8ED",
    "window": "#F1F3F6",
    "surface": "#FFFFFF",
    "raised": "#FFFFFF",
    "hover": "#E8ECF1",
    "border": "#D9DEE5",
    "border2": "#7F8897",
    "text": "#17202E",
    "text2": "#465264",
    "text3": "#5D697A",
    "accent": "#1B5FC1",
    "accentText": "#FFFFFF",
    "selTint": "#E2ECFB",
    "ok": "#12705F",
    "okTint": "#DFF2EC",
    "warn": "#8A5200",
    "warnTint": "#FDF3DC",
    "warnFill": "#E9A820",
    "err": "#B3261E",
    "errTint": "#FBE4E1",
    "body": "#FFFFFF",
    "body2": "#EEF1F5",
    "bodyLine": "#7C8796",
    "tier": "#F5F7F9",
    "tierLine": "#E4E8ED",
    "gpu": "#A9BEDD",
    "gpuLine": "#7089B0",
    "nvsw": "#BFE0D3",
    "nvswLine": "#3E8A70",
    "server": "#3D6CB0",
    "nvswitch": "#2E7D64",
    "leaf": "#0F6E84",
    "spine": "#5A4A9C",
    "core": "#2A3342",
    "host": "#465264",
    "loc1": "#23446F",
    "loc2": "#5E8FCB",
    "loc3": "#E0912F",
    "ib": "#23446F",
    "roce": "#C4741A",
}
DARK = {
    "canvas": "#11151B",
    "grid": "#222933",
    "window": "#181D24",
    "surface": "#1E242D",
    "raised": "#262E39",
    "hover": "#2A323E",
    "border": "#323B47",
    "border2": "#7A8697",
    "text": "#E8ECF2",
    "text2": "#B3BDCA",
    "text3": "#94A0B0",
    "accent": "#78AEFF",
    "accentText": "#0E1726",
    "selTint": "#20365A",
    "ok": "#63CDB4",
    "okTint": "#16352F",
    "warn": "#F2BC55",
    "warnTint": "#3A2E14",
    "warnFill": "#F2BC55",
    "err": "#FF9389",
    "errTint": "#45211F",
    "body": "#232B36",
    "body2": "#2C3541",
    "bodyLine": "#8390A2",
    "tier": "#151A21",
    "tierLine": "#232B35",
    "gpu": "#38507A",
    "gpuLine": "#7E9CCB",
    "nvsw": "#265445",
    "nvswLine": "#6FBBA1",
    "server": "#86AEEA",
    "nvswitch": "#74C7A9",
    "leaf": "#57BDD4",
    "spine": "#B0A0F0",
    "core": "#C9D2DF",
    "host": "#B3BDCA",
    "loc1": "#8FB4E8",
    "loc2": "#4A74B4",
    "loc3": "#F0A94B",
    "ib": "#8FB4E8",
    "roce": "#E9A04E",
}
THEMES = {"light": LIGHT, "dark": DARK}

RAILS = {
    "light": (
        "#0F4C96",
        "#96590F",
        "#287D65",
        "#710F59",
        "#969628",
        "#7D4CD3",
        "#C60F0F",
        "#6596BA",
    ),
    "dark": (
        "#40A2F7",
        "#F7D396",
        "#0F7171",
        "#F77DA2",
        "#7DA20F",
        "#9640C6",
        "#AE400F",
        "#65DFF7",
    ),
}
# Stops at 0, 10 … 100 %; equal steps in OKLab, lightness monotone also for colour-blind eyes.
HEAT = {
    "light": (
        "#B2BFCE",
        "#C0B1A2",
        "#C9A273",
        "#CF9041",
        "#CE7632",
        "#CB5B22",
        "#C1401B",
        "#AC2E26",
        "#97182B",
        "#7E0E2D",
        "#66032C",
    ),
    "dark": (
        "#455160",
        "#6D5167",
        "#914D6D",
        "#B05168",
        "#CC5B59",
        "#E76644",
        "#EF8342",
        "#F69F3F",
        "#FABA55",
        "#FDD57D",
        "#FEF1A1",
    ),
}
HEAT_LEVELS = 20


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@lru_cache(maxsize=4096)
def blend(top: str, below: str, share: float) -> str:
    """Return the opaque colour of `top` at strength `share` over `below`, all `#RRGGBB`."""
    mixed = (
        round(a * share + b * (1 - share)) for a, b in zip(_rgb(top), _rgb(below), strict=True)
    )
    return "#{:02X}{:02X}{:02X}".format(*mixed)


def token(name: str, theme: str) -> str:
    """Return a colour as `#RRGGBB`; a text that is one already passes through."""
    return name if name.startswith("#") else THEMES[theme][name]


def rail_color(rail: int, theme: str) -> str:
    """Return the colour of rail `rail` (from 1); colours repeat after 8."""
    return RAILS[theme][(rail - 1) % 8]


@lru_cache(maxsize=256)
def _heat(level: int, theme: str) -> str:
    place = level / HEAT_LEVELS * 10
    low = min(9, int(place))
    return blend(HEAT[theme][low + 1], HEAT[theme][low], place - low)


def heat_color(utilization: float, theme: str) -> str:
    """Return the colour of a link utilisation; the scale is fixed, 0 to 100 %."""
    level = round(max(0.0, min(1.0, utilization)) * HEAT_LEVELS)
    return _heat(level, theme)


def text_on(fill: str) -> str:
    """Return black or white, whichever stands out more on a fill."""
    r, g, b = _rgb(fill)
    light = 0.2126 * (r / 255) ** 2.2 + 0.7152 * (g / 255) ** 2.2 + 0.0722 * (b / 255) ** 2.2
    return "#10151C" if (light + 0.05) ** 2 > 0.05 * 1.05 else "#FFFFFF"
