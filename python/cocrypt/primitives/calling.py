"""Calls of a subject's functions on a machine: what they leave behind, and what each costs.

A call's cycles run from the first of its call instruction to the last of its return. They are
taken between two marks, less what two marks with nothing between them are apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import _native
from cocrypt.errors import InputError, ProgramError
from cocrypt.machine import Machine
from cocrypt.measurement import MAX_CYCLES, stop_text
from cocrypt.primitives.images import CONTEXT
from cocrypt.primitives.script import Buffer, Outcome, Step, argument_size, some_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cocrypt.device import Device
    from cocrypt.measurement import Run
    from cocrypt.primitives.script import Check, Timing
    from cocrypt.primitives.subject import Subject

# As in each caller.S of runtime/: words in memory.
HEADER, RECORD = 4, 16
# Bytes of the longest parameters of C's own integers, but for those of 64 bits, whose roles say so.
LONGEST = 4
# What is left to the stack where many calls share the memory; half of a small one.
STACK = 32 << 10
HARNESS = ("_start", "main", "cocrypt_unhandled")
ALIGNMENT = 16
GUARD = 16
"""Bytes behind each buffer that nobody may write, where answers are checked."""
# By kind: operations whose result says what came out, which a function without one cannot.
JUDGING: Mapping[str, frozenset[str]] = {
    "aead": frozenset({"open"}),
    "signature": frozenset({"verify"}),
    "ecdsa": frozenset({"verify"}),
    "signing": frozenset({"verify"}),
    "rsa": frozenset({"verify_pkcs1", "decrypt_pkcs1", "decrypt_oaep"}),
    "rsa_toy": frozenset({"prime", "gcd", "power", "encrypt"}),
}


@dataclass(frozen=True)
class Cost:
    """What calls took: cycles, instructions where they were counted, and bytes of stack.

    The stack is what they go below the caller's.
    """

    cycles: int
    instructions: int | None
    stack: int


@dataclass(frozen=True)
class Left:
    """What a call leaves: the stack below the caller's, registers by name, and buffers.

    `before` are the contents of the buffers when the call began.
    """

    stack: bytes
    registers: Mapping[str, int]
    before: Mapping[Buffer, bytes]
    contents: Mapping[Buffer, bytes]


class Calling:
    """A subject's image on a device, whose functions can be called."""

    def __init__(self, device: Device, subject: Subject, image: Path) -> None:
        self.device, self.subject = device, subject
        self.convention = device.target.instructions.convention
        self._fresh = Machine(device, image, name=subject.name)
        self.image_hash: str = self._fresh.info["hash"]
        known = {one["name"]: int(one["address"]) for one in self._fresh.info["symbols"]}
        self._table, self._top = known["_stack_limit"], known["_stack_top"]
        lacking = [one.name for one in subject.functions.values() if one.name not in known]
        if lacking:
            raise InputError(
                f"the sources of {subject.name} define no function `{lacking[0]}`",
                f"those that are there: {', '.join(sorted(_functions(self._fresh)))}",
            )
        self._functions = {
            operation: known[function.name] for operation, function in subject.functions.items()
        }
        self._result_sizes: dict[str, int] = {}
        self._silent: dict[str, str] = {}
        self._read_results(image)
        self._parameters = self._parameter_sizes(image)
        for operation in JUDGING.get(subject.kind, frozenset()) & self._silent.keys():
            raise self._silence(operation, f"`{operation}` says by it what comes out")
        size = self._constant(CONTEXT) if subject.context else b""
        self.context_size = int.from_bytes(size, self.convention.order)

    def run(self, steps: Sequence[Step]) -> Outcome:
        """Makes the calls in their order; raises `ProgramError` where one does not come back.

        Memory that is to be written holds bytes without a pattern at first, others at each place:
        what a function leaves as it was is no answer by luck.
        """
        layout = self._layout(steps, watched=True)
        machine = self._loaded(layout)
        self._require_end(machine.run(_limit(steps)), machine, layout)
        contents = _contents(machine, layout)
        overrun = frozenset(one for one in layout.places if layout.is_overrun(one, machine))
        results = {
            step: self._result(machine, layout, index)
            for index, step in enumerate(steps)
            if step.operation not in self._silent
        }
        return Outcome(contents, results, overrun)

    def check(self, checks: Sequence[Check]) -> Outcome:
        """Makes the calls of many checks, as many at once as the memory holds."""
        contents: dict[Buffer, bytes] = {}
        results: dict[Step, int] = {}
        overrun: frozenset[Buffer] = frozenset()
        for part in self._parts(checks):
            found = self.run([step for one in part for step in one.steps])
            contents |= found.contents
            results |= found.results
            overrun |= found.overrun
        return Outcome(contents, results, overrun)

    def require_results(self, checks: Sequence[Check]) -> None:
        """Sees to it that what must be refused is refused by functions that can say so."""
        for check in checks:
            for step, wanted in check.results:
                if wanted and step.operation in self._silent:
                    raise self._silence(step.operation, f"{check.label} must be refused")

    def fits(self, check: Check) -> bool:
        """Whether the device has memory for a check's calls."""
        return _taken(check, self.convention.word) <= self._room

    def each(
        self,
        steps: Sequence[Step],
        counted: Sequence[int],
        results: Sequence[tuple[Step, int]] = (),
    ) -> list[Cost]:
        """What some of the calls cost, one by one, without counting their instructions.

        Raises `ProgramError` where a call returns something else than what it must.

        The program runs twice, since where to stop is known after the first time alone. Where the
        device has caches, the calls are made twice, and the second time counts.
        """
        if self._has_caches:
            counted = [len(steps) + one for one in counted]
            steps = [*steps, *steps]
        layout = self._layout(steps)
        machine, again = self._loaded(layout), self._loaded(layout)
        self._require_end(machine.run(_limit(steps)), machine, layout)
        self._require_results(results, machine, layout)
        pairs = _pairs(machine)
        apart = pairs[0][1] - pairs[0][0]
        found = []
        for index in counted:
            again.run(pairs[index][1])
            again.forget_stack()
            begin, end = pairs[index + 1]
            depth = self._depth(again.run(end), steps[index : index + 1])
            found.append(Cost(end - begin - apart, None, depth))
        return found

    def total(self, timing: Timing) -> Cost:
        """What the calls that count cost together, the stack being that of the deepest.

        These must be the last of all calls. Where the device has caches, the calls are made twice,
        and the second time counts.
        """
        steps, counted = list(timing.steps), timing.counted
        first = len(steps) - len(counted)
        assert list(counted) == list(range(first, len(steps))), "other calls come behind these"
        before = steps[:first]
        if self._has_caches:
            before, steps = [*steps, *before], [*steps, *steps]
        layout = self._layout(steps)
        begun = self._loaded(layout, len(before))
        known = begun.run(_limit(steps))
        self._require_end(known, begun, layout)
        machine = self._loaded(layout)
        machine.run(_pairs(begun)[len(before)][1])
        machine.forget_stack()
        result = machine.run(_limit(steps))
        self._require_end(result, machine, layout)
        self._require_results(timing.results, machine, layout)
        pairs = _pairs(machine)
        apart = pairs[0][1] - pairs[0][0]
        cycles = sum(end - begin - apart for begin, end in pairs[1 + len(before) :])
        launched = result.values["instructions"] - known.values["instructions"]
        depth = self._depth(result, steps[len(before) :])
        return Cost(cycles, launched - self.convention.around * len(counted), depth)

    def stack_bound(self, operations: Iterable[str]) -> int | None:
        """Bytes of stack that these can need at most, their arguments among them.

        None where that is not to be seen, as where code calls itself or through pointers.
        """
        found = []
        for one in operations:
            below = self._fresh.native.stack_bound(self._functions[one])
            if below is None:
                return None
            found.append(below + self._pushed(Step(one, {})))
        return max(found, default=None)

    @property
    def _room(self) -> int:
        """Bytes for calls and their memory, beside the stack."""
        size = self._top - self._table
        return size - min(STACK, size // 2)

    @property
    def _has_caches(self) -> bool:
        return self._fresh.native.has_caches()

    def _depth(self, result: Run, steps: Sequence[Step]) -> int:
        """How deep the stack went since it was forgotten, in these calls."""
        pushed = max(self._pushed(one) for one in steps)
        stack = result.values["stack"]
        return max(0, stack - self.convention.frame) + pushed if stack else pushed

    def _loaded(self, layout: _Layout, calls: int | None = None) -> Machine:
        """A fresh machine with the calls written down, or the first of them."""
        machine = self._fresh.copy()
        machine.write(self._table, layout.content)
        if calls is not None:
            machine.write(self._table, self._bytes(calls))
        return machine

    def follow(
        self, steps: Sequence[Step], secrets: Sequence[Buffer], limit: int
    ) -> dict[str, Any]:
        """Makes the calls with what stands in some buffers secret; what the model found of it."""
        layout = self._layout(steps)
        machine = self._loaded(layout)
        places = [(layout.places[one], one.size) for one in secrets if one.size]
        return machine.native.follow(places, limit)

    def left(self, *runs: Sequence[Step]) -> list[list[Left]]:
        """What each call of some runs leaves behind, the stack having been cleared before it.

        When calls begin and end is known after a run alone, which others need not have where they
        take the same cycles.
        """
        found: list[list[Left]] = []
        pairs: list[tuple[int, int]] = []
        for steps in runs:
            layout = self._layout(steps)
            left = self._left(layout, pairs) if pairs else None
            if left is None:
                known = self._loaded(layout)
                self._require_end(known.run(_limit(steps)), known, layout)
                pairs = _pairs(known)
                left = self._left(layout, pairs)
            assert left is not None, "the same calls take the same cycles"
            found.append(left)
        return found

    def _left(self, layout: _Layout, pairs: Sequence[tuple[int, int]]) -> list[Left] | None:
        """What calls leave that begin and end with these cycles; None where they do not."""
        machine, found = self._loaded(layout), []
        for begin, end in pairs[1:]:
            machine.run(begin)
            size = machine.registers()[self.device.target.instructions.stack_pointer] - layout.end
            if size < 0:
                return None
            machine.write(layout.end, bytes(size))
            before = _contents(machine, layout)
            machine.run(end)
            stack, registers = machine.read(layout.end, size), machine.registers()
            found.append(Left(stack, registers, before, _contents(machine, layout)))
        machine.run(_limit(layout.steps))
        marks = [cycle for cycle, _ in machine.marks()]
        return found if marks == [cycle for pair in pairs for cycle in pair] else None

    def _pushed(self, step: Step) -> int:
        """Bytes of arguments that do not fit registers; the stack stays aligned."""
        words, aligned = len(self._words(step, {})), self.convention.aligned
        size = self.convention.word * max(0, words - self.convention.registers)
        return -(-size // aligned) * aligned

    def _require_end(self, result: Run, machine: Machine, layout: _Layout) -> None:
        stop = result.values["stop"]
        if stop["kind"] != "exit":
            done = max(0, len(machine.marks()) // 2 - 1)
            where = layout.steps[min(done, len(layout.steps) - 1)].operation
            raise ProgramError(f"{self.subject.name}: {where} does not end: {stop_text(stop)}")
        if self._top - result.values["stack"] < layout.end:
            raise InputError(
                f"{self.subject.name} needs more memory than {self.device.name} has: its stack ran "
                "into its data",
                "take a device with more RAM",
            )

    def _require_results(
        self, results: Sequence[tuple[Step, int]], machine: Machine, layout: _Layout
    ) -> None:
        """Sees to it that what was timed did what it was called for, if it can say so."""
        wanted = {step: one for step, one in results if step.operation not in self._silent}
        for index, step in enumerate(layout.steps):
            if step not in wanted:
                continue
            got = self._result(machine, layout, index)
            if got != wanted[step]:
                raise ProgramError(
                    f"{self.subject.name}: {step.operation} returns {got}, not {wanted[step]}, of "
                    "what should be timed"
                )

    def _read_results(self, image: Path) -> None:
        """Notes the sizes of results, and where functions without one begin in the sources."""
        found = _native.function_results(image.read_bytes(), [*self._functions.values()])
        for operation, (size, file, line) in zip(self._functions, found, strict=True):
            if size == 0:
                self._silent[operation] = f"{file}:{line}: " if file and line else ""
            elif size is not None:
                self._result_sizes[operation] = size

    def _constant(self, name: str) -> bytes:
        """A word of the image, from where it is loaded: start-up code may move it."""
        place = self._fresh.address(name)
        for one in self._fresh.info["segments"]:
            if one["runs_at"] <= place < one["runs_at"] + one["file_size"]:
                place += one["address"] - one["runs_at"]
                break
        return self._fresh.read(place, self.convention.word)

    def _parameter_sizes(self, image: Path) -> dict[str, list[int]]:
        """Bytes of each operation's parameters, where a word may be too short for one."""
        if self.convention.word >= LONGEST:
            return {}
        found = _native.function_parameters(image.read_bytes(), [*self._functions.values()])
        return dict(zip(self._functions, (sizes or [] for sizes in found), strict=True))

    def _silence(self, operation: str, why: str) -> InputError:
        name = self.subject.functions[operation].name
        return InputError(
            f"{self._silent[operation]}`{name}` of {self.subject.name} returns nothing (void), "
            f"but {why}",
            "let it return an int: 0 where all is well, -1 for what is refused",
        )

    def _parts(self, checks: Sequence[Check]) -> Iterator[list[Check]]:
        """Checks in groups that fit into memory beside the stack."""
        part: list[Check] = []
        taken = 0
        for one in checks:
            size = _taken(one, self.convention.word)
            if part and taken + size > self._room:
                yield part
                part, taken = [], 0
            part.append(one)
            taken += size
        if part:
            yield part

    def _layout(self, steps: Sequence[Step], *, watched: bool = False) -> _Layout:
        """Where everything stands, and the bytes that are put there before the run.

        Where it is `watched` whether functions write what they should, there is room behind each
        buffer. Where they are timed there is none, since places in memory may have their price.
        """
        word = self.convention.word
        at = _aligned(self._table + (HEADER + RECORD * len(steps)) * word)
        places: dict[Buffer, int] = {}
        for one in _buffers(steps):
            places[one] = at
            at = _aligned(at + (one.size + GUARD if watched else max(1, one.size)))
        if at > self._top - ALIGNMENT:
            raise InputError(
                f"{self.subject.name} needs more memory than {self.device.name} has",
                "take a device with more RAM, or shorter messages",
            )
        size = at - self._table
        content = bytearray(some_bytes(size, "memory") if watched else size)
        content[:word] = self._bytes(len(steps))
        for index, step in enumerate(steps):
            start = (HEADER + RECORD * index) * word
            content[start : start + RECORD * word] = self._record(step, places)
        for one, place in places.items():
            start = place - self._table
            content[start : start + len(one.content)] = one.content
        return _Layout(self._table, word, at, bytes(content), places, tuple(steps))

    def _record(self, step: Step, places: dict[Buffer, int]) -> bytes:
        given = self._words(step, places)
        function = self.device.target.pointer(self._functions[step.operation])
        words = [function, *given]
        words += [0] * (RECORD - len(words))
        return b"".join(map(self._bytes, words))

    def _bytes(self, number: int) -> bytes:
        """A word in memory."""
        bits = 8 * self.convention.word
        return (number % (1 << bits)).to_bytes(self.convention.word, self.convention.order)

    def _result(self, machine: Machine, layout: _Layout, index: int) -> int:
        """What a call returned, as far as `caller.S` keeps words of it."""
        word = self.convention.word
        size = self._result_sizes.get(layout.steps[index].operation, word)
        words = min(self.convention.kept, -(-size // word))
        stored = machine.read(layout.result(index, words), words * word)
        return int.from_bytes(stored, self.convention.order, signed=True)

    def _words(self, step: Step, places: dict[Buffer, int]) -> list[int]:
        """What the function is given, word by word as the calling convention has it."""
        words: list[int] = []
        sizes = self._parameters.get(step.operation, [])
        for number, role in enumerate(self.subject.function(step.operation).arguments):
            size = sizes[number] if number < len(sizes) else 0
            value = self._value(role, step)
            if isinstance(value, tuple):
                words.append(places.get(value[0], 0) + value[1])
            elif isinstance(value, Buffer):
                words.append(places.get(value, 0))
            elif role.endswith("64"):
                words += [0] * (len(words) % 2 * self.convention.paired)
                words += self._placed(self._wide(value, 8), len(words))
            elif size > self.convention.word:
                words += self._placed(self._wide(value, size), len(words))
            else:
                words.append(value)
        if len(words) > self.convention.registers + self.convention.stacked:
            raise InputError(f"{self.subject.name}: {step.operation} takes too many arguments")
        return words

    def _wide(self, value: int, size: int) -> list[int]:
        """The words of a value of so many bytes."""
        bits = 8 * self.convention.word
        words = [value >> shift for shift in range(0, 8 * size, bits)]
        return words if self.convention.order == "little" else words[::-1]

    def _placed(self, words: list[int], at: int) -> list[int]:
        """The words of an argument behind so many others, in the order in which they are passed.

        Where registers are used from the last one down, an argument that they do not hold whole is
        on the stack.
        """
        left = self.convention.registers - at
        if not self.convention.descends or left <= 0:
            return words
        return words[::-1] if len(words) <= left else [0] * left + words

    def _value(self, role: str, step: Step) -> Buffer | int | tuple[Buffer, int]:
        if role in step.arguments:
            return step.arguments[role]
        size = argument_size(role, step)
        if size is None:
            size = self.subject.sizes.get(role.removesuffix("64").removesuffix("_size"))
        if size is not None:
            return size
        # What a kind knows nothing of is passed as nothing.
        return 0


@dataclass(frozen=True)
class _Layout:
    """The calls and their memory on the device, of words of so many bytes.

    `end` is the first address behind it.
    """

    table: int
    word: int
    end: int
    content: bytes
    places: dict[Buffer, int]
    steps: tuple[Step, ...]

    def is_overrun(self, buffer: Buffer, machine: Machine) -> bool:
        """Whether something else stands behind a buffer now."""
        at, size = self.places[buffer] + buffer.size, GUARD
        return machine.read(at, size) != self.content[at - self.table : at - self.table + size]

    def result(self, index: int, words: int = 1) -> int:
        """Where a call's result of so many words stands, at the end of its record."""
        return self.table + (HEADER + RECORD * (index + 1) - words) * self.word


def _contents(machine: Machine, layout: _Layout) -> dict[Buffer, bytes]:
    return {one: machine.read(at, one.size) for one, at in layout.places.items()}


def _taken(check: Check, word: int) -> int:
    """Bytes that a check's calls and their memory take, with words of so many bytes."""
    buffers = sum(ALIGNMENT + GUARD + buffer.size for buffer in _buffers(check.steps))
    return RECORD * word * len(check.steps) + buffers


def _pairs(machine: Machine) -> list[tuple[int, int]]:
    """The cycles of the marks around each call; the first pair has nothing between them."""
    marks = [cycle for cycle, _ in machine.marks()]
    return list(zip(marks[::2], marks[1::2], strict=True))


def _functions(machine: Machine) -> list[str]:
    """The functions of an image, but for those of the harness."""
    symbols = [one for one in machine.info["symbols"] if one["kind"] == "function"]
    # What stands at their places are handlers of exceptions.
    places = {one["address"] for one in symbols if one["name"] in HARNESS}
    return [one["name"] for one in symbols if one["address"] not in places]


def _limit(steps: Sequence[Step]) -> int:
    """Cycles within which calls must have come back."""
    return MAX_CYCLES * max(1, len(steps))


def _buffers(steps: Iterable[Step]) -> list[Buffer]:
    """The memory that calls use, each once."""
    return list(dict.fromkeys(one for step in steps for _, one in step.buffers))


def _aligned(address: int) -> int:
    return -(-address // ALIGNMENT) * ALIGNMENT
