"""`cocrypt fdl diagram`: a design as a picture."""

from __future__ import annotations

import shutil
import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cocrypt import _native, log, paths
from cocrypt.errors import HostError

PICTURES = (".svg", ".png", ".pdf")


class Kind(StrEnum):
    """The picture that is drawn."""

    STATES = "states"
    MERMAID = "mermaid"
    DATAPATH = "datapath"


def command(
    design: Annotated[Path, typer.Argument(metavar="FILE", help="An FDL file.")],
    kind: Annotated[
        Kind,
        typer.Option("--kind", help="The state machines (for Graphviz or Mermaid), or a datapath."),
    ] = Kind.STATES,
    top: Annotated[
        str | None,
        typer.Option("--top", metavar="NAME", help="The datapath; else the one nobody uses."),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where it goes: text, a page (.html), or what Graphviz draws (.svg, .png, .pdf).",
        ),
    ] = None,
) -> None:
    """Draw a design: its state machines, or who drives whom in a datapath.

    A page has both, of all datapaths or the one named, drawn by the browser.
    """
    if target is not None and target.suffix == ".html":
        # The drawing of pages is loaded only where a page is asked for.
        from cocrypt.report.designs import design_page

        paths.write_text(target, design_page(design, top))
        return
    text = _native.fdl_diagram(design, kind, top)
    if target is None:
        sys.stdout.write(text)
    elif target.suffix in PICTURES and kind is not Kind.MERMAID:
        _draw(text, target)
    else:
        paths.write_text(target, text)


def _draw(text: str, target: Path) -> None:
    paths.require_folder(target)
    dot = shutil.which("dot")
    if dot is None:
        raise HostError(
            "Graphviz is not installed, and draws the picture",
            help="install Graphviz, or write the text to a .dot file and draw it elsewhere",
        )
    command = [dot, f"-T{target.suffix[1:]}", "-o", str(target)]
    with log.command(command):
        process = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    if process.returncode != 0:
        raise HostError(f"Graphviz cannot draw {target}: {process.stderr.strip()}")
