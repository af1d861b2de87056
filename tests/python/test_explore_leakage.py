"""Leakage in the exploration: objectives, bounds, unknown figures, coprocessors of two rails."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest

import output_schemas
from cocrypt import following
from cocrypt.cli import programs, simulation
from cocrypt.explore.costs import Bus, Cost
from cocrypt.explore.leakage import Leakage, SourceLeakage, doubts
from cocrypt.explore.ports import Port, deviation
from cocrypt.explore.ranking import _cost
from cocrypt.gates import library as libraries
from cocrypt.gates.glitches import Delays
from cocrypt.leakage.traces import TraceSet
from cocrypt.partition import named
from cocrypt.study import Search, Study
from conftest import ROOT
from test_report import measured_in_a_browser

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from conftest import Verb

STUDY = ROOT / "studies/aes128-leakage.toml"
CORE = SourceLeakage("core", 0, 100, t=3.0, sample=4, above=0, disclosed=math.inf, found=1)
GATES = SourceLeakage("aes", 1, 50, t=20.0, sample=9, above=8, deviation=0.1, disclosed=60.0)


def test_the_worst_source_counts() -> None:
    both = Leakage(100, (CORE, GATES))
    figures = ("leakage_t", "leakage_deviation", "disclosure_traces")
    assert [both.figure(name) for name in figures] == [20.0, 0.1, 60.0]
    alone = Leakage(100, (CORE,))
    assert [alone.figure(name) for name in figures] == [3.0, None, math.inf]
    assert alone.record["disclosure_traces"] is None
    assert alone.record["undisclosed"] is True
    assert Leakage(100, (replace(CORE, t=math.inf),)).record["sources"][0]["infinite"] is True


def test_more_traces_are_better_and_the_unknown_is_worst() -> None:
    costs = [_cost("disclosure_traces", traces) for traces in (math.inf, 500.0, 20.0, None)]
    assert costs == sorted(costs)
    assert _cost("leakage_t", 3.0) < _cost("leakage_t", 4.0) < _cost("leakage_t", None)


def test_a_bound_that_cannot_be_evaluated_is_named() -> None:
    found: dict[tuple[str, ...], Leakage] = {
        ("software",): Leakage(100, (CORE,)),
        ("gates",): Leakage(100, (CORE, GATES)),
    }
    search = Search(at_most={"leakage_deviation": 0.2}, at_least={"disclosure_traces": 1000.0})
    notes = list(doubts(found, search))
    assert [note.split(":")[0] for note in notes] == ["leakage_deviation", "disclosure_traces"]
    assert "1 of 2 partitions" in notes[0]
    assert "cannot be evaluated with 100 traces" in notes[1]
    assert not list(doubts(found, Search(at_least={"disclosure_traces": 100.0})))


def test_the_deviation_is_that_at_the_same_cycle() -> None:
    np = pytest.importorskip("numpy")
    energies = np.array([[1.0, 10.0], [3.0, 10.0]])
    # Counted by hand: variances 1 and 0, and a mean of 6.
    assert deviation(energies) == pytest.approx(math.sqrt(0.5) / 6)


def test_two_rails_take_two_clocks() -> None:
    study = Study.load(STUDY)
    one, two = (named(study, f"aes128_encrypt={name}") for name in ("serial", "serial-wddl"))
    device = study.device_of(two.choice)
    ratio = device.coprocessor_clock
    assert (ratio.multiply, ratio.divide, device.bus.wait) == (1, 2, 2)
    assert study.device_of(one.choice).settings == {}
    cost = Cost(1, 100.0, transfers=10.0)
    assert cost.at(Bus(1, 1, 1.0)) == 110
    assert replace(cost, dual=True).at(Bus(1, 1, 1.0)) == 120
    assert replace(cost, dual=True).at(Bus(4, 4, 1.0)) == 140


def test_a_transfer_has_a_cycle_of_its_own() -> None:
    study = Study.load(STUDY)
    device = study.device
    port = Port(STUDY, device.windows[0], None, False, device)  # type: ignore[arg-type]
    base = device.windows[0].base
    # A store that the core buffered is answered with the next one.
    seen = [(9, 10, base, 7, True), (12, 13, base + 4, 8, True), (12, 13, base, 1, True)]
    assert port.steps(seen) == [10, 13, 14]
    rows = port.rows(seen)[2:]
    assert [row.get("wdata", 0) for row in rows] == [7, 0, 0, 8, 1]


@pytest.mark.long
def test_a_port_has_glitches_where_its_gates_have_delays(need_tool: Callable[[str], str]) -> None:
    """A net that settles on another value changes at least once, whatever the delays are."""
    need_tool("yosys")
    np = pytest.importorskip("numpy")
    device = Study.load(STUDY).device
    registers = ROOT / "coprocessors/aes128-serial/registers.toml"
    window, library = device.windows[0], libraries.load(libraries.USUAL)
    port = Port(registers, window, library, False, device)
    seen = [(at, at, window.base + 4 * (at % 8), 0x9E3779B9 * at % 2**32, True) for at in range(40)]
    quiet, unit, timed = (
        port.netlist.simulate([port.rows(seen)], delays=Delays.parse(text))
        for text in ("none", "unit", "10ps")
    )
    for energies, answers in (unit, timed):
        assert answers == quiet[1]
        assert np.all(energies >= quiet[0])
        assert energies.sum() > quiet[0].sum()


@pytest.mark.long
@pytest.mark.parametrize(("partition", "clocks"), [("serial", 1), ("serial-wddl", 2)])
def test_core_and_coprocessor_add_up_on_one_axis(
    partition: str, clocks: int, verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    """What gates add are the energies of the same runs, in the cycles of the core."""
    need_tool("yosys")
    np = pytest.importorskip("numpy")
    words = ("--partition", f"aes128_encrypt={partition}", "--from", "aes128_encrypt", "-n", "4")
    gates = ("--gates", "generic180", "--unit", "50")
    samples = {}
    for name, more in (("core", ()), ("both", gates), ("glitches", (*gates, "--delays", "unit"))):
        path = tmp_path / name
        result = verb("leak", "trace", STUDY, *words, "--random", "@2:16", "-o", path, *more)
        assert result.code == 0, result.text
        samples[name] = next(iter(TraceSet.open(path).read()))[0].astype(np.float64)
    texts = TraceSet.open(tmp_path / "both").column("argument2")
    energies = energies_of_runs(partition, texts, samples["core"].shape[1])
    added = samples["both"] - samples["core"]
    assert np.allclose(added, energies * 1e15 / 50, rtol=1e-4, atol=1e-2)
    glitches = samples["glitches"] - samples["core"]
    if clocks == 2:
        # A rail changes once in a cycle, whatever the delays are.
        assert np.allclose(glitches, added)
    else:
        assert glitches.sum() > 1.1 * added.sum()


def energies_of_runs(partition: str, texts: NDArray[np.uint8], length: int) -> NDArray[np.float64]:
    """Joules by run and cycle of the core, from the transfers of a machine in each run."""
    import numpy as np

    program = programs.program(STUDY, None, None, f"aes128_encrypt={partition}")
    machine = simulation.machine(program)
    begun = following.reach(machine, following.Start("aes128_encrypt"))
    secret = following.secret(machine, "@2:16")
    assert isinstance(secret, following.PointedSecret)
    address = secret.at(machine).address
    ((path, window),) = program.device.attached(program.coprocessors)
    dual = bool(program.dual_rails)
    port = Port(path, window, libraries.load(libraries.USUAL), dual, program.device)
    ratio = 2 if dual else 1
    first = begun // ratio
    runs = []
    for text in texts:
        twin = machine.copy()
        twin.write(address, text.tobytes())
        seen = twin.native.first_transfers(window.base, window.size, 1 << 20, begun + length)
        rows: list[dict[str, int]] = [{} for _ in range((begun + length - 1) // ratio - first + 1)]
        step = -1
        for _, answered, place, value, writes in seen:
            # A store that the core has buffered is answered together with the next one.
            step = max(answered // ratio - first, step + 1)
            access = {"address": place - window.base, "write": int(writes)}
            row = access | {"read": int(not writes), "wdata": value if writes else 0}
            rows[step] = row
        runs.append([{"rst": 1}, {"rst": 1}, *({"rst": 0, **row} for row in rows)])
    energies, _ = port.netlist.simulate(runs)
    spread = np.zeros((len(texts), length))
    for step, column in enumerate(energies[:, 2:].T):
        spread[:, max(0, (first + step) * ratio - begun)] += column
    return spread


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("aes128/ref", "--gates", "generic180"), "a primitive drives no coprocessor"),
        ((STUDY, "--gates", "generic180"), "drives no coprocessor whose gates"),
        ((STUDY, "--delays", "unit"), "are for coprocessors as gates"),
        ((STUDY, "--gates", "generic180", "--delays", "x"), "are no delays of gates"),
    ],
)
def test_gates_without_a_coprocessor_are_refused(
    words: tuple[str | Path, ...], message: str, verb: Verb, tmp_path: Path
) -> None:
    result = verb("leak", "trace", *words, "-o", tmp_path / "set")
    assert result.code == 1
    assert message in result.err


@pytest.mark.long
def test_one_rail_is_shown_beside_two(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    words = ("--partition", "aes128_encrypt=serial", "--traces", "150", "--orders", "2")
    files = ("--report", tmp_path / "rails.html", "--csv", tmp_path / "t.csv")
    result = verb("leak", "report", STUDY, *words, *files, "--json")
    assert result.code == 0, result.text
    values = json.loads(result.out)
    output_schemas.check("leak-report-rails", values)
    (pair,) = values["coprocessors"]
    single, double = pair["single"], pair["double"]
    synthesised = verb("synth", ROOT / "coprocessors/aes128-serial/aes128_serial.fdl", "--json")
    assert single["area_GE"] == pytest.approx(json.loads(synthesised.out)["area_GE"])
    assert 2 < double["area_GE"] / single["area_GE"] < 4
    assert double["interval_s"] == 2 * double["period_s"] > single["interval_s"]
    assert double["deviation"] < single["deviation"] / 50
    assert double["total"] > single["total"]
    rows = pl.read_csv(tmp_path / "t.csv").filter(pl.col("order") == 1)
    for rails, side in ((1, single), (2, double)):
        t = rows.filter(pl.col("rails") == rails)["t"].abs()
        first, last = (percent * len(t) // 100 for percent in (33, 67))
        assert len(t) == side["data"]
        assert side["max_t"] == pytest.approx(t[first:last].max())
    page = (tmp_path / "rails.html").read_text(encoding="utf-8")
    # |t| and correlation of each netlist, and the ranks of both.
    assert page.count('class="chart"') == 5
    for side in (single, double):
        assert f'<td class="">{side["area_GE"]:,.0f}</td>' in page
    assert "secure" not in pair["verdict"]
    for width in (1280, 400):
        browser = need_tool("chromium")
        charts, marks, inner, content = measured_in_a_browser(page, tmp_path, browser, width)
        assert (charts, inner) == (5, width)
        assert marks > 0
        assert content <= width


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((ROOT / "studies/hau2011.toml",), "add a table [leakage]"),
        ((STUDY, "--partition", "software"), "has no coprocessor"),
        ((STUDY, "--samples", "0:3"), "--samples is for trace sets"),
        ((STUDY, "--model", "none"), "there is no model `none`"),
        (("set", "--partition", "software"), "--partition is for studies"),
    ],
)
def test_studies_without_netlists_are_refused(
    words: tuple[str | Path, ...], message: str, verb: Verb
) -> None:
    result = verb("leak", "report", *words)
    assert result.code == 1
    assert message in result.err


def test_leakage_is_sought_only_where_it_is_described(verb: Verb, tmp_path: Path) -> None:
    text = (ROOT / "docs/examples/studies/example.toml").read_text(encoding="utf-8")
    path = tmp_path / "study.toml"
    path.write_text(text.replace('"hardware"]', '"leakage_t"]'), encoding="utf-8")
    result = verb("explore", path)
    assert result.code == 1
    assert "add a table [leakage]" in result.err
