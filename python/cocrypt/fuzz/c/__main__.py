"""Compares random C programs with the host, on both engines and for all architecture levels.

    python -m cocrypt.fuzz.c [--programs N] [--seed S] [--jobs N] [--keep DIR] [--write FILE]

csmith's programs from the seed on are compiled for each level with each optimisation, in turn by
zig and by GCC. It prints Markdown; --write puts it between the marks on a page. --keep
names a folder for sources and images of programs that differ. The exit code is 1 if any does. The
results are kept in the cache, so that an interrupted campaign continues.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import count, islice, product
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.fuzz.c import (
    COMPILERS,
    LEVELS,
    OPTIMISATIONS,
    Bench,
    Generator,
    Program,
    check,
    progress,
)
from cocrypt.fuzz.c.levels import RUNTIME
from cocrypt.toolchain import Toolchain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cocrypt.fuzz.c import Outcome, Skipped

BATCH = 10
"""Programs that are generated at once; their images are removed before the next are built."""


def main() -> int:
    """Runs the command."""
    options = _options()
    saved = progress.place(options.seed)
    with tempfile.TemporaryDirectory(prefix="cocrypt-c-") as folder:
        # Thousands of objects and images that are not used again stay out of the cache.
        os.environ["COCRYPT_CACHE"] = f"{folder}/cache"
        campaign = Campaign(Path(folder), options.jobs, options.keep)
        progress.load(campaign, saved)
        campaign.run(options.seed, options.programs, lambda: progress.save(campaign, saved))
    table = campaign.table()
    print(table)
    if options.write:
        paths.write_between(options.write, "programs", table)
    return 1 if campaign.differences else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cocrypt.fuzz.c", description=__doc__)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--write", type=Path)
    return parser.parse_args()


class Campaign:
    """Many programs, and the counts of their outcomes."""

    def __init__(self, folder: Path, jobs: int, keep: Path | None) -> None:
        self.generator, self.bench = Generator(folder / "programs"), Bench(folder / "devices")
        self.jobs, self.keep = jobs, keep
        self.programs = 0
        self.shared: set[Path] = set()
        self.seeds: list[int] = []
        self.skipped: Counter[str] = Counter()
        self.verdicts: Counter[tuple[object, str, str]] = Counter()
        self.instructions: Counter[object] = Counter()
        self.differences: list[Outcome] = []

    def run(self, seed: int, programs: int, batched: Callable[[], object]) -> None:
        """Compares the first programs from the seed on that end; reports each batch."""
        self._prepare()
        begin = self.seeds[-1] + 1 if self.seeds else seed
        with ThreadPoolExecutor(self.jobs) as pool:
            generated = self._generated(pool, count(begin))
            while batch := list(islice(generated, min(BATCH, programs - self.programs))):
                self._compare(pool, batch)
                self.programs += len(batch)
                self._clear(batch)
                images, differ = sum(self.verdicts.values()), len(self.differences)
                self._say(f"{self.programs} of {programs}: {images} images, {differ} differ")
                batched()

    def _prepare(self) -> None:
        """Compiles the runtime, which all programs share."""
        for level, name in product(LEVELS, COMPILERS):
            chain = Toolchain(self.bench.device(level), name)
            chain.compile(chain.runtime(RUNTIME))
        self.shared = set(self._built())

    def _clear(self, batch: Sequence[Program]) -> None:
        """Removes the objects and images of a batch."""
        for path in {*self._built(), *(program.source for program in batch)} - self.shared:
            path.unlink()

    def _built(self) -> list[Path]:
        return [*paths.cache().glob("objects/*"), *paths.cache().glob("images/*")]

    def table(self) -> str:
        """The counts, as Markdown."""
        head = ["Architecture", "Code", "Device", *OPTIMISATIONS, "Not ended", "Differ"]
        rows = [[*head, "Instructions (10⁶)"], ["---"] * 3 + ["---:"] * (len(OPTIMISATIONS) + 3)]
        for level in LEVELS:
            agree = [self.verdicts[level, option, "agrees"] for option in OPTIMISATIONS]
            late = sum(self.verdicts[level, option, "not ended"] for option in OPTIMISATIONS)
            differ = sum(outcome.level == level for outcome in self.differences)
            millions = f"{self.instructions[level] / 1e6:,.0f}"
            counted = (*agree, late, differ, millions)
            rows.append([level.name, level.code, level.device, *map(str, counted)])
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([*lines, "", self._summary()])

    def _summary(self) -> str:
        lowest, highest = self.seeds[0], self.seeds[-1]
        skipped = self.skipped
        return (
            f"Seeds {lowest} to {highest}: {self.programs:,} programs, "
            f"{sum(self.verdicts.values()):,} images. Left out: {skipped['endless']} that did not "
            f"end on the host, {skipped['undecided']} about which its own compiler's levels differ."
        )

    def _generated(self, pool: ThreadPoolExecutor, seeds: Iterator[int]) -> Iterator[Program]:
        while True:
            for program in pool.map(self.generator.program, islice(seeds, BATCH)):
                if isinstance(program, Program):
                    self.seeds.append(program.seed)
                    yield program
                else:
                    self._leave_out(program)

    def _leave_out(self, skipped: Skipped) -> None:
        self.skipped[skipped.reason] += 1

    def _compare(self, pool: ThreadPoolExecutor, programs: Sequence[Program]) -> None:
        """Compares each program for each level with each option."""
        jobs = [
            pool.submit(check, self.bench, level, program, f"{compiler(program)} {option}")
            for program, level, option in product(programs, LEVELS, OPTIMISATIONS)
        ]
        for job in as_completed(jobs):
            self._count(job.result())

    def _count(self, outcome: Outcome) -> None:
        option = outcome.built.split()[1]
        self.verdicts[outcome.level, option, outcome.verdict] += 1
        self.instructions[outcome.level] += outcome.instructions
        if outcome.verdict not in ("agrees", "not ended"):
            self.differences.append(outcome)
            self._say(str(outcome))
            self._keep(outcome)

    def _keep(self, outcome: Outcome) -> None:
        if self.keep is None:
            return
        self.keep.mkdir(parents=True, exist_ok=True)
        source = outcome.program.source
        (self.keep / source.name).write_bytes(source.read_bytes())
        level = outcome.level
        name = f"{source.stem}-{level.device}-{level.code}-{outcome.built.replace(' ', '')}.elf"
        (self.keep / name).write_bytes(outcome.image)

    def _say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


def compiler(program: Program) -> str:
    """The compiler of a program; each compiler has half of the programs."""
    return COMPILERS[program.seed % len(COMPILERS)]


if __name__ == "__main__":
    sys.exit(main())
