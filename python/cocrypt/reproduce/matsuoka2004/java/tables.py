"""The paper's tables 1 and 2 beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.reproduce.paper import Shown, whose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.reproduce.matsuoka2004.java.experiment import Reproduction
    from cocrypt.reproduce.matsuoka2004.java.measured import Measured

NAMES = {"original": "machine and core classes", "bouncy_castle": "with Bouncy Castle"}


def tables(result: Reproduction) -> tuple[Shown, ...]:
    """All tables, in the paper's order."""
    return footprint(result), performance(result)


def footprint(result: Reproduction) -> Shown:
    """Table 1, with the SA-1110's image of section 2.2.1."""
    rows = []
    for each in result.footprints:
        paper = result.published["footprint"][each.name]
        image = paper.get("sa1110_kB")
        rows.append(
            (
                NAMES[each.name],
                f"{paper['class_files']}",
                f"{each.class_files}",
                f"{paper['class_kB']}",
                f"{each.class_bytes / 1000:.0f}",
                "-" if image is None else f"{image:,}",
                f"{each.rom / 1000:.1f}",
                f"{each.ram / 1000:.1f}",
            )
        )
    names = ("class files", "compressed kB", "image in kB")
    heads = (*whose(*names, texts=("",)), "RAM in kB")
    sentence = (
        "The paper builds all classes into its image, with an operating system. Ours has what the "
        "program can reach, resolved, and nothing else: a program that prints a line, and one that "
        "runs all fourteen algorithms. The library is release 1.24, the paper's 1.20. IAIK's is "
        "not available, and not compared."
    )
    return Shown("Table 1: class files, and images for the SA-1110", heads, tuple(rows), sentence)


def performance(result: Reproduction) -> Shown:
    """Table 2: milliseconds of one run of each algorithm."""
    rows = [row for each in result.measured for row in _rows(result, each)]
    heads = ("algorithm", "operation", "ms, paper", "ms, ours", "ms, compiled",
             "cycles of a bytecode", "ROM in kB")  # fmt: skip
    title = "Table 2: one run on the SA-1110"
    return Shown(title, heads, tuple(rows), _sentence(result), texts=2)


def _rows(result: Reproduction, measured: Measured) -> Iterator[tuple[str, ...]]:
    per_bytecode = f"{measured.cycles_per_bytecode:.1f}"
    for direction, operation in enumerate(measured.operations):
        paper = result.paper(measured.algorithm, operation)
        yield (
            measured.algorithm.title,
            operation,
            "-" if paper is None else f"{paper:,.2f}",
            f"{result.ms(measured.java.mean(direction)):,.2f}",
            f"{result.ms(measured.aot.mean(direction)):,.2f}",
            per_bytecode,
            f"{measured.java.rom / 1000:.1f}",
        )


def _sentence(result: Reproduction) -> str:
    compared = list(result.compared())
    text = (
        "A run sets the key and processes the data of one official vector; the figure is the mean "
        "of all vectors; in a further column all methods are compiled ahead of time. "
        "The paper does not print its data, so lengths and keys differ from ours."
    )
    if not compared:
        return text
    ratios = sorted(paper / ours for _, _, paper, ours in compared)
    slower = [f"{name} {operation}" for name, operation, paper, ours in compared if ours > paper]
    quicker, middle = len(compared) - len(slower), ratios[len(ratios) // 2]
    span = f"by {ratios[0]:.1f} to {ratios[-1]:.1f} times, {middle:.1f} in the middle"
    faster = f"Our machine is faster than the paper's in {quicker} of {len(compared)} rows, {span}."
    named = f" Slower: {', '.join(slower)}." if slower else ""
    return f"{faster} {text}{named}"
