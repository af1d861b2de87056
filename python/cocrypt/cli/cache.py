"""`cocrypt cache`: what is kept between runs, and how to be rid of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import eviction, house, log
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cocrypt.eviction import Entry

ABOUT = {
    "objects": "C and assembly, compiled",
    "images": "linked programs",
    "generated": "C and Verilog that cocrypt writes",
    "verilog": "coprocessors, exported",
    "rtl": "simulators of RTL, and coprocessors in Verilog, compiled",
    "area": "areas of designs, by Yosys",
    "yowasp": "the Yosys of PyPI, compiled for this host",
    "verified": "which primitives' vectors came out",
    "outcomes": "what was simulated",
}
"""What the kinds are that every version has."""
MEBI = 1 << 20


def command(
    kinds: Annotated[
        list[str] | None, typer.Argument(metavar="[KIND]...", help="These kinds; else all.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove them.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print what is kept between runs, by kind, with its size; or clear it.

    Beyond COCRYPT_CACHE_SIZE (500M, 4G, none; 4G unless it is set) a run evicts at its end what was
    used longest ago.
    """
    cache, wanted = house.cache(), kinds or []
    there = eviction.entries(cache)
    known = {*ABOUT, *(entry.kind for entry in there)}
    for kind in wanted:
        if kind not in known:
            raise InputError(f"there is no kind `{kind}`", house.suggestion(kind, sorted(known)))
    shown = eviction.clear(cache, wanted) if clear else _of(there, wanted)
    if as_json:
        values = {"folder": str(cache), "limit": eviction.limit(), "kinds": _records(shown)}
        output.print_json({**values, "cleared": clear})
        return
    _print("Cleared" if clear else "Cache", shown)
    log.say(f"{cache}, {_share(there, shown if clear else [])}")


def _of(entries: Iterable[Entry], kinds: Sequence[str]) -> list[Entry]:
    return [entry for entry in entries if not kinds or entry.kind in kinds]


def _records(entries: Sequence[Entry]) -> list[dict[str, object]]:
    """The kinds with their entries and bytes, the largest first."""
    by_kind = {kind: _of(entries, [kind]) for kind in {entry.kind for entry in entries}}
    rows = [(sum(one.size for one in ours), kind, len(ours)) for kind, ours in by_kind.items()]
    ordered = sorted(rows, key=lambda row: (-row[0], row[1]))
    return [{"kind": kind, "entries": count, "size": size} for size, kind, count in ordered]


def _print(title: str, entries: Sequence[Entry]) -> None:
    made = output.table(title, "kind", "what", "entries", "MiB", left=2)
    for one in _records(entries):
        size = f"{int(str(one['size'])) / MEBI:,.1f}"
        made.add_row(str(one["kind"]), ABOUT.get(str(one["kind"]), ""), f"{one['entries']:,}", size)
    output.print_table(made)


def _share(there: Sequence[Entry], gone: Sequence[Entry]) -> str:
    """How much of the limit is taken."""
    size = sum(one.size for one in there) - sum(one.size for one in gone)
    most = eviction.limit()
    of = "without a limit" if most is None else f"of {most / MEBI:,.0f} MiB"
    return f"{size / MEBI:,.1f} MiB {of}"
