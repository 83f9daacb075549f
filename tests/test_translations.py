"""Every text a person reads has a Portuguese translation that fits it."""

import ast
import io
import re
import string

import pytest
from babel.messages.mofile import read_mo

from designer.messages import _, ngettext, set_language
from designer.resources import resource
from tests.portuguese import MO, PACKAGE, PO, catalogue, compiled, forms, save, texts, untranslated

PERCENT = re.compile(r"%(?:\((\w+)\))?([rsd])")
TRANSLATORS = {"_", "N_", "ngettext"}


@pytest.fixture(scope="module")
def portuguese():
    return catalogue()


def fields(text):
    """The places for values in a text: name, format and conversion of each."""
    percent = {(name, kind, "%") for name, kind in PERCENT.findall(text)}
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:  # a lone brace: the text is not formatted
        return percent
    return percent | {(name, spec, how) for _lit, name, spec, how in parts if name is not None}


def fits(message, entry):
    """Whether a translation has just the places for values that its text has."""
    said = forms(entry.string)
    if isinstance(message, str) or len(message) != len(said):
        return all(fields(s) == fields(forms(message)[0]) for s in said if s)
    one, many = map(fields, message)
    return fields(said[0]) in (one, many) and fields(said[1]) == many


def built_texts(source):
    """Lines on which a text is put together before it is looked up."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id in TRANSLATORS:
            looked_up = node.args[:2] if node.func.id == "ngettext" else node.args[:1]
            for text in looked_up:
                formats = isinstance(text, ast.Call) and isinstance(text.func, ast.Attribute)
                if isinstance(text, (ast.JoinedStr, ast.BinOp)) or (
                    formats and text.func.attr == "format"
                ):
                    yield node.lineno


def test_every_text_is_translated(portuguese):
    missing = [f"{where}: {forms(m)[0]!r}" for m, where in untranslated(portuguese).items()]
    hint = "run `python -m tests.portuguese`, translate what it lists, run it again"
    assert not missing, "\n".join(missing[:40]) + f"\n{len(missing)} texts in all; {hint}"


def test_translations_keep_the_places_for_values(portuguese):
    entries = [(message, portuguese.get(forms(message)[0])) for message in texts()]
    wrong = [f"{m!r} -> {e.string!r}" for m, e in entries if e is not None and not fits(m, e)]
    assert not wrong, "\n".join(wrong)


def test_translations_end_like_their_texts(portuguese):
    """A sentence stays a sentence, a label a label, and no space is lost at either end."""
    wrong = []
    for message in texts():
        entry = portuguese.get(forms(message)[0])
        for text, said in zip(forms(message), forms(entry.string) if entry else (), strict=False):
            same_end = (text[-1] in ".?!…") == (said[-1:] in tuple(".?!…"))
            same_space = (text[0] == " ", text[-1] == " ") == (said[:1] == " ", said[-1:] == " ")
            if said and not (same_end and same_space):
                wrong.append(f"{text!r} -> {said!r}")
    assert not wrong, "\n".join(wrong)


def test_the_compiled_catalogue_is_the_written_one(portuguese):
    shipped, written = (
        {forms(m.id): forms(m.string) for m in read_mo(io.BytesIO(data)) if m.id}
        for data in (MO.read_bytes(), compiled(portuguese))
    )
    assert shipped == written, "run `python -m tests.portuguese`"


def test_writing_the_catalogue_again_changes_nothing(portuguese, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.portuguese.FOLDER", tmp_path)
    monkeypatch.setattr("tests.portuguese.PO", tmp_path / "railspine.po")
    monkeypatch.setattr("tests.portuguese.MO", tmp_path / "railspine.mo")
    save(portuguese)
    assert (tmp_path / "railspine.po").read_bytes() == PO.read_bytes()


def test_no_text_is_built_before_it_is_translated():
    """An f-string, a sum or a formatted text inside `_()` is never found in the catalogue."""
    hits = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in built_texts(path.read_text(encoding="utf-8"))
    ]
    assert not hits


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('_(f"Rail {n}")', [1]),
        ('x = 1\n_("Rail " + name)', [2]),
        ('_("Rail {n}".format(n=3))', [1]),
        ('ngettext("one", f"{n} many", n)', [1]),
        ('_("Rail {n}").format(n=3)', []),
        ("_(title)", []),
    ],
)
def test_texts_built_too_early_are_seen(source, lines):
    assert list(built_texts(source)) == lines


def test_switching_the_language_switches_the_texts():
    set_language("pt_BR")
    assert _("Undo") == "Desfazer"
    assert ngettext("{n} cable", "{n} cables", 1) == "{n} cabo"
    assert ngettext("{n} cable", "{n} cables", 2) == "{n} cabos"
    set_language("en")
    assert _("Undo") == "Undo"


def outline(page):
    """What a translated page has to share with its original: headings, rows, code and bullets."""
    marks = ("# ", "## ", "### ", "| ", "- ", "    ")
    found = (next((m for m in marks if line.startswith(m)), "") for line in page.splitlines())
    return [mark for mark in found if mark]


@pytest.mark.parametrize("page", sorted(p.name for p in resource("help").glob("*.md")))
def test_help_pages_are_translated_section_by_section(page):
    english = outline(resource("help", page).read_text(encoding="utf-8"))
    own = outline(resource("help", "pt_BR", page).read_text(encoding="utf-8"))
    assert own == english
