"""The library that draws charts: within a page, compressed, or as one file that pages share.

It is plotly.js with the few kinds of charts that pages have; `plotly/README.md` names its
source.
"""

from __future__ import annotations

import gzip
import os
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

VERSION = "4.1.1"
NAME = f"plotly-basic-{VERSION}.min.js"
"""The name of the shared file."""
UNPACK = """
const {constant} = (async () => {{
  const packed = document.getElementById("{element}").textContent;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.head.append(script);
}})();
"""


@cache
def embedded() -> str:
    """The library within a page, which then needs nothing else."""
    packed = b64encode(_packed()).decode()
    script = f'"use strict";{unpacking("library", "library")}'
    return f'<script type="text/plain" id="library">{packed}</script><script>{script}</script>'


def unpacking(constant: str, element: str) -> str:
    """A script that runs another one, packed in an element; the constant is done when that ran."""
    return UNPACK.format(constant=constant, element=element)


def linked(page: str, path: Path, folder: Path) -> str:
    """A page that is to stand at a path, with the library as a file of a folder instead."""
    relative = os.path.relpath(folder / NAME, path.parent).replace(os.sep, "/")
    link = f'<script src="{relative}"></script><script>const library = Promise.resolve();</script>'
    return page.replace(embedded(), link)


@cache
def text() -> str:
    """The library as it is."""
    return gzip.decompress(_packed()).decode("utf-8")


def _packed() -> bytes:
    return (files("cocrypt.report") / "plotly" / "plotly-basic.min.js.gz").read_bytes()
