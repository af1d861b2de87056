"""Field arithmetic on the simulated device, in software and by the coprocessor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from device import SOC, plain, run, table
from host import ECC, ROOT
from operands import OPERATIONS, REFERENCE, rows, words

if TYPE_CHECKING:
    from pathlib import Path

MAP = ROOT / "coprocessors/map"
COUNT = 1000
ROW_BYTES = 4 * 24


@pytest.mark.parametrize("build", ["software", "software on RV32I", "coprocessor"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_thousand_operands(operation: str, build: str, tmp_path: Path) -> None:
    device = plain(tmp_path) if build == "software on RV32I" else Device.load(SOC)
    hardware = build == "coprocessor"
    operands = rows(COUNT, seed=OPERATIONS.index(operation))
    memory = b"".join(words(y) + words(x) + words(m) + words(0) for y, x, m in operands)
    table_source = table(tmp_path, memory, operation=OPERATIONS.index(operation), count=COUNT)
    functions = MAP / "driver" if hardware else ECC
    sources = [ROOT / "tests/firmware/field_table.c", table_source, ECC / "field.c"]
    sources += [functions / f"mod_{name}.c" for name in OPERATIONS]
    sources += [MAP / "driver/map.c"] if hardware else []
    attached = [MAP / "registers.toml"] if hardware else []
    finished = run(device, sources, [ECC, MAP / "driver"], attached)
    assert finished.result["stop"]["kind"] == "exit", finished.result["stop"]
    result = finished.bytes_at("table", len(memory))
    for index, (y, x, m) in enumerate(operands):
        end = (index + 1) * ROW_BYTES
        z = int.from_bytes(result[end - 24 : end], "little")
        assert z == REFERENCE[operation](y, x, m), f"{operation} {y:#x} {x:#x} mod {m:#x}"


def test_starts_and_transfers_per_operation(tmp_path: Path) -> None:
    """Listing 2: three operands of six words, start, at least one poll, six words, clear."""
    operands = rows(10, seed=1)
    memory = b"".join(words(y) + words(x) + words(m) + words(0) for y, x, m in operands)
    sources = [ROOT / "tests/firmware/field_table.c", ECC / "field.c", MAP / "driver/map.c"]
    sources += [MAP / "driver" / f"mod_{name}.c" for name in OPERATIONS]
    sources += [table(tmp_path, memory, operation=0, count=10)]
    attached = [MAP / "registers.toml"]
    finished = run(Device.load(SOC), sources, [ECC, MAP / "driver"], attached)
    transfers = finished.result["transfers"]["map"]
    assert transfers["input"] == 10 * 18
    assert transfers["output"] == 10 * 6
    assert transfers["control"] == 10 * 2
    assert transfers["status"] >= 10
    waits = next(
        function for function in finished.result["functions"] if function["name"] == "map_wait"
    )
    assert waits["calls"] == 10
    assert waits["transfers"]["status"] == transfers["status"]
