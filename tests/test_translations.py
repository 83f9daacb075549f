"""Every text a person reads has a Portuguese translation that fits it."""

import io
import re
import string
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

import designer
from designer.messages import _, set_language
from designer.resources import resource

PACKAGE = Path(designer.__file__).parent
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
CATALOG = ("translations", "pt_BR", "LC_MESSAGES")


@pytest.fixture(scope="module")
def portuguese():
    with resource(*CATALOG, "railspine.po").open("rb") as stream:
        return read_po(stream, locale="pt_BR")


@pytest.fixture(scope="module")
def texts():
    """All texts of the program: {id or (id, plural): where it stands}."""
    found = {}
    rows = extract_from_dir(str(PACKAGE), [("**.py", "python")], keywords=KEYWORDS)
    for name, line, message, _comments, _context in rows:
        if message and message != "":
            found.setdefault(message, f"{name}:{line}")
    return found


def fields(text):
    return {name for _lit, name, _spec, _conv in string.Formatter().parse(text) if name}


def test_every_text_is_translated(texts, portuguese):
    missing = []
    for message, where in texts.items():
        key = message[0] if isinstance(message, tuple) else message
        entry = portuguese.get(key)
        strings = entry.string if entry else ""
        whole = all(strings) if isinstance(strings, (tuple, list)) else bool(strings)
        if entry is None or not whole or entry.fuzzy:
            missing.append(f"{where}: {key!r}")
    assert not missing, "\n".join(missing[:40]) + f"\n{len(missing)} texts in all"


def test_translations_keep_the_places_for_values(texts, portuguese):
    wrong = []
    for message in texts:
        forms = message if isinstance(message, tuple) else (message,)
        entry = portuguese.get(forms[0])
        if entry is None or "{" not in "".join(forms):
            continue
        strings = entry.string if isinstance(entry.string, (tuple, list)) else (entry.string,)
        wanted = set().union(*(fields(f) for f in forms))
        wrong += [f"{forms[0]!r} -> {s!r}" for s in strings if s and not fields(s) <= wanted]
    assert not wrong, "\n".join(wrong)


def test_the_compiled_catalogue_is_the_written_one(portuguese):
    with resource(*CATALOG, "railspine.mo").open("rb") as stream:
        compiled = read_mo(stream)
    again = io.BytesIO()
    write_mo(again, portuguese)
    again.seek(0)
    written = read_mo(again)
    assert {m.id: m.string for m in compiled if m.id} == {m.id: m.string for m in written if m.id}


def test_no_text_is_built_before_it_is_translated():
    """An f-string inside `_()` can never be found in the catalogue."""
    pattern = re.compile(r"(?<!\w)(?:_|ngettext|N_)\(\s*f[\"']")
    hits = [str(p) for p in PACKAGE.rglob("*.py") if pattern.search(p.read_text(encoding="utf-8"))]
    assert not hits


def test_switching_the_language_switches_the_texts():
    set_language("pt_BR")
    assert _("Undo") == "Desfazer"
    set_language("en")
    assert _("Undo") == "Undo"
