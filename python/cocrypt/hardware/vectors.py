"""What a coprocessor must answer: vectors at its register port, one operation after the other.

`vectors.toml` stands beside the register map. A value is a number, `0x…`, least significant word
first on the bus; or bytes as they lie in memory. What is left out of an input is not written, and
what is left out of an output is not compared.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import _native, rtl
from cocrypt.errors import HostError, InputError
from cocrypt.house import suggestion

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

    Without a command the last input begins it.
    """

    source: str
    command: int | None
    cycles: int | None
    inputs: Mapping[str, bytes]
    outputs: Mapping[str, bytes]

    @property
    def polls(self) -> int:
        """How often the status is read at most; never where nothing is waited for."""
        if self.cycles is None and self.command is None:
            return 0
        return self.cycles or LONGEST


@dataclass(frozen=True)
class Answer:
    """What came of a vector; `cycles` from the write of the command until `done` can be read."""

    vector: Vector
    cycles: int | None
    outputs: Mapping[str, bytes]

    @property
    def right(self) -> bool:
        """Whether results and, where they are stated, cycles are as expected."""
        in_time = self.vector.cycles is None or self.vector.cycles == self.cycles
        return in_time and self.outputs == self.vector.outputs


def load(register_map: Mapping[str, Any], path: Path) -> list[Vector]:
    """Read the vectors of a coprocessor.

    Raises InputError with the place of what does not fit the register map.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HostError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}") from error
    entries = found.get("vector")
    if not isinstance(entries, list) or not entries or len(found) > 1:
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
    """What the design gives in each cycle, whichever language it is written in."""
    path = Path(register_map["path"])
    library = rtl.libraries([path]).get(path)
    if library is None:
        return _native.fdl_simulate(register_map["design"], register_map["top"], rows)
    return [{"rdata": word} for word in _native.verilog_simulate(library, rows)]


def stimuli(
    register_map: Mapping[str, Any], vectors: Sequence[Vector]
) -> tuple[list[Row], list[tuple[int, int]]]:
    """All transfers, a row a cycle, and for each vector where its polls and its reads begin."""
    rows: list[Row] = []
    spans = []
    for vector in vectors:
        for register in _of_role(register_map, "input"):
            words = _words(vector.inputs.get(register["name"], b""))
            rows += [_write(register["offset"] + WORD * at, word) for at, word in enumerate(words)]
        if vector.command is not None:
            rows.append(_write(_one(register_map, "control")["offset"], vector.command))
        start = len(rows)
        if vector.polls:
            rows += [_read(_one(register_map, "status")["offset"])] * vector.polls
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
        done = _done(_one(register_map, "status"))
        polled = (at for at in range(start, end) if simulated[at]["rdata"] & done)
        first = next(polled, None)
        cycles = None if first is None else first - start + 1
    outputs, at = {}, end
    for register in _of_role(register_map, "output"):
        expected = vector.outputs.get(register["name"])
        if expected is not None:
            count = len(_words(expected))
            words = [simulated[place]["rdata"] for place in range(at, at + count)]
            read = b"".join(word.to_bytes(WORD, "little") for word in words)
            outputs[register["name"]] = read[: len(expected)]
            at += count
    return Answer(vector, cycles, outputs)


def _vector(register_map: Mapping[str, Any], place: str, entry: object) -> Vector:
    if not isinstance(entry, dict):
        raise InputError(f"{place} is no table")
    _known(place, "vector", entry, sorted(KEYS))
    cycles = entry.get("cycles")
    if cycles is not None and not (isinstance(cycles, int) and 0 < cycles <= LONGEST):
        raise InputError(f"{place}: `cycles` must be a number from 1 to {LONGEST}")
    command = entry.get("command")
    return Vector(
        source=str(entry.get("source", "")),
        command=None if command is None else _command(register_map, place, command),
        cycles=cycles,
        inputs=_values(place, entry.get("inputs", {}), _of_role(register_map, "input")),
        outputs=_values(place, entry.get("outputs", {}), _of_role(register_map, "output")),
    )


def _command(register_map: Mapping[str, Any], place: str, given: object) -> int:
    fields = {one["name"]: one["bits"] for one in _one(register_map, "control")["fields"]}
    if not isinstance(given, dict):
        raise InputError(f"{place}: `command` must be a table of fields, such as {{ start = 1 }}")
    _known(place, "field", given, sorted(fields))
    word = 0
    for name, value in given.items():
        low, high = fields[name]
        if not isinstance(value, int) or not 0 <= value < 1 << (high - low + 1):
            raise InputError(
                f"{place}: `{name}` has bits {low} to {high}, and {value} does not fit"
            )
        word |= value << low
    return word


def _values(place: str, given: object, registers: list[dict[str, Any]]) -> dict[str, bytes]:
    if not isinstance(given, dict):
        raise InputError(f"{place}: inputs and outputs are tables of values by register")
    sizes = {one["name"]: WORD * one["words"] for one in registers}
    _known(place, "register", given, sorted(sizes))
    return {name: _value(f"{place}, {name}", text, sizes[name]) for name, text in given.items()}


def _value(place: str, text: object, size: int) -> bytes:
    """A number in all words of its register, or bytes, which may be fewer."""
    try:
        if isinstance(text, str) and text.startswith("0x"):
            return int(text, 16).to_bytes(size, "little")
        value = bytes.fromhex(str(text))
    except ValueError:
        raise InputError(f"{place}: `{text}` is neither bytes in hexadecimal nor 0x…") from None
    except OverflowError:
        raise InputError(f"{place}: {text} has more than {size} bytes") from None
    if len(value) > size:
        raise InputError(f"{place}: {len(value)} bytes do not fit into {size}")
    return value


def _known(place: str, kind: str, given: Mapping[str, object], known: list[str]) -> None:
    for name in given:
        if name not in known:
            raise InputError(f"{place}: there is no {kind} `{name}`", suggestion(name, known))


def _of_role(register_map: Mapping[str, Any], role: str) -> list[dict[str, Any]]:
    return [one for one in register_map["registers"] if one["role"] == role]


def _one(register_map: Mapping[str, Any], role: str) -> dict[str, Any]:
    registers = _of_role(register_map, role)
    if not registers:
        raise InputError(
            f"{register_map['name']} has no register of role `{role}`, which the vectors need"
        )
    return registers[0]


def _done(status: Mapping[str, Any]) -> int:
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
