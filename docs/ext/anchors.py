"""Lets links lead to anchors that pages set as `<a id="name"></a>`, as other viewers do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ANCHOR = re.compile(r'<a id="([^"]+)">')


def note_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Adds a page's anchors to its headings, among which MyST looks for what a link names."""
    metadata = app.env.metadata[app.env.docname]
    slugs = metadata.setdefault("myst_slugs", {})
    for raw in doctree.findall(nodes.raw):
        for name in ANCHOR.findall(raw.astext()):
            slugs.setdefault(name, (raw.line, name, name))


def setup(app: Sphinx) -> dict[str, Any]:
    """Looks at each page as it is read."""
    app.connect("doctree-read", note_anchors)
    return {"parallel_read_safe": True, "version": "1"}
