"""`railspine import`: a real fabric becomes a drawing that opens, laid out and accounted for."""

import json

from designer.__main__ import main
from designer.formats import native
from designer.services.create import open_file
from tests.formats.ib_writer import clos


def test_import_writes_a_drawing_laid_out_and_tells_what_it_did(capsys, tmp_path):
    source, path = tmp_path / "hall.out", tmp_path / "hall.railspine.json"
    source.write_text(str(clos(leaves=4, spines=2, hosts=8)) + "[1] x\n", encoding="utf-8")
    assert main(["import", str(source), "-o", str(path)]) == 0
    out = capsys.readouterr().out
    for words in ("6 switches, 32 adapters", "4 leaf, 2 spine", "qm9700", "line "):
        assert words in out
    design = open_file(path)
    assert set(design.placements) == set(design.devices)
    heights = {d.role: design.placements[d.id].y for d in design.devices.values()}
    assert heights["spine"] < heights["leaf"] < heights["server"]
    assert design.title_block.title == "hall"


def test_account_as_json(capsys, tmp_path):
    source, path = tmp_path / "hall.out", tmp_path / "hall.railspine.json"
    source.write_text(str(clos()), encoding="utf-8")
    assert main(["import", str(source), "-o", str(path), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["counts"]["cables"] == 48
    assert row["warnings"] == []


def test_refused_files_end_with_2_and_write_nothing(capsys, tmp_path):
    source, path = tmp_path / "x.xml", tmp_path / "x.railspine.json"
    source.write_text('<graphs version="1"></graphs>', encoding="utf-8")
    assert main(["import", str(source), "-o", str(path)]) == 2
    assert "NCCL graph file" in capsys.readouterr().err
    assert main(["import", str(source), "-o", str(path), "--from", "visio"]) == 2
    assert not path.exists()


def test_imported_drawing_exports_as_a_graph(capsys, tmp_path):
    source, path = tmp_path / "hall.out", tmp_path / "hall.railspine.json"
    source.write_text(str(clos()), encoding="utf-8")
    main(["import", str(source), "-o", str(path)])
    for form in ("graphml", "dot"):
        out = tmp_path / f"hall.{form}"
        assert main(["export", str(path), "-o", str(out)]) == 0
        text = out.read_text(encoding="utf-8")
        assert text.count("<edge " if form == "graphml" else " -- ") == 48
    assert native.open_design(path).devices
