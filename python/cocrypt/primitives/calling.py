"""Calls of a subject's functions on a machine: the state that they leave, and their costs.

A call's cycles run from the first of its call instruction to the last of its return. They are
taken between two marks, less the distance of two marks with nothing between them.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from struct import Struct
from typing import TYPE_CHECKING, Any

from cocrypt import _native
from cocrypt.errors import DoesNotFitError, InputError, ProgramError
from cocrypt.machine import Machine
from cocrypt.measurement import stop_text
from cocrypt.primitives.images import CONTEXT, context_size
from cocrypt.primitives.script import Buffer, Outcome, Step, argument_size, some_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cocrypt.device import Device
    from cocrypt.measurement import Run
    from cocrypt.primitives.script import Check, Timing
    from cocrypt.primitives.subject import Subject
    from cocrypt.target import Convention

# Sizes in words, as in each caller.S of runtime/.
HEADER, RECORD = 4, 16
# Bytes of the longest integer parameter, but for those of 64 bits, whose roles end in `64`.
LONGEST = 4
# Bytes left to the stack if many calls share the memory; half of a small memory.
STACK = 32 << 10
HARNESS = ("_start", "main", "cocrypt_unhandled")
ALIGNMENT = 16
# How `struct` spells byte orders and words.
ORDERS = {"little": "<", "big": ">"}
LETTERS = {2: "H", 4: "I"}
CALL_CYCLES = 200_000_000_000
"""Cycles after which a call most likely never ends.

The longest known are signatures of RSA with 2,048 bits, 73 G at -Os on a MicroBlaze that waits 32
cycles for each instruction.
"""
GUARD = 16
"""Bytes behind each buffer that nothing may write, if answers are checked."""
# By kind: operations that a function must have a result for, since it says what came out.
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
    """The cost of calls: cycles, instructions where they were counted, and bytes of stack.

    The stack is counted below the caller's.
    """

    cycles: int
    instructions: int | None
    stack: int


@dataclass(frozen=True)
class Residue:
    """The state that a call leaves: the stack below the caller's, registers by name, and buffers.

    `before` are the contents of the buffers when the call began.
    """

    stack: bytes
    registers: Mapping[str, int]
    before: Mapping[Buffer, bytes]
    contents: Mapping[Buffer, bytes]


class Calling:
    """A subject's image on a device, whose functions can be called."""

    blames_compiler = False
    """True if code that is right elsewhere is known to be compiled wrongly."""

    def __init__(self, device: Device, subject: Subject, image: Path) -> None:
        self.device, self.subject = device, subject
        self.convention = self._convention()
        self._fresh = Machine(device, image, name=subject.name)
        self._idle: list[Machine] = []
        self.image_hash: str = self._fresh.info["hash"]
        symbols = self._fresh.info["symbols"]
        addresses = {symbol["name"]: int(symbol["address"]) for symbol in symbols}
        self._table, self._top = addresses["_stack_limit"], addresses["_stack_top"]
        names = [function.name for function in subject.functions.values()]
        lacking = [name for name in names if name not in addresses]
        if lacking:
            raise InputError(
                f"the sources of {subject.name} define no function `{lacking[0]}`",
                f"those that are there: {', '.join(sorted(_functions(self._fresh)))}",
            )
        self._functions = {
            operation: addresses[function.name] for operation, function in subject.functions.items()
        }
        self._result_sizes: dict[str, int] = {}
        self._silent: dict[str, str] = {}
        self._read_results(image)
        self._parameters = self._parameter_sizes(image)
        self._require_judgements()
        self.context_size = self._context_size(image, CONTEXT in addresses)

    def run(self, steps: Sequence[Step]) -> Outcome:
        """Makes the calls in their order; raises `ProgramError` if one does not return.

        Memory that is to be written holds bytes without a pattern at first, different in each
        buffer, so that memory which a function does not write is no answer by luck.
        """
        layout = self._layout(steps, watched=True)
        with self._lent(layout) as machine:
            self._require_end(machine.run(limit_of(steps)), machine, layout)
            contents = _contents(machine, layout)
            overrun = frozenset(
                buffer for buffer in layout.places if layout.is_overrun(buffer, machine)
            )
            results = {
                step: self._result(machine, layout, index)
                for index, step in enumerate(steps)
                if step.operation not in self._silent
            }
        return Outcome(contents, results, overrun, self.convention.order)

    def check(self, checks: Sequence[Check]) -> Outcome:
        """Makes the calls of many checks, as many at once as the memory holds."""
        contents: dict[Buffer, bytes] = {}
        results: dict[Step, int] = {}
        overrun: frozenset[Buffer] = frozenset()
        for part in self._parts(checks):
            outcome = self.run([step for check in part for step in check.steps])
            contents |= outcome.contents
            results |= outcome.results
            overrun |= outcome.overrun
        return Outcome(contents, results, overrun, self.convention.order)

    def require_results(self, checks: Sequence[Check]) -> None:
        """Raises `InputError` if a call must be refused whose function returns nothing."""
        for check in checks:
            for step, expected in check.results:
                if expected and step.operation in self._silent:
                    raise self._silence(step.operation, f"{check.label} must be refused")

    def fits(self, check: Check) -> bool:
        """Returns true if the device has memory for a check's calls."""
        return _taken(check, self.convention.word) <= self._room

    def fitting(self, checks: Sequence[Check]) -> list[Check]:
        """The checks that fit; if none does, the smallest one, whose calls may need less stack.

        Its calls raise `DoesNotFitError` if they need more.
        """
        smallest = sorted(checks, key=lambda check: _taken(check, self.convention.word))[:1]
        return [check for check in checks if self.fits(check)] or smallest

    def each(
        self,
        steps: Sequence[Step],
        counted: Sequence[int],
        results: Sequence[tuple[Step, int]] = (),
    ) -> list[Cost]:
        """The cost of each of some calls, without their instructions.

        Raises `ProgramError` if a call returns something else than it must.

        The program runs twice, since only the first run shows the cycles at which to stop. On a
        device with caches the calls are made twice, and the second time counts.
        """
        if self._has_caches:
            counted = [len(steps) + index for index in counted]
            steps = [*steps, *steps]
        layout = self._layout(steps)
        with self._lent(layout) as machine:
            self._require_end(machine.run(limit_of(steps)), machine, layout)
            self._require_results(results, machine, layout)
            pairs = pairs_of(machine)
        apart = pairs[0][1] - pairs[0][0]
        costs = []
        with self._lent(layout) as machine:
            for index in counted:
                machine.run(pairs[index][1])
                machine.forget_stack()
                begin, end = pairs[index + 1]
                depth = self._depth(machine.run(end), steps[index : index + 1])
                costs.append(Cost(end - begin - apart, None, depth))
        return costs

    def total(self, timing: Timing) -> Cost:
        """The cost of the calls that count together; the stack is that of the deepest.

        These must be the last of all calls. On a device with caches the calls are made twice, and
        the second time counts.
        """
        steps, counted = list(timing.steps), timing.counted
        first = len(steps) - len(counted)
        assert list(counted) == list(range(first, len(steps))), "other calls come behind these"
        before = steps[:first]
        if self._has_caches:
            before, steps = [*steps, *before], [*steps, *steps]
        layout = self._layout(steps)
        with self._lent(layout, len(before)) as machine:
            set_up = machine.run(limit_of(steps))
            self._require_end(set_up, machine, layout)
            begin = pairs_of(machine)[len(before)][1]
        with self._lent(layout) as machine:
            machine.run(begin)
            machine.forget_stack()
            result = machine.run(limit_of(steps))
            self._require_end(result, machine, layout)
            self._require_results(timing.results, machine, layout)
            pairs = pairs_of(machine)
        apart = pairs[0][1] - pairs[0][0]
        cycles = sum(end - begin - apart for begin, end in pairs[1 + len(before) :])
        instructions = result.values["instructions"] - set_up.values["instructions"]
        depth = self._depth(result, steps[len(before) :])
        return Cost(cycles, instructions - self._around(steps[len(before) :]), depth)

    def stack_bound(self, operations: Iterable[str]) -> int | None:
        """Bytes of stack that these can need at most, with their arguments.

        None if there is no bound, as for code that calls itself or through pointers.
        """
        bounds = []
        for operation in operations:
            below = self._fresh.native.stack_bound(self._functions[operation])
            if below is None:
                return None
            bounds.append(below + self._pushed(Step(operation, {})))
        return max(bounds, default=None)

    def _convention(self) -> Convention:
        """The calling convention, with the words that the runtime's caller counts in."""
        return self.device.target.instructions.convention

    def _require_judgements(self) -> None:
        """Raises `InputError` if a function returns nothing that must say what came out."""
        for operation in JUDGING.get(self.subject.kind, frozenset()) & self._silent.keys():
            raise self._silence(operation, f"`{operation}` says by it what comes out")

    @property
    def _room(self) -> int:
        """Bytes for calls and their memory, beside the stack."""
        size = self._top - self._table
        return size - min(STACK, size // 2)

    @property
    def _has_caches(self) -> bool:
        return self._fresh.native.has_caches()

    def _around(self, steps: Sequence[Step]) -> int:
        """The instructions of the runtime's caller for these calls."""
        return self.convention.around * len(steps)

    def _depth(self, result: Run, steps: Sequence[Step]) -> int:
        """The depth of the stack in these calls, in bytes, since it was last reset."""
        pushed = max(self._pushed(step) for step in steps)
        stack = result.values["stack"]
        return max(0, stack - self.convention.frame) + pushed if stack else pushed

    def _loaded(self, layout: Layout) -> Machine:
        """A fresh machine with the calls in its memory."""
        machine = self._fresh.copy()
        machine.write(self._table, layout.content)
        return machine

    @contextmanager
    def _lent(self, layout: Layout, calls: int | None = None) -> Iterator[Machine]:
        """A machine with the calls in its memory, or the first of them; later calls get it again.

        So code is compiled for the host once, however many runs there are.
        """
        try:
            machine = self._idle.pop()
            machine.rewind(self._fresh)
        except IndexError:
            machine = self._fresh.copy()
        try:
            machine.write(self._table, layout.content)
            if calls is not None:
                machine.write(self._table, self._bytes(calls))
            yield machine
        finally:
            self._idle.append(machine)

    def follow(
        self, steps: Sequence[Step], secrets: Sequence[Buffer], limit: int
    ) -> dict[str, Any]:
        """Makes the calls with the contents of some buffers secret; returns the model's report."""
        layout = self._layout(steps)
        ranges = [(layout.places[buffer], buffer.size) for buffer in secrets if buffer.size]
        with self._lent(layout) as machine:
            return machine.native.follow(ranges, limit)

    def before(self, steps: Sequence[Step]) -> tuple[Machine, dict[Buffer, int]]:
        """A machine at the first instruction of the last call's function, and where memory is."""
        layout = self._layout(steps)
        machine = self._loaded(layout)
        entry = self._functions[steps[-1].operation]
        for _ in [step for step in steps if step.operation == steps[-1].operation]:
            _, result = machine.native.run_to(entry, limit_of(steps))
            if result is not None:
                raise ProgramError(
                    f"{self.subject.name}: {steps[-1].operation} is never called: "
                    f"{stop_text(result['stop'])}"
                )
        return machine, layout.places

    def residues(self, *runs: Sequence[Step]) -> list[list[Residue]]:
        """The state that each call of some runs leaves, with the stack cleared before the call.

        Only a run shows the cycles at which calls begin and end. Later runs reuse those of an
        earlier one if they take the same cycles.
        """
        states: list[list[Residue]] = []
        pairs: list[tuple[int, int]] = []
        for steps in runs:
            layout = self._layout(steps)
            after = self._residues(layout, pairs) if pairs else None
            if after is None:
                with self._lent(layout) as machine:
                    self._require_end(machine.run(limit_of(steps)), machine, layout)
                    pairs = pairs_of(machine)
                after = self._residues(layout, pairs)
            assert after is not None, "the same calls take the same cycles"
            states.append(after)
        return states

    def _residues(self, layout: Layout, pairs: Sequence[tuple[int, int]]) -> list[Residue] | None:
        """The state that calls with these first and last cycles leave; None for other cycles."""
        states, stack_pointer = [], self.device.target.instructions.stack_pointer
        with self._lent(layout) as machine:
            for begin, end in pairs[1:]:
                machine.run(begin)
                size = machine.registers()[stack_pointer] - layout.end
                if size < 0:
                    return None
                machine.write(layout.end, bytes(size))
                before = _contents(machine, layout)
                machine.run(end)
                stack, registers = machine.read(layout.end, size), machine.registers()
                states.append(Residue(stack, registers, before, _contents(machine, layout)))
            machine.run(limit_of(layout.steps))
            marks = [cycle for cycle, _ in machine.marks()]
        return states if marks == [cycle for pair in pairs for cycle in pair] else None

    def _pushed(self, step: Step) -> int:
        """Bytes of arguments that do not fit into registers; the stack stays aligned."""
        words, aligned = len(self._words(step, {})), self.convention.aligned
        size = self.convention.word * max(0, words - self.convention.registers)
        return -(-size // aligned) * aligned

    def _require_end(self, result: Run, machine: Machine, layout: Layout) -> None:
        self._require_room(result, layout)
        stop = result.values["stop"]
        if stop["kind"] != "exit":
            done = max(0, len(machine.marks()) // 2 - 1)
            where = layout.steps[min(done, len(layout.steps) - 1)].operation
            raise ProgramError(f"{self.subject.name}: {where} does not end: {stop_text(stop)}")

    def _require_room(self, result: Run, layout: Layout) -> None:
        """Raises `DoesNotFitError` if the stack ran into the calls' memory."""
        # A call whose stack ran into its data may fail for that reason alone.
        stack = result.values["stack"]
        if self._top - stack < layout.end:
            raise DoesNotFitError(
                f"{self.subject.name} needs more memory than {self.device.name} has: its stack of "
                f"{stack:,} bytes ran into its data; {self._top - layout.end:,} were free",
                "take a device with more RAM",
                "its stack runs into its data",
            )

    def _require_results(
        self, results: Sequence[tuple[Step, int]], machine: Machine, layout: Layout
    ) -> None:
        """Raises `ProgramError` if a timed call returned something else than it must."""
        expected = {step: result for step, result in results if step.operation not in self._silent}
        for index, step in enumerate(layout.steps):
            if step not in expected:
                continue
            returned = self._result(machine, layout, index)
            if returned != expected[step]:
                raise ProgramError(
                    f"{self.subject.name}: {step.operation} returns {returned}, not "
                    f"{expected[step]}, of what should be timed"
                )

    def _read_results(self, image: Path) -> None:
        """Stores the sizes of results, and file and line of the functions without one."""
        sizes = _native.function_results(image.read_bytes(), [*self._functions.values()])
        for operation, (size, file, line) in zip(self._functions, sizes, strict=True):
            if size == 0:
                self._silent[operation] = f"{file}:{line}: " if file and line else ""
            elif size is not None:
                self._result_sizes[operation] = size

    def _context_size(self, image: Path, has_constant: bool) -> int:
        """Bytes of the context, if there is one: a constant of the image, or what is declared."""
        if has_constant:
            return int.from_bytes(self._constant(CONTEXT), self.convention.order)
        return (context_size(image, self.subject) or 0) if self.subject.context else 0

    def _constant(self, name: str) -> bytes:
        """A word of the image at its load address, since start-up code may move it."""
        address = self._fresh.address(name)
        for segment in self._fresh.info["segments"]:
            if segment["runs_at"] <= address < segment["runs_at"] + segment["file_size"]:
                address += segment["address"] - segment["runs_at"]
                break
        return self._fresh.read(address, self.convention.word)

    def _parameter_sizes(self, image: Path) -> dict[str, list[int]]:
        """Bytes of each operation's parameters, if a word may be too short for one."""
        if self.convention.word >= LONGEST:
            return {}
        parameters = _native.function_parameters(image.read_bytes(), [*self._functions.values()])
        return dict(zip(self._functions, (sizes or [] for sizes in parameters), strict=True))

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
        used = 0
        for check in checks:
            size = _taken(check, self.convention.word)
            if part and used + size > self._room:
                yield part
                part, used = [], 0
            part.append(check)
            used += size
        if part:
            yield part

    def _layout(self, steps: Sequence[Step], *, watched: bool = False) -> Layout:
        """The addresses of all records and buffers, and the bytes put there before the run.

        With `watched`, which shows what functions write, there is room behind each buffer. Timed
        calls have none, since their cycles may depend on addresses.
        """
        word = self.convention.word
        address = _aligned(self._table + (HEADER + RECORD * len(steps)) * word)
        addresses: dict[Buffer, int] = {}
        for buffer in _buffers(steps):
            addresses[buffer] = address
            address = _aligned(address + (buffer.size + GUARD if watched else max(1, buffer.size)))
        if address > self._top - ALIGNMENT:
            raise DoesNotFitError(
                f"{self.subject.name} needs more memory than {self.device.name} has: its arguments "
                f"take {address - self._table:,} bytes, and {self._top - self._table:,} are left",
                "take a device with more RAM, or shorter messages: `measure --lengths 16`",
                "ram is too small for its arguments",
            )
        end, size = address, address - self._table
        content = bytearray(some_bytes(size, "memory") if watched else size)
        content[:word] = self._bytes(len(steps))
        for index, step in enumerate(steps):
            start = (HEADER + RECORD * index) * word
            content[start : start + RECORD * word] = self._record(step, addresses)
        for buffer, address in addresses.items():
            start = address - self._table
            content[start : start + len(buffer.content)] = buffer.content
        return Layout(self._table, word, end, bytes(content), addresses, tuple(steps))

    def _record(self, step: Step, addresses: dict[Buffer, int]) -> bytes:
        arguments = self._words(step, addresses)
        mask = (1 << 8 * self.convention.word) - 1
        words = [self._pointers[step.operation], *(word & mask for word in arguments)]
        return self._packed.pack(*words, *[0] * (RECORD - len(words)))

    @cached_property
    def _pointers(self) -> dict[str, int]:
        """The values of pointers to the functions, by their operations."""
        pointer = self.device.target.pointer
        return {operation: pointer(address) for operation, address in self._functions.items()}

    @cached_property
    def _packed(self) -> Struct:
        """A record in memory."""
        order, letter = ORDERS[self.convention.order], LETTERS[self.convention.word]
        return Struct(f"{order}{RECORD}{letter}")

    def _bytes(self, number: int) -> bytes:
        """A word in memory."""
        bits = 8 * self.convention.word
        return (number % (1 << bits)).to_bytes(self.convention.word, self.convention.order)

    def _result(self, machine: Machine, layout: Layout, index: int) -> int:
        """The result of a call, as far as `caller.S` keeps words of it."""
        word = self.convention.word
        size = self._result_sizes.get(layout.steps[index].operation, word)
        words = min(self.convention.kept, -(-size // word))
        # A result that ends in the last of its registers stands at the end of its place.
        place = words if self.convention.descends else self.convention.kept
        stored = machine.read(layout.result(index, place), words * word)
        return int.from_bytes(stored, self.convention.order, signed=True)

    def _words(self, step: Step, addresses: dict[Buffer, int]) -> list[int]:
        """The arguments of the function, word by word as the calling convention has them."""
        words: list[int] = []
        sizes = self._parameters.get(step.operation, [])
        for number, role in enumerate(self.subject.function(step.operation).arguments):
            size = sizes[number] if number < len(sizes) else 0
            value = self._value(role, step)
            if isinstance(value, tuple):
                words.append(addresses.get(value[0], 0) + value[1])
            elif isinstance(value, Buffer):
                words.append(addresses.get(value, 0))
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

        What registers and stack share is split in memory's order; where an argument is not split,
        the registers that are too few for it stay unused.
        """
        left = self.convention.registers - at
        if left <= 0:
            return words
        if len(words) > left:
            return words if self.convention.splits else [0] * left + words
        lowest_last = self.convention.descends
        return words if lowest_last == (self.convention.order == "big") else words[::-1]

    def _value(self, role: str, step: Step) -> Buffer | int | tuple[Buffer, int]:
        if role in step.arguments:
            return step.arguments[role]
        size = argument_size(role, step)
        if size is None:
            size = self.subject.sizes.get(role.removesuffix("64").removesuffix("_size"))
        if size is not None:
            return size
        # A role that the kind does not know is passed as 0.
        return 0


@dataclass(frozen=True)
class Layout:
    """The calls and their memory on the device; `word` is the size of a word in bytes.

    `places` are the addresses of buffers; `end` is the first address behind all of the memory.
    """

    table: int
    word: int
    end: int
    content: bytes
    places: dict[Buffer, int]
    steps: tuple[Step, ...]

    def is_overrun(self, buffer: Buffer, machine: Machine) -> bool:
        """Returns true if the bytes behind a buffer have changed."""
        at, size = self.places[buffer] + buffer.size, GUARD
        return machine.read(at, size) != self.content[at - self.table : at - self.table + size]

    def result(self, index: int, words: int = 1) -> int:
        """The address of a call's result of so many words, at the end of its record."""
        return self.table + (HEADER + RECORD * (index + 1) - words) * self.word


def _contents(machine: Machine, layout: Layout) -> dict[Buffer, bytes]:
    return {buffer: machine.read(address, buffer.size) for buffer, address in layout.places.items()}


def _taken(check: Check, word: int) -> int:
    """Bytes that a check's calls and their memory take, with words of so many bytes."""
    buffers = sum(ALIGNMENT + GUARD + buffer.size for buffer in _buffers(check.steps))
    return RECORD * word * len(check.steps) + buffers


def pairs_of(machine: Machine) -> list[tuple[int, int]]:
    """The cycles of the marks around each call; the first pair has nothing between them."""
    marks = [cycle for cycle, _ in machine.marks()]
    return list(zip(marks[::2], marks[1::2], strict=True))


def _functions(machine: Machine) -> list[str]:
    """The functions of an image, without those of the harness."""
    symbols = [symbol for symbol in machine.info["symbols"] if symbol["kind"] == "function"]
    # Other symbols at the addresses of the harness are handlers of exceptions.
    harness = {symbol["address"] for symbol in symbols if symbol["name"] in HARNESS}
    return [symbol["name"] for symbol in symbols if symbol["address"] not in harness]


def limit_of(steps: Sequence[Step]) -> int:
    """Cycles within which the calls must have returned."""
    return CALL_CYCLES * max(1, len(steps))


def _buffers(steps: Iterable[Step]) -> list[Buffer]:
    """The memory that calls use, each once."""
    return list(dict.fromkeys(buffer for step in steps for _, buffer in step.buffers))


def _aligned(address: int) -> int:
    return -(-address // ALIGNMENT) * ALIGNMENT
