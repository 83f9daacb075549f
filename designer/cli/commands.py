"""The commands: one function each, from parsed arguments to an exit code."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from designer.cli import curve_table, job_table, tables
from designer.cli.context import Context
from designer.cli.fault_table import faults
from designer.cli.job_arguments import analysis_options
from designer.engine.analyze import analyze
from designer.engine.failures import Effect, single_faults
from designer.engine.options import Options
from designer.engine.results import Results
from designer.errors import CannotRunHereError, FileError, ParameterError
from designer.formats import native
from designer.messages import _
from designer.model.design import Design
from designer.services import export as exports
from designer.services.create import import_design, new_design, open_file
from designer.topologies import TEMPLATES
from designer.units import format_number


def demo(options: argparse.Namespace, context: Context) -> int:
    """Write the 512-GPU cluster, its diagram, summary and bill of materials."""
    folder: Path = options.output
    design = new_design("cluster-512", context.catalog)
    target = _folder(folder) / "cluster-512.railspine.json"
    native.save(design, target)
    context.line(str(target))
    stem = folder / "cluster-512"
    job = exports.Job(design, context.catalog)
    for name in (".svg", ".html", ".xlsx", ".csv"):
        path = stem.with_name(stem.name + name)
        exports.write(job, path)
        context.line(str(path))
    context.line()
    tables.headlines(context, job.results)
    context.line()
    context.line(_("All results: railspine analyze {path}").format(path=target))
    return 0


def screenshots(options: argparse.Namespace, context: Context) -> int:
    """Write pictures of the window."""
    if context.screenshots is None:
        raise CannotRunHereError(_("There is no window to take pictures of."))
    for path in context.screenshots(_folder(options.output)):
        context.line(str(path))
    return 0


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise FileError(
            _("{path} cannot be used as a folder: {fault}").format(path=path, fault=fault.strerror),
            _("Choose another folder with -o."),
        ) from fault
    return path


def templates(options: argparse.Namespace, context: Context) -> int:
    """List templates with their parameters."""
    if options.json:
        context.rows(
            "templates",
            [
                {
                    "template": t.name,
                    "title": _(t.title),
                    "description": _(t.description),
                    "parameters": [asdict(p) for p in t.parameters],
                }
                for t in TEMPLATES.values()
            ],
        )
        return 0
    tables.templates(context, TEMPLATES)
    return 0


def new(options: argparse.Namespace, context: Context) -> int:
    """Make a drawing from a template."""
    parameters: dict[str, Any] = {}
    for text in options.settings:
        key, mark, value = text.partition("=")
        if not mark or not key:
            raise ParameterError(
                _("“{text}” is not KEY=VALUE.").format(text=text),
                _("Write it like --set oversubscription=2."),
            )
        parameters[key.strip()] = value.strip()
    if options.gpus is not None:
        parameters["gpus"] = options.gpus
    design = new_design(options.template, context.catalog, **parameters)
    native.save(design, options.output)
    context.line(tables.one_line(design))
    return 0


def analyze_file(options: argparse.Namespace, context: Context) -> int:
    """Compute all results of a drawing."""
    design = open_file(options.file)
    chosen = analysis_options(options, design)
    results = analyze(design, chosen, context.catalog)
    effects = _faults(design, chosen, context) if options.failures else []
    if options.json:
        if options.failures:
            results.values["failures"] = [e.values() for e in effects]
            results.values["reasons"].pop("failures", None)
        context.json(results.values)
    else:
        context.line(tables.one_line(design))
        context.line(tables.size_note(options.size, chosen.size_bytes))
        job_table.job(context, results)
        tables.headlines(context, results, chosen.collective)
        job_table.choice(context, results, chosen.collective)
        job_table.interference(context, results)
        if options.curve:
            curve_table.curve(context, results, chosen.collective)
        tables.findings(context, results)
        if options.failures:
            faults(context, effects)
    return _code(results)


def _faults(design: Design, chosen: Options, context: Context) -> list[Effect]:
    """Return the effects of every single fault, telling how far it is."""

    def told(done: int, total: int) -> None:
        text = _("single faults: {done} of {total}")
        context.step(
            text.format(done=format_number(done), total=format_number(total)), last=done == total
        )

    return single_faults(design, chosen, context.catalog, progress=told)


def _code(results: Results) -> int:
    return 1 if any(f.severity == "error" for f in results.findings) else 0


def check_file(options: argparse.Namespace, context: Context) -> int:
    """List the findings of a drawing."""
    results = analyze(open_file(options.file), Options(), context.catalog)
    if options.json:
        context.rows("check", [asdict(f) for f in results.findings])
    else:
        tables.findings(context, results)
    return _code(results)


def export(options: argparse.Namespace, context: Context) -> int:
    """Write a drawing in another form."""
    design = open_file(options.file)
    only = _selected(options.select, design)
    look = exports.Look(options.dark, options.colour, only, options.page)
    job = exports.Job(design, context.catalog, look, file=options.file.name)
    exports.write(job, options.output, options.to, context.pictures)
    context.progress(_("Wrote {path}.").format(path=options.output))
    return 0


def _selected(names: list[str], design: Design) -> tuple[str, ...]:
    """Return device ids for the names or ids of devices and groups."""
    found: list[str] = []
    for name in names:
        groups = [g for g in design.groups.values() if name in (g.name, g.id)]
        device = design.named(name) or design.devices.get(name)
        if device is not None:
            found.append(device.id)
        elif groups:
            found += [d.id for g in groups for d in design.members(g)]
        else:
            raise ParameterError(
                _("Nothing in the drawing is called “{name}”.").format(name=name),
                _("--select takes names of devices and groups."),
            )
    return tuple(dict.fromkeys(found))


def import_file(options: argparse.Namespace, context: Context) -> int:
    """Open a foreign file and save it as a drawing."""
    result = import_design(options.source, context.catalog, options.form)
    native.save(result.design, options.output)
    if options.json:
        context.rows("import", [asdict(result.report)])
    else:
        tables.import_report(context, result.report)
    return 0


def catalog(options: argparse.Namespace, context: Context) -> int:
    """List parts that hold every word of the query."""
    parts = context.catalog.search(" ".join(options.query))
    if not parts:
        raise ParameterError(
            _("No part fits “{query}”.").format(query=" ".join(options.query)),
            _("“railspine catalog” lists all parts."),
        )
    if options.json:
        from designer.catalog.load import part_to_dict

        context.rows("catalog", [{"slug": p.slug, **part_to_dict(p)} for p in parts])
    else:
        tables.parts(context, parts)
    return 0
