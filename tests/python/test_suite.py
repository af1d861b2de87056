"""The programs of the benchmark set: interpreter and compiled code compute and take the same.

`COCRYPT_SUITE=60` compares so many programs of the set on each device, and
`COCRYPT_SUITE_DEVICES="serv sa1110"` does so on others.
"""

import os
import re
import subprocess
import sys

import pytest

from host import ROOT

PROGRAMS = os.environ.get("COCRYPT_SUITE")
DEVICES = os.environ.get("COCRYPT_SUITE_DEVICES", "picorv32 stm32f0").split()
SAMPLE = ("--sample", PROGRAMS) if PROGRAMS else ("--only", "states")


@pytest.mark.parametrize("device", DEVICES)
def test_engines_agree_on_programs_of_the_set(device: str) -> None:
    command = [
        sys.executable,
        str(ROOT / "benches/suite.py"),
        "--check",
        "--device",
        device,
        *SAMPLE,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    agreed = re.fullmatch(rf"{device}: (\d+) programs agree, ([\d,]+) cycles\n", done.stdout)
    assert agreed, done.stderr
    assert int(agreed[1]) >= int(PROGRAMS or 2) // 2, done.stderr
