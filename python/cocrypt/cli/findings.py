"""Findings of instructions that give a secret away, as a line of text and as JSON."""

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


def line(finding: Finding) -> str:
    """A finding as text: location, kind, instruction, how often, and the calls that led to it."""
    times = "once" if finding.count == 1 else f"{finding.count:,} times"
    callers = " > ".join(str(call) for call in finding.calls)
    callers = f", called from {callers}" if callers else ""
    instruction = f"{WORDS[finding.kind]} at {finding.address:#x}, `{finding.text}`"
    return f"{finding.place}: {instruction}, {times}{callers}"


def record(finding: Finding) -> dict[str, Any]:
    """A finding as `--json` prints it."""
    location = finding.place
    return {
        "operation": finding.operation,
        "kind": finding.kind,
        "address": finding.address,
        "instruction": finding.text,
        "count": finding.count,
        "function": location.function,
        "file": location.file,
        "line": location.line,
        "inlined_into": [str(outer) for outer in finding.places[:-1]],
        "calls": [str(call) for call in finding.calls],
    }
