"""Brings the Portuguese catalogue up to the texts of the program: `python -m tests.portuguese`.

It reads every text out of the code, keeps the translations that still fit, drops texts that are
gone, writes `railspine.po` sorted by text and compiles `railspine.mo`. What it prints is left to
translate: write it into the .po and run it again.
"""

import datetime
import io
import sys
import tomllib
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import designer
from designer.catalog.types import ANY_MAKER
from designer.resources import resource

PACKAGE = Path(designer.__file__).parent
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
FOLDER = resource("translations", "pt_BR", "LC_MESSAGES")
PO, MO = FOLDER / "railspine.po", FOLDER / "railspine.mo"
EPOCH = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
HEAD = b"""msgid ""
msgstr ""
"Project-Id-Version: railspine\\n"
"Language: pt_BR\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def data_texts():
    """Texts that stand in data: names of parts that any maker sells, titles of workloads."""
    for path in sorted(resource("catalog").glob("*.toml")):
        for slug, part in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if part["vendor"] == ANY_MAKER:
                yield part["model"], f"{path.name}: {slug}"
    for path in sorted(resource("workloads").glob("*.toml")):
        yield tomllib.loads(path.read_text(encoding="utf-8"))["title"], path.name


def texts():
    """All texts of the program: {text, or (singular, plural): where it stands first}."""
    found = dict(data_texts())
    for name, line, message, _comments, _context in extract_from_dir(
        str(PACKAGE), [("**.py", "python")], keywords=KEYWORDS
    ):
        if message:
            found.setdefault(message, f"{name}:{line}")
    return found


def forms(message):
    """The forms of a text or of a translation: one, or one and many."""
    return tuple(message) if isinstance(message, (tuple, list)) else (message,)


def catalogue():
    """The catalogue as it stands in the .po."""
    with PO.open("rb") as stream:
        return read_po(stream, locale="pt_BR")


def compiled(catalog):
    """The bytes of the .mo of `catalog`, the same whenever they are made."""
    catalog.creation_date = catalog.revision_date = EPOCH
    stream = io.BytesIO()
    write_mo(stream, catalog)
    return stream.getvalue()


def whole(message, entry):
    """Whether a catalogue entry says all forms of a text."""
    if entry is None or entry.fuzzy or not all(forms(entry.string)):
        return False
    return isinstance(message, str) or len(forms(entry.string)) == len(message)


def untranslated(catalog):
    """The texts that `catalog` holds no whole translation of, with where they stand."""
    rows = [(m, where, catalog.get(forms(m)[0])) for m, where in texts().items()]
    return {message: where for message, where, entry in rows if not whole(message, entry)}


def updated(old):
    """A new catalogue with the texts of the code and the translations of `old`."""
    new = read_po(io.BytesIO(HEAD), locale="pt_BR")
    plurals = {m[0]: m for m in texts() if isinstance(m, tuple)}
    for message in texts():
        key = plurals.get(forms(message)[0], message)
        entry = old.get(forms(key)[0])
        said = forms(entry.string) if entry is not None else ("",)
        if isinstance(key, tuple):
            new.add(key, said if len(said) == len(key) else ("", ""))
        else:
            new.add(key, said[0] if len(said) == 1 else "")
    return new


def save(catalog):
    """Write the .po, sorted and without dates, and the .mo."""
    body = io.BytesIO()
    write_po(body, catalog, sort_output=True, no_location=True, omit_header=True, width=100)
    FOLDER.mkdir(parents=True, exist_ok=True)
    PO.write_bytes(HEAD + body.getvalue().lstrip(b"\n"))
    MO.write_bytes(compiled(catalogue()))


def main():
    """Update both files and list what is left to translate."""
    save(updated(catalogue() if PO.exists() else Catalog(locale="pt_BR")))
    missing = untranslated(catalogue())
    for message, where in missing.items():
        sys.stdout.write(f"{where}: {forms(message)[0]!r}\n")
    sys.stdout.write(f"{len(texts())} texts, {len(missing)} to translate\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
