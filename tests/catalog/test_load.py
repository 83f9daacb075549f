"""A user's file over the bundled catalogue: adds, overrides, and is refused with a reason."""

import pytest

from designer.catalog.load import default_catalog, load_catalog, load_parts
from designer.errors import CatalogError
from designer.units import Range

SWITCH = """
[my-switch]
kind = "switch"
vendor = "Me"
model = "32x400G"
technology = "ethernet"
[[my-switch.ports]]
family = "fabric"
count = 32
name = "P{n}"
speeds_gbps = [400, 200]
form_factor = "osfp"
"""


@pytest.fixture
def overlay(tmp_path):
    def load(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return load_catalog(path)

    return load


def test_without_a_user_file_it_is_the_bundled_catalogue():
    assert list(load_catalog()) == list(default_catalog())
    assert default_catalog() is default_catalog()


def test_a_user_file_adds_a_part_that_is_shown_as_unsourced(overlay):
    catalog = overlay(SWITCH)
    part = catalog.get("my-switch")
    assert part.capacity_bits_per_s == 12.8e12
    assert not part.sourced
    assert len(catalog) == len(default_catalog()) + 1


def test_a_user_file_overrides_a_single_field(overlay):
    part = overlay("[qm9700]\npower_max_w = 1800").get("qm9700")
    before = default_catalog().get("qm9700")
    assert part.power_max_w == 1800
    assert part.power_typical_w == before.power_typical_w
    assert part.ports == before.ports


def test_an_override_without_a_source_is_no_longer_called_found(overlay):
    part = overlay("[qm9700]\npower_max_w = 1800").get("qm9700")
    assert part.confidence == "unknown"
    assert "power_max_w" in part.source
    assert "mine.toml" in part.source


def test_an_override_with_a_source_keeps_it(overlay):
    text = '[qm9700]\npower_max_w = 1800\nsource = "my meter"\nchecked = "2026-11-30"'
    part = overlay(text).get("qm9700")
    assert (part.source, part.confidence) == ("my meter", "found")


def test_an_own_price_leaves_the_source_of_the_part_alone(overlay):
    text = "[qm9700.price]\nlow = 28000\ntypical = 30000\nhigh = 32000"
    part = overlay(text).get("qm9700")
    assert part.price.usd == Range(28000, 30000, 32000)
    assert (part.price.date, part.price.source) == ("n/d", "set by mine.toml")
    assert part.sourced
    dated = overlay(text + '\ndate = "2026-11"\nsource = "offer 12"').get("qm9700")
    assert (dated.price.date, dated.price.source) == ("2026-11", "offer 12")


def test_a_bound_of_a_price_can_be_moved_alone(overlay):
    assert overlay("[qm9700.price]\nhigh = 60000").get("qm9700").price.usd.high == 60000


def test_an_override_in_another_unit_replaces_the_value(overlay):
    part = overlay("[qm9700]\nlatency_s = 2e-7").get("qm9700")
    assert part.latency_s == Range.exact(2e-7)
    gpu = overlay("[dgx-h100.gpu]\nbf16_flops = 9e14").get("dgx-h100").gpu
    assert gpu.bf16_flops == 9e14
    assert gpu.nvlink_links == 18


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[qm9700]\npower_maxw = 3", ("qm9700", "power_maxw")),
        ("[qm9700]\npower_max_w = -3", ("qm9700", "power_max_w")),
        ("[qm9700]\npower_max_w = nan", ("qm9700", "power_max_w")),
        ("[qm9700]\npower_typical_w = 9000", ("qm9700", "power_typical_w")),
        ('[qm9700]\nequivalents = ["sn9999"]', ("qm9700", "equivalents")),
        ('[qm9700]\nequivalents = ["qm9790"]', ("qm9700", "equivalents")),
        ('[qm9700]\naliases = ["sn5600"]', ("qm9700", "aliases")),
        ('[qm9700]\naliases = ["cx7"]', ("aliases",)),
        ('[qm9700]\naliases = ["Has Space"]', ("qm9700", "aliases")),
        ('[dgx-h100]\nnic = "no-nic"', ("dgx-h100", "nic")),
        ('[dgx-h100]\nnic = "qm9700"', ("dgx-h100", "nic")),
        ("[dgx-h100]\nnic_slots = 4", ("dgx-h100", "ports")),
        ('[dgx-h100]\nnic = "connectx-8"', ("dgx-h100", "ports (nic): speeds")),
        ("[dgx-h100]\nnic_slots = 0", ("dgx-h100", "nic")),
        ("[dgx-h100.price]\nlow = 1", ("dgx-h100", "typical")),
        ("[qm9700.gpu]\ncount = 1", ("qm9700", "gpu")),
        ('[passive-copper-400g.cable]\nmedium = "rope"', ("passive-copper-400g", "medium")),
        ('[qm9700]\nunsourced = ["colour"]', ("qm9700", "unsourced")),
        ('[qm9700]\nchecked = "today"', ("qm9700", "checked")),
        ('[qm9700]\nsource = ""', ("qm9700", "confidence")),
        ("qm9700 = 3", ("qm9700",)),
        ("[qm9700\n", ("mine.toml",)),
        ("[My-Switch]" + SWITCH.replace("[my-switch]", ""), ("My-Switch",)),
        (SWITCH.replace("P{n}", "P"), ("my-switch", "name")),
        (SWITCH.replace("400, 200", "200, 400"), ("my-switch", "speeds")),
        (SWITCH.replace("400, 200", ""), ("my-switch", "speeds")),
        (SWITCH.replace('"fabric"', '"nic"'), ("my-switch", "ports")),
        (SWITCH + "breakouts = [{lanes = 4, speed_gbps = 200}]", ("my-switch", "breakouts")),
        (SWITCH + '[my-switch.cable]\nmedium = "aoc"\nspeeds_gbps = [1]\nreach_m = 1', ("cable",)),
        (SWITCH.replace('"switch"', '"nvswitch"'), ("my-switch", "ports")),
    ],
)
def test_a_fault_names_file_part_and_field(overlay, text, names):
    with pytest.raises(CatalogError) as caught:
        overlay(text)
    for name in ("mine.toml", *names):
        assert name in caught.value.message
    assert caught.value.hint


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(CatalogError, match="nowhere"):
        load_catalog(tmp_path / "nowhere.toml")


def test_a_price_without_date_is_refused_in_a_catalogue(tmp_path):
    path = tmp_path / "parts.toml"
    price = "[my-switch.price]\nlow = 1\ntypical = 2\nhigh = 3\n"
    path.write_text(SWITCH + price, encoding="utf-8")
    with pytest.raises(CatalogError, match="price"):
        load_parts(path)


def test_looking_up_by_alias_and_by_a_wrong_name():
    catalog = default_catalog()
    assert catalog.get("CX7").slug == "connectx-7"
    assert "mqm9700" in catalog
    with pytest.raises(CatalogError) as caught:
        catalog.get("qm970")
    assert "qm9700" in caught.value.hint


def test_searching_needs_every_word():
    slugs = {part.slug for part in default_catalog().search("nvidia infiniband switch")}
    assert slugs == {"qm8700", "qm9700", "qm9790", "q3400-ra"}


def test_parts_of_a_technology_include_those_of_any():
    slugs = {part.slug for part in default_catalog().of_kind("nic", "infiniband")}
    assert "connectx-7" in slugs
    assert "connectx-6-dx" not in slugs


def test_two_bundled_files_may_not_hold_one_part(monkeypatch, tmp_path):
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(SWITCH, encoding="utf-8")
    files = [tmp_path / "a.toml", tmp_path / "b.toml"]
    monkeypatch.setattr("designer.catalog.load.bundled_files", lambda: files)
    with pytest.raises(CatalogError, match=r"b\.toml: part “my-switch” already stands in a\.toml"):
        load_catalog()


def test_a_server_of_a_catalogue_knows_its_gpus(tmp_path):
    path = tmp_path / "parts.toml"
    text = '[box]\nkind = "server"\nvendor = "Me"\nmodel = "Box"\n[box.gpu]\nmodel = "G"\n'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CatalogError, match=r"gpu\.count"):
        load_parts(path)


def test_a_title_says_the_vendor_once():
    catalog = default_catalog()
    assert catalog.get("dgx-h100").title == "NVIDIA DGX H100"
    assert catalog.get("generic-host").title == "Any maker Host without GPUs"
