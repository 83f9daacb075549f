"""Every text a person reads goes through here: one gettext catalogue, English and Portuguese.

Source texts are English and stand in the code: `_("Rail {n}").format(n=3)`. Constants that are
made before the language is known are marked with `N_` and translated where they are shown.
"""

import gettext
import locale
import os

from designer.resources import resource

LANGUAGES = {"en": "English", "pt_BR": "Português (Brasil)"}

_state: dict[str, object] = {"language": "en", "catalog": gettext.NullTranslations()}


def set_language(code: str) -> None:
    """Use language `code` (`en` or `pt_BR`; anything else falls back to English) from now on."""
    chosen = code if code in LANGUAGES else "en"
    catalog: gettext.NullTranslations = gettext.NullTranslations()
    if chosen != "en":
        catalog = gettext.translation(
            "railspine", resource("translations"), languages=[chosen], fallback=True
        )
    _state["language"] = chosen
    _state["catalog"] = catalog


def language() -> str:
    """Return the language in use: `en` or `pt_BR`."""
    return str(_state["language"])


def system_language() -> str:
    """Return the supported language nearest to the user's environment."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "pt_BR" if value.lower().startswith("pt") else "en"
    found = locale.getlocale()[0] or ""
    return "pt_BR" if found.lower().startswith("pt") else "en"


def _(text: str) -> str:
    """Return `text` in the language in use."""
    catalog = _state["catalog"]
    assert isinstance(catalog, gettext.NullTranslations)
    return catalog.gettext(text) if text else ""


def ngettext(singular: str, plural: str, n: int) -> str:
    """Return the form of a text that fits the number `n`."""
    catalog = _state["catalog"]
    assert isinstance(catalog, gettext.NullTranslations)
    return catalog.ngettext(singular, plural, n)


def N_(text: str) -> str:
    """Mark a constant for translation and return it unchanged."""
    return text
