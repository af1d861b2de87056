"""Field arithmetic on the simulated device, in software and by the coprocessor."""

from pathlib import Path

import pytest

from cocrypt import _native
from cocrypt.study import Device
from cocrypt.toolchain import Toolchain, Unit
from operands import OPERATIONS, REFERENCE, rows, words

ROOT = Path(__file__).resolve().parents[2]
REF = ROOT / "primitives/ecdsa-secp160r1/ref"
MAP = ROOT / "coprocessors/map"
DEVICE = Device.load(ROOT / "devices/hau2011-soc.toml")
COUNT = 1000
ROW_BYTES = 4 * 24


def image(operation: str, hardware: bool, table: bytes, folder: Path) -> Path:
    """Build the program with its table, with software or with drivers."""
    (folder / "table.bin").write_bytes(table)
    number = OPERATIONS.index(operation)
    source = folder / "table.S"
    source.write_text(
        ".data\n.balign 4\n.globl operation, count, table\n"
        f"operation: .word {number}\ncount: .word {COUNT}\n"
        f'table: .incbin "{folder / "table.bin"}"\n'
    )
    functions = MAP / "driver" if hardware else REF
    sources = [ROOT / "tests/firmware/field_table.c", REF / "field.c"]
    sources += [functions / f"mod_{name}.c" for name in OPERATIONS]
    sources += [MAP / "driver/map.c"] if hardware else []
    chain = Toolchain(DEVICE)
    units = [Unit(path, ("-O2",), (REF, MAP / "driver")) for path in sources]
    units += [Unit(source), *chain.runtime(("-O2",))]
    objects = chain.compile(units)
    return chain.link(list(objects.values()), "field_table")


@pytest.mark.parametrize("hardware", [False, True], ids=["software", "coprocessor"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_thousand_operands(operation: str, hardware: bool, tmp_path: Path) -> None:
    operands = rows(COUNT, seed=OPERATIONS.index(operation))
    table = b"".join(words(y) + words(x) + words(m) + words(0) for y, x, m in operands)
    elf = image(operation, hardware, table, tmp_path).read_bytes()
    attached = [str(MAP / "registers.toml")] if hardware else []
    machine = _native.Machine(str(DEVICE.path), elf, "field_table", attached)
    result = machine.run()
    assert result["stop"]["kind"] == "exit", result["stop"]
    symbols = {one["name"]: one for one in _native.image_info(elf, "field_table")["symbols"]}
    memory = machine.read(symbols["table"]["address"], len(table))
    for index, (y, x, m) in enumerate(operands):
        end = (index + 1) * ROW_BYTES
        z = int.from_bytes(memory[end - 24 : end], "little")
        assert z == REFERENCE[operation](y, x, m), f"{operation} {y:#x} {x:#x} mod {m:#x}"
