"""Telling files apart by what they hold, and the one door of the importers."""

import gzip
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.errors import CancelledError, DesignerError, FileError, ParameterError
from designer.errors import ImportRefusedError as Refused
from designer.formats import native, source
from designer.formats.detect import FORMATS, READABLE, detect
from designer.formats.importers import import_file
from designer.formats.importers.ibnetdiscover import read
from designer.formats.source import decode, read_text
from designer.model.design import Design
from tests.formats.ib_writer import clos

REAL = Path(__file__).parents[2].parent / "shared" / "files"

SAMPLES = {
    "railspine": native.dumps(Design()),
    "ibnetdiscover": str(clos()),
    "ibsim": 'Hca\t1 "Hca1"\n[1]\t"Switch1"[1]\n',
    "nccl-graph": '<graphs version="1">\n <graph id="0"/></graphs>',
    "nccl-topology": '<!-- ours -->\n<system version="1"><cpu numaid="0"/></system>',
    "graphml": '<?xml version="1.0"?><graphml xmlns="x"></graphml>',
    "drawio": '<mxfile host="app"></mxfile>',
    "ibnetdiscover-p": "CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719 10 0x7cfe ( 'a' - 'b' )",
    "ibnetdiscover-l": 'Switch\t : 0x0002c9 ports 36 devid 0xc738 vendid 0x2c9 "MF0;x"',
    "iblinkinfo": '  0x0001 "x"  3  1[  ] ==( 4X  25.78 Gbps Active/ LinkUp)==>  5  1[  ] "y" ( )',
    "ibdiagnet-lst": "{ SW Ports:24 SystemGUID:0002c9 NodeGUID:0002c9 PortGUID:0002c9 VenID:2C9 }",
    "ibdiagnet-db": "START_NODES\nNodeDesc,NumPorts\nEND_NODES\n",
    "forwarding": "dump_ucast_routes: Switch 0x0002c90109fb0000\nLID : Port : Hops\n",
    "ibdm-topo": "# fabric\nMTS800 SW_L2_1\n   P1 -4x-5G-> Cougar H-1 P1\n",
    "slurm": "# tree\nSwitchName=s1 Nodes=n[1-4]\n",
    "nvidia-smi-topo": "\t\x1b[4mGPU0\tGPU1\tCPU Affinity\x1b[0m\nGPU0\t X \tNV18\n",
    "simulator": "40 8 4 4 68 H100\n32 33 34\n0 32 2880Gbps 0.000025ms 0\n",
    "containerlab": "name: x\ntopology:\n  nodes:\n    n1:\n      kind: linux\n",
    "netbox": "---\nmanufacturer: Acme\nmodel: X1\nslug: x1\n",
    "dot": 'graph "fabric" {\n "a":"p1" -- "b":"p2";\n}\n',
    "gml": "graph [\n  node [ id 0 ]\n]\n",
    "cable-list": "#StartDevice,StartPort,EndDevice,EndPort,LinkType\na,1,b,2,Data\n",
    "lldp": '{\n "lldp": {"interface": []}}',
    "topograph": "switches:\n  core:\n    switches: [s1]\nblocks:\n- nodes: [n1]\n",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_kind_is_told_by_its_contents(name):
    found = detect(SAMPLES[name])
    assert found is not None
    assert found.name == name


def test_every_kind_has_a_sample_and_advice():
    assert {f.name for f in FORMATS} == set(SAMPLES)
    for form in FORMATS:
        assert form.readable or form.advice
    assert set(READABLE) == {"ibnetdiscover", "ibsim"}


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - {"ibnetdiscover", "ibsim"}))
def test_what_cannot_be_imported_is_refused_with_what_to_do(tmp_path, name):
    path = tmp_path / "some.txt"
    path.write_text(SAMPLES[name], encoding="utf-8")
    with pytest.raises(Refused) as caught:
        import_file(path, default_catalog())
    assert "some.txt is a" in caught.value.message
    assert caught.value.hint


@pytest.mark.skipif(not REAL.exists(), reason="the real files are not beside the repository")
def test_real_files_are_told_apart():
    kinds = {
        "ibnetdiscover": {"ibnetdiscover", "ibsim", "ibnetdiscover-p"},
        "slurm": {"slurm"},
        "nccl_xml": {"nccl-topology", "nccl-graph"},
        "dot": {"dot"},
        "sim_topo": {"simulator"},
        "clab": {"containerlab"},
        "netbox": {"netbox"},
        "ibdm_topo": {"ibdm-topo"},
        "ibdiag_lst": {"ibdiagnet-lst", "forwarding"},
        "graphml": {"graphml"},
        "cable_csv": {"cable-list", None},
        "lldp_netq": {"lldp", None},
        "topograph_model": {"topograph"},
    }
    for path in sorted(REAL.glob("*/*")):
        form = detect(read_text(path))
        assert (form.name if form else None) in kinds[path.parent.name], path


def test_what_is_nothing_known(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("dear all,\n", encoding="utf-8")
    with pytest.raises(Refused, match="unknown") as caught:
        import_file(path, default_catalog())
    assert "ibnetdiscover" in caught.value.hint


def test_import_by_contents_and_by_name(tmp_path):
    path = tmp_path / "hall-3.topo.out"
    path.write_text(str(clos()), encoding="utf-8")
    for form in (None, "ibnetdiscover", "ibsim"):
        result = import_file(path, default_catalog(), form)
        assert result.report.counts["switches"] == 6
        assert result.design.title_block.title == "hall-3.topo"
    with pytest.raises(ParameterError, match="slurm"):
        import_file(path, default_catalog(), "slurm")
    big = tmp_path / "big"
    big.write_text(str(clos(leaves=16, hosts=64)), encoding="utf-8")
    with pytest.raises(CancelledError):
        import_file(big, default_catalog(), cancelled=lambda: True)


def test_log_with_a_long_comment_before_the_fabric(tmp_path):
    path = tmp_path / "x"
    path.write_text("# banner\n" * 20_000 + str(clos()), encoding="utf-8")
    assert import_file(path, default_catalog()).report.counts["switches"] == 6


def test_packed_files_are_unpacked_whatever_their_name(tmp_path):
    text = str(clos())
    path = tmp_path / "fabric.out.gz"
    # two members, as log rotation makes them
    path.write_bytes(gzip.compress(text[:500].encode()) + gzip.compress(text[500:].encode()))
    result = import_file(path, default_catalog())
    assert result.report.counts["cables"] == 48
    assert result.design.title_block.title == "fabric"
    assert read(path, default_catalog()).report.counts["cables"] == 48


def test_packed_files_that_are_cut_off_or_too_large(tmp_path, monkeypatch):
    path = tmp_path / "x.gz"
    data = gzip.compress(str(clos()).encode())
    for broken in (data[:-20], data[:12], b"\x1f\x8bxxxxxxxxxxxxxxx", b"\x1f\x8b"):
        path.write_bytes(broken)
        with pytest.raises(FileError, match="unpacked"):
            read_text(path)
    path.write_bytes(gzip.compress(b"\0" * 2_000_000))
    with pytest.raises(FileError, match="when unpacked"):
        read_text(path, 1_000_000)
    path.write_bytes(b"x" * 2_000)
    with pytest.raises(FileError, match="larger"):
        read_text(path, 1_000)
    assert source.MAX_BYTES == 1 << 28


def test_encodings():
    text = 'Switch\t8 "é"'
    assert decode(text.encode("utf-8"), "x") == text
    assert decode(text.encode("utf-8-sig"), "x") == text
    assert decode(text.encode("utf-16"), "x") == text
    assert decode(b"\xfe\xff" + text.encode("utf-16-be"), "x") == text
    assert decode(text.encode("latin-1"), "x") == text
    with pytest.raises(FileError, match="no text"):
        decode(b"PK\x03\x04\0\0", "x.zip")


def test_missing_files(tmp_path):
    with pytest.raises(FileError):
        import_file(tmp_path / "none", default_catalog())


@given(st.text(max_size=300))
def test_any_text_is_something_or_nothing(text):
    detect(text)


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 65_000,
        " " * 65_000,
        "graph " * 11_000,
        "topology:\n" * 6_500,
        "switches:\n" * 6_500,
        "manufacturer:x\n" * 4_000,
        "StartDevice" * 6_000,
        "1 " * 32_000,
        "==(" * 20_000,
        "CA :" * 16_000,
        "Switch" * 10_000,
        "blocks" * 10_000,
        "# x\n" * 200_000,
    ],
)
def test_hostile_texts_take_no_time(text):
    detect(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_or_refused(data):
    with suppress(DesignerError):
        decode(data, "x")
