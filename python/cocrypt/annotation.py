"""A function's instructions beside its source, with what each of them spent in a run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import house
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cocrypt.machine import Machine

HOTTEST = "hottest"
"""Stands for the function that spent most cycles itself."""
MOST = 4 << 20
"""Bytes of a source file that are read at most."""
SOURCES = frozenset(
    {
        *(".adb", ".asm", ".s", ".c", ".h", ".inc", ".inl", ".m", ".ino", ".java", ".rs", ".zig"),
        *(".c++", ".cc", ".cpp", ".cxx", ".h++", ".hh", ".hpp", ".hxx", ".ipp"),
    }
)
"""Names of files that are read end so, in small letters or in capitals: a program of somebody else
may name any file of the user's, and what is annotated may be passed on."""
STEP = 2
"""Bytes that are passed over where no instruction stands."""


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
    """What some instructions spent together."""

    executions: int
    cycles: int
    stalls: int

    @classmethod
    def of(cls, instructions: Iterable[Instruction]) -> Spent:
        """Their sums; `executions` is how often instructions ran, not lines."""
        known = list(instructions)
        return cls(
            sum(each.executions for each in known),
            sum(each.cycles for each in known),
            sum(each.stalls for each in known),
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
class Annotation:
    """A function of a run: all its instructions by address, and the sources that they come from."""

    function: str
    run_cycles: int
    instructions: tuple[Instruction, ...]
    sources: Mapping[str, Source]

    @property
    def spent(self) -> Spent:
        """What the function spent itself."""
        return Spent.of(self.instructions)

    @property
    def notes(self) -> list[str]:
        """What is missing of the sources, and how to have it."""
        if not self.sources:
            return ["no source lines are known: build the program with -g"]
        return [f"{each.file}: {each.note}" for each in self.sources.values() if each.note]

    def blocks(self) -> Iterator[tuple[Line | None, list[Instruction]]]:
        """Instructions in a row that come from the same line."""
        for line, some in groupby(self.instructions, key=lambda each: each.line):
            yield line, list(some)

    def lines(self) -> dict[Line, Spent]:
        """What each line spent, by file and number."""
        found: dict[Line, list[Instruction]] = {}
        for each in self.instructions:
            if each.line is not None:
                found.setdefault(each.line, []).append(each)
        ordered = sorted(found, key=lambda line: (line.file, line.number))
        return {line: Spent.of(found[line]) for line in ordered}

    def text(self, line: Line | None) -> str:
        """A line of source; empty where it is not at hand."""
        return "" if line is None else self.sources[line.file].text(line.number)

    def record(self) -> dict[str, Any]:
        """What `profile --json` prints of it."""
        return {
            "function": self.function,
            "cycles": self.spent.cycles,
            "stalls": self.spent.stalls,
            "sources": [
                {"file": each.file, "found": bool(each.lines), "note": each.note}
                for each in self.sources.values()
            ],
            "lines": [
                {"file": line.file, "line": line.number, "text": self.text(line)} | vars(spent)
                for line, spent in self.lines().items()
            ],
            "instructions": [_record(each) for each in self.instructions],
        }


def _record(each: Instruction) -> dict[str, Any]:
    return {
        "address": each.address,
        "text": each.text,
        "file": each.line.file if each.line else None,
        "line": each.line.number if each.line else None,
        "inlined": list(each.inlined),
        "executions": each.executions,
        "cycles": each.cycles,
        "stalls": each.stalls,
    }


def annotate(machine: Machine, name: str, image: Path | None = None) -> Annotation:
    """A function after a run of a machine that counts by calling context.

    `name` is a function of the program, or `hottest`. `image` is the program's file, near which
    sources are looked for. Raises `InputError` where there is no such function.
    """
    values = machine.profile().values
    chosen = _hottest(values) if name == HOTTEST else name
    start, end = _range(machine.info["symbols"], values, chosen)
    instructions = tuple(_listing(machine, values, start, end))
    files = dict.fromkeys(each.line.file for each in instructions if each.line is not None)
    sources = {file: source(file, image) for file in files}
    total = sum(each["self_cycles"] for each in values["functions"])
    return Annotation(chosen, total, instructions, sources)


def _hottest(values: Mapping[str, Any]) -> str:
    if not values["functions"]:
        raise InputError("the program ended before it ran an instruction", "there is no profile")
    hottest: str = max(values["functions"], key=lambda each: each["self_cycles"])["name"]
    return hottest


def _range(
    symbols: Sequence[Mapping[str, Any]], values: Mapping[str, Any], name: str
) -> tuple[int, int]:
    """Where a function begins and ends, in bytes."""
    code = sorted({each["address"] for each in symbols if each["kind"] == "function"})
    named = [each for each in symbols if each["kind"] == "function" and each["name"] == name]
    ran = [each["address"] for each in values["functions"] if each["name"] == name]
    if not named and not ran:
        known = {each["name"] for each in symbols if each["kind"] == "function"}
        known |= {each["name"] for each in values["functions"]}
        raise InputError(
            f"the program has no function `{name}`", house.suggestion(name, sorted(known))
        )
    start = next(iter([each["address"] for each in named] or [place or 0 for place in ran]))
    size = max((each["size"] for each in named), default=0)
    last = 1 + max((each["address"] for each in values["instructions"]), default=start)
    following = [address for address in code if address > start]
    return start, start + size if size else min(following, default=max(last, start + STEP))


def _listing(
    machine: Machine, values: Mapping[str, Any], start: int, end: int
) -> Iterator[Instruction]:
    """Every instruction of a range, whether it ran or not, and a row for data between them."""
    ran = {each["address"]: each for each in values["instructions"]}
    # An address of a core may say how code is decoded there, in its lowest bit.
    within = sorted(address for address in ran if start <= address < end)
    place = start | (within[0] & 1 if within else 0)
    while place < end:
        following = next((address for address in within if address >= place), end)
        found = machine.native.instruction(place)
        if found is None or place < following < place + found["length"]:
            # Behind data code goes on where the run knows it, or at the next place that has any.
            yield Instruction(place, None)
            place = following if following < end else place + STEP
            continue
        yield _instruction(place, found, ran.get(place))
        place += found["length"]


def _instruction(
    address: int, found: Mapping[str, Any], ran: Mapping[str, Any] | None
) -> Instruction:
    places = found["places"]
    inner = places[-1]
    line = Line(inner["file"], inner["line"]) if inner["file"] and inner["line"] else None
    return Instruction(
        address,
        found["text"],
        line,
        tuple(each["function"] for each in places[1:]),
        ran["executions"] if ran else 0,
        ran["cycles"] if ran else 0,
    )


def source(file: str, image: Path | None = None) -> Source:
    """A source file by the name that the compiler was given, which may lie beside the image."""
    if Path(file).suffix.lower() not in SOURCES:
        return Source(file, (), "is not read, since its name is not that of a source")
    path = next((each for each in _places(file, image) if each.is_file()), None)
    if path is None:
        return Source(file, (), "not at hand here; run in the folder where the program was built")
    try:
        if path.stat().st_size > MOST:
            return Source(file, (), f"has more than {MOST >> 20} MiB")
        text = path.read_bytes().decode("utf-8", "replace")
        is_newer = image is not None and path.stat().st_mtime > image.stat().st_mtime
    except OSError as error:
        return Source(file, (), f"cannot be read: {error.strerror}")
    note = "has changed since the program was built, so its lines may be others" if is_newer else ""
    return Source(file, tuple(text.splitlines()), note or None)


def _places(file: str, image: Path | None) -> list[Path]:
    """Where a file may be: as it is named, or beside the program."""
    name = Path(file)
    beside = [] if image is None else [image.parent / name, image.parent / name.name]
    return [name, *beside]
