"""Sections that directives make: a heading and what stands under it, both in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.util.docutils import SphinxDirective


def section(directive: SphinxDirective, heading: str, text: str) -> nodes.section:
    """A section of the page that the directive stands in."""
    made = nodes.section()
    (inline,) = directive.parse_text_to_nodes(heading)
    made += nodes.title("", "", *inline.children)
    made["names"].append(nodes.fully_normalize_name(inline.astext()))
    directive.state.document.note_implicit_target(made, made)
    made += directive.parse_text_to_nodes(text)
    return made
