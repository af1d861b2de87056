"""The processes that notebooks run in: they import the checkout, and no profile of the user's."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HOME = Path(__file__).resolve().parents[2]
PROFILES = HOME / "build/docs/ipython"
# A kernel with a local connection warns that it is not encrypted.
SETTINGS = "c = get_config()\nc.IPKernelApp.log_level = 40\n"


def prepare(_app: Sphinx) -> None:
    """Sets the environment that kernels inherit."""
    profile = PROFILES / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(SETTINGS, encoding="utf-8")
    os.environ["IPYTHONDIR"] = str(PROFILES)
    # The names of started kernels are of no interest in a build.
    logging.getLogger("traitlets").setLevel(logging.WARNING)
    inherited = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HOME / "python"), inherited)))


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the preparation, which runs before the first page is read."""
    app.connect("builder-inited", prepare)
    return {"parallel_read_safe": True, "version": "1"}
