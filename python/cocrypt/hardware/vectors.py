"""Vectors of a coprocessor at its register port, one operation after the other.

`vectors.toml` is beside the register map. A value is a number, `0x…`, least significant word
first on the bus; or bytes as they lie in memory. Inputs that are left out are not written,
outputs that are left out are not compared.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import _native, rtl
from cocrypt.errors import HostError, InputError
from cocrypt.paths import suggestion
from cocrypt.rtl.blocks import libraries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.hardware.recording import Row

FILE = "vectors.toml"
WORD = 4
# An operation whose cycles are not stated, and that takes longer, is not waited for.
LONGEST = 1 << 14
KEYS = {"source", "command", "cycles", "inputs", "outputs"}


@dataclass(frozen=True)
class Vector:
    """An operation: values by register, the word for the control register, cycles until done.

    Without a command the last input begins the operation.
    """

    source: str
    command: int | None
    cycles: int | None
    inputs: Mapping[str, bytes]
    outputs: Mapping[str, bytes]

    @property
    def polls(self) -> int:
        """The limit on reads of the status; 0 if an operation is not waited for."""
        if self.cycles is None and self.command is None:
            return 0
        return self.cycles or LONGEST


@dataclass(frozen=True)
class Answer:
    """The result of a vector; `cycles` from the write of the command until `done` can be read."""

    vector: Vector
    cycles: int | None
    outputs: Mapping[str, bytes]

    @property
    def right(self) -> bool:
        """Returns whether results and, where they are stated, cycles are as expected."""
        in_time = self.vector.cycles is None or self.vector.cycles == self.cycles
        return in_time and self.outputs == self.vector.outputs


def load(register_map: Mapping[str, Any], path: Path) -> list[Vector]:
    """Read the vectors of a coprocessor.

    Raises InputError with the location of an entry that does not fit the register map.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HostError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}") from error
    entries = tables.get("vector")
    if not isinstance(entries, list) or not entries or len(tables) > 1:
        raise InputError(
            f"{path} has no vectors", "each is a table [[vector]], and there is no other"
        )
    return [
        _vector(register_map, f"{path}, vector {number}", entry)
        for number, entry in enumerate(entries, 1)
    ]


def answers(register_map: Mapping[str, Any], vectors: Sequence[Vector]) -> list[Answer]:
    """Run all vectors, one after the other, on the design."""
    rows, spans = stimuli(register_map, vectors)
    simulated = _simulated(register_map, rows)
    return [_answer(register_map, *pair, simulated) for pair in zip(vectors, spans, strict=True)]


def _simulated(register_map: Mapping[str, Any], rows: Sequence[Row]) -> Sequence[Row]:
    """The outputs of the design in each cycle, in either language."""
    path = Path(register_map["path"])
    library = rtl.libraries([path]).get(path)
    if library is None:
        design, top = Path(register_map["design"]), register_map["top"]
        return _native.fdl_simulate(design, top, rows, libraries=libraries(design, top))
    return [{"rdata": word} for word in _native.verilog_simulate(library, rows)]


def stimuli(
    register_map: Mapping[str, Any], vectors: Sequence[Vector]
) -> tuple[list[Row], list[tuple[int, int]]]:
    """All transfers, one for each cycle, and the rows where each vector's polls and reads begin."""
    rows: list[Row] = []
    spans = []
    for vector in vectors:
        for register in _of_role(register_map, "input"):
            words = _words(vector.inputs.get(register["name"], b""))
            rows += [_write(register["offset"] + WORD * at, word) for at, word in enumerate(words)]
        if vector.command is not None:
            rows.append(_write(_register_of(register_map, "control")["offset"], vector.command))
        start = len(rows)
        if vector.polls:
            rows += [_read(_register_of(register_map, "status")["offset"])] * vector.polls
        spans.append((start, len(rows)))
        for register in _of_role(register_map, "output"):
            words = _words(vector.outputs.get(register["name"], b""))
            rows += [_read(register["offset"] + WORD * at) for at in range(len(words))]
    return rows, spans


def _answer(
    register_map: Mapping[str, Any],
    vector: Vector,
    span: tuple[int, int],
    simulated: Sequence[Row],
) -> Answer:
    start, end = span
    cycles = None
    if vector.polls:
        done_bit = _done_mask(_register_of(register_map, "status"))
        polled = (at for at in range(start, end) if simulated[at]["rdata"] & done_bit)
        first_done = next(polled, None)
        cycles = None if first_done is None else first_done - start + 1
    outputs, at = {}, end
    for register in _of_role(register_map, "output"):
        expected = vector.outputs.get(register["name"])
        if expected is not None:
            count = len(_words(expected))
            words = [simulated[cycle]["rdata"] for cycle in range(at, at + count)]
            read = b"".join(word.to_bytes(WORD, "little") for word in words)
            outputs[register["name"]] = read[: len(expected)]
            at += count
    return Answer(vector, cycles, outputs)


def _vector(register_map: Mapping[str, Any], location: str, entry: object) -> Vector:
    if not isinstance(entry, dict):
        raise InputError(f"{location} is no table")
    _require_known(location, "vector", entry, sorted(KEYS))
    cycles = entry.get("cycles")
    if cycles is not None and not (isinstance(cycles, int) and 0 < cycles <= LONGEST):
        raise InputError(f"{location}: `cycles` must be a number from 1 to {LONGEST}")
    command = entry.get("command")
    return Vector(
        source=str(entry.get("source", "")),
        command=None if command is None else _command(register_map, location, command),
        cycles=cycles,
        inputs=_values(location, entry.get("inputs", {}), _of_role(register_map, "input")),
        outputs=_values(location, entry.get("outputs", {}), _of_role(register_map, "output")),
    )


def _command(register_map: Mapping[str, Any], location: str, entry: object) -> int:
    fields = {
        field["name"]: field["bits"] for field in _register_of(register_map, "control")["fields"]
    }
    if not isinstance(entry, dict):
        raise InputError(
            f"{location}: `command` must be a table of fields, such as {{ start = 1 }}"
        )
    _require_known(location, "field", entry, sorted(fields))
    word = 0
    for name, value in entry.items():
        low, high = fields[name]
        if not isinstance(value, int) or not 0 <= value < 1 << (high - low + 1):
            raise InputError(
                f"{location}: `{name}` has bits {low} to {high}, and {value} does not fit"
            )
        word |= value << low
    return word


def _values(location: str, entry: object, registers: list[dict[str, Any]]) -> dict[str, bytes]:
    if not isinstance(entry, dict):
        raise InputError(f"{location}: inputs and outputs are tables of values by register")
    sizes = {register["name"]: WORD * register["words"] for register in registers}
    _require_known(location, "register", entry, sorted(sizes))
    return {name: _value(f"{location}, {name}", text, sizes[name]) for name, text in entry.items()}


def _value(location: str, text: object, size: int) -> bytes:
    """A number in all words of its register, or bytes, which may be fewer."""
    try:
        if isinstance(text, str) and text.startswith("0x"):
            return int(text, 16).to_bytes(size, "little")
        value = bytes.fromhex(str(text))
    except ValueError:
        raise InputError(f"{location}: `{text}` is neither bytes in hexadecimal nor 0x…") from None
    except OverflowError:
        raise InputError(f"{location}: {text} has more than {size} bytes") from None
    if len(value) > size:
        raise InputError(f"{location}: {len(value)} bytes do not fit into {size}")
    return value


def _require_known(location: str, kind: str, entry: Mapping[str, object], names: list[str]) -> None:
    for name in entry:
        if name not in names:
            raise InputError(f"{location}: there is no {kind} `{name}`", suggestion(name, names))


def _of_role(register_map: Mapping[str, Any], role: str) -> list[dict[str, Any]]:
    return [register for register in register_map["registers"] if register["role"] == role]


def _register_of(register_map: Mapping[str, Any], role: str) -> dict[str, Any]:
    registers = _of_role(register_map, role)
    if not registers:
        raise InputError(
            f"{register_map['name']} has no register of role `{role}`, which the vectors need"
        )
    return registers[0]


def _done_mask(status: Mapping[str, Any]) -> int:
    """The bit that says that an operation has ended."""
    for field in status["fields"]:
        if field["name"] in {"done", "ready", "valid"}:
            return 1 << int(field["bits"][0])
    raise InputError("the status register has no field `done`, `ready` or `valid`")


def _words(value: bytes) -> list[int]:
    return [int.from_bytes(value[at : at + WORD], "little") for at in range(0, len(value), WORD)]


def _write(address: int, word: int) -> Row:
    return {"address": address, "wdata": word, "write": 1, "read": 0}


def _read(address: int) -> Row:
    return {"address": address, "wdata": 0, "write": 0, "read": 1}
