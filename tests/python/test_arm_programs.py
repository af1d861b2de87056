"""Random C programs for every ARM architecture level: both engines compute what the host does.

`python -m cocrypt.fuzz.c` runs any number of them; docs/arm.md lists what it found.
"""

from __future__ import annotations

import subprocess
from dataclasses import replace
from itertools import count, islice, product
from typing import TYPE_CHECKING

import pytest

from ahead import share
from cocrypt.fuzz.c import (
    COMPILERS,
    LEVELS,
    OPTIMISATIONS,
    Bench,
    Generator,
    Level,
    Program,
    Skipped,
    check,
    progress,
)
from cocrypt.fuzz.c.__main__ import Campaign
from cocrypt.fuzz.c.generate import portable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path

SEED, EACH = 1000, 5
"""The number of programs of each level."""
levels = pytest.mark.parametrize("level", LEVELS, ids=str)


@pytest.fixture
def generator(need_tool: Callable[[str], str], tmp_path: Path) -> Generator:
    for name in ("csmith", "cc", COMPILERS[1]):
        need_tool(name)
    return Generator(tmp_path / "programs")


@pytest.mark.long
@levels
def test_programs_compute_what_they_do_on_the_host(
    level: Level, generator: Generator, tmp_path: Path
) -> None:
    bench, first = Bench(tmp_path / "devices"), SEED * (1 + LEVELS.index(level))
    bench.device(level)
    with share() as pool:
        programs = list(islice(_ending(pool, generator, first), EACH))
        jobs = [
            pool.submit(check, bench, level, program, f"{COMPILERS[number % 2]} {option}")
            for (number, program), option in product(enumerate(programs), OPTIMISATIONS)
        ]
        outcomes = [job.result() for job in jobs]
    assert [
        str(outcome) for outcome in outcomes if outcome.verdict not in ("agrees", "not ended")
    ] == []
    assert sum(outcome.verdict == "agrees" for outcome in outcomes) >= 4 * (EACH - 1)


def _ending(pool: ThreadPoolExecutor, generator: Generator, first: int) -> Iterator[Program]:
    """The programs from a seed on that end on the host."""
    seeds = count(first)
    while True:
        for outcome in pool.map(generator.program, islice(seeds, EACH)):
            if isinstance(outcome, Program):
                yield outcome


def test_what_differs_is_told(generator: Generator, tmp_path: Path) -> None:
    program = generator.program(1)
    assert isinstance(program, Program)
    assert program.said.startswith("checksum = ")
    wrong = replace(program, said="checksum = 0\n")
    outcome = check(Bench(tmp_path / "devices"), LEVELS[-1], wrong, "zig -O2")
    assert outcome.verdict == "differs from the host"
    assert outcome.instructions > 1000
    assert program.said.strip() in str(outcome)


@pytest.mark.parametrize("compiled_by", COMPILERS)
@levels
def test_programs_are_in_the_code_that_a_level_names(
    level: Level, compiled_by: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """An odd address is one of Thumb code; the runtime is A32 on cores that have A32."""
    readelf = need_tool("arm-none-eabi-readelf")
    source = tmp_path / "main.c"
    source.write_text('#include <stdio.h>\nint main(void) { return puts("") == EOF; }\n')
    program = Program(0, source, (), "\n")
    bench = Bench(tmp_path / "devices")
    outcome = check(bench, level, program, f"{compiled_by} -O2")
    assert outcome.verdict == "agrees"
    image = tmp_path / "image.elf"
    image.write_bytes(outcome.image)
    symbols = [readelf, "-Ws", str(image)]
    listing = subprocess.run(symbols, capture_output=True, text=True, check=True).stdout
    rows = (row.split() for row in listing.splitlines() if " FUNC " in row)
    addresses = {row[-1]: int(row[1], 16) for row in rows}
    assert addresses["main"] % 2 == (level.code == "Thumb")
    assert addresses["puts"] % 2 == level.device.startswith("stm32")


def test_endless_programs_are_left_out(
    generator: Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cocrypt.fuzz.c.generate.SECONDS", 0.2)
    endless = "int main(void) { volatile int a = 1; while (a) {} return 0; }\n"
    monkeypatch.setattr(generator, "_generate", lambda _seed: endless)
    assert generator.program(3) == Skipped(3, "endless")


def test_programs_whose_results_vary_on_the_host_are_left_out(
    generator: Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    vague = "#include <stdio.h>\nint main(void) { return puts(VAGUE) == EOF; }\n"
    text = vague.replace("VAGUE", '(__OPTIMIZE__ + 0) ? "a" : "b"')
    text = f"#ifndef __OPTIMIZE__\n#define __OPTIMIZE__ 0\n#endif\n{text}"
    monkeypatch.setattr(generator, "_generate", lambda _seed: text)
    assert generator.program(3) == Skipped(3, "undecided")


def test_constants_have_one_size_everywhere() -> None:
    assert portable("0xFFL + 3UL + (-1L) + 0x1LL + 7ULL + l_3UL") == (
        "0xFF + 3U + (-1) + 0x1LL + 7ULL + l_3UL"
    )


WIDE = """
#include <stdint.h>
#include <stdio.h>

static volatile uint64_t a = 0x9e3779b97f4a7c15u, b = 0xd1b54a32d192ed03u;
static volatile int64_t  c = -0x123456789abcdef, d = 0xfedcba9;

int main(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < 40; i++) {
        sum = sum * 3 + (a * b ^ a / (b >> 7 * (i % 9)) ^ a % (b >> i));
        sum += (uint64_t)c * (uint64_t)d + (uint64_t)(c / d) + (uint64_t)(c % (d - i));
        sum ^= (a << i) ^ (b >> i) ^ (uint64_t)(c >> i);
        a = sum * b;
        c = (int64_t)((sum ^ (uint64_t)c) * (uint64_t)d);
    }
    unsigned long high = (unsigned long)(sum >> 32), low = (unsigned long)(sum & 0xffffffffu);
    printf("checksum = %08lX%08lX\\n", high, low);
    return 0;
}
"""


@levels
@pytest.mark.usefixtures("generator")
def test_numbers_of_64_bits_are_what_they_are_on_the_host(level: Level, tmp_path: Path) -> None:
    """The runtime is A32 on cores that have A32, and Thumb code calls its helpers nevertheless."""
    source, on_host = tmp_path / "wide.c", tmp_path / "wide"
    source.write_text(WIDE)
    subprocess.run(["cc", "-w", source, "-o", on_host], check=True)
    printed = subprocess.run([on_host], check=True, capture_output=True, text=True).stdout
    program, bench = Program(0, source, (), printed), Bench(tmp_path / "devices")
    for build in (
        f"{compiler} {option}" for compiler in COMPILERS for option in ("-O0", "-O2", "-Os")
    ):
        outcome = check(bench, level, program, build)
        assert outcome.verdict == "agrees", str(outcome)


def test_a_campaign_goes_on_where_it_was(generator: Generator, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    campaigns = [Campaign(tmp_path / name, 2, None) for name in ("first", "again")]
    first, again = campaigns
    first.programs, first.seeds = 10, [*range(5, 16)]
    first.skipped["endless"] += 1
    first.verdicts[LEVELS[2], "-O2", "agrees"] += 7
    first.instructions[LEVELS[2]] += 123
    progress.save(first, path)
    progress.load(again, path)
    assert again.table() == first.table()
    assert "| 7 |" in again.table()
    program = generator.program(1)
    assert isinstance(program, Program)
    first.differences.append(check(Bench(tmp_path / "devices"), LEVELS[-1], program, "zig -O2"))
    first.programs = 20
    progress.save(first, path)
    progress.load(again, path)
    assert again.programs == 10, "what differs is to be seen again"
