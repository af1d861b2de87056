"""The cycles of a run, counted again from what it shows outside: issues and transfers.

It shares nothing with the engine's own counts. It reads a list of issued instructions with their
cycles, a list of transfers with the cycles of request and answer, the symbols and the register
maps.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from cocrypt import _native
from cocrypt.measurement import MAX_CYCLES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

LONGEST_TURN = 256
"""The most instructions in a turn of a poll loop, as ARCHITECTURE.md says."""


class Transfer(NamedTuple):
    """A transfer to a coprocessor with its instruction's address and number among those issued.

    A read of a status names its coprocessor and register, others None.
    """

    pc: int
    issue: int
    request: int
    answer: int
    status: tuple[int, int] | None
    value: int


@dataclass(frozen=True)
class Counted:
    """Cycles of a run, and the cycles for which it waited for each coprocessor."""

    total: int
    communication: int
    software: int
    driver: int
    waiting: int
    awaited: list[int]


def counted(
    machine: Callable[[], _native.Machine],
    windows: Sequence[tuple[int, int]],
    maps: Sequence[Path],
    symbols: Sequence[dict[str, Any]],
    drivers: Collection[str],
) -> Counted:
    """Runs a program twice, for its issues and its transfers, and counts."""
    traced = machine()
    issues = traced.trace(MAX_CYCLES)
    total = int(traced.run(MAX_CYCLES)["cycles"])
    transfers = _transfers(machine(), windows, maps, issues)
    names = _Names(symbols)
    ends = [*(cycle for cycle, _ in issues[1:]), total]
    spent = {"driver": 0, "software": issues[0][0]}
    for (cycle, pc), end in zip(issues, ends, strict=True):
        spent["driver" if names.at(pc) in drivers else "software"] += end - cycle
    for transfer in transfers:
        spent["driver" if names.at(transfer.pc) in drivers else "software"] -= (
            transfer.answer - transfer.request
        )
    waiting, awaited = _waiting(transfers, len(maps))
    for pc, cycles in waiting:
        spent["driver" if names.at(pc) in drivers else "software"] -= cycles
    return Counted(
        total,
        sum(transfer.answer - transfer.request for transfer in transfers),
        spent["software"],
        spent["driver"],
        sum(cycles for _, cycles in waiting),
        awaited,
    )


class _Names:
    """The function that each address belongs to."""

    def __init__(self, symbols: Sequence[dict[str, Any]]) -> None:
        functions = sorted(
            (symbol["address"], symbol["name"])
            for symbol in symbols
            if symbol["kind"] == "function"
        )
        self.starts = [start for start, _ in functions]
        self.names = [str(name) for _, name in functions]

    def at(self, pc: int) -> str:
        return self.names[bisect_right(self.starts, pc) - 1]


def _transfers(
    machine: _native.Machine,
    windows: Sequence[tuple[int, int]],
    maps: Sequence[Path],
    issues: Sequence[tuple[int, int]],
) -> list[Transfer]:
    """The transfers to coprocessors, each with the last instruction issued before it."""
    status = [_status(path) for path in maps]
    cycles = [cycle for cycle, _ in issues]
    transfers = []
    for request, answer, address, value, writes in machine.first_transfers(
        0, 0xFFFFFFFF, 1 << 40, MAX_CYCLES
    ):
        for number, (base, size) in enumerate(windows[: len(maps)]):
            offset = address - base
            if 0 <= offset < size:
                issue = bisect_right(cycles, request) - 1
                word = offset & ~3
                asks = (number, word) if word in status[number] and not writes else None
                transfers.append(Transfer(issues[issue][1], issue, request, answer, asks, value))
    return transfers


def _status(path: Path) -> set[int]:
    registers = _native.load_coprocessor(path)["registers"]
    return {
        register["offset"] + 4 * word
        for register in registers
        if register["role"] == "status"
        for word in range(register["words"])
    }


def _waiting(
    transfers: Sequence[Transfer], coprocessors: int
) -> tuple[list[tuple[int, int]], list[int]]:
    """Cycles between reads of poll loops, by instruction, and with the reads, by coprocessor."""
    waiting: dict[int, tuple[int, int]] = {}
    awaited: list[dict[int, int]] = [{} for _ in range(coprocessors)]
    since = 0
    for number, transfer in enumerate(transfers):
        if transfer.status is None:
            since = number + 1
            continue
        first = _first_in_vain(transfers, since, number)
        if first is None:
            continue
        turn = transfers[first : number + 1]
        assert transfer.issue - turn[0].issue <= LONGEST_TURN, (
            "a turn too long to be told from work"
        )
        for at, (before, behind) in enumerate(pairwise(turn), first):
            waiting.setdefault(at, (before.pc, behind.request - before.answer))
            awaited[transfer.status[0]][at] = behind.answer - before.answer
    return list(waiting.values()), [sum(reads.values()) for reads in awaited]


def _first_in_vain(transfers: Sequence[Transfer], since: int, number: int) -> int | None:
    """The first read of the poll loop that a read of a status ends, or None if it ends none.

    Reads before `since` are left out. A read ends a loop where the same instruction read the status
    before, or where another instruction did and the value is new.
    """
    read = transfers[number]
    again = [
        before
        for before in range(since, number)
        if (transfers[before].pc, transfers[before].status) == (read.pc, read.status)
    ]
    last = transfers[number - 1] if number > since else read
    if not again and (last.status != read.status or last.value == read.value):
        return None
    first = again[-1] if again else number - 1
    while first > since and transfers[first - 1].status == read.status:
        first -= 1
    return first
