"""A page of headed parts that needs nothing but itself: text, tables, and charts."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from cocrypt.report import library
from cocrypt.visible import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def sheet(
    title: str,
    headline: str,
    summary: str,
    parts: Iterable[str],
    figures: Mapping[str, Any] | None = None,
    found: Mapping[str, Any] | None = None,
) -> str:
    """The page; `summary` and `parts` are HTML, `figures` charts by the id of their place.

    `found` has the data that its buttons download: a name, and the figures as `json` and `csv`.
    """
    style = part("style.css")
    contents, body = with_contents("".join(parts))
    script = _script(figures, found) if figures is not None else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body><header>"
        f"<p>{escape(title)}</p><h1>{escape(headline)}</h1>"
        f'<p class="summary">{summary}</p></header>'
        f"{contents}{body}{script}</body></html>\n"
    )


FEW = 3
"""Headings below which a page needs no table of contents."""


def with_contents(body: str) -> tuple[str, str]:
    """A table of contents, and the body with ids for its entries."""
    entries: list[str] = []

    def named(heading: re.Match[str]) -> str:
        entries.append(f'<li><a href="#part-{len(entries)}">{heading[2]}</a></li>')
        return f'<h2 id="part-{len(entries) - 1}"{heading[1]}>{heading[2]}</h2>'

    marked = re.sub(r"<h2([^>]*)>(.*?)</h2>", named, body)
    if len(entries) < FEW:
        return "", marked
    return f'<nav aria-label="Contents"><ol>{"".join(entries)}</ol></nav>', marked


def titled(title: str, note: str, body: str) -> str:
    """A headed part, with a sentence about its content."""
    return f'<h2>{escape(title)}</h2><p class="note">{escape(note)}</p>{body}'


def chart(name: str, height: int, label: str) -> str:
    """The element of a chart, so many pixels high; `label` describes it for screen readers."""
    return (
        f'<div class="chart" id="{escape(name)}" style="height:{height}px" role="img" '
        f'aria-label="{escape(label)}"></div>'
    )


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[Any]],
    texts: int = 1,
    *,
    sortable: bool = False,
) -> str:
    """A table whose first columns are text."""
    head = "".join(
        f'<th class="{"text" if index < texts else ""}">{escape(name)}</th>'
        for index, name in enumerate(heads)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td class="{"text names" if index < texts else ""}">{escape(str(cell))}</td>'
            for index, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    kind = ' class="sortable"' if sortable else ""
    return (
        f'<div class="box tall" tabindex="0"><table{kind}><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


DOWNLOADS = (
    '<p class="downloads"><button data-download="csv">CSV</button> '
    '<button data-download="json">JSON</button></p>'
)
"""Buttons that download the data that `sheet` is given as `found`."""


def embedded(value: object) -> str:
    """A value as the script reads it; no text in it may end the script."""
    return json.dumps(value).replace("<", "\\u003c")


def part(name: str) -> str:
    """A file that pages are made of."""
    return (files("cocrypt.report") / name).read_text("utf-8")


def _script(figures: Mapping[str, Any], found: Mapping[str, Any] | None) -> str:
    return (
        f"{library.embedded()}"
        f'<script>"use strict";const figures = {embedded(figures)};'
        f"const found = {embedded(found or {})};{part('script.js')}</script>"
    )
