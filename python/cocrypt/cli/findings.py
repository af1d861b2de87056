"""What gives a secret away, in a line and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cocrypt.primitives.secrecy import Finding

WORDS = {
    "branch": "which way a branch goes",
    "jump": "where a jump goes",
    "load": "the address of a load",
    "store": "the address of a store",
    "time": "the time of an instruction",
}


def line(one: Finding) -> str:
    """A finding for people: where, what, which instruction, how often, and who called."""
    often = "once" if one.count == 1 else f"{one.count:,} times"
    way = " > ".join(str(place) for place in one.calls)
    way = f", called from {way}" if way else ""
    return f"{one.place}: {WORDS[one.kind]} at {one.address:#x}, `{one.text}`, {often}{way}"


def record(one: Finding) -> dict[str, Any]:
    """A finding as `--json` prints it."""
    place = one.place
    return {
        "operation": one.operation,
        "kind": one.kind,
        "address": one.address,
        "instruction": one.text,
        "count": one.count,
        "function": place.function,
        "file": place.file,
        "line": place.line,
        "inlined_into": [str(outer) for outer in one.places[:-1]],
        "calls": [str(call) for call in one.calls],
    }
