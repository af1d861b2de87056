"""Pictures of who drives whom in a datapath of a design in FDL; the browser lays them out."""

from __future__ import annotations

import json
from base64 import b64encode
from importlib.resources import files
from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.report.library import unpacking
from cocrypt.report.sheet import part
from cocrypt.visible import escape

if TYPE_CHECKING:
    from pathlib import Path

MOST = 400
"""The most elements that are drawn: more take a browser long, and nobody reads them."""
CONNECTIONS = (
    "What is connected alike is one element. A frame has what one signal flow graph alone assigns; "
    "other arrows name the graphs that they belong to, or the port of an instance. Drag to move; "
    "zoom by the buttons, or by the wheel with Ctrl."
)


def datapaths(design: Path) -> list[str]:
    """The names of a design's datapaths, without copies."""
    names: list[str] = json.loads(_native.fdl_diagram(design, "datapaths", None))
    return names


def connections(design: Path, top: str | None) -> str:
    """The place of a datapath's picture, with its elements and arrows; empty if it has too many.

    The page needs `script()` once, behind all places.
    """
    drawn = json.loads(_native.fdl_diagram(design, "connections", top))
    if not 1 < len(drawn["elements"]) <= MOST:
        return ""
    data = escape(json.dumps(drawn))
    return f'<div class="box connections" tabindex="0" data-drawn="{data}"></div>'


def script() -> str:
    """The style, the layout library and the script that draw all pictures of a page."""
    packed = (files("cocrypt.report") / "dagre" / "dagre.min.js.gz").read_bytes()
    library, unpack = b64encode(packed).decode(), unpacking("layouts", "layout")
    return (
        f"<style>{part('connections.css')}</style>"
        f'<script type="text/plain" id="layout">{library}</script>'
        f'<script>"use strict";{{{unpack}{part("connections.js")}}}</script>'
    )
