"""The study duarte2010: expectations, devices, published figures, and their reproduction."""

from __future__ import annotations

import json
import math
import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import output_schemas
from cocrypt.calltree import CallTree
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.hardware.area import fpga_of
from cocrypt.partition import partition
from cocrypt.reproduce import PAPERS
from cocrypt.reproduce.duarte2010.claims import amdahl, external
from cocrypt.reproduce.duarte2010.experiment import EXTERNAL, Reproduction, leaf
from cocrypt.reproduce.duarte2010.timed import timed
from cocrypt.study import Study
from cocrypt.verify import verify
from conftest import ROOT
from host import vectors

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

PUBLISHED = vectors("studies/published/duarte2010.toml")
VECTORS = vectors("primitives/rsa-toy/vectors/rsa_toy.toml")
FIRST, SECOND = 50_000, 60_000


@cache
def study() -> Study:
    return Study.load(ROOT / "studies/duarte2010.toml")


@cache
def reproduced() -> Reproduction:
    reproduction = PAPERS["duarte2010"](study())
    assert isinstance(reproduction, Reproduction)
    return reproduction


def keys() -> tuple[int, int, int]:
    (vector,) = [
        vector
        for vector in VECTORS["keys"]
        if (int(vector["p"], 16), int(vector["q"], 16)) == (FIRST, SECOND)
    ]
    n, e, d = (int(vector[name], 16) for name in "ned")
    return n, e, d


def text(size: int) -> list[int]:
    """The words that program.h writes: six bits of a congruential generator a character."""
    state, content = 1, bytearray()
    for _ in range(size):
        state = (1664525 * state + 1013904223) % 2**32
        content.append(32 + (state >> 26))
    return [int.from_bytes(content[at : at + 4], "big") for at in range(0, size, 4)]


def summed(words: list[int]) -> int:
    total = 0
    for word in words:
        total = (31 * total + word) % 2**32
    return total


@pytest.mark.parametrize("row", PUBLISHED["row"], ids=lambda row: str(row["bytes"]))
def test_expectations_are_what_python_computes(row: dict[str, Any]) -> None:
    n, e, d = keys()
    words = text(row["bytes"])
    cipher = [pow(word, e, n) for word in words]
    assert [pow(word, d, n) for word in cipher] == words
    expected = (n, e, d, summed(cipher), summed(words))
    workload = study().workload(f"text_{row['bytes']}")
    assert workload.expect == b"".join(value.to_bytes(4, "little") for value in expected)


def test_the_workloads_are_the_papers_sizes() -> None:
    sizes = {int(workload.name.removeprefix("text_")) for workload in study().workloads}
    assert sizes == {row["bytes"] for row in PUBLISHED["row"]}


def test_published_figures_agree_among_themselves() -> None:
    """Time is cycles by clock, energy is time by power, both to the printed digits."""
    platform = PUBLISHED["platform"]
    for row in PUBLISHED["row"]:
        for kind in ("without", "with"):
            figures, power = row[kind], platform[f"power_W_{kind}"]
            assert figures["ms"] == pytest.approx(1e3 * figures["Mcycles"] / 125, abs=5e-4)
            assert figures["mJ"] == pytest.approx(power * figures["ms"], abs=5e-4, rel=1e-4)
            assert figures["uJ_per_byte"] == pytest.approx(
                1e3 * figures["mJ"] / row["bytes"], rel=5e-4
            )


def test_the_papers_claims_follow_from_its_tables() -> None:
    last, claims = PUBLISHED["row"][-1], PUBLISHED["claims"]
    time = 100 * (1 - last["with"]["Mcycles"] / last["without"]["Mcycles"])
    energy = 100 * (1 - last["with"]["mJ"] / last["without"]["mJ"])
    assert claims["time_percent"] == pytest.approx(time, abs=0.005)
    assert claims["energy_percent"] == pytest.approx(energy, abs=0.005)
    share = PUBLISHED["coprocessor"]["hot_share_percent"] / 100
    gain = 100 * (amdahl(share, PUBLISHED["coprocessor"]["amdahl_s"]) - 1)
    assert claims["amdahl_percent"] == pytest.approx(gain, abs=0.015)


def test_external_memory_is_swapped_as_the_papers_ratio_demands() -> None:
    least = PUBLISHED["row"][0]
    on_chip = [1e6 * least[kind]["Mcycles"] for kind in ("without", "with")]
    ratios = [away / near for away, near in zip(external(PUBLISHED), on_chip, strict=True)]
    assert min(ratios) > PUBLISHED["ddr"]["least_ratio"]
    as_printed = (PUBLISHED["ddr"]["cycles_without"], PUBLISHED["ddr"]["cycles_with"])
    assert as_printed[0] / on_chip[0] < PUBLISHED["ddr"]["least_ratio"]


@pytest.mark.parametrize("name", ["duarte2010-bram", EXTERNAL])
def test_devices_are_the_papers_platform(name: str) -> None:
    device, platform = Device.load(name), PUBLISHED["platform"]
    assert device.clock_hz == 1e6 * platform["clock_MHz"]
    assert device.ram.size == 1024 * platform["bram_kB"]
    # One cycle of the load or store is the core's own.
    access = device.bus.wait + 1 - platform["bus_cycles"]
    assert platform["access_cycles"][0] <= access <= platform["access_cycles"][1]
    stated = platform["power_W_without"] if name != EXTERNAL else None
    assert device.power.active_W == stated


@pytest.mark.long
def test_wait_states_are_those_that_come_nearest_to_the_papers_ratio(tmp_path: Path) -> None:
    (tmp_path / "cores").symlink_to(ROOT / "devices/cores")
    described = (ROOT / f"devices/{EXTERNAL}.toml").read_text()
    stated = int(re.findall(r"refill += (\d+)", described)[0])
    aim = external(PUBLISHED)[0] / (1e6 * PUBLISHED["row"][0]["without"]["Mcycles"])
    near = reproduced().sizes[0].without.cycles
    far = {}
    for refill in (stated - 1, stated, stated + 1):
        path = tmp_path / f"ddr{refill}.toml"
        path.write_text(re.sub(r"refill += \d+", f"refill = {refill}", described))
        away = study().on(Device.load(path))
        (run,) = timed(away, [(study().workload("text_4"), partition(study(), ()))])
        far[refill] = abs(run.cycles / near - aim)
    assert min(far, key=far.__getitem__) == stated


def test_all_that_ran_gave_what_is_expected() -> None:
    assert reproduced().wrong == ()


def test_the_hot_function_is_found_in_the_profile() -> None:
    assert reproduced().hot == "rsa_toy_power"
    least = reproduced().sizes[0].without
    assert leaf(least.tree).name == "rsa_toy_prime"


def tree(*nodes: tuple[str, int | None, int]) -> CallTree:
    """A call tree of nodes with their parents and their own cycles, each function once."""
    below = [cycles for _, _, cycles in nodes]
    for index in reversed(range(len(nodes))):
        parent = nodes[index][1]
        if parent is not None:
            below[parent] += below[index]
    functions = [
        {"name": name, "calls": 1, "self_cycles": cycles, "total_cycles": total}
        for (name, _, cycles), total in zip(nodes, below, strict=True)
    ]
    listed = [
        {"name": name, "parent": parent, "calls": 1, "inlined": False, "self_cycles": cycles}
        for name, parent, cycles in nodes
    ]
    return CallTree(sum(cycles for _, _, cycles in nodes), listed, functions)


def test_a_leaf_is_what_calls_no_other() -> None:
    call_tree = tree(("all", None, 900), ("large", 0, 50), ("small", 0, 40), ("within", 1, 30))
    assert leaf(call_tree).name == "small"
    with pytest.raises(InputError, match="calls another"):
        leaf(tree(("main", None, 10)))


def test_each_bit_of_both_exponents_asks_for_a_power() -> None:
    for pair in reproduced().sizes:
        for run in (pair.without, pair.with_hardware):
            assert run.calls("rsa_toy_power") == 2 * 32 * run.size // 4


def test_the_coprocessor_is_written_and_read_once_a_call() -> None:
    for pair in reproduced().sizes:
        calls = pair.with_hardware.calls("rsa_toy_power")
        assert pair.with_hardware.waited == 2 * calls * study().device.bus.wait
        assert pair.without.waited == 0


def test_what_is_gained_is_what_amdahls_law_allows() -> None:
    for pair in reproduced().sizes:
        cycles = [run.each("rsa_toy_power") for run in (pair.without, pair.with_hardware)]
        bound = amdahl(pair.without.share("rsa_toy_power"), cycles[0] / cycles[1])
        assert pair.speedup == pytest.approx(bound, rel=1e-3)


def test_energy_is_the_papers_power_by_our_time() -> None:
    result = reproduced()
    pair = result.profiled
    assert result.energy(pair.without) == pytest.approx(1.2519 * pair.without.cycles / 125e6)
    hardware = pair.with_hardware
    assert result.energy(hardware) == pytest.approx(1.2653 * hardware.cycles / 125e6)
    units = [run for run in result.choices if result.coprocessor(run) == "montgomery32"]
    assert units
    assert all(result.energy(run) is None for run in units)


def test_a_shift_beats_the_papers_coprocessor() -> None:
    result = reproduced()
    (shift,) = [
        run
        for run in result.choices
        if run.partition.choice == {**_software(), "rsa_toy_power": "shift"}
    ]
    assert shift.cycles < result.profiled.with_hardware.cycles


def _software() -> dict[str, str]:
    return dict.fromkeys((candidate.function for candidate in study().candidates), "software")


def test_slices_are_as_few_as_luts_and_flip_flops_allow(need_tool: Callable[[str], str]) -> None:
    need_tool("yosys")
    registers = ROOT / "coprocessors/pow2/registers.toml"
    figures = fpga_of(registers, "xc5v")
    # The exponent's register has five bits.
    assert figures.flip_flops == 5
    assert figures.slices == max(math.ceil(figures.luts / 4), 2)
    with pytest.raises(InputError, match="xc9"):
        fpga_of(registers, "xc9")


@pytest.mark.parametrize(
    ("name", "registers"),
    [
        ("pow2", "coprocessors/pow2/registers.toml"),
        ("montgomery32", "studies/duarte2010/montgomery32/registers.toml"),
    ],
)
def test_the_page_has_the_resources_that_the_command_prints(
    name: str, registers: str, need_tool: Callable[[str], str]
) -> None:
    """The row of a coprocessor, as the Yosys that the page names computes it."""
    need_tool("yosys")
    figures = fpga_of(ROOT / registers, "xc5v")
    page = (ROOT / "docs/duarte2010.md").read_text(encoding="utf-8")
    if figures.yosys not in page:
        pytest.skip(f"{figures.yosys} may map gates otherwise")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{name}`"))
    cells = [cell.strip() for cell in row.strip("|").split("|")][1:]
    assert cells == [
        f"{figures.luts:,}",
        f"{figures.flip_flops:,}",
        f"{figures.slices:,} at least",
    ]


def test_the_command_prints_tables_and_writes_the_page(cocrypt: Cocrypt, tmp_path: Path) -> None:
    result = cocrypt("reproduce", "duarte2010", "--report", tmp_path / "page.html")
    assert result.returncode == 0, result.stderr
    for title in ("Table I:", "Table II:", "Figure 5:", "Figure 6:", "Figure 7:"):
        assert title in result.stdout
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for name in ("figure5", "figure6", "figure7", "choices"):
        assert f'<div class="chart" id="{name}"' in page


@pytest.mark.long
def test_the_record_holds_the_papers_figures_beside_ours(cocrypt: Cocrypt) -> None:
    result = cocrypt("reproduce", "duarte2010", "--json")
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    output_schemas.check("reproduce-duarte2010", values)
    published = tomllib.loads((ROOT / "studies/published/duarte2010.toml").read_text("utf-8"))
    for table, kind in (("table1", "without"), ("table2", "with")):
        assert [row["paper"] for row in values[table]] == [row[kind] for row in published["row"]]
        assert [row["ours"]["bytes"] for row in values[table]] == [4, 40, 400, 4000, 40000]
    assert all(choice["verified"] for choice in values["choices"])
    assert all(sentence.endswith(".") for sentence in values["sentences"].values())
    assert all(finding["why"] for finding in values["findings"])


@pytest.mark.long
def test_model_and_rtl_agree_without_and_with_the_coprocessor() -> None:
    verification = verify(study(), study().verify)
    assert [run.partition.hw for run in verification.runs] == [(), ("rsa_toy_power",)]
    assert verification.agrees
