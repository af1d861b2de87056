"""A function's instructions beside its source, with the cycles of each in a run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cocrypt.machine import Machine

NOT_AT_HAND = "not at hand here; run in the folder where the program was built, or give --sources"
HOTTEST = "hottest"
"""Stands for the function that spent most cycles itself."""
MOST = 4 << 20
"""Bytes of the largest source file that is read."""
SOURCES = frozenset(
    {
        *(".adb", ".asm", ".s", ".c", ".h", ".inc", ".inl", ".m", ".ino", ".java", ".rs", ".zig"),
        *(".c++", ".cc", ".cpp", ".cxx", ".h++", ".hh", ".hpp", ".hxx", ".ipp"),
    }
)
"""Suffixes of the files that are read, in small letters or in capitals: somebody else's program may
name any file of the user's, and an annotation may be passed on."""
MOST_NAMED = 8
"""Methods of a name that an error lists at most."""
STEP = 2
"""Bytes that are skipped where no instruction stands."""


@dataclass(frozen=True)
class Line:
    """A line of a source file, as debug information names it."""

    file: str
    number: int


@dataclass(frozen=True)
class Instruction:
    """An instruction; `text` is None where data stands, `line` where no source is known.

    `inlined` are the functions that it was inlined from, outer before inner.
    """

    address: int
    text: str | None
    line: Line | None = None
    inlined: tuple[str, ...] = ()
    executions: int = 0
    cycles: int = 0

    @property
    def stalls(self) -> int:
        """Cycles beyond one for each execution: those that an ideal scalar core would not take."""
        return max(0, self.cycles - self.executions)


@dataclass(frozen=True)
class Spent:
    """The executions, cycles and stalls of several instructions together."""

    executions: int
    cycles: int
    stalls: int

    @classmethod
    def of(cls, instructions: Iterable[Instruction]) -> Spent:
        """The sums of these instructions; `executions` counts instructions, not lines."""
        listed = list(instructions)
        return cls(
            sum(instruction.executions for instruction in listed),
            sum(instruction.cycles for instruction in listed),
            sum(instruction.stalls for instruction in listed),
        )


@dataclass(frozen=True)
class Source:
    """A source file: its lines from 1, and why they are missing or in doubt, if they are."""

    file: str
    lines: tuple[str, ...]
    note: str | None = None

    def text(self, number: int) -> str:
        """A line; empty where it is not at hand."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@dataclass(frozen=True)
class Near:
    """The places near which sources are looked for: the program's file, and folders."""

    image: Path | None = None
    folders: Sequence[Path] = ()


NOWHERE = Near()


@dataclass(frozen=True)
class Annotation:
    """A function of a run: all its instructions by address, and the sources that they come from.

    A method in Java is one whose instructions another program interprets; none of them stalls.
    """

    function: str
    run_cycles: int
    instructions: tuple[Instruction, ...]
    sources: Mapping[str, Source]
    is_interpreted: bool = False

    @property
    def spent(self) -> Spent:
        """The sums of the function itself."""
        return Spent.of(self.instructions)

    @property
    def notes(self) -> list[str]:
        """The sources that are missing, and how to get them."""
        if not self.sources:
            remedy = "compile the class with lines" if self.is_interpreted else "build the program"
            return [f"no source lines are known: {remedy} with -g"]
        return [f"{source.file}: {source.note}" for source in self.sources.values() if source.note]

    def blocks(self) -> Iterator[tuple[Line | None, list[Instruction]]]:
        """Instructions in a row that come from the same line."""
        for line, instructions in groupby(
            self.instructions, key=lambda instruction: instruction.line
        ):
            yield line, list(instructions)

    def lines(self) -> dict[Line, Spent]:
        """The sums of each line, by file and number."""
        by_line: dict[Line, list[Instruction]] = {}
        for instruction in self.instructions:
            if instruction.line is not None:
                by_line.setdefault(instruction.line, []).append(instruction)
        ordered = sorted(by_line, key=lambda line: (line.file, line.number))
        return {line: Spent.of(by_line[line]) for line in ordered}

    def text(self, line: Line | None) -> str:
        """A line of source; empty where it is not at hand."""
        return "" if line is None else self.sources[line.file].text(line.number)

    def record(self) -> dict[str, Any]:
        """The annotation as `profile --json` prints it."""
        return {
            "function": self.function,
            "cycles": self.spent.cycles,
            "stalls": self._stalls(self.spent),
            "sources": [
                {"file": source.file, "found": bool(source.lines), "note": source.note}
                for source in self.sources.values()
            ],
            "lines": [
                {
                    "file": line.file,
                    "line": line.number,
                    "text": self.text(line),
                    **self._figures(spent),
                }
                for line, spent in self.lines().items()
            ],
            "instructions": [self._instruction(each) for each in self.instructions],
        }

    def _instruction(self, instruction: Instruction) -> dict[str, Any]:
        return {
            "address": instruction.address,
            "text": instruction.text,
            "file": instruction.line.file if instruction.line else None,
            "line": instruction.line.number if instruction.line else None,
            "inlined": list(instruction.inlined),
            **self._figures(instruction),
        }

    def _figures(self, spent: Spent | Instruction) -> dict[str, int | None]:
        stalls = self._stalls(spent)
        return {"executions": spent.executions, "cycles": spent.cycles, "stalls": stalls}

    def _stalls(self, spent: Spent | Instruction) -> int | None:
        """Stalls, which instructions that are interpreted have none of."""
        return None if self.is_interpreted else spent.stalls


def annotate(machine: Machine, name: str, near: Near = NOWHERE) -> Annotation:
    """A function after a run of a machine that counts by calling context.

    `name` is a function of the program, or `hottest`; a method in Java needs no descriptor where
    one method of the name ran. Sources are looked for `near` the program. Raises `InputError` where
    there is no such function.
    """
    values = machine.profile().values
    chosen = _hottest(values) if name == HOTTEST else _full_name(values, name)
    bytecodes = [row for row in values["bytecodes"] or () if row["function"] == chosen]
    if bytecodes:
        instructions = tuple(_interpreted(machine, bytecodes))
    else:
        start, end = _range(machine.info["symbols"], values, chosen)
        instructions = tuple(_listing(machine, values["instructions"], start, end))
    files = dict.fromkeys(
        instruction.line.file for instruction in instructions if instruction.line is not None
    )
    sources = {file: source(file, near) for file in files}
    total = sum(function["self_cycles"] for function in values["functions"])
    return Annotation(chosen, total, instructions, sources, is_interpreted=bool(bytecodes))


def _full_name(values: Mapping[str, Any], name: str) -> str:
    """The name of a function; that of a method in Java may be given without its descriptor."""
    names = dict.fromkeys(row["function"] for row in values["bytecodes"] or ())
    found = [each for each in names if each.partition("(")[0] == name]
    if len(found) > 1:
        listed = ", ".join(found[:MOST_NAMED])
        raise InputError(f"{len(found)} methods `{name}` ran", f"name one of them: {listed}")
    return found[0] if found else name


def _interpreted(machine: Machine, ran: Sequence[Mapping[str, Any]]) -> Iterator[Instruction]:
    """Every instruction of a method in Java, whether it ran or not."""
    sizes = {symbol["name"]: symbol for symbol in machine.info["symbols"]}
    symbol = next(
        each for each in sizes.values()
        if each["address"] <= ran[0]["address"] < each["address"] + each["size"]
        and each["kind"] == "object"
    )  # fmt: skip
    start: int = symbol["address"]
    yield from _listing(machine, ran, start, start + symbol["size"])


def _hottest(values: Mapping[str, Any]) -> str:
    if not values["functions"]:
        raise InputError("the program ended before it ran an instruction", "there is no profile")
    hottest: str = max(values["functions"], key=lambda function: function["self_cycles"])["name"]
    return hottest


def _range(
    symbols: Sequence[Mapping[str, Any]], values: Mapping[str, Any], name: str
) -> tuple[int, int]:
    """The address of a function and the address behind its last byte."""
    functions = [symbol for symbol in symbols if symbol["kind"] == "function"]
    code = sorted({symbol["address"] for symbol in functions})
    named = [symbol for symbol in functions if symbol["name"] == name]
    ran = [spent["address"] for spent in values["functions"] if spent["name"] == name]
    if not named and not ran:
        names = {symbol["name"] for symbol in functions}
        names |= {spent["name"] for spent in values["functions"]}
        raise InputError(
            f"the program has no function `{name}`", paths.suggestion(name, sorted(names))
        )
    start = next(iter([symbol["address"] for symbol in named] or [address or 0 for address in ran]))
    size = max((symbol["size"] for symbol in named), default=0)
    last = 1 + max(
        (instruction["address"] for instruction in values["instructions"]), default=start
    )
    following = [address for address in code if address > start]
    return start, start + size if size else min(following, default=max(last, start + STEP))


def _listing(
    machine: Machine, rows: Sequence[Mapping[str, Any]], start: int, end: int
) -> Iterator[Instruction]:
    """Every instruction of a range, whether it ran or not, and a row for data between them."""
    ran = {instruction["address"]: instruction for instruction in rows}
    # An address of a core may say how code is decoded there, in its lowest bit.
    within = sorted(address for address in ran if start <= address < end)
    position = start | (within[0] & 1 if within else 0)
    while position < end:
        following = next((known for known in within if known >= position), end)
        decoded = machine.native.instruction(position)
        if decoded is None or position < following < position + decoded["length"]:
            # Behind data code goes on where the run executed some, or at the next instruction.
            yield Instruction(position, None)
            position = following if following < end else position + STEP
            continue
        yield _instruction(position, decoded, ran.get(position))
        position += decoded["length"]


def _instruction(
    address: int, decoded: Mapping[str, Any], ran: Mapping[str, Any] | None
) -> Instruction:
    places = decoded["places"]
    inner = places[-1]
    line = Line(inner["file"], inner["line"]) if inner["file"] and inner["line"] else None
    return Instruction(
        address,
        decoded["text"],
        line,
        tuple(place["function"] for place in places[1:]),
        ran["executions"] if ran else 0,
        ran["cycles"] if ran else 0,
    )


def source(file: str, near: Near = NOWHERE) -> Source:
    """A source file by the name that the compiler was given, which may lie beside the image."""
    image = near.image
    if Path(file).suffix.lower() not in SOURCES:
        return Source(file, (), "is not read, since its name is not that of a source")
    path = next((candidate for candidate in _paths(file, near) if candidate.is_file()), None)
    if path is None:
        return Source(file, (), NOT_AT_HAND)
    try:
        if path.stat().st_size > MOST:
            return Source(file, (), f"has more than {MOST >> 20} MiB")
        text = path.read_bytes().decode("utf-8", "replace")
        is_newer = image is not None and path.stat().st_mtime > image.stat().st_mtime
    except OSError as error:
        return Source(file, (), f"cannot be read: {error.strerror}")
    note = "has changed since the program was built, so its lines may be others" if is_newer else ""
    return Source(file, tuple(text.splitlines()), note or None)


def _paths(file: str, near: Near) -> list[Path]:
    """The paths at which a file may be: as it is named, beside the program, or in the folders."""
    name = Path(file)
    folders = [*([] if near.image is None else [near.image.parent]), *near.folders]
    return [name, *(folder / each for folder in folders for each in (name, Path(name.name)))]
