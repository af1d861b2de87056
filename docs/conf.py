"""Configuration of the documentation site, which `make docs` builds with Sphinx.

The source folder is the whole checkout, so that links between pages are the same in files and on
the site.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "ext"), str(HERE.parent / "python")]

project = "cocrypt"
author = "the cocrypt contributors"
project_copyright = "the cocrypt contributors, MIT or Apache-2.0"
release = version_of("cocrypt")

extensions = [
    "myst_nb", "sphinx.ext.autodoc",
    # Those in docs/ext.
    "anchors", "cli_reference", "fdl_lexer", "kernels", "mermaid_figures", "schema_reference",
]  # fmt: skip
root_doc = "docs/index"
include_patterns = [
    "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "STYLE.md",
    "benches/libraries/README.md", "coprocessors/README.md", "docs/**.md",
    "editors/vscode/README.md", "primitives/README.md", "studies/authentication/README.md",
]  # fmt: skip
exclude_patterns = [".git", ".venv", "build", "docs/ext", "fuzz", "target"]

# Every name of a type must lead somewhere, but for those of other libraries and of what is not
# public.
nitpicky = True
nitpick_ignore_regex = [
    ("py:class", r"(pathlib\.)?Path|polars\..*"),
    (
        "py:class",
        r"(cocrypt\.)?_native\..*|Area|Choice|Debugged|Engine|Leakage|Measurement|Order|Part|Unfit",
    ),
    ("py:class", r"cocrypt\.(build_tools|calltree|hardware|hotspots|target|trust)\..*"),
    ("py:class", r"cocrypt\.explore\.(landscape|leakage|measured|transaction)\..*"),
]
# Docstrings say what is code by single backticks.
default_role = "code"
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

# Notebooks run each time, from their own folder; a cell that fails is an error.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_show_tb = True

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"

html_theme = "furo"
html_title = "cocrypt"
html_static_path = ["static"]
# Leads from the root of the site to its first page, which lies in docs/ as its source does.
html_extra_path = ["root"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
