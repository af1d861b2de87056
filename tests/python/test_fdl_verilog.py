"""FDL designs: the simulator, the exported Verilog and Python's integers agree in every cycle."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

import fdl_bench
from cocrypt import _native
from cocrypt.fuzz.fdl import generate as fdl_random

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
CASES = sorted((ROOT / "tests/cases/fdl/run").glob("*.fdl"))
MAP = ROOT / "coprocessors/map/map.fdl"
RANDOM_DESIGNS = 48
CYCLES = 24

Row = dict[str, int]


@dataclass
class Run:
    """A design, its inputs, and the simulator's outputs."""

    path: Path
    device: fdl_bench.Device
    stimuli: list[Row]
    simulated: list[Row]


def test_random_designs_match_python(random_designs: list[tuple[fdl_random.Design, Run]]) -> None:
    for design, run in random_designs:
        expected = design.model.run(design, run.stimuli)
        for cycle, (simulated, computed) in enumerate(zip(run.simulated, expected, strict=True)):
            assert simulated == computed, (
                f"cycle {cycle} of\n{design.text}\n{run.stimuli[: cycle + 1]}"
            )


def test_a_long_cycle_is_compiled_as_python_computes_it(tmp_path: Path) -> None:
    """More than 4,096 words are computed in a cycle, which divides the code of the cycle."""
    design = fdl_random.design("long", 95, 180)
    path = tmp_path / "long.fdl"
    path.write_text(design.text)
    stimuli = design.stimuli(Random(95), 8)
    expected = design.model.run(design, stimuli)
    for compiled in (False, True):
        assert _native.fdl_simulate(path, "long", stimuli, compiled) == expected


@pytest.mark.long
def test_verilog_matches_the_simulator(
    random_designs: list[tuple[fdl_random.Design, Run]], tmp_path: Path
) -> None:
    runs = [run for _, run in random_designs] + list(_case_runs(tmp_path)) + [_map_run()]
    results = fdl_bench.run([r.device for r in runs], [r.stimuli for r in runs], tmp_path)
    for run, result in zip(runs, results, strict=True):
        assert len(result) == len(run.stimuli), run.path
        for cycle, (outputs, simulated) in enumerate(zip(result, run.simulated, strict=True)):
            assert outputs == simulated, f"cycle {cycle} of {run.path}\n{run.device.verilog}"


@pytest.fixture(scope="module")
def random_designs(
    tmp_path_factory: pytest.TempPathFactory,
) -> list[tuple[fdl_random.Design, Run]]:
    folder = tmp_path_factory.mktemp("random")
    return list(make_random_designs(folder, 1, RANDOM_DESIGNS))


def make_random_designs(
    folder: Path, seed: int, count: int
) -> Iterator[tuple[fdl_random.Design, Run]]:
    """Random designs that are accepted; those whose values may grow without end are refused."""
    number = 0
    while number < count:
        design = fdl_random.design(f"random_{number}", seed)
        path = folder / f"random_{number}.fdl"
        path.write_text(design.text)
        stimuli = design.stimuli(Random(seed), CYCLES)
        seed += 1
        if not _is_accepted(path):
            continue
        inputs = {name: ty.width for name, ty in design.inputs.items()}
        outputs = {name: ty.width for name, ty in design.outputs.items()}
        yield design, _run(path, design.name, (inputs, outputs), stimuli)
        number += 1


def _is_accepted(path: Path) -> bool:
    try:
        _native.fdl_check(path)
    except _native.DiagnosticError as error:
        if {diagnostic["code"] for diagnostic in error.diagnostics} == {"fdl.unbounded-value"}:
            return False
        raise
    return True


def _run(
    path: Path, top: str, ports: tuple[dict[str, int], dict[str, int]], stimuli: list[Row]
) -> Run:
    device = fdl_bench.Device(top, _native.fdl_verilog(path, top), *ports)
    return Run(path, device, stimuli, _native.fdl_simulate(path, top, stimuli))


def _case_runs(folder: Path) -> Iterator[Run]:
    """The cases that have ports, with random inputs after those of the case."""
    rng = Random(7)
    for path in CASES:
        text = path.read_text()
        tops = re.findall(r"^dp (\w+)\(([^{]*)\) \{", text, re.MULTILINE)
        if "\nsystem " in text or not tops:
            continue
        top, declared = tops[-1]
        ports = _ports(declared, "in"), _ports(declared, "out")
        rows = re.findall(r"^//>([^|]*)\|", text, re.MULTILINE)
        stimuli = [{n: int(v, 0) for n, v in re.findall(r"(\w+)=(\w+)", row)} for row in rows]
        stimuli += [
            {name: fdl_random.corner(rng, width) for name, width in ports[0].items()}
            for _ in range(40)
        ]
        yield _unique(path, top, ports, stimuli, folder)


def _unique(
    path: Path,
    top: str,
    ports: tuple[dict[str, int], dict[str, int]],
    stimuli: list[Row],
    folder: Path,
) -> Run:
    """One binary holds all cases, so that their datapaths get names of their own."""
    text = path.read_text()
    for name in re.findall(r"^dp (\w+)", text, re.MULTILINE):
        if name != "begin":
            text = re.sub(rf"\b{name}\b", f"{path.stem}__{name}", text)
    copy = folder / path.name
    copy.write_text(text)
    return _run(copy, top if top == "begin" else f"{path.stem}__{top}", ports, stimuli)


def _ports(declared: str, direction: str) -> dict[str, int]:
    ports: dict[str, int] = {}
    for names, width in re.findall(rf"\b{direction}\s+([\w\s,]+?)\s*:\s*\w+\((\d+)\)", declared):
        ports |= {name.strip(): int(width) for name in names.split(",")}
    return ports


def _map_run() -> Run:
    """All four operations of the modular arithmetic processor by way of its registers."""
    rng = Random(3)
    stimuli: list[Row] = []
    for modulus in (2**160 - 2**31 - 1, 0x0100000000000000000001F4C8F927AED3CA752257, 21):
        for opcode in range(4):
            x, y = rng.randrange(modulus), rng.randrange(modulus)
            for base, value in ((0x40, x), (0x60, y), (0x80, modulus)):
                for word in range(6):
                    data = value >> 32 * word & 0xFFFFFFFF
                    stimuli.append(_transfer(base + 4 * word, wdata=data, write=1))
            stimuli.append(_transfer(0, wdata=4 | opcode, write=1))
            stimuli += [_transfer(4, read=1)] * 330
            stimuli += [_transfer(0xA0 + 4 * word, read=1) for word in range(6)]
    stimuli += [_transfer(0, wdata=8, write=1), _transfer(0xA0, read=1), _transfer(0xA0, read=1)]
    ports = {"address": 12, "wdata": 32, "write": 1, "read": 1}, {"rdata": 32}
    return _run(MAP, "map", ports, stimuli)


def _transfer(address: int, wdata: int = 0, write: int = 0, read: int = 0) -> Row:
    return {"address": address, "wdata": wdata, "write": write, "read": read}
