"""One transaction with a coprocessor, transfer by transfer, as a program's first call makes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.machine import Machine

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from cocrypt.explore.bench import TrialResult

MOST = 400
"""The most transfers of a transaction; the rest is cut off."""
MOST_CYCLES = 2_000_000_000


@dataclass(frozen=True)
class Transfer:
    """A transfer to a register, from the cycle of its request to that of its answer."""

    register: str
    role: str
    word: int | None
    value: int
    writes: bool
    request: int
    answer: int


@dataclass(frozen=True)
class Transaction:
    """The first call's transfers with a coprocessor."""

    coprocessor: str
    title: str
    transfers: tuple[Transfer, ...]


def first_transaction(result: TrialResult) -> Transaction | None:
    """Runs an image until its first transaction is over; None if there is none.

    A transaction ends with the last result that is read before another write.
    """
    built = result.built
    for path, window in result.device.attached(built.coprocessors):
        if window.kind == "link":
            continue  # Words over a link have no addresses that tell registers apart.
        machine = Machine(
            result.device, built.image, name=built.name, coprocessors=built.coprocessors
        )
        machine.native.type_in(built.workload.input)
        transfers = machine.native.first_transfers(window.base, window.size, MOST, MOST_CYCLES)
        if transfers:
            return _named(path, window.base, transfers)
    return None


def _named(path: Path, base: int, seen: list[tuple[int, int, int, int, bool]]) -> Transaction:
    values = _native.load_coprocessor(path)
    transfers: list[Transfer] = []
    has_result = False
    for request, answer, address, value, writes in seen:
        register, word = _register(values, address - base)
        role = register["role"] if register else "control"
        if has_result and writes:
            break
        has_result |= role == "output"
        name = register["name"] if register else f"{address - base:#x}"
        transfers.append(Transfer(name, role, word, value, writes, request, answer))
    return Transaction(values["name"], values["title"], tuple(transfers))


def _register(values: dict[str, Any], offset: int) -> tuple[dict[str, Any] | None, int | None]:
    """The register at an offset, and the index of the word in it."""
    for register in values["registers"]:
        inside, words = offset - register["offset"], register["words"]
        if 0 <= inside < 4 * words:
            return register, inside // 4 if words > 1 else None
    return None, None
