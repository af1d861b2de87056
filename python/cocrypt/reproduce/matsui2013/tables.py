"""The paper's tables of categories beside ours, our subroutines, and cycles of a byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.reproduce.matsui2013.best import least_ram
from cocrypt.reproduce.matsui2013.categories import BOTH, DRAWN, IMPOSSIBLE, ONLY, SATIATED
from cocrypt.reproduce.matsui2013.chosen import count
from cocrypt.reproduce.paper import Shown
from cocrypt.subroutines import Hash
from cocrypt.subroutines.measuring import BLOCKS, SLOW, hash_cycles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cocrypt.reproduce.matsui2013.categories import Printed
    from cocrypt.reproduce.matsui2013.chosen import Category
    from cocrypt.reproduce.matsui2013.experiment import Reproduction
    from cocrypt.subroutines import Measured

SCOPES = {ONLY: "encryption only", BOTH: "encryption and decryption", "": "hash function"}
ROWS = {"min_rom": "least ROM", "rom": "ROM", "fast": "fastest"}
OPERATIONS = {
    "decrypt": "decrypt with key set-up",
    "decrypt_last": "decrypt without it",
    "decrypt_again": "decrypt without it",
}
WORDS = {SATIATED: "satiated", IMPOSSIBLE: "impossible", DRAWN: "a curve"}
LENGTHS = (16, 32, 64, 128, 256, 512, 1024)
"""Lengths of messages in bytes."""


def tables(result: Reproduction) -> tuple[Shown, ...]:
    """All tables, in the order of the paper's parts."""
    groups: dict[tuple[str, str], list[Category]] = {}
    for category in result.categories:
        if category.printed.primitive in result.primitives:
            key = category.printed.primitive, category.printed.scope
            groups.setdefault(key, []).append(category)
    shown = [_categories(*key, group) for key, group in groups.items()]
    missing = _missing(result)
    return (*shown, _subroutines(result), per_byte(result), *([missing] if missing.rows else []))


def _categories(primitive: str, scope: str, group: Sequence[Category]) -> Shown:
    rows = []
    for category in group:
        figure = category.printed
        budget = f"{ROWS[figure.row]} {figure.rom:,}, RAM {figure.ram}"
        paper = f"{figure.figure:,}" if isinstance(figure.figure, int) else WORDS[figure.figure]
        ours = category.ours
        sizes = (str(ours.rom), str(ours.ram)) if ours else ("-", "-")
        cycles = "-" if category.cycles is None else f"{category.cycles:,}"
        operation = OPERATIONS.get(figure.operation, figure.operation)
        rows.append((budget, operation, paper, cycles, *sizes, verdict(category)))
    heads = ("bytes", "operation", "cycles, paper", "cycles, ours", "ROM", "RAM", "verdict")
    reached, counted = count(group)
    sentence = (
        f"{reached} of the {counted} categories in which both have a figure are reached. Ours is "
        "the most cycles of a block among the measured ones, from the first cycle of the call to "
        "the last of the return."
    )
    title = f"{primitive}, {SCOPES[scope]}: cycles of a block"
    return Shown(title, heads, tuple(rows), sentence, texts=2)


def verdict(category: Category) -> str:
    """The comparison of a category in words."""
    figure, cycles = category.printed.figure, category.cycles
    if category.ours is None or cycles is None:
        return _without_ours(category.printed)
    if figure == IMPOSSIBLE:
        return f"possible{category.ours.subroutine.with_banks}"
    if figure == SATIATED:
        return "satiated" if category.satiated else "a smaller one is not as fast"
    if figure == DRAWN:
        return "satiated" if category.satiated else "possible"
    assert isinstance(figure, int), figure
    percent = 100 * (cycles - figure) / figure
    return f"{percent:+.1f} %" + (", satiated" if category.satiated else "")


def _without_ours(printed: Printed) -> str:
    """The comparison of a category in which there is none of ours."""
    if printed.figure != IMPOSSIBLE:
        return "none of ours fits"
    least = least_ram(printed.primitive)
    if least > printed.ram:
        return f"impossible: parameters and call take {least}"
    return "none of ours, which proves nothing"


def _subroutines(result: Reproduction) -> Shown:
    rows = tuple(
        (
            measured.subroutine.member,
            measured.subroutine.name,
            OPERATIONS.get(operation, operation),
            f"{measured.rom:,}",
            f"{measured.ram}{measured.subroutine.with_banks}",
            str(measured.stack),
            f"{cycles:,}",
            f"{measured.mean[operation]:,.1f}",
            "constant" if measured.constant_time[operation] else "by data",
        )
        for measured in result.measured
        for operation, cycles in measured.cycles.items()
    )
    heads = ("primitive", "subroutine", "operation", "ROM", "RAM", "stack", "most", "mean", "time")
    note = (
        "ROM has code and tables, RAM the parameter block and the stack with the return address, "
        "by painted memory. Cycles are those of a block, the most and the mean. The time depends "
        "on data where secrets that are followed through a call decide a branch."
    )
    return Shown("Our subroutines: bytes, and cycles of a block", heads, rows, note, texts=3)


def per_byte(result: Reproduction) -> Shown:
    """Cycles of a byte over the length of a message; the key is set up once for decryption."""
    rows = [
        (f"{measured.subroutine.member}, {measured.subroutine.name}", operation, *cells)
        for measured in result.measured
        for operation, cells in _messages(measured)
    ]
    heads = ("subroutine", "operation", *(f"{length:,}" for length in LENGTHS))
    note = (
        f"Means of the official vectors and {BLOCKS} random blocks. The paper draws these "
        "curves without printing their figures. Decryption sets up the key for the "
        "first block of a message alone. A hash function's message is padded; one that takes more "
        f"than {SLOW:,} cycles of a block is measured with the official vectors alone."
    )
    title = "Cycles of a byte over the message's length in bytes"
    return Shown(title, heads, tuple(rows), note, texts=2)


def _messages(measured: Measured) -> Iterator[tuple[str, list[str]]]:
    """Cycles of a byte over the length by operation."""
    subroutine, mean = measured.subroutine, measured.mean
    if isinstance(subroutine, Hash):
        yield "hash", [f"{hash_cycles(measured, length) / length:.1f}" for length in LENGTHS]
        return
    block = len(bytes.fromhex(subroutine.vectors()["encrypt"][0]["text"]))
    for operation in ("encrypt", "decrypt"):
        if operation in mean:
            first = mean[operation]
            later = mean.get(f"{operation}_last", mean.get(f"{operation}_again", first))
            totals = (first + (length // block - 1) * later for length in LENGTHS)
            yield (
                operation,
                [f"{total / size:.1f}" for total, size in zip(totals, LENGTHS, strict=True)],
            )


def _missing(result: Reproduction) -> Shown:
    """The paper's primitives that no subroutine here is for."""
    names = result.published["compared"]["primitives"]
    rows = tuple((name, "no") for name in names if name not in result.primitives)
    note = "The paper has figures or curves of these; there is no subroutine for RL78 here yet."
    return Shown("What is not compared", ("primitive", "compared"), rows, note, texts=2)
