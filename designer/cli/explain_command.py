"""The command `explain`: how a number was made, or why there is none."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from difflib import get_close_matches
from typing import Any

from designer.cli.context import Context
from designer.cli.job_arguments import analysis_options
from designer.engine.analyze import analyze
from designer.engine.explain import explanation_text
from designer.engine.explain_plain import plain_reason
from designer.engine.results import Results
from designer.errors import ParameterError
from designer.messages import _
from designer.services.create import open_file

_ABSENT = object()
_MOST_NEAR = 8


def explain(options: argparse.Namespace, context: Context) -> int:
    """Show how one number of the results was made; an unknown one says why it is unknown.

    Raises:
        ParameterError: The results have no such key.
    """
    design = open_file(options.file)
    faults_too = (options.key or "").split(".")[0] == "failures"
    chosen = replace(analysis_options(options, design), failures=faults_too)
    results = analyze(design, chosen, context.catalog)
    if options.key is None:
        return _list(sorted(results.explanations), options.json, context)
    explanation = results.explanations.get(options.key)
    if explanation is None:
        return _unexplained(results, options.key, options.json, context)
    if options.json:
        context.rows("explain", [asdict(explanation)])
    else:
        context.line(explanation_text(explanation))
    return 0


def _list(keys: Sequence[str], as_json: bool, context: Context) -> int:
    if as_json:
        context.rows("explain", [{"key": k} for k in keys])
    for key in () if as_json else keys:
        context.line(key)
    return 0


def _unexplained(results: Results, key: str, as_json: bool, context: Context) -> int:
    """Tell what is known of a key without an explanation: its keys, its value or its reason."""
    value = _at(results.values, key)
    if value is _ABSENT:
        raise _unknown(results, key)
    below = [k for k in sorted(results.explanations) if k.startswith(f"{key}.")]
    if isinstance(value, dict) and below:
        return _list(below, as_json, context)
    reason = results.reason(key) if value is None else plain_reason(key)
    if as_json:
        context.rows("explain", [{"key": key, "value": value, "reason": reason}])
        return 0
    if value is None:
        context.line(_("{key} is unknown: {reason}").format(key=key, reason=reason))
        return 0
    context.line(f"{key} = {json.dumps(value, ensure_ascii=False, allow_nan=False)}")
    near = _near(results, key)
    plain = plain_reason(key)
    if plain:
        context.line(plain)
    if near:
        text = _("See {keys}.") if plain else _("It has no formula of its own; see {keys}.")
        context.line(text.format(keys=", ".join(near)))
    elif not plain:
        context.line(_("It has no formula: it is read from the drawing or set by its user."))
    return 0


def _unknown(results: Results, key: str) -> ParameterError:
    every = list(_keys(results.values))
    tails = {k.rpartition(".")[2]: k for k in every}
    last = key.rpartition(".")[2]
    close = [k for k in every if last and last in k][: _MOST_NEAR // 2]
    close += get_close_matches(key, every, _MOST_NEAR // 2, 0.6)
    close += [tails[t] for t in get_close_matches(last, tails, _MOST_NEAR // 2, 0.6)]
    near = list(dict.fromkeys(close))[:_MOST_NEAR] or _near(results, key)
    return ParameterError(
        _("The results have no key “{key}”.").format(key=key),
        _("Keys near it: {keys}.").format(keys=", ".join(near))
        if near
        else _("“railspine explain FILE” lists all keys."),
    )


def _near(results: Results, key: str) -> list[str]:
    """Return explained keys that share the longest beginning with `key`."""
    parts = key.split(".")
    for end in range(len(parts) - 1, 0, -1):
        start = ".".join(parts[:end]) + "."
        found = [k for k in sorted(results.explanations) if k.startswith(start)]
        if found:
            return found[:_MOST_NEAR]
    return []


def _at(value: Any, dotted: str) -> Any:
    """Return what stands at a dotted key; `_ABSENT` where there is nothing, not even a null."""
    parts = dotted.split(".")
    for k, part in enumerate(parts):
        if isinstance(value, Mapping):
            value = value.get(part, _ABSENT)
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif value is None:
            return None if k else _ABSENT
        else:
            return _ABSENT
        if value is _ABSENT:
            return _ABSENT
    return value


def _keys(value: Any, start: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, below in value.items():
            yield from _keys(below, f"{start}.{name}" if start else name)
    else:
        yield start
