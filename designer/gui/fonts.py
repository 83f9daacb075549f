"""Fonts of the window: Inter in the sizes and weights of each role, with tabular figures."""

from functools import lru_cache

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QHeaderView, QProxyStyle, QWidget

from designer.scene.text import font_file

FAMILY = "Inter"
# Role of a label or button -> (pixels, weight). A style sheet cannot do this: the weight of a
# variable font is an axis, which style sheets do not reach.
ROLES: dict[str, tuple[int, int]] = {
    "display": (22, 600),
    "figure": (22, 600),
    "heading": (17, 600),
    "name": (17, 600),
    "section": (15, 600),
    "title": (13, 600),
    "strong": (13, 600),
    "side": (13, 500),
    "link": (12, 600),
    "row": (12, 400),
    "rowText": (12, 400),
    "rowStrong": (12, 600),
    "formula": (15, 500),
    "secondary": (12, 400),
    "small": (11, 400),
    "smallStrong": (11, 600),
    "pill": (11, 600),
    "tiny": (10, 400),
}
BODY = (13, 400)


@lru_cache(maxsize=64)
def font(size: int = 13, weight: int = 400) -> QFont:
    """Return Inter at `size` pixels, with figures of equal width."""
    if FAMILY not in QFontDatabase.families():
        QFontDatabase.addApplicationFont(str(font_file()))
    found = QFont(FAMILY)
    found.setPixelSize(size)
    found.setWeight(QFont.Weight(weight))
    found.setVariableAxis(QFont.Tag("wght"), weight)
    found.setFeature(QFont.Tag("tnum"), 1)
    found.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return found


def role_font(role: str) -> QFont:
    """Return the font of a role; body text for an unknown one."""
    return font(*ROLES.get(role, BODY))


class RoleStyle(QProxyStyle):
    """Fusion, with the font of its role for every widget that states one."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def polish(self, target: object) -> object:  # type: ignore[override]
        """Give a widget its font when it is first shown."""
        if isinstance(target, QWidget):
            role = target.property("role")
            if isinstance(role, str) and role in ROLES:
                target.setFont(role_font(role))
            elif target.property("primary"):
                target.setFont(font(13, 600))
            elif isinstance(target, QHeaderView):
                target.setFont(font(11, 600))
        return super().polish(target)  # type: ignore[call-overload]
