"""`cocrypt cache`: prints what is kept between runs, and clears it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import eviction, log, paths
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cocrypt.eviction import Entry

ABOUT = {
    "objects": "C and assembly, compiled",
    "images": "linked programs",
    "code": "hot code of programs, compiled for this host",
    "generated": "C and Verilog that cocrypt writes",
    "verilog": "coprocessors, exported",
    "rtl": "simulators of RTL, and coprocessors in Verilog, compiled",
    "area": "areas of designs, by Yosys",
    "gates": "designs as gates, by Yosys and ABC",
    "yowasp": "the Yosys of PyPI, compiled for this host",
    "verified": "which primitives' vectors came out",
    "outcomes": "what was simulated",
    "toolchains": "binutils and GCC; not evicted",
}
"""Descriptions of the kinds that every version has."""
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
    used longest ago. Toolchains are kept, and do not count.
    """
    cache, chosen = paths.cache(), kinds or []
    entries = eviction.entries(cache)
    names = {*ABOUT, *(entry.kind for entry in entries)}
    for kind in chosen:
        if kind not in names:
            raise InputError(f"there is no kind `{kind}`", paths.suggestion(kind, sorted(names)))
    shown = eviction.clear(cache, chosen) if clear else _of_kinds(entries, chosen)
    if as_json:
        values = {"folder": str(cache), "limit": eviction.limit(), "kinds": _records(shown)}
        output.print_json({**values, "cleared": clear})
        return
    _print("Cleared" if clear else "Cache", shown)
    log.say(f"{cache}, {_share(entries, shown if clear else [])}")


def _of_kinds(entries: Iterable[Entry], kinds: Sequence[str]) -> list[Entry]:
    return [entry for entry in entries if not kinds or entry.kind in kinds]


def _records(entries: Sequence[Entry]) -> list[dict[str, object]]:
    """The kinds with their entries and bytes, the largest first."""
    by_kind = {kind: _of_kinds(entries, [kind]) for kind in {entry.kind for entry in entries}}
    rows = [
        (sum(entry.size for entry in of_kind), kind, len(of_kind))
        for kind, of_kind in by_kind.items()
    ]
    ordered = sorted(rows, key=lambda row: (-row[0], row[1]))
    return [{"kind": kind, "entries": count, "size": size} for size, kind, count in ordered]


def _print(title: str, entries: Sequence[Entry]) -> None:
    table = output.table(title, "kind", "what", "entries", "MiB", left=2)
    for record in _records(entries):
        size = f"{int(str(record['size'])) / MEBI:,.1f}"
        table.add_row(
            str(record["kind"]), ABOUT.get(str(record["kind"]), ""), f"{record['entries']:,}", size
        )
    output.print_table(table)


def _share(entries: Sequence[Entry], cleared: Sequence[Entry]) -> str:
    """The size that is in use, and the limit."""
    counted = [entry for entry in entries if entry.kind not in eviction.LASTING]
    gone = [entry for entry in cleared if entry.kind not in eviction.LASTING]
    size = sum(entry.size for entry in counted) - sum(entry.size for entry in gone)
    most = eviction.limit()
    limit = "without a limit" if most is None else f"of {most / MEBI:,.0f} MiB"
    return f"{size / MEBI:,.1f} MiB {limit}"
