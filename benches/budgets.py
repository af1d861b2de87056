"""Writes what budgets of ROM buy on an RL78, an AVR and a Cortex-M0, side by side.

    python benches/budgets.py [--jobs N] [--write docs/budgets.md]

Every implementation of block and stream ciphers is compiled at -Os and -O2 for each device, and
checked against the official vectors; RL78's subroutines in assembly are measured beside them. For
each budget the fastest counts that fits, as `cocrypt portfolio` finds it, and the fastest in C
where that is in assembly. It prints Markdown; --write puts it between the marks of a page.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import assembled
from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.measuring import Build, tasks
from cocrypt.primitives.page import figure, speed
from cocrypt.primitives.portfolio import LENGTH, portfolio
from cocrypt.primitives.running import buildable
from cocrypt.primitives.subject import OPTIMISATIONS
from cocrypt.subroutines import Cipher
from cocrypt.toolchain import Toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cocrypt.primitives.portfolio import Choice, Point, Portfolio

DEVICES = {"rl78-g13": "RL78", "atmega328p": "AVR", "stm32f0": "Cortex-M0"}
"""Devices, with the name of the core in the tables."""
ROMS = (512, 1024, 2048)
RAM = 512
"""The most RAM, with context, parameters and stack: the paper's largest category."""
KINDS = {
    "block_cipher": "Block ciphers",
    "stream_cipher": "Stream ciphers",
}
LARGER = re.compile(r"(aes|aria|camellia)(192|256)")
"""Members of families of which another one stands in the tables, with a shorter key."""
LEVELS = OPTIMISATIONS[:2]
"""The compiler's levels; -O3 is larger than -O2."""
IN_C = ".c"
"""The suffix of sources in C; others are in assembly."""
BEGIN, END = "<!-- budgets: begin -->", "<!-- budgets: end -->"

Group = tuple[str, str]
"""A kind of primitive and a job."""


def measured(name: str, jobs: int | None) -> Portfolio:
    """The answers of all symmetric primitives on a device."""
    device = Device.load(name)
    subjects = [
        subject
        for subject in library.ours()
        if subject.kind in KINDS and not LARGER.fullmatch(subject.primitive)
    ]
    builds = [Build((level,)) for level in LEVELS]
    chosen = tasks(subjects, [device], builds, (LENGTH,))
    every = assembled.named([]) if assembled.runs(device) else []
    subroutines = [found for found in every if isinstance(found, Cipher)]
    further = assembled.points(assembled.figures(subroutines, device, say))
    ready = buildable(chosen, lambda text: say(text, 0, 0), jobs, say)
    return portfolio(device, ready, (ROMS, (RAM,)), jobs, say, further)


def groups(results: Mapping[str, Portfolio]) -> list[Group]:
    """The kinds and jobs of all devices, in the order of `KINDS`."""
    found = dict.fromkeys(
        (choice.kind, choice.job) for result in results.values() for choice in result.choices
    )
    return sorted(found, key=lambda group: list(KINDS).index(group[0]))


def choice_of(result: Portfolio, group: Group, primitive: str) -> Choice | None:
    """A primitive's points for a job on a device; None if it has no implementation for it."""
    return next(
        (
            choice
            for choice in result.choices
            if (choice.primitive, choice.kind, choice.job) == (primitive, *group)
        ),
        None,
    )


def is_compiled(point: Point) -> bool:
    """Returns true if an implementation has no assembly."""
    return all(source.suffix == IN_C for source in point.subject.sources)


def in_c(choice: Choice) -> Choice:
    """A primitive with its compiled points alone."""
    return replace(choice, points=tuple(point for point in choice.points if is_compiled(point)))


def cells(choice: Choice | None) -> Iterator[str]:
    """A primitive's cells on a device, one for each budget, with what C takes besides assembly."""
    if choice is None:
        yield from [""] * len(ROMS)
        return
    for rom, each, compiled in zip(ROMS, fastest(choice), fastest(in_c(choice)), strict=True):
        point = choice.within(rom, RAM)
        yield each if point is None or is_compiled(point) else f"{each}; C: {compiled}"


def fastest(choice: Choice) -> Iterator[str]:
    """The fastest of a primitive's points within each budget."""
    best: Point | None = None
    for rom in ROMS:
        point = choice.within(rom, RAM)
        if point is None:
            yield "x"
        elif point == best:
            yield "-"
        else:
            yield f"{figure(speed(point))} {named(point)}"
        best = point


def named(point: Point) -> str:
    """An implementation as the page names it, with the compiler's level if it is compiled."""
    level = "" if point.build.name not in LEVELS else f" {point.build.name}"
    return f"`{point.subject.implementation}`{level}"


def least(choice: Choice | None) -> str:
    """The least ROM of a primitive within the RAM, in bytes; `none` without an implementation."""
    if choice is None:
        return "none"
    fitting = [point.rom for point in choice.points if point.ram <= RAM]
    return f"{min(fitting):,}" if fitting else "x"


def table(results: Mapping[str, Portfolio], group: Group) -> Iterator[str]:
    """The table of a job: a row for each primitive, the budgets of each core across."""
    kind, job = group
    choices = {
        choice.primitive: choice.title
        for result in results.values()
        for choice in result.choices
        if (choice.kind, choice.job) == group
    }
    heads = [f"{DEVICES[name]} {rom:,}" for name in results for rom in ROMS]
    yield f"## {KINDS[kind]}: {job}"
    yield ""
    yield f"| primitive | {' | '.join(heads)} | least ROM: {', '.join(DEVICES.values())} |"
    yield f"|---|{'---|' * len(heads)}---|"
    for primitive, title in sorted(choices.items()):
        of_devices = [choice_of(result, group, primitive) for result in results.values()]
        row = [cell for choice in of_devices for cell in cells(choice)]
        yield f"| {title} | {' | '.join(row)} | {', '.join(map(least, of_devices))} |"
    yield ""
    yield from summary(results, group, len(choices))
    yield ""


def summary(results: Mapping[str, Portfolio], group: Group, count: int) -> Iterator[str]:
    """How many primitives fit each budget on each core, and the fastest of them."""
    for rom in ROMS:
        parts = []
        for name, result in results.items():
            fitting = [
                choice
                for choice in result.choices
                if (choice.kind, choice.job) == group and choice.within(rom, RAM)
            ]
            best = result.best(*group, rom, RAM)
            fastest = f", the fastest {best.subject.title}" if best else ""
            parts.append(f"{len(fitting)} of {count} on {DEVICES[name]}{fastest}")
        yield f"- {rom:,} bytes hold {'; '.join(parts)}."


def versions(results: Mapping[str, Portfolio]) -> Iterator[str]:
    """What compiled and linked the code of each device."""
    yield "| device | core | compiler | its target | linker |"
    yield "|---|---|---|---|---|"
    for name, result in results.items():
        text = Toolchain(result.device).description(())
        words = (text["compiler"], f"`{text['target']}`", text["linker"])
        yield f"| {result.device.title} (`{name}`) | {DEVICES[name]} | {' | '.join(words)} |"


def report(results: Mapping[str, Portfolio]) -> Iterator[str]:
    """The measured part of the page."""
    yield from versions(results)
    yield ""
    for group in groups(results):
        yield from table(results, group)
    for name, result in results.items():
        titles = dict.fromkeys(task.told for task in result.unfit)
        if titles:
            yield f"Not even in the memory of `{name}`:"
            yield ""
            yield from (f"- {title}" for title in titles)
            yield ""


def write(page: Path, text: str) -> None:
    """Puts a text between the marks of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, behind = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{text.rstrip()}\n{END}{behind}", encoding="utf-8")


def say(text: str, done: int, whole: int) -> None:
    """Prints the progress."""
    print(f"{text}: {done} of {whole}" if whole else text, file=sys.stderr, flush=True)


def main(words: Sequence[str] | None = None) -> None:
    """Measures, and prints or writes the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, help="so many at a time; else one a core")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page that gets the tables")
    options = parser.parse_args(words)
    text = "\n".join(report({name: measured(name, options.jobs) for name in DEVICES}))
    if options.write:
        write(options.write, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
