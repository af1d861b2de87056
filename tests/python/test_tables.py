"""Tables on terminals of 80, 100 and 160 columns: every verb's, and the rules of the layout."""

from __future__ import annotations

import io
import random
import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cocrypt.cli import layout, output, tables
from conftest import ROOT, some_long

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rich.table import Table

    from conftest import Cocrypt, Verb

WIDTHS = (80, 100, 160)
STUDIES = ROOT / "studies"

# The words of each verb, and the name of a row that its table must hold.
VERBS: dict[str, tuple[list[str | Path], str]] = {
    "measure": (["measure", "aes128/ref", "sha256/ref"], "sha256/ref"),
    "benchmark": (["measure", "--table", "--iterations", "1", "aes128/ref"], "aes128/ref"),
    "portfolio": (["portfolio", "aes128/ref", "sha256", "--report", "p.html"], "sha256"),
    "explore": (["explore", STUDIES / "hau2011.toml", "-w", "mod_add"], "Arch. 8"),
    "profile": (["profile", "IMAGE", "-d", "picorv32", "--lines", "--instructions"], "main"),
    "annotate": (["profile", "IMAGE", "-d", "picorv32", "--annotate", "main"], "jalr"),
    "run": (["run", "IMAGE", "-d", "picorv32"], "instructions"),
    "compare": (["compare", "OLD", "NEW"], "aes128"),
    "devices": (["devices"], "duarte2010-bram"),
    "primitives": (["primitives", "--all"], "aes128"),
    "verify": (["verify", STUDIES / "duarte2010.toml"], "text_4"),
    "reproduce": (["reproduce", "duarte2010", "--report", "r.html"], "rsa_toy_power"),
    "authenticate": (["authenticate", STUDIES / "authentication.toml"], "terminal"),
    "leak": (["leak", "ct", "aes128/ref", "aes128/small"], "aes128/small"),
    "build": (["build", STUDIES / "hau2011.toml", "-w", "mod_add"], "mod_sub-mod_div.elf"),
    "cache": (["cache"], "kind"),
    "fdl test": (["fdl", "test", ROOT / "coprocessors/sha256/registers.toml"], "appendix"),
    "doctor": (["doctor"], "pythondata-cpu-picorv32"),
}

PROGRAM = """
int a_function_with_a_name_of_forty_letters(int value) { return value * 3; }
int main(void) { return a_function_with_a_name_of_forty_letters(0); }
"""


class Line(NamedTuple):
    """A line of a table, with its cells as they are padded."""

    bar: str
    cells: list[str]


def shown(table: Table, width: int) -> str:
    """A table as a terminal of `width` characters shows it."""
    text = io.StringIO()
    tables.Shown(file=text, width=width).print(table, crop=False)
    return text.getvalue()


def parts(text: str) -> list[list[Line]]:
    """The lines of each part, without the rules between them."""
    pieces: list[list[Line]] = []
    for line in text.splitlines():
        if line.startswith("┏"):
            pieces.append([])
        elif line[:1] in ("┃", "│"):
            bar = line[0]
            pieces[-1].append(Line(bar, line[1:-1].split(bar)))
    return pieces


def heads(part: list[Line]) -> list[str]:
    """The heads of a part's columns, of which some take several lines."""
    above = [line.cells for line in part if line.bar == "┃"]
    return [" ".join(" ".join(pieces).split()) for pieces in zip(*above, strict=True)]


@pytest.fixture
def words(
    tmp_path: Path, firmware: Callable[[str], Path], verb: Verb
) -> Callable[[list[str | Path]], list[str | Path]]:
    """The words of a verb with files instead of IMAGE, OLD and NEW."""

    def filled(given: list[str | Path]) -> list[str | Path]:
        files: dict[str | Path, str | Path] = {}
        if "IMAGE" in given:
            files["IMAGE"] = firmware(PROGRAM)
        if "OLD" in given:
            for name, level in (("OLD", "s"), ("NEW", "2")):
                text = verb("measure", "aes128/ref", "-O", level, "--json").out
                files[name] = tmp_path / f"{name}.json"
                # Levels are part of a row's name, and stand for versions here.
                (tmp_path / f"{name}.json").write_text(text.replace(f"-O{level}", "-O"), "utf-8")
        return [files.get(word, word) for word in given]

    return filled


@pytest.mark.parametrize(
    "name", some_long(VERBS, "authenticate", "portfolio", "reproduce", "verify")
)
def test_every_verbs_table_fits_and_names_its_rows(
    name: str,
    words: Callable[[list[str | Path]], list[str | Path]],
    verb: Verb,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed: list[tables.Plain] = []
    monkeypatch.setattr(output, "print_table", printed.append)
    given, row = VERBS[name]
    result = verb(*words(given))
    assert result.code in (0, 3), result.text
    assert printed
    for width in WIDTHS:
        assert any(row in " ".join(shown(table, width).split()) for table in printed)
        for table in printed:
            check(table, width)


def check(table: tables.Plain, width: int) -> None:
    """Checks a table by the rules of every table."""
    text = shown(table, width)
    assert max(map(layout.length, text.splitlines())) <= width, text
    pieces = parts(text)
    keys = [column.name for column in table.kinds if column.kind == "key"]
    names = [" ".join(column.name.split()) for column in table.kinds]
    seen = [head for part in pieces for head in heads(part)]
    for part in pieces:
        assert set(heads(part)) >= set(keys), "a part does not name its rows"
    for column in table.kinds:
        head = " ".join(column.name.split())
        note = re.search(rf"left out at {width} columns: [^;]*{re.escape(head)}", flat(text))
        assert head in seen or (column.spare and note), f"{head} is neither shown nor named"
    unbroken(table, text)
    for part in pieces:
        aligned(part, dict(zip(names, table.kinds, strict=True)))


def flat(text: str) -> str:
    return " ".join(text.split())


def unbroken(table: tables.Plain, text: str) -> None:
    """No word of a column that is shown is broken, except those that are longer than a column."""
    at = flat(text)
    for number, column in enumerate(table.kinds):
        if column.spare:
            continue
        for cell in (row[number] for row in table.lines):
            for word in cell.split():
                assert word in at or len(word) > layout.UNBROKEN, f"{word} is broken"


def aligned(part: list[Line], kinds: dict[str, layout.Column]) -> None:
    """Figures end where their column ends, and words begin where theirs begins."""
    for line in part:
        for head, cell in zip(heads(part), line.cells, strict=True):
            if cell.strip() and kinds[head].right:
                assert cell.endswith(f"{cell.strip()} "), line
            elif cell.strip():
                # Instructions stand two columns within the source lines that they belong to.
                assert len(cell) - len(cell.lstrip()) in (1, 3), line


def test_a_file_gets_every_column(process: Cocrypt, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file has all columns on one line, however long, for tools such as `grep` and `awk`."""
    real = output.print_table
    monkeypatch.delenv("COLUMNS", raising=False)
    text = io.StringIO()
    monkeypatch.setattr("sys.stdout", text)
    table = output.table("A title", "name", *(f"figure{n}" for n in range(40)))
    table.add_row("row", *(f"{10**n:,}" for n in range(40)))
    real(table)
    assert "left out" not in text.getvalue()
    assert len(parts(text.getvalue())) == 1
    assert f"{10**39:,}" in text.getvalue()
    narrow = process("devices", columns=80).stdout
    assert "left out at 80 columns: " in narrow


def test_what_cannot_be_spared_stands_below() -> None:
    table = output.table("A title", "name", *(f"figure{n:02}" for n in range(20)))
    table.add_row("first", *(f"{n:,}" for n in range(20)))
    pieces = parts(shown(table, 60))
    assert len(pieces) == 5
    assert [part[1].cells[0].strip() for part in pieces] == ["first"] * 5
    figures = [cell.strip() for part in pieces for cell in part[1].cells[1:]]
    assert figures == [str(n) for n in range(20)]


def test_the_greatest_rank_goes_first() -> None:
    columns = [tables.key("name"), *(tables.figure(f"spare{n}", spare=n) for n in range(1, 6))]
    table = output.table("A title", *columns)
    table.add_row("a", *"12345")
    for width, last in ((80, 5), (48, 4), (38, 3), (28, 2), (18, 1)):
        (part,) = parts(shown(table, width))
        assert heads(part) == ["name", *(f"spare{n}" for n in range(1, last + 1))]


def test_a_table_may_have_no_head() -> None:
    table = output.table("A title", "what", "value")
    table.show_header = False
    table.add_row("cycles", "12")
    assert shown(table, 80).splitlines()[1:] == [
        "┌────────┬───────┐",
        "│ cycles │    12 │",
        "└────────┴───────┘",
    ]


def test_long_names_break_behind_marks_and_nothing_is_lost() -> None:
    path = "/home/someone/projects/firmware/source/cryptography/elliptic_curve.c:1234"
    table = output.table("A title", "line", "cycles")
    table.add_row(path, f"{10**12:,}")
    (part,) = parts(shown(table, 40))
    pieces = [line.cells[0].strip() for line in part[1:]]
    assert "".join(pieces) == path
    assert all(piece[-1] in "/_.:" for piece in pieces[:-1])


@pytest.mark.parametrize("seed", range(200))
def test_any_text_is_within_the_terminal(seed: int) -> None:
    draw = random.Random(seed)
    makers = (tables.key, tables.text, tables.figure)
    letters = "abc XYZ 0123456789 /_-.,:\\ \n\t\x1b é漢\u202e"
    table = output.table("A title", *(draw.choice(makers)(f"c{n}") for n in range(4)))
    for _ in range(draw.randrange(6)):
        table.add_row(*("".join(draw.choices(letters, k=draw.randrange(60))) for _ in range(4)))
    width = draw.randrange(60, 200)
    # A figure is never broken, even if it is too long for the terminal.
    figures = [number for number, column in enumerate(table.kinds) if column.kind == "figure"]
    widest = max((layout.length(row[n]) for row in table.lines for n in figures), default=0)
    least = widest + 4 * (layout.LEAST + layout.BETWEEN) + 1
    assert max(map(layout.length, shown(table, width).splitlines())) <= max(width, least)
