"""Every part that ships: complete, sourced, and true to what makers publish."""

import csv
import re
from pathlib import Path

import pytest

from designer.catalog.load import bundled_files, default_catalog, load_parts
from designer.catalog.types import FAMILIES, PartType

CATALOG = default_catalog()
PARTS = list(CATALOG)
DEVICES = Path(__file__).resolve().parents[3] / "shared" / "reference" / "devices.csv"
GB = 1e9

# The parts the program promises, by the names people write.
PROMISED = (
    "dgx-a100 hgx-a100 dgx-h100 hgx-h100 dgx-h200 hgx-h200 dgx-b200 hgx-b200 dgx-b300 hgx-b300 "
    "pcie-8gpu gb200-compute-tray nvl72-nvswitch-tray generic-host ufm-appliance "
    "qm8700 qm9700 qm9790 q3400-ra sn4600c sn5400 sn5600 sn5610 arista-7060x6-64pe "
    "cisco-n9364e-sg2 generic-64x800g connectx-6 connectx-7 connectx-8 bluefield-3"
)


def part_id(part: PartType) -> str:
    return part.slug


@pytest.mark.parametrize("slug", PROMISED.split())
def test_every_promised_part_is_there(slug):
    assert CATALOG.get(slug).slug == slug


@pytest.mark.parametrize("path", bundled_files(), ids=lambda p: p.stem)
def test_each_file_reads_by_itself(path):
    assert load_parts(path)


@pytest.mark.parametrize("part", PARTS, ids=part_id)
def test_no_part_is_silently_unsourced(part):
    assert part.source.strip()
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", part.checked)
    assert part.confidence in {"found", "recalled", "estimate"}
    if part.confidence == "recalled":
        assert "recalled" in part.source
    if part.confidence == "estimate":
        assert "estimate" in part.source
    if part.price is not None:
        assert part.price.date
        assert part.price.source
        assert part.price.usd.low > 0


@pytest.mark.parametrize("part", PARTS, ids=part_id)
def test_what_is_named_unsourced_is_a_field_that_is_set(part):
    for name in part.unsourced:
        parent, _, child = name.partition(".")
        value = getattr(part, parent)
        assert value is not None, name
        owner = value[0] if isinstance(value, tuple) and child else value
        assert not child or getattr(owner, child) not in (None, "", ()), name
        assert not part.is_sourced(name)


@pytest.mark.parametrize("part", PARTS, ids=part_id)
def test_each_part_is_complete_for_its_kind(part):
    assert part.vendor
    assert part.model
    for family in part.ports:
        assert family.family in FAMILIES
        assert family.form_factor
        assert min(family.speeds) >= 1 * GB
        assert family.count % family.ports_per_cage == 0
    if part.kind == "server":
        assert part.family("mgmt") is not None
        assert part.nic_slots > 0
        assert CATALOG.get(part.nic).kind == "nic"
        if part.gpu.count:
            assert part.gpu.bf16_flops
            assert part.gpu.memory_bytes
            assert part.gpu.architecture in {"ampere", "hopper", "blackwell"}
            assert part.technology == "any"
    if part.kind == "switch":
        assert part.technology in {"infiniband", "ethernet"}
        assert part.capacity_bits_per_s > 0
    if part.kind in {"cable", "optic"}:
        assert part.cable.reach_m > 0
        assert part.cable.links >= 1
    if part.kind in {"switch", "nvswitch", "server"}:
        assert part.rack_units >= 1


@pytest.mark.parametrize("part", PARTS, ids=part_id)
def test_equivalents_answer_each_other_with_the_same_ports_and_speed(part):
    for slug in part.equivalents:
        other = CATALOG.get(slug)
        assert part.slug in other.equivalents
        if part.cable is not None:
            assert max(part.cable.speeds) == max(other.cable.speeds)
            assert part.cable.links == other.cable.links
            continue
        mine, theirs = part.family("fabric"), other.family("fabric")
        assert (mine.count, max(mine.speeds)) == (theirs.count, max(theirs.speeds))


def test_the_equivalent_of_a_switch_in_the_other_technology():
    assert CATALOG.equivalent(CATALOG.get("qm9700"), "ethernet").slug == "sn5400"
    assert CATALOG.equivalent(CATALOG.get("sn5400"), "infiniband").slug == "qm9700"
    assert CATALOG.equivalent(CATALOG.get("q3400-ra"), "ethernet") is None
    assert CATALOG.equivalent(CATALOG.get("qm8700"), "ethernet") is None
    assert CATALOG.equivalent(CATALOG.get("sn5600"), "infiniband") is None
    nic = CATALOG.get("connectx-7")
    assert CATALOG.equivalent(nic, "ethernet") is nic


# One way, ports times speed. NVIDIA prints QM9700 as 51.2 Tb/s both ways; SN5600 and Q3400 one way.
@pytest.mark.parametrize(
    ("slug", "tb_per_s"),
    [("qm8700", 8.0), ("qm9700", 25.6), ("qm9790", 25.6), ("q3400-ra", 115.2), ("sn4600c", 6.4),
     ("sn5400", 25.6), ("sn5600", 51.2), ("sn5610", 51.2), ("arista-7060x6-64pe", 51.2),
     ("cisco-n9364e-sg2", 51.2), ("generic-64x800g", 51.2), ("hpn-tor-51t", 51.2)],
)  # fmt: skip
def test_capacity_follows_from_ports_and_speed(slug, tb_per_s):
    assert CATALOG.get(slug).capacity_bits_per_s == pytest.approx(tb_per_s * 1e12)


def test_the_nvswitch_tray_has_the_advertised_capacity():
    # NVIDIA's GB200 RA: 14.4 TB/s a tray both ways, 130 TB/s (129.6) for nine trays
    tray = CATALOG.get("nvl72-nvswitch-tray")
    both_ways_bytes = 2 * tray.capacity_bits_per_s / 8
    assert both_ways_bytes == pytest.approx(14.4e12)
    assert 9 * both_ways_bytes == pytest.approx(129.6e12)


# stas00/ml-engineering network/README.md: NVLink 3, 4, 5 carry 300, 450, 900 GB/s one way over
# 12, 18, 18 links; its accelerator README: BF16 dense 312, 989, 2250, 2500, 756 TFLOPS.
@pytest.mark.parametrize(
    ("slug", "gigabytes", "links", "tflops"),
    [("a100", 300, 12, 312), ("h100", 450, 18, 989), ("h200", 450, 18, 989),
     ("b200", 900, 18, 2250), ("b300", 900, 18, 2250)],
)  # fmt: skip
@pytest.mark.parametrize("line", ["dgx", "hgx"])
def test_gpu_figures_of_nvswitch_servers(line, slug, gigabytes, links, tflops):
    gpu = CATALOG.get(f"{line}-{slug}").gpu
    assert gpu.count == 8
    assert gpu.internal_nvswitch
    assert gpu.nvlink_bytes_per_s == gigabytes * GB
    assert gpu.nvlink_links == links
    assert gpu.bf16_flops == tflops * 1e12


def test_the_compute_tray_hangs_on_its_nvlink_ports():
    tray = CATALOG.get("gb200-compute-tray")
    nvlink = tray.family("nvlink")
    assert (tray.gpu.count, tray.gpu.nvlink_links, nvlink.count) == (4, 18, 72)
    assert not tray.gpu.internal_nvswitch
    # 18 links of 400 Gb/s are the 900 GB/s of a GPU, one way
    assert 18 * nvlink.speeds[0] / 8 == tray.gpu.nvlink_bytes_per_s == 900 * GB
    assert tray.gpu.bf16_flops == 2500e12
    # 18 trays fill nine switch trays exactly
    assert 18 * nvlink.count == 9 * CATALOG.get("nvl72-nvswitch-tray").family("nvlink").count


def test_the_pcie_server_has_no_nvlink():
    gpu = CATALOG.get("pcie-8gpu").gpu
    assert gpu.count == 8
    assert gpu.nvlink_bytes_per_s is None
    assert gpu.nvlink_links == 0
    assert not gpu.internal_nvswitch
    assert gpu.pcie_bytes_per_s == 63 * GB
    assert gpu.bf16_flops == 756e12


def test_hosts_have_no_gpus():
    for slug in ("generic-host", "ufm-appliance"):
        host = CATALOG.get(slug)
        assert host.gpu.count == 0
        assert host.family("nic").count == 4


def test_every_fabric_speed_has_copper_fibre_and_optics():
    for speed in (200e9, 400e9, 800e9):
        media = {
            p.cable.medium for p in PARTS if p.cable and speed in p.cable.speeds
            and p.kind == "cable"
        }  # fmt: skip
        optics = {
            p.cable.medium for p in PARTS if p.cable and max(p.cable.speeds) == speed
            and p.kind == "optic"
        }  # fmt: skip
        assert {"passive_copper", "active_copper", "multimode", "single_mode"} <= media
        assert {"multimode", "single_mode"} <= optics


def test_every_optical_cage_has_a_transceiver():
    for part in PARTS:
        for family in part.ports:
            if family.family not in {"nic", "fabric"}:
                continue
            fitting = [
                p for p in PARTS
                if p.kind == "optic" and p.cable.form_factor == family.form_factor
                and p.cable.links == family.ports_per_cage
                and max(family.speeds) in p.cable.speeds
                and (part.technology == "any" or p.technology in {"any", part.technology})
            ]  # fmt: skip
            assert fitting or part.slug == "connectx-6-dx", (part.slug, family.family)


def test_a_superpod_server_takes_four_twin_port_transceivers():
    # NVIDIA DGX SuperPOD RA-11333-001 V11, Table 8: 508 for 127 servers
    nic = CATALOG.get("dgx-h100").family("nic")
    assert 127 * nic.count // nic.ports_per_cage == 508


# devices.csv: name of its row -> part here
ROWS = {
    "NVIDIA QM8700 (Quantum HDR)": "qm8700",
    "NVIDIA QM8700 power": "qm8700",
    "NVIDIA QM9700 (Quantum-2 NDR)": "qm9700",
    "NVIDIA QM9790": "qm9790",
    "NVIDIA Q3400-RA (Quantum-X800 XDR)": "q3400-ra",
    "NVIDIA Q3400-RA power": "q3400-ra",
    "NVIDIA SN4600C": "sn4600c",
    "NVIDIA SN5400 (Spectrum-4)": "sn5400",
    "NVIDIA SN5600 (Spectrum-4)": "sn5600",
    "NVIDIA SN5610 (Spectrum-4)": "sn5610",
    "Cisco N9364E-SG2 (Silicon One G200)": "cisco-n9364e-sg2",
    "Arista DCS-7060X6-64PE (TH5)": "arista-7060x6-64pe",
    "FS N9600-64OD (TH5)": "fs-n9600-64od",
    "Broadcom Tomahawk 4 box": "generic-64x400g",
    "ConnectX-6 HDR": "connectx-6",
    "ConnectX-7 NDR MCX75310AAS-NEAT": "connectx-7",
    "ConnectX-7 power": "connectx-7",
    "BlueField-3 B3140H SuperNIC": "bluefield-3",
    "DGX A100": "dgx-a100",
    "DGX H100 / H200": "dgx-h100",
    "DGX B200": "dgx-b200",
    "DGX B300": "dgx-b300",
    "GB200 compute tray": "gb200-compute-tray",
    "MMA4Z00-NS 800G 2xSR4 twin-port OSFP": "optic-800g-2xsr4",
    "MMA4Z00-NS400 400G SR4 OSFP (NIC side)": "optic-400g-sr4",
    "MMS4X00-NS 800G 2xDR4": "optic-800g-2xdr4-100m",
    "MMS4X00-NM 800G 2xDR4": "optic-800g-2xdr4-500m",
    "MMS4X00-NS400 400G DR4": "optic-400g-dr4",
    "800G DR4 OSFP224 (XDR)": "optic-800g-dr4",
}


def _rows():
    if not DEVICES.is_file():
        return []
    with DEVICES.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["model"] in ROWS]


@pytest.mark.skipif(not DEVICES.is_file(), reason="the reference table is not beside the checkout")
def test_figures_agree_with_the_reference_table():
    rows = _rows()
    assert {row["model"] for row in rows} == set(ROWS)
    for row in rows:
        part = CATALOG.get(ROWS[row["model"]])
        for column, value in (
            ("power_typ_w", part.power_typical_w),
            ("power_max_w", part.power_max_w),
            ("rack_u", part.rack_units),
        ):
            if row[column].strip():
                assert value == float(row[column]), (part.slug, column)
        if part.kind in {"switch", "nic"} and row["ports"].isdigit():
            family = part.family("fabric" if part.kind == "switch" else "nic")
            assert family.count == int(row["ports"])
            assert max(family.speeds) == float(row["port_gbps"]) * GB
        if row["confidence"].startswith("recalled") and row["power_typ_w"]:
            assert not part.is_sourced("power_typical_w")
