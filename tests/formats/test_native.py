"""The native file: what is saved comes back, and nothing a file holds is ever lost."""

import json
import os
import re
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.errors import DesignerError, FileError
from designer.formats import migrations, native
from designer.formats.records_json import FROM_JSON, TO_JSON
from designer.model import operations, wiring
from designer.model.design import TABLES, Design
from designer.model.records import (
    AssumptionValue,
    Cable,
    Device,
    Group,
    Info,
    Note,
    Placement,
    PortRange,
)
from designer.model.workload import stock_workloads
from designer.resources import resource
from designer.units import Range
from tests.formats.drawings import designs, same
from tests.model.parts import SERVER, SWITCH

GOLDEN = Path(__file__).parents[1] / "projects" / "v1.railspine.json"


def golden():
    return json.loads(GOLDEN.read_text(encoding="utf-8"))


def loads(data):
    return native.loads(json.dumps(data, indent=0, ensure_ascii=False), "x.railspine.json")


def written(design):
    return json.loads(native.dumps(design))


# --- what is saved comes back --------------------------------------------------------------------


@given(designs())
def test_saving_and_opening_gives_the_same_drawing(design):
    text = native.dumps(design)
    again = native.loads(text)
    assert same(design, again)
    assert native.dumps(again) == text
    text.encode("utf-8")


@given(designs())
@settings(max_examples=30)
def test_what_is_written_follows_the_published_schema(design):
    jsonschema.validate(written(design), schema())


def schema():
    found = json.loads(resource("schema", "railspine-1.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(found)
    return found


def test_schema_knows_every_field_and_no_other():
    defs = schema()["$defs"]
    for name, record in (
        ("device", Device),
        ("cable", Cable),
        ("group", Group),
        ("note", Note),
        ("info", Info),
        ("assumption", AssumptionValue),
    ):
        assert set(defs[name]["properties"]) == {f.name for f in fields(record)} - {"id"}
    assert set(schema()["properties"]) == {"format", "version", *TABLES}


def test_every_part_and_workload_comes_back():
    design = Design()
    design.types = {p.slug: p for p in default_catalog()}
    for name, workload in stock_workloads().items():
        design.workloads[name] = workload
    again = native.loads(native.dumps(design))
    assert same(design, again)
    jsonschema.validate(written(design), schema())


def test_golden_file_of_version_1_opens_and_is_written_back_byte_for_byte(tmp_path):
    text = GOLDEN.read_text(encoding="utf-8")
    design = native.open_design(GOLDEN)
    assert not design.kept
    assert native.dumps(design) == text
    jsonschema.validate(json.loads(text), schema())
    server, leaf = design.devices["su01-srv01"], design.devices["su01-leaf1"]
    assert (server.rack_unit, server.unit, server.role) == (9, "su01", "server")
    assert design.gpus(server) == 8
    assert leaf.breakouts[0].lanes == 2
    assert design.cables["c2"].b == PortRange("su01-leaf1", "fabric", 63, 1, 1)
    assert design.cables["c2"].length_m == 12.5
    assert design.cables["c3"].count == 16
    assert design.notes["n1"].text.startswith("Zwei Zeilen\n")
    assert design.assumptions["pue"].value == Range(1.1, 1.2, 1.3)
    # the job as it was in stock when the file was written
    assert design.workload == replace(stock_workloads()["llama3-8b-ddp"], zero=1)
    assert design.title_block.title == "Golden"
    assert design.variants["v1"].tables == {"devices": {"spine1": None}}


def test_one_record_a_line_and_one_changed_line_for_one_change():
    design = native.open_design(GOLDEN)
    before = native.dumps(design).splitlines()
    design.apply(operations.set_field(design, ["spine1"], "notes", "new"))
    after = native.dumps(design).splitlines()
    assert [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b] == [
        before.index('"spine1": {"name": "spine1", "type": "qm9700", "role": "spine"},')
    ]


def test_tables_and_records_are_sorted_and_defaults_left_out():
    design = Design()
    for name in ("b", "a"):
        design.devices[name] = Device(name, name, "t", "leaf")
    text = native.dumps(design)
    assert text.index('"a"') < text.index('"b"')
    assert '"a": {"name": "a", "type": "t", "role": "leaf"},\n' in text


def test_numbers_that_are_none_do_not_keep_the_rest_from_being_saved():
    design = native.open_design(GOLDEN)
    design.placements["spine1"] = Placement(float("nan"), 1.0)
    again = native.loads(native.dumps(design))
    assert again.devices == design.devices
    assert "spine1" not in again.placements
    assert again.kept["placements/spine1"].raw == [None, 1]


def test_lone_surrogates_and_line_separators_survive(tmp_path):
    design = Design()
    design.notes["n"] = Note("n", "\ud800 \u2028\x00\x1f𝄞", 0.0, 0.0)
    path = tmp_path / "a.railspine.json"
    native.save(design, path)
    assert native.open_design(path).notes == design.notes


# --- nothing is lost -----------------------------------------------------------------------------

DAMAGE = [
    ("devices", "su01-srv01", {"name": "x", "type": "dgx-h100", "role": "sever"}),
    ("devices", "su01-leaf1", {"name": 3}),
    ("devices", "spine1", "gone"),
    ("devices", "spine1", None),
    ("devices", "spine1", {"name": "s", "type": "t", "role": "leaf", "rack_unit": 10**400}),
    ("devices", "spine1", {"name": "s", "type": "t", "role": "leaf", "breakouts": [["fabric", 1]]}),
    ("cables", "c1", {"a": ["su01-srv01", "nic", 1]}),
    ("cables", "c1", {"a": ["su01-srv01", "nic", 0], "b": ["su01-leaf1", "fabric", 1]}),
    ("cables", "c1", {"a": ["su01-srv01", "nic", 1, 10**9], "b": ["su01-leaf1", "fabric", 1]}),
    ("cables", "c3", {"a": ["nobody", "nic", 1], "b": ["su01-leaf1", "fabric", 1]}),
    ("cables", "c3", {"a": ["spine1", "fabric", 1], "b": ["spine1", "x", 1], "length_m": -1}),
    ("cables", "c3", []),
    ("placements", "spine1", [1]),
    ("placements", "nobody", [1, 2]),
    ("placements", "spine1", [10**400, 1]),
    ("groups", "su01", {"kind": "herd", "name": "x"}),
    ("notes", "n1", {"text": 4, "x": 1, "y": 1}),
    (
        "types",
        "qm9700",
        {
            "kind": "switch",
            "vendor": "x",
            "model": "y",
            "ports": [
                {"family": "fabric", "count": 10**12, "name": "P{n}", "speeds_bits_per_s": [1]}
            ],
        },
    ),
    ("types", "qm9700", {"kind": "toaster"}),
    ("types", "qm9700", 7),
    ("workloads", "workload", {"name": "x", "model": {"layers": "many"}}),
    ("workloads", "workload", {"name": ["x"]}),
    ("assumptions", "pue", {"value": [2, 1, 0], "source": ""}),
    ("assumptions", "pue", {"value": "cheap", "source": ""}),
    ("info", "info", {"title": {"deep": [1]}}),
    ("variants", "v1", {"name": "x", "tables": []}),
]


@pytest.mark.parametrize(("table", "id_", "raw"), DAMAGE)
def test_damaged_record_is_kept_and_written_back_unchanged(table, id_, raw):
    data = golden()
    data[table][id_] = raw
    design = loads(data)
    found = next(r for r in design.kept.values() if (r.table, r.id) == (table, id_))
    assert found.raw == raw
    assert found.reason
    assert found.line is not None
    assert written(design) == data  # all of it, waiting records too, each in its own table
    assert native.dumps(native.loads(native.dumps(design))) == native.dumps(design)


def test_line_of_a_damaged_record():
    text = GOLDEN.read_text(encoding="utf-8").replace('"role": "spine"', '"role": "spin"')
    design = native.loads(text)
    line = design.kept["devices/spine1"].line
    assert line is not None
    assert text.splitlines()[line - 1].startswith('"spine1": {"name"')


def test_cables_of_a_damaged_device_wait_and_come_back_with_it():
    data = golden()
    good = data["devices"]["su01-leaf1"]
    data["devices"]["su01-leaf1"] = {**good, "role": "leef"}
    design = loads(data)
    waiting = {r.id for r in design.kept.values() if r.kind == "waiting"}
    assert waiting == {"c1", "c2", "c3", "su01-leaf1"}
    assert "leef" in design.kept["devices/su01-leaf1"].reason
    assert "3 cables wait for it" in design.kept["devices/su01-leaf1"].reason
    saved = written(design)
    saved["devices"]["su01-leaf1"] = good
    assert written(loads(saved)) == golden()


def test_cable_to_a_device_that_is_not_there_is_a_fault_of_its_own():
    data = golden()
    del data["devices"]["spine1"]
    design = loads(data)
    assert design.kept["cables/c3"].kind == "record"
    assert "spine1" in design.kept["cables/c3"].reason
    assert design.kept["placements/spine1"].kind == "waiting"
    assert written(design) == data


def test_unknown_fields_parts_and_tables_survive():
    data = golden()
    data["devices"]["spine1"]["colour"] = {"deep": [1, 2]}
    data["types"]["qm9700"]["smell"] = "none"
    data["workloads"]["workload"]["mood"] = {"x": 1}
    data["future"] = {"a": {"b": None}}
    data["motto"] = ["less", 1.5]
    data["kept"] = 7
    design = loads(data)
    assert design.devices["spine1"].role == "spine"
    assert "qm9700" in design.types
    assert design.kept["devices/spine1#fields"].kind == "fields"
    out = written(design)
    assert out.pop("kept") == {
        "/kept": {
            "table": "",
            "id": "kept",
            "raw": 7,
            "reason": "An object was expected.",
            "kind": "record",
        }
    }
    data.pop("kept")
    assert out == data
    assert native.dumps(native.loads(native.dumps(design))) == native.dumps(design)


def test_unknown_fields_go_with_their_record():
    data = golden()
    data["devices"]["spine1"]["colour"] = "red"
    design = loads(data)
    edit = operations.remove(design, ["spine1"])
    design.apply(edit)
    assert "red" not in native.dumps(design)
    assert "spine1" not in written(design)["devices"]
    design.apply(edit.inverse())
    assert written(design) == data


def test_record_drawn_in_the_place_of_a_damaged_one_loses_neither():
    data = golden()
    data["info"]["info"] = {"title": 5, "note": "mine"}
    design = loads(data)
    design.apply(operations.set_info(design, title="New"))
    again = native.loads(native.dumps(design))
    assert again.title_block.title == "New"
    assert again.kept["info/info"].raw == {"title": 5, "note": "mine"}
    assert native.dumps(again) == native.dumps(design)


def test_two_generations_of_damage_in_one_place():
    data = golden()
    data["info"]["info"] = {"title": 5}
    data["kept"] = {
        "info/info": {
            "table": "info",
            "id": "info",
            "raw": {"title": 4},
            "reason": "",
            "kind": "record",
        },
        "odd": {"table": "info"},
    }
    design = loads(data)
    raws = [r.raw for r in design.kept.values() if r.table == "info"]
    assert raws == [{"title": 5}, {"title": 4}]
    out = written(design)
    assert out["info"] == data["info"]
    assert [v.get("raw") for v in out["kept"].values()] == [{"title": 4}, None]
    assert native.dumps(native.loads(native.dumps(design))) == native.dumps(design)


def test_table_of_the_wrong_kind_is_kept_even_when_the_table_is_used_again():
    data = golden()
    data["notes"] = ["not", "an", "object"]
    design = loads(data)
    assert written(design) == data
    design.apply(operations.add_note(design, "hello", 0, 0))
    again = native.loads(native.dumps(design))
    assert len(again.notes) == 1
    assert again.kept["/notes"].raw == ["not", "an", "object"]


def test_groups_inside_themselves_are_kept():
    data = golden()
    data["groups"] |= {
        "p": {"kind": "pod", "name": "p", "parent": "q"},
        "q": {"kind": "pod", "name": "q", "parent": "p"},
        "self": {"kind": "pod", "name": "s", "parent": "self"},
        "tail": {"kind": "pod", "name": "t", "parent": "p"},
        "lost": {"kind": "pod", "name": "l", "parent": "nobody"},
    }
    design = loads(data)
    assert set(design.groups) == {"A01", "su01", "tail", "lost"}
    assert written(design) == data


def test_waiting_records_find_no_place_in_results_but_count_as_kept():
    data = golden()
    data["devices"]["spine1"]["role"] = "x"
    design = loads(data)
    assert set(design.placements) == set(design.devices)
    for cable in design.cables.values():
        assert {cable.a.device, cable.b.device} <= set(design.devices)


@given(st.data())
def test_any_value_in_any_place_opens_and_comes_back(data):
    json_values = st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**20), 10**20)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=6,
    )
    contents = golden()
    table = data.draw(st.sampled_from([t for t in TABLES if t in contents]))
    id_ = data.draw(st.sampled_from(sorted(contents[table])))
    record = contents[table][id_]
    if isinstance(record, dict) and data.draw(st.booleans()):
        record[data.draw(st.sampled_from([*sorted(record), "zz"]))] = data.draw(json_values)
    else:
        contents[table][id_] = data.draw(json_values)
    design = native.loads(json.dumps(contents))
    assert written(native.loads(native.dumps(design))) == written(design)
    if (table, id_) in {(r.table, r.id) for r in design.kept.values() if r.kind == "record"}:
        assert written(design)[table][id_] == contents[table][id_]


# --- what is no drawing --------------------------------------------------------------------------


def refused(text, *words):
    with pytest.raises(FileError) as caught:
        native.loads(text, "x.railspine.json")
    assert caught.value.hint
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_broken_text_names_line_and_column():
    refused(
        '{"format": "railspine",\n"version": 1,\n"devices": {"a": {"x" 1}}}', "line 3, column 23"
    )
    refused('{"format": "railspine"\n"version": 1}', "line 2, column 1", "comma")
    refused('{"format": "railspine", "version": 1,\n "a": tru }', "line 2")
    refused('{"format": "railspine", "version": 1,\n x: 1}', "line 2, column 2", "double quotes")
    refused('{"format": "railspine", "version": 1,\n "x\\q": 1}', "line 2")
    refused('{"format": "railspine", "version": 1} extra', "column 39")
    refused('{"format" "railspine"}', "colon")


@pytest.mark.parametrize("share", [0.05, 0.3, 0.7, 0.999])
def test_file_cut_off_names_the_backup(share):
    text = GOLDEN.read_text(encoding="utf-8")
    refused(text[: int(len(text) * share)], "cut off", "x.railspine.json~")


def test_a_key_that_stands_twice_is_refused_where_it_stands():
    head = '{"format": "railspine", "version": 1,\n"notes": {"n": {"text": "a", "x": 0, "y": 0},\n'
    refused(head + '"n": {"text": "b", "x": 0, "y": 0}}}', "“n”", "second time", "line 3, column 1")
    refused('{"format": "railspine", "version": 1,\n"notes": {},\n"notes": {}}', "line 3")
    refused(head + '"m": {"text": "b", "x": 0, "x": 0}}}', "“x” twice", "line 3")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_numbers_that_are_none_are_refused(number):
    text = f'{{"format": "railspine", "version": 1,\n"placements": {{"a": [{number}, 1]}}}}'
    refused(text, "line 2", "number")


def test_endless_digits_are_refused():
    refused('{"format": "railspine", "version": 1,\n"x": ' + "9" * 5000 + "}", "line 2")


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000, "[" * 80 + "]" * 80])
def test_deep_nesting_is_refused(deep):
    refused('{"format": "railspine", "version": 1, "variants": {"v": ' + deep + "}}", "nested")


@pytest.mark.parametrize(
    "text", ["[]", "1", '"x"', "null", "{}", '{"format": "other"}', "# hi\n", "<xml/>"]
)
def test_what_is_no_drawing_says_so(text):
    refused(text, "not a Railspine drawing", "Import")


@pytest.mark.parametrize("text", ["", " \n", "\0" * 4096])
def test_empty_files_name_the_backup(text):
    refused(text, "empty", "x.railspine.json~")


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (2, ("version 2", "newer Railspine")),
        (0, ("0",)),
        ("1", ("'1'",)),
        (None, ("None",)),
        (True, ()),
    ],
)
def test_versions_that_cannot_be_read(version, words):
    refused(json.dumps({"format": "railspine", "version": version}), *words)


def test_older_versions_are_brought_up_to_date_one_step_at_a_time(monkeypatch):
    monkeypatch.setattr(migrations, "VERSION", 3)
    monkeypatch.setattr(migrations, "_STEPS", {})

    @migrations.migration(1)
    def rename_table(data):
        return {"boxes" if k == "devices" else k: v for k, v in data.items()}

    @migrations.migration(2)
    def rename_back(data):
        return {"devices" if k == "boxes" else k: v for k, v in data.items()}

    assert native.open_design(GOLDEN).devices["spine1"].role == "spine"


@given(st.binary(max_size=300))
@settings(max_examples=200)
def test_any_bytes_give_a_drawing_or_a_plain_error(data):
    path = Path(os.environ["RAILSPINE_STATE"])
    path.mkdir(exist_ok=True)
    path = path / "x.railspine.json"
    path.write_bytes(data)
    with suppress(DesignerError):
        native.open_design(path)


@given(st.data())
@settings(max_examples=200)
def test_any_bytes_changed_in_a_file_give_a_drawing_or_a_plain_error(data):
    text = GOLDEN.read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(at, min(len(text), at + 40)))
    patch = data.draw(st.text(alphabet='{}[]",:0123456789aenulltrufs.-+\\ \n', max_size=12))
    try:
        design = native.loads(text[:at] + patch + text[end:], "x")
    except DesignerError:
        return
    again = native.dumps(design)
    assert native.dumps(native.loads(again)) == again


# --- files ---------------------------------------------------------------------------------------


def test_byte_order_mark_and_windows_line_ends_are_read(tmp_path):
    path = tmp_path / "x.railspine.json"
    text = GOLDEN.read_text(encoding="utf-8")
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert same(native.open_design(path), native.open_design(GOLDEN))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1"])
def test_other_encodings_are_refused(tmp_path, encoding):
    path = tmp_path / "x.railspine.json"
    text = GOLDEN.read_text(encoding="utf-8").encode("ascii", "ignore").decode() + "é"
    path.write_bytes(text.encode(encoding))
    with pytest.raises(FileError, match="UTF-8"):
        native.open_design(path)


def test_what_is_no_file_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none", Path("/dev/zero"), Path("a\0b")):
        with pytest.raises(FileError) as caught:
            native.open_design(path)
        assert caught.value.hint


def test_huge_files_are_refused_before_they_are_read(tmp_path):
    path = tmp_path / "x.railspine.json"
    with path.open("wb") as stream:
        stream.truncate(native.MAX_BYTES + 1)  # a sparse file
    with pytest.raises(FileError, match="larger than"):
        native.open_design(path)


def test_opening_never_writes(tmp_path):
    data = golden()
    data["devices"]["spine1"]["role"] = "x"
    path = tmp_path / "x.railspine.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    os.utime(path, (1, 1))
    before = path.read_bytes()
    tmp_path.chmod(0o500)
    try:
        native.open_design(path)
    finally:
        tmp_path.chmod(0o700)
    assert path.read_bytes() == before
    assert path.stat().st_mtime == 1
    assert [p.name for p in tmp_path.iterdir()] == ["x.railspine.json"]


def test_many_damaged_records_are_read_in_linear_time():
    data = golden()
    data["cables"] = {f"c{i}": {"a": 1, "b": 2} for i in range(20_000)}
    design = loads(data)
    lines = [r.line for r in design.kept.values() if r.table == "cables"]
    assert len(lines) == len(set(lines)) == 20_000


def test_every_table_has_its_reader_and_writer():
    assert set(FROM_JSON) == set(TO_JSON) == set(TABLES) - {"kept"}


def test_records_share_the_texts_they_repeat():
    design = Design()
    design.apply(operations.place(design, SWITCH, 0, 0, name="s"))
    design.apply(operations.place(design, SERVER, 0, 0, name="v"))
    a, b = (design.named(n).id for n in "sv")
    design.apply(wiring.connect(design, PortRange(a, "fabric", 1), PortRange(b, "nic", 1)))
    design.apply(wiring.connect(design, PortRange(a, "fabric", 2), PortRange(b, "nic", 2)))
    one, two = native.loads(native.dumps(design)).cables.values()
    assert one.a.device is two.a.device


def test_text_has_no_trailing_blanks_and_ends_in_one_line_break():
    text = native.dumps(native.open_design(GOLDEN))
    assert text.endswith("}\n")
    assert not re.search(r"[ \t]\n", text)


def test_ends_that_differ_are_a_finding_and_not_damage():
    design = native.open_design(GOLDEN)
    cable = design.cables["c1"]
    design.cables["c1"] = replace(cable, a=replace(cable.a, count=3))
    assert same(native.loads(native.dumps(design)), design)
