"""The sentences of the verdict: names of inputs, and why one technology is ahead."""

from collections.abc import Mapping

from designer.engine.compare import FabricResult
from designer.engine.fabrics import Choice
from designer.messages import N_, _
from designer.model.assumptions import parameters
from designer.units import Range, format_money, format_percent, format_significant, format_time

FABRIC_TITLES = {"infiniband": N_("InfiniBand"), "rocev2": N_("RoCE")}
# A difference below one per cent of what is compared is no reason for anything.
_NOTABLE = 0.01


def input_label(key: str, titles: Mapping[str, str]) -> str:
    """Return what an input of the money model is called; `titles` names the parts of prices."""
    name, _dot, rest = key.partition(".")
    if name == "price":
        return _("Price of {part}").format(part=titles.get(key, rest))
    if name == "network_idle_share":
        return _("{fabric}: GPU time lost to the network").format(fabric=_(FABRIC_TITLES[rest]))
    if name == "power_w":
        return _("{fabric}: power of the network").format(fabric=_(FABRIC_TITLES[rest]))
    return _(parameters()[key].label)


def input_unit(key: str) -> str:
    """Return the unit of an input of the money model."""
    name = key.partition(".")[0]
    known = {"price": "USD", "network_idle_share": "1", "power_w": "W"}
    return known[name] if name in known else parameters()[key].unit


def reasons(one: FabricResult, two: FabricResult) -> tuple[str, ...]:
    """Return why: parts of the difference by weight, then what the model cannot weigh."""
    years = one.ledger.values["years"].typical
    parts = [
        (two.money.capex_total.typical - one.money.capex_total.typical, _capex),
        (years * (two.money.opex_total.typical - one.money.opex_total.typical), _opex),
    ]
    if one.money.idle is not None and two.money.idle is not None:
        parts.append((years * (two.money.idle.typical - one.money.idle.typical), _idle))
    scale = max(one.money.running.typical, 1.0)
    weighed = sorted((p for p in parts if abs(p[0]) > _NOTABLE * scale), key=lambda p: -abs(p[0]))
    found = [write(one, two, amount) for amount, write in weighed]
    if one.money.idle is None or two.money.idle is None:
        found.insert(0, _("Performance is not counted: there is no training step to compare."))
    found += _unweighed(one, two)
    return tuple(found)


def sentence(choice: Choice, today: float, bounds: Range, years: float) -> str:
    """Return the verdict in one sentence: who is cheaper, by how much, within which bounds."""
    if choice == "too_close_to_call":
        form = _(
            "{fabric} is {amount} cheaper over {years} years at typical values, but the ranges of "
            "the inputs allow anything from {low} to {high}."
        )
    else:
        form = _(
            "{fabric} is {amount} cheaper over {years} years for the same training, and stays "
            "ahead within the ranges of all inputs ({low} to {high})."
        )
    # bounds are RoCE minus InfiniBand; what is written counts in favour of the one named
    ends = (bounds.low, bounds.high) if today > 0 else (-bounds.high, -bounds.low)
    return form.format(
        fabric=_(FABRIC_TITLES["infiniband" if today > 0 else "rocev2"]),
        amount=format_money(abs(today)),
        years=format_significant(years),
        low=format_money(ends[0]),
        high=format_money(ends[1]),
    )


def _capex(one: FabricResult, two: FabricResult, amount: float) -> str:
    classes = [
        (two.money.capex[k].typical - one.money.capex[k].typical, name)
        for k, name in (
            ("switches", _("switches")),
            ("optics", _("optics")),
            ("nics", _("NICs")),
            ("cables", _("cables")),
            ("licences", _("licences")),
            ("spares", _("spares")),
        )
    ]
    classes = [c for c in classes if abs(c[0]) > _NOTABLE * abs(amount)]
    detail = ", ".join(
        f"{name} {'+' if value > 0 else ''}{format_money(value)}"
        for value, name in sorted(classes, key=lambda c: -abs(c[0]))
    )
    dearer = _(FABRIC_TITLES["rocev2" if amount > 0 else "infiniband"])
    return _("{fabric} costs {amount} more to buy (RoCE over InfiniBand: {detail}).").format(
        fabric=dearer, amount=format_money(abs(amount)), detail=detail
    )


def _opex(one: FabricResult, two: FabricResult, amount: float) -> str:
    years = one.ledger.values["years"].typical
    dearer = _(FABRIC_TITLES["rocev2" if amount > 0 else "infiniband"])
    return _("{fabric} costs {amount} more to run over {years} years.").format(
        fabric=dearer, amount=format_money(abs(amount)), years=format_significant(years)
    )


def _idle(one: FabricResult, two: FabricResult, amount: float) -> str:
    slower, faster = (two, one) if amount > 0 else (one, two)
    shares = [f.performance.network_idle_share for f in (slower, faster)]
    return _(
        "{fabric} loses {amount} more of GPU time over {years} years: {share} of each step waits "
        "for the network, against {other}."
    ).format(
        fabric=_(FABRIC_TITLES[slower.fabric]),
        years=format_significant(one.ledger.values["years"].typical),
        amount=format_money(abs(amount)),
        share=format_percent(shares[0].typical) if shares[0] else "",
        other=format_percent(shares[1].typical) if shares[1] else "",
    )


def _unweighed(one: FabricResult, two: FabricResult) -> list[str]:
    found = []
    if one.latency_s is not None and two.latency_s is not None:
        found.append(
            _("One message over the longest path: {one} on InfiniBand, {two} on RoCE.").format(
                one=format_time(one.latency_s.typical), two=format_time(two.latency_s.typical)
            )
        )
    for result in (one, two):
        lacking = [s.old for s in result.substitutions if not s.new]
        if lacking:
            found.append(
                _("{fabric}: no equivalent of {parts} is known; its money is a ratio.").format(
                    fabric=_(FABRIC_TITLES[result.fabric]), parts=", ".join(lacking)
                )
            )
    return found
