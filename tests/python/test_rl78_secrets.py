"""`cocrypt leak ct` on subroutines in assembly: findings where cycles differ, and messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import output_schemas
from cocrypt import assembled
from cocrypt.device import Device
from cocrypt.subroutines import measure
from cocrypt.subroutines.secrecy import TIMING

if TYPE_CHECKING:
    from conftest import Verb

DEVICE = "rl78-g13"


@pytest.mark.parametrize(
    "name", ["present80/both_512", "aes128/encrypt_least", "aes128/encrypt_512_64"]
)
def test_what_takes_different_times_is_found(name: str) -> None:
    """Cycles of random blocks differ only where an instruction's time depends on a secret."""
    (subroutine,), device = assembled.named([name]), Device.load(DEVICE)
    verdict, measured = assembled.examine(subroutine, device), measure(subroutine, device)
    assert verdict.operations == tuple(measured.cycles)
    for operation, most in measured.cycles.items():
        found = {finding.kind for finding in verdict.findings if finding.operation == operation}
        assert found - {*TIMING} == {"load"}, "tables are read by secrets"
        assert bool(found & {*TIMING}) == (measured.mean[operation] != most), operation


def test_the_verb_takes_subroutines_beside_c(verb: Verb) -> None:
    result = verb("leak", "ct", "present80/both_512", "-d", DEVICE, "--json")
    assert result.code == 3
    values = json.loads(result.out)
    output_schemas.check("leak-ct", values)
    (row,) = values["rows"]
    assert (row["primitive"], row["implementation"]) == ("present80", "both_512")
    assert (row["flags"], row["keeps"]) == ("assembly", False)
    assert "1 of 1 give secrets away: present80/both_512" in result.err


def test_a_subroutine_needs_a_device_that_runs_it(verb: Verb) -> None:
    result = verb("leak", "ct", "present80/both_512", "-d", "stm32f0")
    assert result.code == 1
    assert "which none of the devices runs" in result.err
    assert "--device rl78-g13" in result.err
