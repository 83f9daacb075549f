"""Parses a command line, runs its command and turns errors into messages and exit codes."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from designer import __version__
from designer.cli import argparse_texts
from designer.cli.command_table import COMMANDS
from designer.cli.context import Context, Screenshots
from designer.errors import CannotRunHereError, DesignerError
from designer.messages import LANGUAGES, _, set_language, system_language
from designer.services.export import PictureWriter

OpenWindow = Callable[[Sequence[Path], str | None], int]


def _parser() -> argparse.ArgumentParser:
    argparse_texts.translate()
    parser = argparse.ArgumentParser(
        prog="railspine",
        description=_("Draw a GPU training network and see whether it pays for itself."),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"Railspine {__version__}",
        help=_("show program's version number and exit"),
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--lang",
        choices=tuple(LANGUAGES),
        default=argparse.SUPPRESS,
        help=_("language of texts and numbers"),
    )
    common.add_argument(
        "--catalog-file",
        type=Path,
        metavar="TOML",
        default=argparse.SUPPRESS,
        help=_("your own parts, laid over the catalogue"),
    )
    sub = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (text, function, arguments) in COMMANDS.items():
        one = sub.add_parser(name, help=_(text), description=_(text), parents=[common])
        one.set_defaults(function=function)
        for argument in arguments:
            options = dict(argument.options)
            options["help"] = _(options["help"])
            one.add_argument(*argument.names, **options)
    return parser


def run(
    argv: list[str],
    open_window: OpenWindow,
    pictures: Mapping[str, PictureWriter] | None = None,
    screenshots: Screenshots | None = None,
) -> int:
    """Run one command line; returns 0 fine, 1 errors found, 2 bad input, 3 cannot run here."""
    _print_anything()
    language = _language(argv)
    set_language(language or system_language())
    words = [
        a
        for i, a in enumerate(argv)
        if not a.startswith("-") and (i == 0 or argv[i - 1] not in ("--lang",))
    ]
    try:
        if not any(a in ("-h", "--help", "--version") for a in argv) and (
            not words or words[0] not in COMMANDS
        ):
            return _open(argv, words, open_window, language)
        options = _parser().parse_args(_hoisted(argv))
        catalog_file = getattr(options, "catalog_file", None)
        code: int = options.function(options, Context(catalog_file, pictures, screenshots))
        sys.stdout.flush()
    except DesignerError as fault:
        return _report(fault)
    except BrokenPipeError:
        _let_go(sys.stdout)
        return 0
    except OSError as fault:
        # files are guarded where they are opened; what is left are the streams of the terminal
        _let_go(sys.stdout)
        return _report(
            DesignerError(
                _("The output cannot be written: {fault}").format(fault=fault.strerror or fault),
                _("Write it to another place, or make room there."),
            )
        )
    except KeyboardInterrupt:
        _say(_("Stopped."))
        return 130
    return code


def _let_go(stream: TextIO) -> None:
    """Point a stream that takes nothing any more to where all is taken: exit flushes it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _print_anything() -> None:
    """Let a terminal that lacks a character show “?” in its place, and a closed stream take all."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _hoisted(argv: list[str]) -> list[str]:
    """Move options given before the command behind it: `--lang pt_BR check F` works."""
    front: list[str] = []
    rest = list(argv)
    while rest and rest[0] in ("--lang", "--catalog-file"):
        front += rest[:2]
        del rest[:2]
    return rest + front if front else rest


def _language(argv: list[str]) -> str | None:
    for i, word in enumerate(argv):
        if word == "--lang" and i + 1 < len(argv):
            return argv[i + 1]
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return None


def _open(argv: list[str], words: list[str], open_window: OpenWindow, language: str | None) -> int:
    unknown = [a for a in argv if a.startswith("-") and a.partition("=")[0] != "--lang"]
    if unknown:
        raise DesignerError(
            _("Unknown option {option}.").format(option=unknown[0]),
            _("“railspine --help” lists commands and options."),
        )
    for word in words:
        if not Path(word).exists():
            raise DesignerError(
                _("“{word}” is neither a command nor a file.").format(word=word),
                _("“railspine --help” lists the commands."),
            )
    return open_window([Path(w) for w in words], language)


def _report(fault: DesignerError) -> int:
    _say(_("railspine: {message}").format(message=fault.message))
    if fault.hint:
        _say(f"  {fault.hint}")
    return 3 if isinstance(fault, CannotRunHereError) else 2


def _say(text: str) -> None:
    with suppress(OSError):
        sys.stderr.write(text + "\n")
