"""AES-128 of the paper's figures 6 and 13 on its processor, an SH3-DSP: in C and in hardware.

The images are recorded; with the compiler that `cocrypt toolchain sh-elf` builds they must still be
the same. After a change of the runtime, `python test_matsuoka2004_superh.py` records them again.
"""

from __future__ import annotations

import json
import lzma
import tomllib
from typing import TYPE_CHECKING

import jsonschema
import pytest

from cocrypt.builder import Builder
from cocrypt.partition import partitions
from cocrypt.primitives import library
from cocrypt.primitives.measuring import Build, Task
from cocrypt.reproduce.matsuoka2004 import native
from conftest import ROOT
from test_gnu_cores import compiler_of, loaded

if TYPE_CHECKING:
    from cocrypt.partition import Partition

PAPER = tomllib.loads((ROOT / "studies/published/matsuoka2004.toml").read_text("utf-8"))
SCHEMA = ROOT / "docs/schemas/output/reproduce-matsuoka2004.schema.json"
NEAR = 0.02
"""The greatest deviation of C from the paper's cycles."""


def built(partition: Partition) -> bytes:
    """The image that the compiler makes of a partition."""
    study = native.study()
    (program,) = Builder(study).build([(study.workload(), partition)])
    return program.image


def test_recorded_images_encrypt_the_block_of_fips_197() -> None:
    result = native.reproduce(PAPER)
    assert result.wrong == ()
    for each in (result.software, result.hardware):
        # The second time code and tables are in the caches.
        assert each.second < each.first
    assert result.software.second > 20 * result.hardware.second
    transfers = 2 * (4 + 4 + 1 + 1 + 4)
    assert result.hardware.waited >= transfers * result.study.device.bus.wait
    assert result.software.waited == 0
    schema = json.loads(SCHEMA.read_text("utf-8"))["properties"]["native"]
    jsonschema.validate(result.record(), schema)


@pytest.mark.parametrize("kind", ["software", "coprocessor"])
def test_the_compiler_still_makes_the_recorded_images(kind: str) -> None:
    compiler_of("sh7729")
    study = native.study()
    every = {native.image_of(chosen).name: chosen for chosen in partitions(study)}
    recorded = lzma.decompress(native.image_of(every[f"{kind}.elf.xz"]).read_bytes())
    assert loaded(built(every[f"{kind}.elf.xz"])) == loaded(recorded)


def test_c_takes_the_papers_cycles() -> None:
    compiler_of("sh7729")
    (subject,) = library.named(["aes128/ref"])
    rows = Task(subject, native.study().device, Build(("-O2",))).measure()
    ours = sum(row.cycles for row in rows if row.operation in {"expand", "encrypt"})
    assert ours == pytest.approx(PAPER["aes_cycles"]["c"]["cipher"], rel=NEAR)


def record() -> None:
    """Writes the images."""
    for chosen in partitions(native.study()):
        native.image_of(chosen).write_bytes(lzma.compress(built(chosen), preset=9))


if __name__ == "__main__":
    record()
