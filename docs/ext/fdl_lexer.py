"""Colours for FDL in the pages: a Pygments lexer with the words of `crates/fdl/src/lexer.rs`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

if TYPE_CHECKING:
    from sphinx.application import Sphinx

TYPES = ("tc", "ns")
STORAGE = ("in", "out", "sig", "reg")
BLOCKS = (
    "always", "dp", "fsm", "hardwired", "initial", "ipblock", "iptype", "ipparm", "lookup",
    "sequencer", "sfg", "state", "stimulus", "system", "use",
)  # fmt: skip
CONTROL = ("if", "then", "else", "for")


class FdlLexer(RegexLexer):
    """FSMD designs in GEZEL's language, with cocrypt's extensions."""

    name = "FDL"
    aliases: ClassVar = ["fdl"]
    filenames: ClassVar = ["*.fdl"]
    url = ""
    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            (r"(//|#!)[^\n]*", Comment.Single),
            (r"/\*(.|\n)*?\*/", Comment.Multiline),
            (r'"[^"\n]*"', String.Double),
            (r"\$[A-Za-z_]+", Name.Builtin),
            (words(TYPES, prefix=r"\b", suffix=r"\b"), Keyword.Type),
            (words(STORAGE, prefix=r"\b", suffix=r"\b"), Keyword.Declaration),
            (words((*BLOCKS, *CONTROL), prefix=r"\b", suffix=r"\b"), Keyword),
            (r"0x[0-9a-fA-F]+", Number.Hex),
            (r"0b[01]+", Number.Bin),
            (r"[0-9]+", Number.Integer),
            (r"[A-Za-z_][A-Za-z_0-9]*", Name),
            (r"->|\.\.|&&|\|\||>>|<<|[=!<>]=|[-=?|^&!/+#*%~<>@]", Operator),
            (r"[{}()\[\];:,.]", Punctuation),
        ]
    }


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the lexer."""
    app.add_lexer("fdl", FdlLexer)
    return {"parallel_read_safe": True, "version": "1"}
