"""The modular arithmetic processor agrees with Python, in the cycles that its design names."""

from __future__ import annotations

from math import gcd
from pathlib import Path
from random import Random

from cocrypt import _native

MAP = Path(__file__).resolve().parents[2] / "coprocessors/map/map.fdl"
ADD, SUBTRACT, MULTIPLY, DIVIDE = range(4)
DONE, BUSY, NO_INVERSE = 1, 2, 4
LONGEST = 330
"""More cycles than any operation takes."""

PRIME = 2**160 - 2**31 - 1
ORDER = 0x0100000000000000000001F4C8F927AED3CA752257
MODULI = (PRIME, ORDER, 3, 5, 9, 15, 255, 2**161 - 1, 2**161 - 3, 3**101, 1)

Row = dict[str, int]
Operation = tuple[int, int, int, int]
"""Opcode, y, x, m."""


def test_edges() -> None:
    operations = [
        (opcode, y, x, modulus)
        for modulus in MODULI
        for values in [_edges(modulus)]
        for opcode in range(4)
        for y in values
        for x in values
    ]
    _check(operations)


def test_random_operands() -> None:
    rng = Random(160)
    operations = []
    for _ in range(600):
        odd = rng.getrandbits(rng.randint(2, 161)) | 1
        modulus = rng.choice((PRIME, ORDER, odd))
        x, y = rng.randrange(modulus), rng.randrange(modulus)
        operations.append((rng.randrange(4), rng.choice((x, y, y)), x, modulus))
    _check(operations)


def test_even_moduli_and_zero_have_no_inverse() -> None:
    moduli = (0, 2, 6, 2**160)
    _check([(DIVIDE, 1 % max(1, m), x, m) for m in moduli for x in (0, 1, m // 2 + 1)])


def test_division_ends_for_operands_that_are_not_reduced() -> None:
    rng = Random(161)
    rows: list[Row] = []
    for _ in range(40):
        rows += _load(rng.getrandbits(161), rng.getrandbits(161), rng.getrandbits(160))
        rows += _start(DIVIDE)
    for at, row in _statuses(rows):
        assert row["rdata"] & DONE, at


def test_what_is_written_while_busy_is_lost() -> None:
    y, x = PRIME - 7, PRIME - 5
    rows = _load(y, x, PRIME) + _start(MULTIPLY)[:40]
    rows += [*_load(1, 2, 7), _write(0, 4 | ADD)]
    rows += [_read(4)] * LONGEST + _result()
    assert _value(_simulate(rows)[-6:]) == y * x % PRIME


def test_clear_stops_and_wipes() -> None:
    rows = _load(PRIME - 2, PRIME - 3, PRIME) + _start(DIVIDE)[:40]
    rows += [_write(0, 8), _read(4), _read(4), *_result()]
    simulated = _simulate(rows)
    assert [row["rdata"] for row in simulated[-8:]] == [BUSY, 0, 0, 0, 0, 0, 0, 0]
    # All operands are 0 now, the modulus too.
    rows += [_write(0, 4 | ADD), _read(4), _read(4), *_result()]
    assert _value(_simulate(rows)[-6:]) == 0
    # Clear wins over start.
    rows += [*_load(1, 1, 5), _write(0, 12 | ADD), _read(4), _read(4), _read(4)]
    assert [row["rdata"] for row in _simulate(rows)[-3:]] == [0, 0, 0]


def test_reading_elsewhere_gives_zero() -> None:
    rows = _load(1, 2, 3) + _start(ADD)
    rows += [_read(address) for address in (0, 8, 0x40, 0x60, 0x80, 0xB8, 0xBC, 0x104, 0xFFC)]
    assert all(row["rdata"] == 0 for row in _simulate(rows)[-9:])


def _edges(modulus: int) -> list[int]:
    values = (0, 1, 2, 3, modulus // 3, modulus // 2, modulus // 2 + 1, modulus - 2, modulus - 1)
    return sorted({value for value in values if 0 <= value < modulus})


def _expected(operation: Operation) -> tuple[int, int]:
    """Result and status."""
    opcode, y, x, m = operation
    if opcode != DIVIDE:
        return (y + x, y - x, y * x)[opcode] % m, DONE
    if m % 2 == 0 or x == 0 or gcd(x, m) != 1:
        return 0, DONE | NO_INVERSE
    return y * pow(x, -1, m) % m, DONE


def _cycles(operation: Operation) -> int:
    """Cycles from the one that accepts the start until done can be read, as map.fdl says."""
    opcode, y, x, m = operation
    if opcode in {ADD, SUBTRACT}:
        return 2
    if opcode == MULTIPLY:
        return 3 + y.bit_length() + y.bit_count()
    return 2 if m % 2 == 0 or x == 0 else 3 + _steps(x, m)


def _steps(x: int, b: int) -> int:
    """Steps of the binary division."""
    steps = 0
    while x != b:
        steps += 1
        if x % 2 == 0:
            x //= 2
        elif b % 2 == 0:
            b //= 2
        elif x > b:
            x = (x - b) // 2
        else:
            b = (b - x) // 2
    return steps


def _check(operations: list[Operation]) -> None:
    rows: list[Row] = []
    for opcode, y, x, m in operations:
        rows += _load(y, x, m) + _start(opcode) + _result()
    simulated = _simulate(rows)
    block = len(rows) // len(operations)
    for index, operation in enumerate(operations):
        values = [row["rdata"] for row in simulated[index * block : (index + 1) * block]]
        polls = values[19 : 19 + LONGEST]
        result, status = _expected(operation)
        cycles = _cycles(operation)
        assert polls == [BUSY] * (cycles - 1) + [status] * (LONGEST - cycles + 1), operation
        assert _value(simulated[(index + 1) * block - 6 : (index + 1) * block]) == result, operation


def _simulate(rows: list[Row]) -> list[Row]:
    return _native.fdl_simulate(MAP, "map", rows)


def _statuses(rows: list[Row]) -> list[tuple[int, Row]]:
    """The last status of each operation."""
    simulated = _simulate(rows)
    block = 19 + LONGEST
    return [(at, simulated[at]) for at in range(block - 1, len(rows), block)]


def _load(y: int, x: int, m: int) -> list[Row]:
    operands = ((0x40, x), (0x60, y), (0x80, m))
    return [
        _write(base + 4 * word, value >> 32 * word & 0xFFFFFFFF)
        for base, value in operands
        for word in range(6)
    ]


def _start(opcode: int) -> list[Row]:
    """Starts and polls as long as any operation can take."""
    return [_write(0, 4 | opcode)] + [_read(4)] * LONGEST


def _result() -> list[Row]:
    return [_read(0xA0 + 4 * word) for word in range(6)]


def _value(rows: list[Row]) -> int:
    return sum(row["rdata"] << 32 * word for word, row in enumerate(rows))


def _write(address: int, wdata: int) -> Row:
    return {"address": address, "wdata": wdata, "write": 1, "read": 0}


def _read(address: int) -> Row:
    return {"address": address, "wdata": 0, "write": 0, "read": 1}
