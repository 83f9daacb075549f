"""Small parts for tests of the model: no catalogue needed."""

from designer.catalog.types import Breakout, GpuSpec, PartType, PortFamily

SWITCH = PartType(
    "sw-64",
    "switch",
    "Test",
    "Switch 64",
    "infiniband",
    ports=(PortFamily("fabric", 64, "P{n}", (400e9, 200e9), "osfp", 2, (Breakout(2, 200e9),)),),
)
ETHERNET = PartType(
    "eth-64",
    "switch",
    "Test",
    "Ethernet 64",
    "ethernet",
    ports=(PortFamily("fabric", 64, "swp{n}", (400e9,), "osfp"),),
)
SLOW = PartType(
    "slow-8",
    "switch",
    "Test",
    "Slow 8",
    "infiniband",
    ports=(PortFamily("fabric", 8, "P{n}", (100e9,), "qsfp28"),),
)
NIC = PartType(
    "nic-400",
    "nic",
    "Test",
    "NIC 400",
    "any",
    ports=(PortFamily("nic", 1, "NIC {n}", (400e9, 200e9)),),
)
DUAL = PartType(
    "nic-2x200",
    "nic",
    "Test",
    "NIC 2x200",
    "any",
    ports=(PortFamily("nic", 2, "NIC {n}", (200e9,)),),
)
SERVER = PartType(
    "srv-8",
    "server",
    "Test",
    "Server 8",
    "any",
    ports=(PortFamily("nic", 8, "NIC {n}", (400e9, 200e9)), PortFamily("mgmt", 1, "BMC", (1e9,))),
    gpu=GpuSpec(8, nvlink_bytes_per_s=450e9, nvlink_links=18, internal_nvswitch=True),
    nic="nic-400",
    nic_slots=8,
)
