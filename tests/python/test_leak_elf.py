"""Secrets of a user's program: the memory that holds them, the part of a run, and the leaks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import output_schemas
from cocrypt.device import Device
from cocrypt.paths import device as device_named
from cocrypt.primitives import library
from cocrypt.primitives.measuring import Build, Task
from cocrypt.primitives.secrecy import examine
from cocrypt.toolchain import Toolchain, Unit
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

AES = ROOT / "studies" / "aes128.toml"
LEAKY = """#include <stdint.h>
#include "cocrypt/device.h"
static const uint8_t table[4] = {3, 1, 4, 1};
uint8_t key[8] = {1, 2, 3, 4, 5, 6, 7, 8};
uint8_t open_[8] = {1, 2, 3, 4, 5, 6, 7, 8};
uint8_t output[8];
__attribute__((noinline)) void work(const uint8_t *from, uint8_t *to)
{
    to[0] = table[from[0] & 3];
    if (from[1] & 1)
        *(volatile uint8_t *)&to[1] = 1;
    to[2] = (uint8_t)(from[2] ^ from[3]);
}
__attribute__((noinline)) void show(const uint8_t *what)
{
    *(volatile uint8_t *)&output[7] = table[what[2] & 3];
}
int main(void)
{
    uint8_t copy[8];
    for (int i = 0; i < 8; i++)
        copy[i] = key[i];
    device_write(COCRYPT_MARKS, 0x10);
    work(copy, output);
    show(output);
    work(open_, output);
    return 0;
}
"""
# The lines of the text above, from 1.
TABLE, BRANCH, SHOW = 9, 10, 16


@pytest.fixture
def built(tmp_path: Path, need_tool: Callable[[str], str]) -> Callable[..., Path]:
    """Builds a program for a device from the text of its one source."""

    def build(text: str = LEAKY, board: str = "picorv32") -> Path:
        if board == "atmega2560":
            need_tool("avr-gcc")
        source = tmp_path / "main.c"
        source.write_text(text, encoding="utf-8")
        toolchain = Toolchain(Device.load(device_named(board)))
        units = [*toolchain.runtime(("-O1",)), Unit(source, ("-O1", "-g"))]
        return toolchain.link(list(toolchain.compile_needed(units).values()), source.name)

    return build


def row(verb: Verb, *words: str | Path, code: int = 3) -> dict[str, Any]:
    result = verb("leak", "ct", *words, "--json")
    assert result.code == code, result.err
    values = json.loads(result.out)
    output_schemas.check("leak-ct", values)
    (report,) = values["rows"]
    return dict(report)


def sites(report: dict[str, Any]) -> set[tuple[str, int]]:
    return {(finding["kind"], finding["line"]) for finding in report["findings"]}


@pytest.mark.parametrize("board", ["picorv32", "stm32f4-24mhz", "rp2040", "atmega2560"])
def test_each_leak_is_found_at_its_line(built: Callable[..., Path], verb: Verb, board: str) -> None:
    report = row(verb, built(board=board), "-d", board, "--secret", "key")
    # The Cortex-M4's compiler makes the branch a conditional store, whose time depends on it.
    branch = {(kind, line) for kind in ("branch", "time") for line in (BRANCH, BRANCH + 1)}
    assert sites(report) & branch
    assert sites(report) - branch == {("load", TABLE), ("load", SHOW)}
    assert report["keeps"] is False
    assert {finding["function"] for finding in report["findings"]} == {"work", "show"}
    assert all(finding["instruction"] for finding in report["findings"])
    assert (report["from"]["function"], report["end"]["kind"]) == ("main", "exit")
    assert report["end"]["why"] is None


def test_what_is_not_secret_is_not_found(built: Callable[..., Path], verb: Verb) -> None:
    report = row(verb, built(), "-d", "picorv32", "--secret", "key+2:2")
    assert sites(report) == {("load", SHOW)}


def test_an_address_does_as_well_as_a_symbol(built: Callable[..., Path], verb: Verb) -> None:
    image = built()
    by_name = row(verb, image, "-d", "picorv32", "-s", "key")
    (secret,) = by_name["secrets"]
    assert secret["length"] == 8
    by_address = row(verb, image, "-d", "picorv32", "-s", f"{secret['address']:#x}:8")
    assert by_address["findings"] == by_name["findings"]


def test_a_function_marks_memory_when_it_begins_and_may_end_the_run(
    built: Callable[..., Path], verb: Verb
) -> None:
    words = (built(), "-d", "picorv32", "--secret", "@1:8", "--from", "work")
    report = row(verb, *words, "--until-return")
    assert sites(report) == {("load", TABLE), ("branch", BRANCH)}
    assert report["end"]["kind"] == "returned"
    assert report["end"]["function"] == "work"
    assert report["from"]["times"] == 1
    whole = row(verb, *words)
    assert sites(whole) == {("load", TABLE), ("branch", BRANCH), ("load", SHOW)}
    assert whole["from"]["times"] == 2
    assert whole["from"]["cycle"] == report["from"]["cycle"] > 0


EARLY = """#include <stdint.h>
static const uint8_t table[4] = {3, 1, 4, 1};
uint8_t key[8] = {1, 2, 3, 4, 5, 6, 7, 8};
volatile uint8_t output[8];
int past;
__attribute__((noinline)) int checked(int last)
{
    if (last == past)
        return last;
    output[1] = (uint8_t)last;
    return 2 * last;
}
__attribute__((noinline)) void work(const uint8_t *from)
{
    if (past)
        return;
    output[2] = (uint8_t)checked(5);
    output[0] = table[from[0] & 3];
}
int main(void)
{
    work(key);
    output[3] = table[key[1] & 3];
    return 0;
}
"""


@pytest.mark.parametrize("board", ["picorv32", "stm32f4-24mhz", "rp2040", "atmega2560"])
def test_a_return_that_is_not_made_ends_nothing(
    built: Callable[..., Path], verb: Verb, board: str
) -> None:
    # The Cortex-M4 has conditional returns.
    words = (built(EARLY, board), "-d", board, "--secret", "key", "--from", "work")
    report = row(verb, *words, "--until-return")
    assert sites(report) == {("load", 18)}
    assert (report["end"]["kind"], report["end"]["function"]) == ("returned", "work")
    assert sites(row(verb, *words)) == {("load", 18), ("load", 23)}


def test_a_mark_says_from_when_on_memory_is_secret(built: Callable[..., Path], verb: Verb) -> None:
    image = built()
    # The key was copied before the mark, and the marked memory is not read again.
    result = verb("leak", "ct", image, "-d", "picorv32", "-s", "key", "--from-mark", "0x10")
    assert result.code == 1
    assert "reads nothing of what is secret" in result.err
    report = row(verb, image, "-d", "picorv32", "-s", "open_", "--from-mark", "0x10")
    assert sites(report) == {("load", TABLE), ("branch", BRANCH)}
    result = verb("leak", "ct", image, "-d", "picorv32", "-s", "key", "--from-mark", "0x11")
    assert result.code == 3
    assert "never came to mark 0x11" in result.err


def test_data_of_flash_is_secret_where_main_begins(built: Callable[..., Path], verb: Verb) -> None:
    # Start-up code copies initialised data from flash over memory that would be marked at reset.
    board = "atmega2560"
    report = row(verb, built(board=board), "-d", board, "--secret", "key")
    assert report["from"]["cycle"] > 0
    assert ("load", TABLE) in sites(report)


CONSTANT = """#include <stdint.h>
static const uint8_t table[256] = {1, 2, 3};
const uint8_t key[4] = {9, 8, 7, 6};
volatile uint8_t output[4];
int main(void)
{
    output[0] = table[key[1]];
    return 0;
}
"""


@pytest.mark.parametrize("board", ["picorv32", "stm32f4-24mhz"])
def test_constants_in_flash_may_be_secret(
    built: Callable[..., Path], verb: Verb, board: str
) -> None:
    text = CONSTANT.replace("const uint8_t key", "const volatile uint8_t key")
    report = row(verb, built(text, board), "-d", board, "--secret", "key")
    assert sites(report) == {("load", 7)}


PROGRAM = """#include "aes.h"
uint8_t key[16] = {1, 2, 3}, text[16] = {4, 5, 6}, output[16];
static AES_KEYS keys;
int main(void)
{
    aes128_expand(&keys, key);
    aes128_encrypt(&keys, text, output);
    return 0;
}
"""
STUDY = """[study]
name = "aes"
title = "AES"
device = "ibex-maxperf"
[toolchain]
compiler = "zig"
flags = ["-O2", "-DAES_KEY_BYTES=16"]
[sources]
common = SOURCES
include = INCLUDE
[[workload]]
name = "block"
title = "A block"
source = "main.c"
output = "output"
"""


@pytest.mark.parametrize(
    ("name", "keeps"), [("fast", False), ("lean", False), ("sliced", True), ("small", True)]
)
def test_verdicts_are_those_of_the_primitives(
    verb: Verb, tmp_path: Path, name: str, keeps: bool
) -> None:
    """The same sources within a program, and called separately by the harness for primitives."""
    (subject,) = library.named([f"aes128/{name}"])
    task = Task(subject, Device.load("ibex-maxperf"), Build(("-O2", "-g")), (64,))
    expected = {
        (finding.kind, finding.place.file, finding.place.line)
        for finding in examine(task).findings
        if finding.operation in ("expand", "encrypt")
    }
    assert (not expected) is keeps
    (tmp_path / "main.c").write_text(PROGRAM)
    include = [*map(str, subject.include), str(ROOT / "primitives" / "common")]
    text = STUDY.replace("SOURCES", json.dumps([str(source) for source in subject.sources]))
    (tmp_path / "study.toml").write_text(text.replace("INCLUDE", json.dumps(include)))
    words = (tmp_path / "study.toml", "--secret", "key", "--secret", "text")
    report = row(verb, *words, code=0 if keeps else 3)
    assert report["keeps"] is keeps
    got = {(finding["kind"], finding["file"], finding["line"]) for finding in report["findings"]}
    assert got == expected


def test_a_studys_workload_is_followed_in_its_partition(verb: Verb) -> None:
    words = (AES, "-w", "ctr", "--secret", "main.key")
    tables = row(verb, *words, "-p", "aes128_encrypt=tables")
    assert tables["program"] == "aes128/ctr (aes128_encrypt: tables)"
    assert {finding["kind"] for finding in tables["findings"]} == {"load"}
    assert {finding["function"] for finding in tables["findings"]} == {
        "substituted",
        "mixed",
        "last",
    }
    # A static variable is known by its own name too.
    result = verb("leak", "ct", AES, "-w", "ctr", "--secret", "key")
    assert "main.key" in result.out or "key: 16 bytes" in result.out
    assert "to           │ the program ended" in result.out
    assert "gives some away" in result.out
    assert "in `substituted`: the address of a load" in result.out


REVEALED = """#include "bytes.h"
#include <stdint.h>
uint8_t key[4] = {1, 2, 3, 4};
volatile uint8_t output[1];
int main(void)
{
    if (revealed(key[0] ^ key[1]))
        output[0] = 1;
    return 0;
}
"""


def test_a_program_may_say_what_it_gives_away_on_purpose(verb: Verb, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(REVEALED)
    text = STUDY.replace("SOURCES", "[]")
    include = json.dumps([str(ROOT / "primitives" / "common")])
    (tmp_path / "study.toml").write_text(text.replace("INCLUDE", include))
    assert row(verb, tmp_path / "study.toml", "-s", "key", code=0)["keeps"] is True


ENDLESS = """#include <stdint.h>
uint8_t key[4] = {1, 2, 3, 4};
volatile uint8_t output[4];
volatile int turns;
int main(void)
{
    output[0] = key[0];
    LOOP
}
"""


def test_where_a_run_ends_is_said(built: Callable[..., Path], verb: Verb) -> None:
    still = built(ENDLESS.replace("LOOP", "for (;;) {}"))
    report = row(verb, still, "-d", "picorv32", "-s", "key", code=0)
    assert (report["end"]["kind"], report["end"]["line"]) == ("stays", 8)
    assert report["keeps"] is True
    counting = built(ENDLESS.replace("LOOP", "for (;;) turns++;"))
    words = (counting, "-d", "picorv32", "-s", "key", "--instructions", "1000")
    report = row(verb, *words, code=0)
    assert (report["end"]["kind"], report["end"]["line"]) == ("limit", 8)
    # Nothing was found, but the program goes on.
    assert report["keeps"] is None
    assert report["instructions"] >= 1000
    fault = built(ENDLESS.replace("LOOP", "return *(volatile int *)0x70000000;"))
    result = verb("leak", "ct", fault, "-d", "picorv32", "-s", "key")
    assert result.code == 3
    assert "was not followed to its end" in result.err
    assert "nothing answers at 0x70000000" in result.err
    assert "main.c:8 in `main`" in result.err


def test_registers_that_give_nothing_are_named(built: Callable[..., Path], verb: Verb) -> None:
    text = ENDLESS.replace("LOOP", "turns = *(volatile int *)0x80000010; return 0;")
    report = row(verb, built(text), "-d", "picorv32", "-s", "key", code=0)
    (note,) = report["notes"]
    assert "0x80000010" in note


CALLS = """#include <stdint.h>
uint8_t key[4] = {1, 2, 3, 4};
volatile uint8_t output[4];
static int host(int number, void *argument)
{
    register int   a0 __asm__("a0") = number;
    register void *a1 __asm__("a1") = argument;
    __asm__ volatile(".option push; .option norvc; slli x0, x0, 0x1f; ebreak; srai x0, x0, 7;"
                     ".option pop"
                     : "+r"(a0) : "r"(a1) : "memory");
    return a0;
}
int main(void)
{
    output[0] = key[0];
    host(4, "SYS_WRITE0 of RISC-V Semihosting, 1.0");
    if (output[0] & 1)
        output[1] = 2;
    host(0x18, (void *)0x20026);
    for (;;) {}
}
"""


def test_calls_to_the_host_are_gone_beyond(built: Callable[..., Path], verb: Verb) -> None:
    report = row(verb, built(CALLS), "-d", "picorv32", "-s", "key")
    assert sites(report) == {("branch", 17)}
    assert report["end"]["kind"] == "host_exit"
    assert report["notes"] == ["2 calls to its host gave 0 while it was followed"]


MISTAKES = [
    (("--secret", "kex"), "did you mean `key`?"),
    (("--secret", "key:0"), "names no secret"),
    (("--secret", "0x100"), "has no length"),
    (("--secret", "0xf0000000:4"), "no memory of picorv32 holds the 4 bytes"),
    (("--secret", "key", "--from", "worl"), "did you mean `work`?"),
    (("--secret", "key", "--until-return"), "name it by --from"),
    (("--secret", "@1:4", "--from-mark", "1"), "only a function has arguments"),
    (("--secret", "@9:4", "--from", "work"), "only 8 arguments are in registers"),
    (("--secret", "key", "--from-mark", "x"), "no value of a mark"),
    (("--secret", "key", "--from", "work", "--from-mark", "1"), "name one"),
    ((), "add --secret"),
    (("--secret", "key", "--all"), "name one of both"),
    (("--secret", "key", "-d", "serv"), "one device"),
    (("--secret", "key", "-O", "2"), "name one of both"),
]


@pytest.mark.parametrize(("words", "advice"), MISTAKES)
def test_a_mistake_is_told_with_what_to_do(
    built: Callable[..., Path], verb: Verb, words: tuple[str, ...], advice: str
) -> None:
    result = verb("leak", "ct", built(), "-d", "picorv32", *words)
    assert result.code == 1, result.err
    assert advice in result.err
    assert result.out == ""


def test_what_is_for_programs_is_refused_for_primitives(verb: Verb) -> None:
    result = verb("leak", "ct", "aes128/sliced", "--secret", "key")
    assert result.code == 1
    assert "for one program, an image or a study" in result.err


def test_coprocessors_are_not_followed(verb: Verb) -> None:
    result = verb("leak", "ct", AES, "-p", "aes128_encrypt", "--secret", "main.key")
    assert result.code == 1
    assert "choose a partition without any" in result.err


def test_a_function_that_is_never_called_is_told(built: Callable[..., Path], verb: Verb) -> None:
    text = LEAKY.replace("    show(output);\n", "    if (output[6]) show(output);\n")
    result = verb("leak", "ct", built(text), "-d", "picorv32", "-s", "key", "--from", "show")
    assert result.code == 3
    assert "never came to `show`: the program ended with code 0" in result.err
