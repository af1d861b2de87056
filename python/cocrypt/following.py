"""Secrets in the memory of a user's program, followed through its run.

Secrets are named by symbols or addresses, and come into memory where a function begins or a mark is
set. Up to there the machine itself runs; from there on a model runs that holds, beside every bit,
whether it depends on a secret (`primitives.secrecy`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import visible
from cocrypt.errors import InputError, ProgramError
from cocrypt.measurement import MAX_CYCLES, stop_text
from cocrypt.paths import suggestion
from cocrypt.primitives.secrecy import Finding, SourceLocation, found_at, place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.machine import Machine

INSTRUCTIONS = 1_000_000_000
"""Instructions that a program is followed for unless a limit is given."""
USUAL_START = "main"
SHOWN = 6
"""The greatest number of registers that a note names."""
_SECRET = re.compile(r"(?P<place>[^:+]+)(\+(?P<offset>\w+))?(:(?P<length>\w+))?\Z")
_ARGUMENT = re.compile(r"@(?P<number>[1-9]\d?):(?P<length>\w+)\Z")


@dataclass(frozen=True)
class Secret:
    """Bytes in memory that are secret; `name` is the user's text for them."""

    name: str
    address: int
    length: int


@dataclass(frozen=True)
class PointedSecret:
    """Bytes that an argument of the starting function points to when that begins first.

    `number` counts arguments from 1, each a word of the calling convention.
    """

    name: str
    number: int
    length: int

    def at(self, machine: Machine) -> Secret:
        """The secret in memory, on a machine that is about to run the function."""
        convention = machine.device.target.instructions.convention
        if self.number > convention.registers:
            raise InputError(
                f"`{self.name}`: only {convention.registers} arguments are in registers",
                "name the memory by its symbol or address",
            )
        pointer = convention.argument(self.number - 1, machine.native.registers())
        return Secret(self.name, machine.device.pointed(pointer, convention.word), self.length)


@dataclass(frozen=True)
class Start:
    """The point from which secrets are in memory: a function's begin, a mark, or the first cycle.

    `until_return` ends the run where the function returns.
    """

    function: str | None = None
    mark: int | None = None
    until_return: bool = False

    def __str__(self) -> str:
        if self.function is not None:
            return f"`{visible.name(self.function)}`"
        return "reset" if self.mark is None else f"mark {self.mark:#x}"


@dataclass(frozen=True)
class End:
    """The end of a run that was followed.

    `kind` is `exit` (the exit device), `host_exit` (a call to the host), `returned`, `stays` (at
    one instruction, for ever), `limit`, `stop`, `fault` or `no_code`; `why` is None for the first
    four.
    """

    kind: str
    address: int
    place: SourceLocation
    why: str | None

    def __str__(self) -> str:
        return f"{_ENDS[self.kind]}{'' if self.why is None else f' ({self.why})'}, in {self.place}"


_ENDS = {
    "exit": "the program ended",
    "host_exit": "the program ended by a call to its host",
    "returned": "the function returned",
    "stays": "the program stays at one instruction for ever",
    "limit": "the program was not followed further",
    "stop": "the program stopped",
    "fault": "the program stopped",
    "no_code": "the program stopped",
}


@dataclass(frozen=True)
class FollowedRun:
    """The findings on a program from its start to its end.

    `entries` is how often the function began, `cycle` when secrets were there first; `notes` are
    sentences about values that the program did not get as on the device.
    """

    secrets: tuple[Secret, ...]
    start: Start
    cycle: int
    entries: int
    instructions: int
    findings: tuple[Finding, ...]
    end: End
    notes: tuple[str, ...]

    @property
    def keeps(self) -> bool | None:
        """True if nothing was found; None if nothing was, but the run ended too early."""
        if self.findings:
            return False
        return True if self.end.why is None else None


def secret(machine: Machine, text: str) -> Secret | PointedSecret:
    """The secret of `SYMBOL`, `SYMBOL+OFFSET:LENGTH`, `ADDRESS:LENGTH` or `@ARGUMENT:LENGTH`.

    Raises `InputError` if the image has no such symbol, or its length is unknown.
    """
    argument = _ARGUMENT.match(text)
    if argument:
        return PointedSecret(text, int(argument["number"]), _size(text, argument["length"]))
    match = _SECRET.match(text)
    if not match:
        raise _unclear(text)
    base, length = match["place"], match["length"]
    offset = _number(match["offset"] or "0")
    if offset is None:
        raise _unclear(text)
    address = _number(base)
    if address is None:
        address, symbol_size = _symbol(machine, base)
        size = symbol_size - offset if length is None else _size(text, length)
        if size <= 0:
            raise InputError(
                f"{machine.name} does not say how long `{base}` is",
                f"say it: --secret {text}:LENGTH, in bytes",
            )
    elif length is None:
        raise InputError(f"`{text}` has no length", f"write {text}:LENGTH, in bytes")
    else:
        size = _size(text, length)
    return Secret(text, address + offset, size)


def _size(text: str, length: str) -> int:
    """A length in bytes; raises `InputError` where it is none, or 0."""
    size = _number(length)
    if not size:
        raise _unclear(text)
    return size


def _unclear(text: str) -> InputError:
    return InputError(
        f"`{text}` names no secret",
        "write SYMBOL, SYMBOL:LENGTH, ADDRESS:LENGTH or @ARGUMENT:LENGTH, in bytes",
    )


def _number(text: str) -> int | None:
    try:
        value = int(text, 0)
    except ValueError:
        return None
    return value if 0 <= value < 1 << 32 else None


def _symbol(machine: Machine, name: str) -> tuple[int, int]:
    """Address and size of a global; static ones of several files may share a name.

    One within a function has the function's name before it, or a number behind it.
    """
    symbols = [symbol for symbol in machine.info["symbols"] if symbol["kind"] != "function"]
    inner = re.compile(rf"(\w+\.)?{re.escape(name)}(\.\d+)?")
    matches = {
        (symbol["address"], symbol["size"]) for symbol in symbols if symbol["name"] == name
    } or {
        (symbol["address"], symbol["size"]) for symbol in symbols if inner.fullmatch(symbol["name"])
    }
    if not matches:
        names = [symbol["name"] for symbol in symbols if symbol["kind"] == "object"]
        raise InputError(f"{machine.name} has no global `{name}`", _nearby(name, names))
    if len(matches) > 1:
        places = ", ".join(f"{address:#x}:{size}" for address, size in sorted(matches))
        raise InputError(
            f"{machine.name} has {len(matches)} globals `{name}`",
            f"name one by its place: {places}",
        )
    return matches.pop()


def _nearby(name: str, names: Sequence[str]) -> str:
    few = list(dict.fromkeys(names))
    return suggestion(name, few[:40]) if few else "name an ADDRESS:LENGTH; the file has no symbols"


def usual_start(machine: Machine) -> Start:
    """The begin of `main`, if the image has one: start-up code fills memory before that."""
    names = {symbol["name"] for symbol in machine.info["symbols"] if symbol["kind"] == "function"}
    return Start(USUAL_START) if USUAL_START in names else Start()


def follow(
    machine: Machine,
    chosen: Sequence[Secret | PointedSecret],
    start: Start,
    instructions: int = INSTRUCTIONS,
) -> FollowedRun:
    """Runs a program to its start, and follows its secrets from there on.

    Raises `ProgramError` if the program does not come to its start, `InputError` if a secret is in
    no memory, or none is ever read.
    """
    if start.until_return and start.function is None:
        raise InputError("only a function returns", "name it by --from")
    if start.function is None and any(isinstance(secret, PointedSecret) for secret in chosen):
        raise InputError("only a function has arguments", "name it by --from")
    entry = None if start.function is None else _function(machine, start.function)
    cycle = reach(machine, start)
    secrets = [
        secret.at(machine) if isinstance(secret, PointedSecret) else secret for secret in chosen
    ]
    ranges = [(secret.address, secret.length) for secret in secrets]
    for secret in secrets:
        _require_memory(machine, secret)
    values = machine.native.follow(ranges, instructions, entry, start.until_return)
    if values["reads"] == 0:
        raise InputError(
            f"from {start} on {machine.name} reads nothing of what is secret",
            "name memory that holds it there, or another function by --from",
        )
    return FollowedRun(
        secrets=tuple(secrets),
        start=start,
        cycle=cycle,
        entries=values["entries"],
        instructions=values["instructions"],
        findings=tuple(found_at(str(start), finding) for finding in values["found"]),
        end=_end(values),
        notes=tuple(_notes(values)),
    )


def _function(machine: Machine, name: str) -> int:
    """The address at which a function begins."""
    functions = [symbol for symbol in machine.info["symbols"] if symbol["kind"] == "function"]
    addresses = {int(function["address"]) for function in functions if function["name"] == name}
    if not addresses:
        names = [function["name"] for function in functions]
        raise InputError(f"{machine.name} has no function `{name}`", _nearby(name, names))
    if len(addresses) > 1:
        raise InputError(
            f"{machine.name} has {len(addresses)} functions `{name}`", "name one that is alone"
        )
    return addresses.pop()


def reach(machine: Machine, start: Start) -> int:
    """Runs a machine to a start, and returns the cycle of it.

    Raises `InputError` if the program has no such function, `ProgramError` if it never comes there.
    """
    entry = None if start.function is None else _function(machine, start.function)
    return _reach(machine, start, entry)


def _reach(machine: Machine, start: Start, entry: int | None) -> int:
    """Runs the machine to the start, and returns the cycle of the start."""
    if entry is not None:
        cycle, result = machine.native.run_to(entry, MAX_CYCLES)
        if result is not None:
            raise _not_reached(machine, start, result)
        return cycle or 0
    if start.mark is None:
        return 0
    twin = machine.copy()
    result = twin.run().values
    cycles = [cycle for cycle, value in twin.marks() if value == start.mark]
    if not cycles:
        raise _not_reached(machine, start, result)
    machine.run(cycles[0])
    return cycles[0]


def _not_reached(machine: Machine, start: Start, result: dict[str, Any]) -> ProgramError:
    return ProgramError(f"{machine.name} never came to {start}: {stop_text(result['stop'])}")


def _require_memory(machine: Machine, secret: Secret) -> None:
    try:
        machine.read(secret.address, secret.length)
    except ValueError as error:
        raise InputError(
            f"no memory of {machine.device.name} holds the {secret.length} bytes of "
            f"`{secret.name}` at {secret.address:#010x}",
            "name bytes that the program has in memory",
        ) from error


def _end(values: dict[str, Any]) -> End:
    end = values["end"]
    places = [place_of(place) for place in end["places"]]
    return End(end["kind"], end["address"], places[-1], values["halt"])


def _notes(values: dict[str, Any]) -> list[str]:
    """Sentences about values that the program did not get as on the device."""
    notes = []
    registers = [f"{register['address']:#010x}" for register in values["registers"]]
    if registers:
        more = f", and {len(registers) - SHOWN} more" if len(registers) > SHOWN else ""
        notes.append(
            f"registers that it read gave 0 while it was followed: {', '.join(registers[:SHOWN])}"
            f"{more}"
        )
    if values["host_calls"]:
        notes.append(f"{values['host_calls']:,} calls to its host gave 0 while it was followed")
    return notes
