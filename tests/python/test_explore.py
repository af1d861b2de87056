"""Exploring: partitions, the split of the cycles, the Pareto front, and what `--json` prints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import _native, measurement
from cocrypt.builder import Builder
from cocrypt.errors import InputError, ProgramError
from cocrypt.explore import explore, is_optimal
from cocrypt.partition import partition, partitions
from cocrypt.study import Study
from conftest import STUDY, Cocrypt

if TYPE_CHECKING:
    from pathlib import Path

# The keys of each row in the documentation.
KEYS = {
    "name", "device", "choice", "hw", "sigma", "mu", "total", "overhead", "gain", "energy_J",
    "area_GE", "predicted_total", "simulated", "verified", "pareto",
}  # fmt: skip


@pytest.fixture(scope="module")
def study() -> Study:
    return Study.load(STUDY)


def test_partitions_are_all_subsets_named_first(study: Study) -> None:
    subsets = partitions(study)
    assert len({subset.hw for subset in subsets}) == len(subsets) == 2 ** len(study.candidates)
    assert [subset.name for subset in subsets][:8] == [f"Arch. {number}" for number in range(1, 9)]
    assert subsets[1].choice["mod_div"] == "coprocessor"
    assert subsets[1].choice["mod_add"] == "software"


def test_a_doubling_is_explored_as_the_definitions_say(cocrypt: Cocrypt) -> None:
    result = cocrypt("explore", STUDY, "--workload", "point_double", "--json")
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    assert len(values["rows"]) == 16
    software = next(row for row in values["rows"] if not row["hw"])
    for row in values["rows"]:
        assert set(row) >= KEYS
        _check_row(row, software["total"])
    assert values["toolchain"]["flags"][0] == "-O2"
    assert "report:" in result.stderr


def _check_row(row: dict[str, Any], software: int) -> None:
    assert row["verified"]
    assert row["total"] == row["sigma"] + row["mu"]
    assert row["sigma"] == row["software"] + row["driver"] + row["waiting"]
    assert row["mu"] == 19 * sum(row["transfers"].values())
    assert row["overhead"] == pytest.approx(row["mu"] / row["total"])
    assert row["gain"] == pytest.approx(software / row["total"])
    assert bool(row["hw"]) == (row["driver"] > 0)
    # An operation reads a result of six words; a driver that polls once has not waited.
    operations = row["transfers"]["output"] // 6
    assert (row["waiting"] > 0) == (row["transfers"]["status"] > operations)
    assert row["energy_J"] is None
    assert row["area_GE"] is None


def test_transfers_are_those_that_the_driver_makes(study: Study) -> None:
    """An operation writes x, y, m of six words, control twice, reads z, polls once or more."""
    exploration = explore(study, study.workload("mod_add"))
    transfers = exploration.by_hardware(("mod_add",)).measurement.transfers
    operations = transfers["output"] // 6
    assert operations >= 1
    assert transfers["input"] == 18 * operations
    assert transfers["control"] == 2 * operations
    assert transfers["status"] >= operations


def test_cycles_do_not_depend_on_the_run(study: Study) -> None:
    workload = study.workload("point_add")
    totals = [
        [row.measurement.split for row in explore(study, workload, jobs=jobs).rows]
        for jobs in (1, 2)
    ]
    assert totals[0] == totals[1]


def test_only_driver_units_count_as_driver(study: Study) -> None:
    built = Builder(study).build([(study.workload("mod_add"), partition(study, ("mod_add",)))])[0]
    assert {"mod_add", "map_wait"} <= built.driver_functions
    names = {symbol["name"] for symbol in _native.image_info(built.image, "image")["symbols"]}
    assert {"main", "output"} <= names


def test_a_unit_is_compiled_once(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path))
    pairs = [(study.workload("mod_add"), partition) for partition in partitions(study)]
    first = [built.path for built in Builder(study).build(pairs)]
    # What is used again gets a new time, what is written again is another file.
    objects = {path: path.stat().st_ino for path in tmp_path.glob("objects/*.o")}
    assert objects
    assert first == [built.path for built in Builder(study).build(pairs)]
    assert objects == {path: path.stat().st_ino for path in tmp_path.glob("objects/*.o")}


def test_a_program_that_never_ends_says_where(study: Study) -> None:
    """The limit is checked between blocks, so it is exceeded by at most one block's cycles."""
    with pytest.raises(ProgramError, match=r"cycle_limit.*pc 0x.*cycle 1,0"):
        explore(study, study.workload("point_double"), max_cycles=1000)


def test_a_wrong_result_is_exit_3(cocrypt: Cocrypt, tmp_path: Path) -> None:
    text = STUDY.read_text(encoding="utf-8").replace("6E3CDDBD", "6E3CDDBE")
    text = text.replace('"../', f'"{STUDY.parents[1]}/').replace(
        '"hau2011/', f'"{STUDY.parent}/hau2011/'
    )
    text = text.replace('"hau2011",\n]', f'"{STUDY.parent}/hau2011",\n]')
    text = text.replace('published = "published', f'published = "{STUDY.parent}/published')
    (tmp_path / "studies").mkdir()
    (tmp_path / "devices").symlink_to(STUDY.parents[1] / "devices")
    study = tmp_path / "studies" / "wrong.toml"
    study.write_text(text, encoding="utf-8")
    result = cocrypt("explore", study, "--workload", "mod_add")
    assert result.returncode == 3, result.stderr
    assert "not what the study expects" in result.stderr
    assert "NO" in result.stdout


# Points of (cycles, functions in hardware), and the indices of those on the front.
FRONTS = [
    ([(10, 0), (5, 1), (5, 2)], [True, True, False]),
    ([(10, 0), (11, 1), (9, 2)], [True, False, True]),
    ([(4, 1), (4, 1)], [True, True]),
]


@pytest.mark.parametrize(("points", "expected"), FRONTS)
def test_the_front_leaves_out_what_is_dominated(
    points: list[tuple[int, int]], expected: list[bool]
) -> None:
    assert [is_optimal(point, points) for point in points] == expected


def test_a_notebook_gets_a_frame_and_a_table(study: Study) -> None:
    exploration = explore(study, study.workload("mod_add"))
    frame = exploration.frame()
    assert frame.height == 16
    assert frame["total"].to_list() == [row.measurement.split.total for row in exploration.rows]
    framed = exploration._repr_html_()
    assert framed.startswith("<iframe srcdoc=")
    # The page is an attribute's value, so it must not hold the quote that ends the attribute.
    assert framed.count('"') == 2 * 3


def test_energy_needs_a_power_figure(study: Study) -> None:
    device = study.device
    assert device.energy(device.clock_hz) is None


def test_a_global_of_another_size_is_told(study: Study) -> None:
    built = Builder(study).build([(study.workload("mod_add"), partition(study, ()))])[0]
    result = measurement.run(study.device, built.image, built.name)
    with pytest.raises(InputError, match="has no global `outputs`"):
        result.output("outputs", 4)
    with pytest.raises(InputError, match="4096 are expected"):
        result.output("output", 4096)
