"""Waves of a run: they show what the RTL does, and writing them changes nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cocrypt import Machine
from cocrypt.fuzz.compare import MAX_CYCLES, Run
from cocrypt.fuzz.cores import CORES, Core
from cocrypt.fuzz.devices import DeviceFolder
from cocrypt.fuzz.generate import generate
from cocrypt.rtl import Job, build, run_batch
from elf import elf_image

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

PROGRAM = """
#include <cocrypt/device.h>
volatile uint32_t place;
int main(void)
{
    for (uint32_t i = 1; i < 4; i++) {
        device_write(COCRYPT_MARKS, i);
        place = 0x100 * i;
        device_write(COCRYPT_CONSOLE, 'a' + (place >> 8));
    }
    return 0;
}
"""


class Waves:
    """A value change dump, as values of signals by cycle."""

    def __init__(self, text: str, period: int) -> None:
        head, _, body = text.partition("$enddefinitions $end")
        names = dict(re.findall(r"\$var wire \d+ (\S+) (\S+) \$end", head))
        self.changes: dict[str, list[tuple[int, int]]] = {name: [] for name in names.values()}
        self.end = 0
        for line in body.split("\n"):
            if line.startswith("#"):
                self.end, rest = divmod(int(line[1:]), period)
                assert rest == 0
            elif line.startswith("b"):
                bits, key = line[1:].split()
                self.changes[names[key]].append((self.end, int(bits, 2)))
            elif line:
                self.changes[names[line[1:]]].append((self.end, int(line[0])))

    def at(self, name: str, cycle: int) -> int:
        """The value of a signal in a cycle."""
        return [value for when, value in self.changes[name] if when <= cycle][-1]

    def rises(self, name: str) -> list[int]:
        """The cycles in which a signal of one bit is up."""
        cycles: list[int] = []
        since = None
        for when, value in [*self.changes[name], (self.end, 0)]:
            if since is not None:
                cycles += range(since, when)
            since = when if value else None
        return cycles


@pytest.mark.long
@pytest.mark.parametrize("core", CORES.values(), ids=lambda core: core.name)
def test_issues_are_those_of_the_rtl(core: Core, tmp_path: Path) -> None:
    configuration = core.configurations[0]
    waits = core.waits(configuration)[0]
    devices = DeviceFolder(tmp_path)
    for index in range(6):
        program = generate(5, index, core.features(configuration), "exit")
        run = Run(program, configuration, waits)
        machine = Machine(devices.device(configuration, waits), elf_image(program.image))
        path = tmp_path / "run.vcd"
        machine.waves(path, MAX_CYCLES)
        waves = Waves(path.read_text(), 1_000_000)
        job = Job(program.image, run.configuration, run.waits, MAX_CYCLES, trace=True)
        issues = run_batch(build(core.configurations), [job])[0].issues or ()
        assert waves.rises("issue") == [cycle for cycle, _ in issues]
        assert [waves.at("pc", cycle) for cycle, _ in issues] == [pc for _, pc in issues]


def test_transfers_wait_as_long_as_the_bus_does(
    firmware: Callable[[str], Path], tmp_path: Path
) -> None:
    image, path = firmware(PROGRAM), tmp_path / "run.vcd"
    machine = Machine("picorv32", image)
    result = machine.waves(path)
    waves = Waves(path.read_text(), 20_000)
    requests = waves.rises("request")
    answers = waves.rises("answer")
    assert set(answers) <= set(requests)
    marks = [answer for answer in answers if waves.at("address", answer) == 0x8000_0030]
    assert [(cycle, waves.at("wdata", cycle)) for cycle in marks] == machine.marks()
    # The outputs change behind the cycle in which they are written.
    assert [waves.at("marks", cycle + 1) for cycle in marks] == [1, 2, 3]
    assert [waves.at("marks", cycle) for cycle in marks] == [0, 1, 2]
    letters = [answer for answer in answers if waves.at("address", answer) == 0x8000_0000]
    assert bytes(waves.at("wdata", answer) for answer in letters) == result.values["console"]
    location = machine.address("place")
    reads = [
        waves.at("rdata", answer)
        for answer in answers
        if waves.at("address", answer) == location and not waves.at("write", answer)
    ]
    assert reads == [0x100, 0x200, 0x300]


def test_writing_waves_changes_nothing(firmware: Callable[[str], Path], tmp_path: Path) -> None:
    image = firmware(PROGRAM)
    alone, watched = Machine("picorv32", image), Machine("picorv32", image)
    reference = alone.run()
    watched.run(1_000)
    result = watched.waves(tmp_path / "run.fst")
    assert result.cycles == reference.cycles
    assert result.values["instructions"] == reference.values["instructions"]
    assert watched.registers() == alone.registers()
    assert (tmp_path / "run.fst").stat().st_size > 0


def test_run_writes_waves(
    cocrypt: Cocrypt, firmware: Callable[[str], Path], tmp_path: Path
) -> None:
    image, path = firmware(PROGRAM), tmp_path / "run.vcd"
    done = cocrypt("run", image, "--device", "picorv32", "--waves", path)
    assert done.returncode == 0, done.stderr
    assert f"wrote {path}" in done.stderr
    assert path.read_text().startswith("$version")


@pytest.mark.parametrize(
    ("name", "code", "expected"),
    [("run.txt", 1, "let it end in .vcd or .fst"), ("absent/run.vcd", 2, "cannot write")],
)
def test_a_wrong_file_gets_a_clear_message(
    cocrypt: Cocrypt,
    firmware: Callable[[str], Path],
    tmp_path: Path,
    name: str,
    code: int,
    expected: str,
) -> None:
    done = cocrypt("run", firmware(PROGRAM), "--device", "picorv32", "--waves", tmp_path / name)
    assert (done.returncode, expected in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr
