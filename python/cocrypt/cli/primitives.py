"""`cocrypt primitives`: the cryptography that comes with the workbench."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import key, text
from cocrypt.primitives import library

if TYPE_CHECKING:
    from cocrypt.primitives.subject import Subject

COLUMNS = (
    key("primitive"),
    text("kind", spare=1),
    text("source", spare=2),
    key("implementation"),
    text("what it is like"),
    text("constant time"),
)


def command(
    everything: Annotated[
        bool, typer.Option("--all", help="Modes over every cipher, and MACs over every hash, too.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the primitives with their implementations."""
    known = [one for one in library.ours() if everything or as_json or one.over is None]
    if as_json:
        output.print_json({"primitives": [_record(one) for one in known]})
        return
    made = output.table("Primitives", *COLUMNS)
    before = ""
    for one in known:
        first = (one.primitive, one.kind.replace("_", " "), one.source or "")
        shown = first if one.primitive != before else ("", "", "")
        made.add_row(*shown, one.implementation, one.about, "yes" if one.constant_time else "-")
        before = one.primitive
    output.print_table(made)
    if not everything:
        print("modes over ciphers and MACs over hashes, such as aes128_ctr: --all")


def _record(one: Subject) -> dict[str, object]:
    return {
        "primitive": one.primitive,
        "implementation": one.implementation,
        "title": one.title,
        "about": one.about,
        "kind": one.kind,
        "source": one.source,
        "sizes": dict(one.sizes),
        "operations": {name: function.name for name, function in one.functions.items()},
        "constant_time": one.constant_time,
        "extensions": list(one.extensions),
        "over": one.over,
    }
