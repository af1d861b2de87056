"""Where cycles went, counted once more from what a run shows outside: launches and transfers.

It shares nothing with the engine's own counts: a list of launched instructions with their cycles,
a list of transfers with the cycles of request and answer, the symbols and the register maps.
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
"""Instructions in a turn of a poll loop, as ARCHITECTURE.md says."""


class Transfer(NamedTuple):
    """A transfer to a coprocessor, by whom; a status read names its register, others None."""

    pc: int
    place: int
    request: int
    answer: int
    status: tuple[int, int] | None
    value: int


@dataclass(frozen=True)
class Counted:
    """Cycles of a run, and for how many of them each coprocessor was waited for."""

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
    """Runs a program twice, for its launches and its transfers, and counts."""
    traced = machine()
    launches = traced.trace(MAX_CYCLES)
    total = int(traced.run(MAX_CYCLES)["cycles"])
    transfers = _transfers(machine(), windows, maps, launches)
    names = _Names(symbols)
    ends = [*(cycle for cycle, _ in launches[1:]), total]
    spent = {"driver": 0, "software": launches[0][0]}
    for (cycle, pc), end in zip(launches, ends, strict=True):
        spent["driver" if names.at(pc) in drivers else "software"] += end - cycle
    for one in transfers:
        spent["driver" if names.at(one.pc) in drivers else "software"] -= one.answer - one.request
    waiting, awaited = _waiting(transfers, len(maps))
    for pc, cycles in waiting:
        spent["driver" if names.at(pc) in drivers else "software"] -= cycles
    return Counted(
        total,
        sum(one.answer - one.request for one in transfers),
        spent["software"],
        spent["driver"],
        sum(cycles for _, cycles in waiting),
        awaited,
    )


class _Names:
    """Which function an address belongs to."""

    def __init__(self, symbols: Sequence[dict[str, Any]]) -> None:
        functions = sorted(
            (one["address"], one["name"]) for one in symbols if one["kind"] == "function"
        )
        self.starts = [start for start, _ in functions]
        self.names = [str(name) for _, name in functions]

    def at(self, pc: int) -> str:
        return self.names[bisect_right(self.starts, pc) - 1]


def _transfers(
    machine: _native.Machine,
    windows: Sequence[tuple[int, int]],
    maps: Sequence[Path],
    launches: Sequence[tuple[int, int]],
) -> list[Transfer]:
    """The transfers to coprocessors, each with the instruction launched last before."""
    status = [_status(path) for path in maps]
    cycles = [cycle for cycle, _ in launches]
    found = []
    for request, answer, address, value, writes in machine.first_transfers(
        0, 0xFFFFFFFF, 1 << 40, MAX_CYCLES
    ):
        for number, (base, size) in enumerate(windows[: len(maps)]):
            offset = address - base
            if 0 <= offset < size:
                place = bisect_right(cycles, request) - 1
                word = offset & ~3
                asks = (number, word) if word in status[number] and not writes else None
                found.append(Transfer(launches[place][1], place, request, answer, asks, value))
    return found


def _status(path: Path) -> set[int]:
    registers = _native.load_coprocessor(path)["registers"]
    return {
        one["offset"] + 4 * word
        for one in registers
        if one["role"] == "status"
        for word in range(one["words"])
    }


def _waiting(
    transfers: Sequence[Transfer], coprocessors: int
) -> tuple[list[tuple[int, int]], list[int]]:
    """Cycles between reads of poll loops, by instruction; and by coprocessor, with reads."""
    waiting: dict[int, tuple[int, int]] = {}
    awaited: list[dict[int, int]] = [{} for _ in range(coprocessors)]
    since = 0
    for number, one in enumerate(transfers):
        if one.status is None:
            since = number + 1
            continue
        first = _first_in_vain(transfers, since, number)
        if first is None:
            continue
        turn = transfers[first : number + 1]
        assert one.place - turn[0].place <= LONGEST_TURN, "a turn too long to be told from work"
        for at, (before, behind) in enumerate(pairwise(turn), first):
            waiting.setdefault(at, (before.pc, behind.request - before.answer))
            awaited[one.status[0]][at] = behind.answer - before.answer
    return list(waiting.values()), [sum(one.values()) for one in awaited]


def _first_in_vain(transfers: Sequence[Transfer], since: int, number: int) -> int | None:
    """The read from which on a program has waited for what this one finds, of those since then.

    It has where the same instruction asked before, or another one and the answer is a new one.
    """
    one = transfers[number]
    again = [
        before
        for before in range(since, number)
        if (transfers[before].pc, transfers[before].status) == (one.pc, one.status)
    ]
    last = transfers[number - 1] if number > since else one
    if not again and (last.status != one.status or last.value == one.value):
        return None
    first = again[-1] if again else number - 1
    while first > since and transfers[first - 1].status == one.status:
        first -= 1
    return first
