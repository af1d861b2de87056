"""RSA of the study duarte2010 on the paper's processor, a MicroBlaze.

The images are recorded; with the compiler that `cocrypt toolchain microblaze-elf` builds they must
still be the same. After a change of the runtime or the programs, `python
test_duarte2010_microblaze.py` records them again.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from cocrypt import paths
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.partition import partition
from cocrypt.reproduce.duarte2010 import native
from cocrypt.reproduce.duarte2010.claims import amdahl, external
from cocrypt.reproduce.duarte2010.experiment import leaf
from cocrypt.reproduce.duarte2010.timed import Program, run_programs
from cocrypt.study import Study
from conftest import ROOT
from host import vectors
from test_gnu_cores import compiler_of, loaded

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cocrypt.partition import Partition
    from cocrypt.study import Workload

PUBLISHED = vectors("studies/published/duarte2010.toml")
HOT = "rsa_toy_power"
IMAGES = tuple(sorted(path.name for path in native.folder().glob("*.elf.xz")))


@cache
def study() -> Study:
    return native.studied(Study.load(ROOT / "studies/duarte2010.toml"))


@cache
def choices() -> tuple[Partition, Partition]:
    """Without and with the hot function in hardware."""
    return partition(study(), ()), partition(study(), (HOT,))


@cache
def measured() -> native.Native:
    return native.native(Study.load(ROOT / "studies/duarte2010.toml"), *choices())


def every() -> dict[str, tuple[Workload, Partition, tuple[str, ...]]]:
    """What each image is of, by its file's name."""
    workloads = [(workload, ()) for workload in study().workloads]
    unoptimised = [(study().workload("text_4"), native.UNOPTIMISED)]
    return {
        native.image_of(workload, chosen, flags).name: (workload, chosen, flags)
        for workload, flags in (*workloads, *unoptimised)
        for chosen in choices()
    }


def built(workload: Workload, chosen: Partition, flags: tuple[str, ...]) -> bytes:
    """The image that the compiler makes."""
    compiled = replace(study(), flags=flags or study().flags)
    (program,) = Builder(compiled).build([(workload, chosen)])
    return program.image


def hashes() -> dict[str, str]:
    """The hashes of the programs' sources with their headers, and of the runtime."""
    runtime = paths.runtime() / study().device.target.instructions.folder
    options = (
        candidate.option(choices()[1].choice[candidate.function])
        for candidate in study().candidates
    )
    replaced = [option.source for option in options if option and option.source]
    software = [candidate.software for candidate in study().candidates if candidate.software]
    programs = [workload.source for workload in study().workloads if workload.source]
    files = {
        "sources_sha256": with_headers([*programs, *study().common, *software, *replaced]),
        "runtime_sha256": sorted(path for path in runtime.rglob("*") if path.is_file()),
    }
    return {
        name: hashlib.sha256(b"".join(path.read_bytes() for path in of_name)).hexdigest()
        for name, of_name in files.items()
    }


def with_headers(sources: Iterable[Path]) -> list[Path]:
    """Sources, and the headers that they name in quotes, in the order in which they come up."""
    drivers = ROOT / "coprocessors/pow2/driver"
    places = (*study().include, drivers, paths.runtime() / "include")
    found = dict.fromkeys(path.resolve() for path in sources)
    waiting = list(found)
    while waiting:
        source = waiting.pop()
        for name in re.findall(r'#include "(.+)"', source.read_text("utf-8")):
            candidates = (place / name for place in (source.parent, *places))
            header = next(path.resolve() for path in candidates if path.is_file())
            if header not in found:
                found[header] = None
                waiting.append(header)
    return list(found)


def test_there_is_an_image_of_each_program() -> None:
    assert set(IMAGES) == set(every())
    assert set(native.record_of()["sha256"]) == set(IMAGES)


def test_the_images_are_of_the_present_sources() -> None:
    """Else they are to be recorded again, by `python test_duarte2010_microblaze.py`."""
    record, now = native.record_of(), hashes()
    assert {name: record.get(name) for name in now} == now


@pytest.mark.parametrize("name", IMAGES)
def test_the_images_are_those_of_the_record(name: str) -> None:
    image = lzma.decompress((native.folder() / name).read_bytes())
    assert native.record_of()["sha256"][name] == hashlib.sha256(image).hexdigest()


@pytest.mark.parametrize("name", IMAGES)
def test_the_compiler_still_makes_the_recorded_images(name: str) -> None:
    compiler_of(native.DEVICE)
    record, now = native.record_of()["compiler"], Builder(study()).description()["compiler"]
    if record != now:
        pytest.skip(f"{now} is another compiler than {record}")
    recorded = lzma.decompress((native.folder() / name).read_bytes())
    assert loaded(built(*every()[name])) == loaded(recorded)


def test_all_that_ran_gave_what_is_expected() -> None:
    for pair in measured().every:
        assert pair.without.verified
        assert pair.with_hardware.verified


def test_the_processor_has_the_same_hot_function() -> None:
    (profiled,) = (pair for pair in measured().sizes if pair.without.size == 400)
    assert leaf(profiled.without.tree).name == HOT


def test_the_coprocessor_is_written_and_read_once_a_call() -> None:
    for pair in measured().every:
        calls = pair.without.calls(HOT)
        assert calls == pair.with_hardware.calls(HOT) == 2 * 32 * pair.without.size // 4
        assert pair.with_hardware.waited == 2 * calls * PUBLISHED["platform"]["bus_cycles"] + (
            2 * calls * PUBLISHED["platform"]["access_cycles"][0]
        )


def test_what_is_gained_is_what_amdahls_law_allows() -> None:
    for pair in measured().sizes:
        cycles = [run.each(HOT) for run in (pair.without, pair.with_hardware)]
        bound = amdahl(pair.without.share(HOT), cycles[0] / cycles[1])
        assert pair.speedup == pytest.approx(bound, rel=1e-3)


@pytest.mark.long
def test_wait_states_are_those_that_come_nearest_to_the_papers_ratio(tmp_path: Path) -> None:
    (tmp_path / "cores").symlink_to(ROOT / "devices/cores")
    described = (ROOT / f"devices/{native.EXTERNAL}.toml").read_text()
    (stated,) = {int(wait) for wait in re.findall(r"(?:fetch|data)_wait +?= (\d+)", described)}
    aim = external(PUBLISHED)[0] / (1e6 * PUBLISHED["row"][0]["without"]["Mcycles"])
    workload, software = study().workload("text_4"), choices()[0]
    image = lzma.decompress(native.image_of(workload, software).read_bytes())
    near, far = measured().sizes[0].without.cycles, {}
    for wait in (stated - 1, stated, stated + 1):
        path = tmp_path / f"ddr{wait}.toml"
        path.write_text(re.sub(r"((?:fetch|data)_wait +?=) \d+", rf"\1 {wait}", described))
        away = study().on(Device.load(path))
        (run,) = run_programs(away, [Program(workload, software, image)])
        far[wait] = abs(run.cycles / near - aim)
    assert min(far, key=far.__getitem__) == stated


def record() -> None:
    """Writes the images, and what made them."""
    native.folder().mkdir(exist_ok=True)
    sums = {}
    for name, program in every().items():
        image = built(*program)
        (native.folder() / name).write_bytes(lzma.compress(image, preset=9))
        sums[name] = hashlib.sha256(image).hexdigest()
    values = {
        **Builder(study()).description(),
        **hashes(),
        "sha256": sums,
    }
    (native.folder() / "record.json").write_text(f"{json.dumps(values, indent=2)}\n", "utf-8")


if __name__ == "__main__":
    record()
