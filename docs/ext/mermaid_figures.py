"""Draws the flowcharts of pages, which are written in Mermaid, by Graphviz.

Without Graphviz they stay text. Only the forms that pages use are read: `flowchart`, nodes as
`name["text"]`, and edges `---`, `-->`, `-.->` with `|text|`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NODE = r'(\w+)(?:\["([^"]*)"\])?'
EDGE = re.compile(rf'{NODE}\s*(---|-->|-\.->)\s*(?:\|"?([^|"]*)"?\|)?\s*{NODE}')
STYLES = {"---": "dir=none", "-->": "", "-.->": "style=dashed"}
# A colour that Graphviz knows, which is replaced by the page's own.
INK = "#123456"
COMMON = f'color="{INK}", fontcolor="{INK}", fontname="sans-serif", fontsize=11'
LOOK = f'bgcolor="transparent"; node [shape=box, style=rounded, {COMMON}]; edge [{COMMON}];'


def draw(_app: Sphinx, doctree: nodes.document) -> None:
    """Puts drawings in the place of a page's flowcharts."""
    for block in list(doctree.findall(nodes.literal_block)):
        if block.get("language") != "mermaid":
            continue
        drawing = svg(block.astext())
        if drawing is None:
            block["language"] = "text"
        else:
            block.replace_self(nodes.raw("", drawing, format="html"))


def svg(text: str) -> str | None:
    """A flowchart as SVG that takes the page's own colours; None without Graphviz."""
    dot = shutil.which("dot")
    if dot is None:
        return None
    run = subprocess.run(
        [dot, "-Tsvg"], input=graph(text), capture_output=True, text=True, check=True
    )
    picture = re.sub(
        r'<svg width="(\d+)pt" height="\d+pt"', r'<svg style="max-width: \1pt"', run.stdout
    )
    picture = picture[picture.index("<svg") :].replace(INK, "currentColor")
    return f'<figure class="flowchart">{picture}</figure>'


def graph(text: str) -> str:
    """A flowchart in the language of Graphviz."""
    labels: dict[str, str] = {}
    edges = []
    for line in text.splitlines()[1:]:
        match = EDGE.search(line)
        if match is None:
            raise ValueError(f"this line of a flowchart is not understood: {line}")
        start, start_text, arrow, label, end, end_text = match.groups()
        for name, shown in ((start, start_text), (end, end_text)):
            if shown or name not in labels:
                labels[name] = shown or name
        edges.append(f"{start} -> {end} [label={quoted(label or '')} {STYLES[arrow]}];")
    nodes_of = [f"{name} [label={quoted(shown)}];" for name, shown in labels.items()]
    return "\n".join(["digraph {", LOOK, *nodes_of, *edges, "}"])


def quoted(text: str) -> str:
    """A label, in which `<br/>` ends a line."""
    inner = text.replace('"', '\\"').replace("<br/>", "\\n")
    return f'"{inner}"'


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the drawing, which runs on each page as it is read."""
    app.connect("doctree-read", draw)
    return {"parallel_read_safe": True, "version": "1"}
