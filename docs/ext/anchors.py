"""Resolves links to anchors that pages set as `<a id="name"></a>`, as other viewers do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from myst_parser.mdit_to_docutils.transforms import ResolveAnchorIds
from sphinx.transforms import SphinxTransform

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ANCHOR = re.compile(r'<a id="([^"]+)">')


class NoteAnchors(SphinxTransform):
    """Adds a page's anchors to its headings, in which MyST looks up a link's target."""

    default_priority = ResolveAnchorIds.default_priority - 1

    def apply(self, **_options: Any) -> None:
        """Collects the anchors of the page for links from itself and from other pages."""
        slugs = dict(getattr(self.document, "myst_slugs", {}))
        for raw in self.document.findall(nodes.raw):
            for name in ANCHOR.findall(raw.astext()):
                slugs.setdefault(name, (raw.line, name, name))
        self.document.myst_slugs = slugs
        self.env.metadata[self.env.docname]["myst_slugs"] = slugs


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the transform, which runs on each page as it is read."""
    app.add_transform(NoteAnchors)
    return {"parallel_read_safe": True, "version": "1"}
