"""Verifying and reproducing: model against RTL, the paper's tables beside ours."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import output_schemas
from cocrypt.partition import partition
from cocrypt.study import Choice, Study
from cocrypt.verify import Comparison, Verification
from conftest import ROOT, STUDY, Cocrypt

if TYPE_CHECKING:
    from pathlib import Path

# Cores other than the study's own, without those whose RTL is too slow for it.
DEVICES = ("ibex-maxperf", "vexriscv")
PUBLISHED = ROOT / "studies" / "published" / "hau2011.toml"


@pytest.mark.long
def test_model_and_rtl_agree_to_the_cycle(cocrypt: Cocrypt) -> None:
    result = cocrypt("verify", STUDY, "--core", "picorv32", "--json")
    assert result.returncode == 0, result.stderr
    runs = json.loads(result.stdout)["runs"]
    choices = tomllib.loads(STUDY.read_text(encoding="utf-8"))["verify"]
    assert [(run["workload"], run["hw"]) for run in runs] == [
        (choice["workload"], choice["hw"]) for choice in choices
    ]
    for run in runs:
        assert run["core"] == "picorv32"
        assert run["difference"] == 0 == run["model_cycles"] - run["rtl_cycles"]
        assert run["verified"]
        assert run["host"]["rtl_seconds"] > 0


@pytest.mark.long
@pytest.mark.parametrize("device", DEVICES)
def test_the_same_programs_agree_on_other_devices(cocrypt: Cocrypt, device: str) -> None:
    result = cocrypt("verify", STUDY, "--device", device, "--json")
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    assert values["device"] == device
    assert all(run["difference"] == 0 and run["verified"] for run in values["runs"])


def test_all_is_every_workload_in_every_named_partition() -> None:
    study = Study.load(STUDY)
    choices = study.every_choice()
    assert len(choices) == len(set(choices)) == len(study.workloads) * len(study.names)
    assert Choice("ecdh", ()) in choices
    functions = ("mod_add", "mod_sub", "mod_mul", "mod_div")
    some = study.every_choice(["Arch. 8", "Arch. 1"])
    assert {choice.hw for choice in some} == {functions, ()}


@pytest.fixture(scope="module")
def comparison() -> Verification:
    study = Study.load(STUDY)
    run = Comparison("mod_add", partition(study, ()), "hash", 100, 100, True, 0.5, 1.0)
    return Verification(study, "picorv32", (run, run))


@pytest.mark.parametrize("change", [{"rtl_cycles": 101}, {"verified": False}])
def test_one_difference_is_a_disagreement(comparison: Verification, change: dict[str, Any]) -> None:
    assert comparison.agrees
    first, second = comparison.runs
    assert not replace(comparison, runs=(first, replace(second, **change))).agrees


@pytest.mark.long
def test_generated_programs_agree(cocrypt: Cocrypt) -> None:
    result = cocrypt("verify", "--fuzz", "30", "--seed", "5", "--json")
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    output_schemas.check("verify-fuzz", values)
    assert (values["programs"], values["runs"], values["differences"]) == (30, 120, [])
    again = cocrypt("verify", "--fuzz", "30", "--seed", "5")
    assert "30 programs of seed 5 in 120 runs" in again.stdout
    assert "no difference" in again.stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "a study or --fuzz"),
        ([STUDY, "--fuzz", "3"], "a study or --fuzz"),
        (["--fuzz", "3", "--core", "other"], "not for `other`"),
        (["--fuzz", "0"], "--fuzz"),
        (["--fuzz", "3", "--all"], "name a study"),
        ([STUDY, "--partition", "Arch. 1"], "add --all"),
        ([STUDY, "--all", "--partition", "Arch 1"], "Arch. 1"),
        (["--fuzz", "3", "--device", "serv"], "name a study"),
        ([STUDY, "--device", "ibex-smal"], "ibex-small"),
    ],
)
def test_what_to_verify_must_be_clear(
    cocrypt: Cocrypt, words: list[str | Path], expected: str
) -> None:
    result = cocrypt("verify", *words)
    assert result.returncode == 1
    assert expected in result.stderr


@pytest.mark.long
def test_the_papers_figures_stand_beside_ours(cocrypt: Cocrypt) -> None:
    result = cocrypt("reproduce", "hau2011", "--json")
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    output_schemas.check("reproduce-hau2011", values)
    published = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))
    assert [row["paper"] for row in values["table3"]] == published["partition"]
    assert [row["workload"] for row in values["table4"]] == list(published["rtl"])
    assert all(row["ours"]["difference"] == 0 for row in values["table5"])
    assert all(row["ours"]["verified"] for row in values["table3"] + values["table5"])
    for table in ("table3", "table4", "table5"):
        assert values["sentences"][table].startswith(f"Table {table[-1]}: ")
        assert values["sentences"][table].endswith(".")
