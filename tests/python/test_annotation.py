"""Annotated functions: every cycle beside its source, on the terminal and on a page."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from cocrypt import Machine, annotation
from cocrypt.annotation import Line, Near, annotate
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.report.annotated import annotated
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.annotation import Annotation
    from conftest import Cocrypt

PROGRAM = """#include <cocrypt/device.h>
static inline __attribute__((always_inline)) uint32_t scramble(uint32_t x)
{
    x ^= x << 13; /* scrambled */
    return x;
}
__attribute__((noinline)) uint32_t rounds(uint32_t count, uint32_t odd)
{
    uint32_t sum = 1;
    for (uint32_t i = 0; i < count; i++) {
        sum = scramble(sum) * 3;
    }
    if (odd == 77) {
        sum += device_read(COCRYPT_COUNTER); /* never */
    }
    return sum;
}
int main(void) { return rounds(1000, 4) == 0; }
"""
BODY, INNER, NEVER = 11, 4, 14


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program whose source lies beside it."""
    return built(tmp_path_factory.mktemp("annotated"), "picorv32", ("-O1", "-g"))


def built(folder: Path, device: str, flags: tuple[str, ...]) -> Path:
    source = folder / "main.c"
    source.write_text(PROGRAM, encoding="utf-8")
    toolchain = Toolchain(Device.load(device))
    units = [*toolchain.runtime(("-O1",)), Unit(source, flags)]
    linked = toolchain.link(list(toolchain.compile_needed(units).values()), source.name)
    return shutil.copyfile(linked, folder / "program.elf")


def ran(image: Path, device: str = "picorv32") -> Machine:
    machine = Machine(device, image, contexts=True)
    assert machine.run().values["stop"]["kind"] == "exit"
    return machine


@pytest.fixture(scope="module")
def machine(image: Path) -> Machine:
    return ran(image)


@pytest.fixture(scope="module")
def rounds(machine: Machine, image: Path) -> Annotation:
    return annotate(machine, "hottest", Near(image))


def test_the_hottest_function_has_its_own_cycles(machine: Machine, rounds: Annotation) -> None:
    rows = {function["name"]: function for function in machine.profile().values["functions"]}
    assert rounds.function == "rounds"
    assert rounds.spent.cycles == rows["rounds"]["self_cycles"]
    assert rounds.spent.executions == rows["rounds"]["self_instructions"]
    assert sum(spent.cycles for spent in rounds.lines().values()) <= rounds.spent.cycles


def test_instructions_are_those_of_binutils(
    rounds: Annotation, image: Path, need_tool: Callable[[str], str]
) -> None:
    """Addresses of all instructions, run or not, and the lines that they come from."""
    tool = need_tool("riscv64-unknown-elf-objdump")
    command = [tool, "-d", "-l", "--disassemble=rounds", str(image)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    line, theirs = None, {}
    for row in text.splitlines():
        if match := re.match(r"/.*:(\d+)", row):
            line = int(match[1])
        elif code := re.match(r"\s*([0-9a-f]+):\t", row):
            theirs[int(code[1], 16)] = line
    assert theirs
    assert [instruction.address for instruction in rounds.instructions] == list(theirs)
    # If the compiler names no line, the other tool goes on with the last one.
    ours = {
        instruction.address: instruction.line.number
        for instruction in rounds.instructions
        if instruction.line is not None
    }
    assert ours.items() <= theirs.items()
    assert len(ours) > len(theirs) / 2


def test_lines_are_counted_as_often_as_the_program_says(rounds: Annotation) -> None:
    by_number = {line.number: spent for line, spent in rounds.lines().items()}
    # The shift and the exclusive or each run once in every round.
    assert by_number[INNER].executions == 2000
    assert by_number[BODY].executions >= 1000
    assert by_number[NEVER].executions == by_number[NEVER].cycles == 0
    assert any(instruction.inlined == ("scramble",) for instruction in rounds.instructions)
    assert all(
        instruction.stalls == max(0, instruction.cycles - instruction.executions)
        for instruction in rounds.instructions
    )


def test_source_is_shown_by_its_lines(rounds: Annotation) -> None:
    (file,) = (path for path in rounds.sources if path.endswith("main.c"))
    assert rounds.text(Line(file, INNER)) == PROGRAM.splitlines()[INNER - 1]
    assert rounds.notes == []


def test_source_that_is_missing_or_changed_is_told(image: Path, tmp_path: Path) -> None:
    missing = annotation.source("/nowhere/else.c", Near(image))
    assert missing.lines == ()
    assert "not at hand" in str(missing.note)
    copied = tmp_path / "program.elf"
    shutil.copy2(image, copied)
    (tmp_path / "main.c").write_text("/* later */\n", encoding="utf-8")
    later = annotation.source("main.c", Near(copied))
    assert "changed since" in str(later.note)


def test_a_program_cannot_have_any_file_shown(tmp_path: Path) -> None:
    """Debug information may name a private file, which must not be shown."""
    secret = tmp_path / "id_ed25519"
    secret.write_text("private\n", encoding="utf-8")
    source = annotation.source(str(secret))
    assert source.lines == ()
    assert "is not read" in str(source.note)
    startup = tmp_path / "crt0.S"
    startup.write_text("_start:\n", encoding="utf-8")
    assert annotation.source(str(startup)).lines == ("_start:",)


def test_a_program_without_debug_information_says_how_to_have_it(tmp_path: Path) -> None:
    image = built(tmp_path, "picorv32", ("-O1", "-g0"))
    rounds = annotate(ran(image), "rounds", Near(image))
    assert rounds.spent.executions > 1000
    assert rounds.notes == ["no source lines are known: build the program with -g"]


def test_a_function_that_is_not_there_is_the_users_mistake(machine: Machine) -> None:
    with pytest.raises(InputError, match="no function `round`") as error:
        annotate(machine, "round")
    assert error.value.help == "did you mean `rounds`?"


@pytest.mark.parametrize("device", ["stm32f4-24mhz", "arm7tdmi", "atmega328p", "ibex-small"])
def test_every_instruction_set_is_annotated(device: str, tmp_path: Path) -> None:
    image = built(tmp_path, device, ("-O1", "-g"))
    machine = ran(image, device)
    rounds = annotate(machine, "rounds", Near(image))
    rows = {function["name"]: function for function in machine.profile().values["functions"]}
    assert rounds.spent.cycles == rows["rounds"]["self_cycles"] > 1000
    assert INNER in {line.number for line in rounds.lines()}


@pytest.mark.parametrize("columns", [80, 100, 160])
def test_the_terminal_shows_source_assembly_and_figures(
    cocrypt: Cocrypt, image: Path, columns: int
) -> None:
    result = cocrypt("profile", image, "-d", "picorv32", "--annotate", "rounds", columns=columns)
    assert result.returncode == 0, result.stderr
    words = re.sub(r"[│\s]+", " ", result.stdout)
    assert re.search(r"x \^= x << 13; .*/\* .*scrambled \*/", words)
    assert re.search(r"slli .*1,000", result.stdout)
    assert "stalls" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= columns


def test_a_source_that_is_not_at_hand_is_told_on_the_terminal(
    cocrypt: Cocrypt, image: Path, tmp_path: Path
) -> None:
    copied = tmp_path / "program.elf"
    # The source's path does not exist here, as in a file from another machine.
    copied.write_bytes(image.read_bytes().replace(b"main.c", b"gone.c"))
    result = cocrypt("profile", copied, "-d", "picorv32", "--annotate", "rounds")
    assert result.returncode == 0
    assert "(source not at hand)" in result.stdout
    assert "gone.c: not at hand here; run in the folder where" in result.stderr


def test_json_has_the_annotation(cocrypt: Cocrypt, image: Path) -> None:
    result = cocrypt("profile", image, "-d", "picorv32", "--annotate", "hottest", "--json")
    values = json.loads(result.stdout)["annotation"]
    assert values["function"] == "rounds"
    assert values["cycles"] == sum(instruction["cycles"] for instruction in values["instructions"])
    (inner,) = [line for line in values["lines"] if line["line"] == INNER]
    assert inner["executions"] == 2000
    assert inner["text"].strip().startswith("x ^=")


class Rows(HTMLParser):
    """The rows of a page's tables, by the place that joins source and assembly."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str | None, list[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append((dict(attrs).get("data-line"), []))
        if tag in ("td", "th"):
            self.rows[-1][1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1][1]:
            self.rows[-1][1][-1] += data


def test_the_page_joins_lines_and_instructions(rounds: Annotation) -> None:
    page = annotated(rounds, "PicoRV32", "program.elf")
    rows = Rows()
    rows.feed(page)
    addresses = [
        address for address, cells in rows.rows if "x ^= x << 13; /* scrambled */" in str(cells)
    ]
    assert len(addresses) == 1
    joined = [cells for address, cells in rows.rows if address == addresses[0]]
    assert {"slli", "xor"} <= {cells[-1].split()[0] for cells in joined}
    assert len(page) < 100_000
    assert "src=" not in page
