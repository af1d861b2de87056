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
    subjects = [
        subject for subject in library.ours() if everything or as_json or subject.over is None
    ]
    if as_json:
        output.print_json({"primitives": [_record(subject) for subject in subjects]})
        return
    table = output.table("Primitives", *COLUMNS)
    before = ""
    for subject in subjects:
        first = (subject.primitive, subject.kind.replace("_", " "), subject.source or "")
        names = first if subject.primitive != before else ("", "", "")
        table.add_row(
            *names, subject.implementation, subject.about, "yes" if subject.constant_time else "-"
        )
        before = subject.primitive
    output.print_table(table)
    if not everything:
        print("modes over ciphers and MACs over hashes, such as aes128_ctr: --all")


def _record(subject: Subject) -> dict[str, object]:
    return {
        "primitive": subject.primitive,
        "implementation": subject.implementation,
        "title": subject.title,
        "about": subject.about,
        "kind": subject.kind,
        "source": subject.source,
        "sizes": dict(subject.sizes),
        "operations": {name: function.name for name, function in subject.functions.items()},
        "constant_time": subject.constant_time,
        "extensions": list(subject.extensions),
        "over": subject.over,
    }
