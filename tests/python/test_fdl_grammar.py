"""The TextMate grammar for FDL, run by an engine on Oniguruma, as editors have it.

Every word of every design in the repository has a scope of its kind.
"""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from babi.highlight import Grammars, highlight_line

import fdl_words
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from babi.highlight import Compiler

    from conftest import Verb

EXTENSION = ROOT / "editors/vscode"
GRAMMAR = EXTENSION / "syntaxes/fdl.tmLanguage.json"
FOLDERS = ("coprocessors", "docs", "studies", "tests", "benches")
DESIGNS = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.fdl"))
# The prefixes of the scopes that a kind of words may have.
EXPECTED = {
    "Comment": ("comment",),
    "Name": ("variable.other", "entity.name", "keyword.control.loop"),
    "Number": ("constant.numeric",),
    "Text": ("string.quoted.double",),
    "Directive": ("support.function.directive",),
    **dict.fromkeys(("If", "Then", "Else"), ("keyword.control.fdl",)),
    **dict.fromkeys(("Tc", "Ns"), ("storage.type.fdl",)),
    **dict.fromkeys(("In", "Out", "Sig", "Reg"), ("storage.modifier",)),
    **dict.fromkeys(
        ("Always", "Dp", "Fsm", "Hardwired", "Ipblock", "Sequencer", "Sfg", "Stimulus", "System"),
        ("storage.type.block",),
    ),
    **dict.fromkeys(("Initial", "Ipparm", "Iptype", "Lookup", "State", "Use"), ("keyword.other",)),
    **dict.fromkeys(("Arrow", "At"), ("keyword.operator.transition",)),
    "To": ("keyword.operator.range",),
    **dict.fromkeys(("ShiftLeft", "ShiftRight"), ("keyword.operator.shift",)),
    **dict.fromkeys(
        ("Equal", "NotEqual", "GreaterEqual", "LessEqual", "Greater", "Less"),
        ("keyword.operator.comparison",),
    ),
    **dict.fromkeys(("AndAlso", "OrElse", "Bang"), ("keyword.operator.logical",)),
    "Assign": ("keyword.operator.assignment",),
    "Question": ("keyword.operator.ternary",),
    **dict.fromkeys(("Or", "Xor", "And", "Tilde", "Hash"), ("keyword.operator.bitwise",)),
    **dict.fromkeys(
        ("Plus", "Minus", "Star", "Slash", "Percent"), ("keyword.operator.arithmetic",)
    ),
    "Semicolon": ("punctuation.terminator",),
    **dict.fromkeys(("Comma", "Colon"), ("punctuation.separator",)),
    "Dot": ("punctuation.accessor",),
    **dict.fromkeys(("LeftBrace", "RightBrace"), ("punctuation.section.braces",)),
    **dict.fromkeys(("LeftParen", "RightParen"), ("punctuation.section.parens",)),
    **dict.fromkeys(("LeftBracket", "RightBracket"), ("punctuation.section.brackets",)),
}


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    folder = tmp_path_factory.mktemp("grammars")
    shutil.copy(GRAMMAR, folder / "source.fdl.json")
    return Grammars(str(folder)).compiler_for_scope("source.fdl")


def scopes(compiler: Compiler, text: str) -> list[str]:
    """The innermost scope of each character."""
    state, names = compiler.root_state, []
    for number, line in enumerate(text.splitlines(keepends=True)):
        state, regions = highlight_line(compiler, state, line, first_line=number == 0)
        names += [region.scope[-1] for region in regions for _ in range(region.start, region.end)]
    return names


def test_the_words_are_those_of_the_lexer() -> None:
    source = fdl_words.LEXER.read_text(encoding="utf-8")
    rules = {(kind, is_fixed) for kind, _, is_fixed in fdl_words.rules()}
    assert len(rules) == source.count("#[token(") + source.count("#[regex(")
    assert {kind for kind, _, _ in fdl_words.rules()} | {"Comment"} == EXPECTED.keys()


@pytest.mark.parametrize("design", DESIGNS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_word_has_the_scope_of_its_kind(design: Path, compiler: Compiler) -> None:
    text = design.read_text(encoding="utf-8")
    word_scopes = scopes(compiler, text)
    assert len(word_scopes) == len(text)
    at = 0
    try:
        for word in fdl_words.words(text):
            names = set(word_scopes[word.start : word.end])
            fits = all(name.startswith(EXPECTED[word.kind]) for name in names)
            assert fits, f"{text[word.start : word.end]!r} ({word.kind}) is {names}"
            at = word.end
    except ValueError:
        # A design with an illegal character, which the grammar marks.
        assert "fdl.syntax" in text or "fdl.file" in text, text[at : at + 40]


def test_the_designs_have_all_kinds_of_words() -> None:
    kinds = set()
    for design in DESIGNS:
        try:
            kinds |= {word.kind for word in fdl_words.words(design.read_text(encoding="utf-8"))}
        except ValueError:
            continue
    assert len(DESIGNS) > 200
    assert kinds == EXPECTED.keys()


CASES = {
    "input": "variable.other.fdl",
    "regs": "variable.other.fdl",
    "fork": "variable.other.fdl",
    "if_": "variable.other.fdl",
    "0x1f": "constant.numeric.hex.fdl",
    "dp": "storage.type.block.fdl",
    '"// no comment"': "string.quoted.double.fdl",
    "/* dp */": "comment.block.fdl",
    "// \"dp\"": "comment.line.double-slash.fdl",
}  # fmt: skip


@pytest.mark.parametrize(("text", "scope"), CASES.items())
def test_words_that_hold_others_are_whole(text: str, scope: str, compiler: Compiler) -> None:
    assert set(scopes(compiler, f"{text}\n")[: len(text)]) == {scope}


def test_a_definition_names_what_it_defines(compiler: Compiler) -> None:
    text = "dp adder(in a : ns(8)) { sfg run { } }\nfsm control(adder) { }\n"
    names = scopes(compiler, text)
    for name, scope in {"adder": "type", "run": "function", "control": "class"}.items():
        assert names[text.index(f" {name}") + 1] == f"entity.name.{scope}.fdl"


def test_a_comment_over_lines_ends_where_it_ends(compiler: Compiler) -> None:
    text = "/* dp\n if */ reg\n"
    names = scopes(compiler, text)
    assert set(names[: text.index("*/") + 2]) <= {"comment.block.fdl"}
    assert names[text.index("reg")] == "storage.modifier.fdl"


def test_the_extension_names_files_that_are_there() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    contributed = package["contributes"]
    (language,), (grammar,) = contributed["languages"], contributed["grammars"]
    (snippets,) = contributed["snippets"]
    assert grammar["scopeName"] == json.loads(GRAMMAR.read_text(encoding="utf-8"))["scopeName"]
    assert language["id"] == grammar["language"] == snippets["language"]
    for path in (language["configuration"], grammar["path"], snippets["path"]):
        json.loads((EXTENSION / path).read_text(encoding="utf-8"))


# The designs into which snippets are inserted at `HERE`, if they are no whole designs.
AROUND = {
    "reg": "dp d(out z : ns(32)) { HERE always { name = name; z = name; } }",
    "array": "dp d(in i : ns(8); out z : ns(8)) { HERE always { memory(i) = i; z = memory(i); } }",
    "sig": "dp d(out z : ns(32)) { HERE always { name = 1; z = name; } }",
    "lookup": "dp d(in i : ns(2); out z : ns(8)) { HERE always { z = table(i); } }",
    "sfg": "dp d(out z : ns(1)) { HERE always { z = 1; } }\nhardwired h(d) { name; }",
    "hardwired": "dp datapath(out z : ns(1)) { sfg run { z = 1; } }\nHERE",
    "for": "dp d(out z : ns(1)) { HERE always { z = 1; } }",
    "use": "dp child(in input : ns(1); out output : ns(1)) { always { output = input; } }\n"
    "dp d(in a : ns(1); out b : ns(1)) { HERE }",
    "system": "dp datapath { reg r : ns(1); always { r = ~r; } }\nHERE",
}
SNIPPETS = json.loads((EXTENSION / "snippets/fdl.json").read_text(encoding="utf-8"))


def written(snippet: dict[str, str | list[str]]) -> str:
    """The text of a snippet if nothing is typed: the first choices, and the defaults."""
    body = snippet["body"]
    text = body if isinstance(body, str) else "\n".join(body)
    text = re.sub(r"\$\{\d+\|([^,|]*)[^}]*\}", r"\1", text)
    return re.sub(r"\$\{\d+:([^}]*)\}|\$\d+", r"\1", text)


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_writes_a_design_without_errors(name: str, verb: Verb, tmp_path: Path) -> None:
    snippet = SNIPPETS[name]
    around = AROUND.get(snippet["prefix"], "HERE")
    (tmp_path / "d.fdl").write_text(around.replace("HERE", written(snippet)), encoding="utf-8")
    result = verb("fdl", "check", "d.fdl")
    assert result.code == 0, result.text
