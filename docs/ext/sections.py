"""Sections that directives make: a heading and its text, both in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.util.docutils import SphinxDirective


def section(directive: SphinxDirective, heading: str, text: str) -> nodes.section:
    """A section of the page that has the directive."""
    node = nodes.section()
    (inline,) = directive.parse_text_to_nodes(heading)
    node += nodes.title("", "", *inline.children)
    node["names"].append(nodes.fully_normalize_name(inline.astext()))
    directive.state.document.note_implicit_target(node, node)
    node += directive.parse_text_to_nodes(text)
    return node
