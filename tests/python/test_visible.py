"""Texts of foreign files on terminals and pages: no control character is among them."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, cast

import pytest
from rich.console import Console
from rich.table import Table

from cocrypt import visible
from cocrypt.calltree import CallTree
from cocrypt.cli import output, tables
from cocrypt.measurement import Run
from cocrypt.report.flames import flame

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")
PROGRAM = r"""
#include <cocrypt/device.h>
volatile unsigned sink;
__attribute__((noinline)) void evil_name_012345(void) { for (int i = 0; i < 99; i++) sink = i; }
int main(void)
{
    for (const char *c = "\033[31mred\033[0m \033[2Jgone\n"; *c; c++)
        device_write(COCRYPT_CONSOLE, (unsigned char)*c);
    evil_name_012345();
    return STOPS;
}
"""
PLAIN, EVIL = b"evil_name_012345", "\x1b[2J\x1b]0;x\x07\u009b\n\u202e".encode()
PRINTED = b"\x1b[31mred\x1b[0m \x1b[2Jgone\n"


@pytest.fixture(scope="module")
def evil(firmware: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with a function, in symbols and debug information, whose name clears a terminal."""
    assert len(PLAIN) == len(EVIL)
    content = firmware(PROGRAM.replace("STOPS", "0")).read_bytes()
    assert content.count(PLAIN) > 1
    path = tmp_path_factory.mktemp("evil") / "evil.elf"
    path.write_bytes(content.replace(PLAIN, EVIL))
    return path


def test_names_of_a_program_reach_no_terminal_raw(process: Cocrypt, evil: Path) -> None:
    done = process("profile", evil, "-d", "picorv32", "--tree", "--lines", "--instructions")
    assert done.returncode == 0, done.stderr
    assert not CONTROL.findall(done.stdout + done.stderr)
    # In the table, in the tree, and in the title of the instructions.
    assert done.stdout.count(r"\x1b[2J\x1b]0;x\x07\x9b\x0a\u202e") >= 3


def test_json_holds_the_name_itself_and_no_control_character(process: Cocrypt, evil: Path) -> None:
    done = process("profile", evil, "-d", "picorv32", "--json")
    assert not CONTROL.findall(done.stdout)
    names = {function["name"] for function in json.loads(done.stdout)["functions"]}
    assert EVIL.decode() in names


def test_messages_show_control_characters(process: Cocrypt, evil: Path, tmp_path: Path) -> None:
    done = process("profile", evil, "-d", "picorv32", "--max-cycles", "400")
    assert done.returncode == 3
    design = tmp_path / "bad\x1b[2J.fdl"
    design.write_text("dp x {\x1b[31m\n}\n", encoding="utf-8")
    for words in (("fdl", "check", design), ("explore", tmp_path / "\x1b]0;x\x07.toml")):
        done = process(*words)
        assert done.returncode == 1
        assert r"\x1b" in done.stderr
        assert not CONTROL.findall(done.stdout + done.stderr)


def test_a_file_gets_what_the_program_prints(process: Cocrypt, evil: Path) -> None:
    done = process("run", evil, "-d", "picorv32")
    assert done.stdout.startswith(PRINTED.decode())


def test_a_terminal_gets_lines_and_colours_of_what_the_program_prints(evil: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from cocrypt.cli import main; main()", "run", str(evil)]
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "100"}
    with subprocess.Popen(
        [*command, "-d", "picorv32"], stdout=theirs, stderr=subprocess.PIPE, env=environment
    ):
        os.close(theirs)
        seen = b""
        while b"host seconds" not in seen:
            try:
                seen += os.read(ours, 4096)
            except OSError:  # The other side is closed.
                break
        os.close(ours)
    assert b"\x1b[31mred\x1b[0m \\x1b[2Jgone\r\n" in seen


def test_pages_and_drawings_show_names_as_text() -> None:
    assert visible.escape("a<b>\x1b&\u202e") == r"a&lt;b&gt;\x1b&amp;\u202e"
    stop = {"kind": "exit", "cause": "-", "pc": 0, "symbol": "<b>\x07", "cycle": 1, "address": None}
    values = {"stop": stop, "cycles": 1, "instructions": 1, "stack": 0}
    run = Run("a<b>", {"segments": []}, cast("Any", None), "little", values)
    shown = run._repr_html_()
    assert "<b>" not in shown
    assert r"&lt;b&gt;\x07" in shown
    node = {"name": "f<int>\x07", "parent": None, "self_cycles": 9, "calls": 1}
    assert flame(CallTree(9, [node]))["data"][0]["text"][1] == r"f&lt;int&gt;\x07"


def rows(count: int) -> list[tuple[str, str, str]]:
    return [
        (f"{n:#010x}", "naïve 漢字"[: n % 9] + " text" * (n % 3), f"{n:,}") for n in range(count)
    ]


def printed(count: int) -> str:
    """A table of ours, as it is printed."""
    table = output.table("A title", "address", "instruction", "cycles", left=2)
    for row in rows(count):
        table.add_row(*row)
    text = io.StringIO()
    tables.Shown(file=text, width=120).print(table, crop=False)
    return text.getvalue()


def test_a_table_looks_like_one_of_the_library() -> None:
    count = 503
    table = Table()
    for name, justify in (("address", "left"), ("instruction", "left"), ("cycles", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for row in rows(count):
        table.add_row(*row)
    text = io.StringIO()
    Console(file=text, width=120).print(table)
    assert printed(count).split("\n", 1) == ["A title", text.getvalue()]


def test_long_text_is_folded_and_figures_are_not() -> None:
    table = output.table("A title", "function", "cycles")
    for number in range(500):
        table.add_row("x" * 100, f"{number + 10**6:,}")
    text = io.StringIO()
    tables.Shown(file=text, width=60).print(table)
    lines = text.getvalue().splitlines()
    assert max(map(len, lines)) <= 60
    assert sum("1,000,4" in line for line in lines) == 100
    assert sum(line.count("x") for line in lines) == 100 * 500


def test_ten_times_as_many_instructions_take_about_ten_times_as_long() -> None:
    def seconds(count: int) -> float:
        began = time.process_time()
        assert printed(count).count("\n") == count + 5
        return time.process_time() - began

    # Work that grows with the square takes a hundred times as long.
    assert seconds(30_000) < 40 * min(seconds(3_000) for _ in range(3))
