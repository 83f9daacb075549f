"""One case of `engine` in a process of its own: prints seconds of the first run, peak bytes."""

import sys
from pathlib import Path

from designer.bench.engine import CASES, rounds
from designer.bench.fabrics import fabric

_KIBIBYTE = 1024


def peak_bytes() -> float:
    """Return the most memory this process has used, bytes."""
    status = Path("/proc/self/status")
    if status.exists():
        # what getrusage says here begins with the memory of the process that started this one
        lines = status.read_text(encoding="ascii", errors="replace").splitlines()
        return next(float(x.split()[1]) for x in lines if x.startswith("VmHWM")) * _KIBIBYTE
    if sys.platform == "win32":
        return float("nan")
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most) if sys.platform == "darwin" else float(most * _KIBIBYTE)


if __name__ == "__main__":
    case = CASES[int(sys.argv[1])]
    times = list(rounds(case, fabric(case.fabric), int(sys.argv[2])))
    sys.stdout.write(f"{times[0]} {peak_bytes()}\n")
