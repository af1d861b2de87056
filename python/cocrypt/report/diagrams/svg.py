"""Shapes of SVG that take their colours from the page's CSS variables."""

from __future__ import annotations

from cocrypt.visible import escape

FONT = 13
"""Size of a diagram's text, in pixels."""
LETTER = 7.3
"""The mean width of a letter of that size."""
CAPITAL = 1.6
"""The additional width of a capital letter."""
LINE = 17
"""The distance of lines of text."""

ARROWS = (
    "<defs>"
    '<marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
    'orient="auto-start-reverse"><path d="M0 1 L9 5 L0 9 z" fill="var(--quiet)"/></marker>'
    '<marker id="open" viewBox="0 0 12 12" refX="11" refY="6" markerWidth="11" markerHeight="11" '
    'orient="auto"><path d="M1 1 L11 6 L1 11" fill="none" stroke="var(--quiet)" '
    'stroke-width="1.3"/></marker>'
    "</defs>"
)


def picture(width: float, height: float, parts: list[str], title: str) -> str:
    """A whole diagram; a narrow page scrolls it rather than making it illegible."""
    return (
        f'<svg class="diagram" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-label="{escape(title)}" '
        f'font-size="{FONT}">{ARROWS}{"".join(parts)}</svg>'
    )


def wide(text: str) -> float:
    """The width of a text, estimated."""
    return LETTER * len(text) + CAPITAL * sum(letter.isupper() for letter in text)


def box(x: float, y: float, width: float, height: float, kind: str = "box") -> str:
    """A rectangle; `kind` is its class."""
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" rx="5"/>'
    )


def text(x: float, y: float, words: str, anchor: str = "middle", kind: str = "") -> str:
    """A line of text; `y` is its middle."""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y + FONT * 0.35:.1f}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )


def line(
    x1: float, y1: float, x2: float, y2: float, kind: str = "wire", tip: str = "", start: str = ""
) -> str:
    """A straight line, with the marker of a tip at its end or at its start."""
    ends = (f' marker-end="url(#{tip})"' if tip else "") + (
        f' marker-start="url(#{start})"' if start else ""
    )
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{ends}/>'


def path(data: str, kind: str = "wire", tip: str = "") -> str:
    """A curve."""
    end = f' marker-end="url(#{tip})"' if tip else ""
    return f'<path class="{kind}" d="{data}"{end}/>'
