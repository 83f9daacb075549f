"""How the figures of money were made: formula, numbers put in, and where each comes from."""

from collections.abc import Iterable

from designer.engine.compare import FabricResult
from designer.engine.cost import HOURS_PER_YEAR
from designer.engine.fabrics import Verdict
from designer.engine.ledger import Line, idle_key
from designer.engine.results import Explanation, Step, Term
from designer.engine.verdict_text import FABRIC_TITLES, input_label, input_unit
from designer.messages import _
from designer.model.assumptions import assumption, parameters
from designer.model.design import Design
from designer.units import Range, format_number, format_significant


def explain_fabric(design: Design, result: FabricResult) -> dict[str, Explanation]:
    """Return the explanations of one fabric's money, by dotted key of the results.

    Args:
        design: The drawing, for the sources of its assumptions.
        result: What `evaluate_fabric` returned.
    """
    made = [_capex(design, result), _opex(design, result)]
    if result.money.idle is not None:
        made += [_idle(design, result), _tco(design, result)]
    return {e.key: e for e in made}


def _key(result: FabricResult, name: str) -> str:
    return f"fabrics.{result.fabric}.{name}"


def _title(result: FabricResult, text: str) -> str:
    return text.format(fabric=_(FABRIC_TITLES[result.fabric]))


def _term(design: Design, result: FabricResult, key: str) -> Term:
    """Return one input of the formula: its typical value and its source."""
    value = result.ledger.values[key].typical
    if key in parameters():
        used = assumption(design, key)
        symbol = used.parameter.symbol or key
        return Term(
            symbol,
            input_label(key, {}),
            value,
            input_unit(key),
            _dated(used.source, used.date),
            key,
        )
    return Term(key, input_label(key, result.ledger.titles), value, input_unit(key), _("model"))


def _dated(source: str, date: str) -> str:
    return f"{source}, {date}" if date else source


def _line_terms(lines: Iterable[Line], result: FabricResult) -> tuple[Term, ...]:
    terms = []
    for line in lines:
        price = result.ledger.values[line.basis.key].typical
        note = line.basis.note or line.title
        terms.append(
            Term(
                line.title,
                _("{n} ×").format(n=format_number(line.count, 0)),
                price * line.basis.scale,
                "USD",
                note,
            )
        )
    return tuple(terms)


def _capex(design: Design, result: FabricResult) -> Explanation:
    money = result.money
    steps = [_line_step(line, result) for line in result.ledger.lines]
    suffix = result.ledger.suffix
    steps += [
        Step(
            _("licences = switches × {share}").format(
                share=_typical(result, f"licence_share_{suffix}")
            ),
            money.capex["licences"].typical,
            "USD",
        ),
        Step(
            _("spares = parts × {share}").format(share=_typical(result, "spares_share")),
            money.capex["spares"].typical,
            "USD",
        ),
        Step(_("together"), money.capex_total.typical, "USD", _bounds(money.capex_total)),
    ]
    keys = ["infiniband_price_ratio"] if any(ln.basis.ratio for ln in result.ledger.lines) else []
    if any(ln.basis.premium for ln in result.ledger.lines):
        keys.append("infiniband_optics_premium")
    keys += [f"licence_share_{suffix}", "spares_share"]
    terms = (*_line_terms(result.ledger.lines, result), *(_term(design, result, k) for k in keys))
    return Explanation(
        _key(result, "capex_usd.total"),
        _title(result, _("Why does the network cost this much to buy as {fabric}?")),
        "C = Σ n p + λ C_sw + σ Σ n p",
        terms,
        tuple(steps),
        result.ledger.notes,
        tuple((name, money.capex[k].typical) for k, name in _parts(money.capex).items()),
    )


def _parts(capex: dict[str, Range]) -> dict[str, str]:
    names = {
        "switches": _("Switches"),
        "nics": _("NICs"),
        "optics": _("Transceivers"),
        "cables": _("Cables"),
        "licences": _("Licences"),
        "spares": _("Spares"),
    }
    return {key: names[key] for key in capex}


def _line_step(line: Line, result: FabricResult) -> Step:
    values = result.ledger.values
    basis = line.basis
    amount = values[basis.key].typical * basis.scale * line.count
    text = f"{format_number(line.count, 0)} × {format_significant(values[basis.key].typical, 4)}"
    if basis.scale != 1:
        text += f" × {format_significant(basis.scale)}"
    ratio = values["infiniband_price_ratio"].typical
    if basis.ratio:
        amount *= ratio**basis.ratio
        text += f" {'×' if basis.ratio > 0 else '÷'} {format_significant(ratio)}"
    if basis.premium:
        premium = values["infiniband_optics_premium"].typical
        amount *= premium
        text += f" × {format_significant(premium)}"
    return Step(f"{line.title}: {text}", amount, "USD", "" if basis.own else basis.note)


def _typical(result: FabricResult, key: str) -> str:
    return format_significant(result.ledger.values[key].typical)


def _bounds(value: Range) -> str:
    return _("{low} to {high}").format(
        low=format_number(value.low, 0), high=format_number(value.high, 0)
    )


def _opex(design: Design, result: FabricResult) -> Explanation:
    money, suffix = result.money, result.ledger.suffix
    values = result.ledger.values
    kilowatts = result.power_w.typical / 1000
    engineers = f"engineers_{suffix}", "engineer_usd_per_year", f"specialist_premium_{suffix}"
    steps = (
        Step(
            f"{format_significant(kilowatts, 4)} kW × {format_number(HOURS_PER_YEAR, 0)} h × "
            f"{_typical(result, 'pue')} × {_typical(result, 'electricity_usd_per_kwh')} USD/kWh",
            money.opex["power"].typical,
            "USD/year",
        ),
        Step(
            " × ".join(format_significant(values[k].typical, 6) for k in engineers),
            money.opex["staff"].typical,
            "USD/year",
        ),
        Step(
            f"{_typical(result, 'support_share')} × {format_number(money.capex_total.typical, 0)}",
            money.opex["support"].typical,
            "USD/year",
        ),
        Step(_("together"), money.opex_total.typical, "USD/year", _bounds(money.opex_total)),
    )
    keys = ("pue", "electricity_usd_per_kwh", *engineers, "support_share")
    power = Term(
        "P",
        _("power of switches, NICs and transceivers"),
        result.power_w.typical,
        "W",
        _("bill of materials"),
    )
    return Explanation(
        _key(result, "opex_usd_per_year.total"),
        _title(result, _("Why does the network cost this much a year as {fabric}?")),
        "O = P · 8760 · PUE · p_kWh + N w ρ + ς C",
        (power, *(_term(design, result, k) for k in keys)),
        steps,
        parts=(
            (_("Power"), money.opex["power"].typical),
            (_("Staff"), money.opex["staff"].typical),
            (_("Support"), money.opex["support"].typical),
        ),
    )


def _idle(design: Design, result: FabricResult) -> Explanation:
    money, gpus = result.money, result.ledger.gpus or 0
    assert money.idle is not None
    share = idle_key(result.fabric)
    step = Step(
        f"{format_number(gpus, 0)} × {_typical(result, result.ledger.gpu_hour_key)} × "
        f"{format_number(HOURS_PER_YEAR, 0)} × {_typical(result, 'cluster_utilisation')} × "
        f"{_typical(result, share)}",
        money.idle.typical,
        "USD/year",
        _bounds(money.idle),
    )
    keys = (result.ledger.gpu_hour_key, "cluster_utilisation", share)
    terms = (
        Term("G", _("GPUs of the drawing"), float(gpus), "1", _("drawing")),
        *(_term(design, result, k) for k in keys),
    )
    return Explanation(
        _key(result, "idle_gpu_usd_per_year"),
        _title(result, _("Why do waiting GPUs cost this much a year on {fabric}?")),
        "I = G · p_gpu · 8760 · u · f",
        terms,
        (step,),
        (_("f = (step − step on an infinitely fast network) ÷ step"),),
    )


def _tco(design: Design, result: FabricResult) -> Explanation:
    money = result.money
    assert money.tco is not None
    assert money.idle is not None
    years = result.ledger.values["years"].typical
    step = Step(
        f"{format_number(money.capex_total.typical, 0)} + {format_significant(years)} × "
        f"({format_number(money.opex_total.typical, 0)} + "
        f"{format_number(money.idle.typical, 0)})",
        money.tco.typical,
        "USD",
        _bounds(money.tco),
    )
    terms = (
        Term("C", _("to buy"), money.capex_total.typical, "USD", _("see to buy")),
        Term("O", _("to run"), money.opex_total.typical, "USD/year", _("see to run")),
        Term("I", _("waiting GPUs"), money.idle.typical, "USD/year", _("see waiting GPUs")),
        _term(design, result, "years"),
    )
    return Explanation(
        _key(result, "tco_usd"),
        _title(result, _("Why is the total cost of ownership this much as {fabric}?")),
        "TCO = C + n (O + I)",
        terms,
        (step,),
        parts=(
            (_("To buy"), money.capex_total.typical),
            (_("To run"), years * money.opex_total.typical),
            (_("Waiting GPUs"), years * money.idle.typical),
        ),
    )


def explain_verdict(one: FabricResult, two: FabricResult, verdict: Verdict) -> Explanation | None:
    """Return how the margin of the verdict was made; None when there is no verdict."""
    if verdict.difference_usd is None or verdict.margin_usd is None:
        return None
    throughput = two.performance.relative_throughput
    counted = one.money.tco is not None and two.money.tco is not None and throughput is not None
    totals = [
        (m.tco if counted and m.tco is not None else m.running).typical
        for m in (one.money, two.money)
    ]
    ratio = throughput if counted and throughput is not None else 1.0
    step = Step(
        f"{format_number(totals[1], 0)} ÷ {format_significant(ratio, 4)} − "
        f"{format_number(totals[0], 0)}",
        verdict.difference_usd,
        "USD",
        _bounds(verdict.margin_usd),
    )
    source = _("see total cost of ownership")
    terms = (
        Term("TCO_ib", _("InfiniBand, total over the years"), totals[0], "USD", source),
        Term("TCO_eth", _("RoCE, total over the years"), totals[1], "USD", source),
        Term("r", _("throughput of RoCE relative to InfiniBand"), ratio, "1", _("model")),
    )
    return Explanation(
        "verdict.margin_usd",
        _("By how much is one technology cheaper for the same training?"),
        "D = TCO_eth ÷ r − TCO_ib",
        terms,
        (step,),
        (
            _(
                "What both technologies share, such as the price of a GPU-hour, moves together in "
                "the bounds; “too close to call” means that they hold zero."
            ),
        ),
    )
