"""Measurements of primitives, confirmed by the linker's map, a painted stack, and by hand."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.device import Device
from cocrypt.paths import runtime
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import LENGTHS, Build, Row, Task, read_vectors
from cocrypt.primitives.results import COLUMNS
from cocrypt.report import library as charts
from cocrypt.zig import zig

if TYPE_CHECKING:
    from cocrypt.primitives.script import Timing
    from conftest import Cocrypt

TEN = (
    *("aes128/fast", "aes128/lean", "sha256/fast", "sha256/lean", "md5/small"),
    *("present80/lean", "camellia128/fast", "chacha20/fast", "speck64_128/small", "keccak256/lean"),
)
PAINTS = (0x5A, 0xA5)
# The end of the deepest frame may be room that nobody writes to.
UNWRITTEN = 64


def task(name: str, device: str = "ibex-maxperf", level: str = "-O2") -> Task:
    (subject,) = library.named([name])
    return Task(subject, Device.load(device), Build((level,)), (64,))


def plan(job: Task, calling: Calling) -> list[Timing]:
    vectors = read_vectors(job.subject)
    return kind(job.subject).timings(job.subject, vectors, job.lengths, calling.context_size)


def mapped(images: Images, roots: list[str], folder: Path) -> dict[str, int]:
    """Link as for a footprint, and read the sizes of the sections from the linker's own map."""
    objects = images.chain.compile([*images._libc(), *images._own()])
    script, written = runtime() / "riscv32" / "link.ld", folder / "map"
    keep = [word for name in roots for word in ("-u", name)]
    flags = [*images.chain._link_flags(), *keep, *map(str, objects.values())]
    command = [str(zig()), "ld.lld", "-T", str(script), *flags, "-Map", str(written)]
    subprocess.run([*command, "-o", str(folder / "image.elf")], check=True, capture_output=True)
    # Address, load address, size, alignment, and the name of an output section.
    pattern = r"^ *[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+) +[0-9]+ (\.\w+)$"
    matches = re.findall(pattern, written.read_text(), re.MULTILINE)
    return {name: int(size, 16) for size, name in matches}


@pytest.mark.parametrize("name", TEN)
def test_sizes_are_those_of_the_linker_s_map(name: str, tmp_path: Path) -> None:
    job = task(name)
    calling = Calling(job.device, job.subject, job.images.callable())
    for timing in plan(job, calling):
        roots = [job.subject.functions[operation].name for operation in timing.needs]
        sizes = mapped(job.images, roots, tmp_path)
        assert sizes[".text"] > 0
        footprint = job.images.footprint(timing.needs)
        # A segment may end with padding that aligns the section behind it.
        sections = sizes[".text"] + sizes.get(".rodata", 0)
        assert sections <= footprint.text < sections + 4
        assert (footprint.data, footprint.bss) == (sizes.get(".data", 0), sizes.get(".bss", 0))


def painted(calling: Calling, timing: Timing, paint: int) -> int:
    """The depth in bytes to which a call writes into a stack that was painted before it."""
    layout = calling._layout(timing.steps)
    machine = calling._fresh.copy()
    machine.write(calling._table, layout.content)
    probe = machine.copy()
    probe.run()
    # The counted call begins with this mark.
    begin = probe.marks()[2 + 2 * timing.counted[-1]][0]
    machine.run(begin)
    top = calling._top - calling.convention.frame
    room = top - layout.end
    machine.write(layout.end, bytes([paint]) * room)
    machine.run()
    left = machine.read(layout.end, room)
    untouched = len(left) - len(left.lstrip(bytes([paint])))
    return room - untouched


@pytest.mark.parametrize("name", TEN)
def test_stacks_are_as_deep_as_their_paint_is_gone(name: str) -> None:
    job = task(name)
    calling = Calling(job.device, job.subject, job.images.callable())
    compared = 0
    for timing in plan(job, calling):
        (cost,) = calling.each(timing.steps, timing.counted[-1:])
        deepest = max(painted(calling, timing, paint) for paint in PAINTS)
        assert deepest <= cost.stack <= deepest + UNWRITTEN, timing.operation
        compared += deepest > 0
    assert compared or name == "speck64_128/small"


@pytest.mark.parametrize("device", ["picorv32", "ibex-maxperf", "vexriscv", "serv"])
@pytest.mark.parametrize("name", ["sha256/lean", "speck64_128/small", "aes128_ctr/fast"])
def test_both_ways_to_count_agree(name: str, device: str) -> None:
    """`each` runs calls between marks one at a time, `total` all counted calls at once."""
    job = task(name, device)
    calling = Calling(job.device, job.subject, job.images.callable())
    for timing in plan(job, calling):
        costs = calling.each(timing.steps, timing.counted)
        together = calling.total(timing)
        assert together.cycles == sum(cost.cycles for cost in costs), timing.operation
        assert together.stack == max(cost.stack for cost in costs)


COUNTED = """
    .globl counted_init, counted_update, counted_final
    .balign 4
counted_init:
    ret
    .balign 4
counted_update:
    .rept 100
    addi a3, a3, 1
    .endr
    ret
    .balign 4
counted_final:
    .rept 20
    lw a3, 0(a0)
    .endr
    ret
"""


def counted(folder: Path) -> str:
    """Write a hash of nothing, whose instructions can be counted."""
    (folder / "counted.S").write_text(".option norvc\n.text\n" + COUNTED)
    (folder / "primitive.toml").write_text(
        '[primitive]\ntitle = "Counted"\nkind = "hash"\n'
        "[members.counted]\ndigest = 16\nblock = 64\n"
        '[implementations.asm]\nsources = ["counted.S"]\n'
    )
    return str(folder)


@pytest.mark.parametrize(
    ("device", "add", "load"),
    # Ibex: one cycle, and two where memory answers in the next (Ibex documentation, pipeline
    # details, "Cycle counts"); a PicoRV32 takes 3 and 5 (its README, "Cycles per Instruction
    # Performance"), and as many more as the memory of its device is late.
    [("ibex-small", 1, 2), ("picorv32", None, None)],
)
def test_cycles_are_those_of_the_call(
    cocrypt: Cocrypt, tmp_path: Path, device: str, add: int | None, load: int | None
) -> None:
    done = cocrypt("measure", counted(tmp_path), "-d", device, "--lengths", "64", "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["operation"]: row for row in json.loads(done.stdout)["rows"]}
    # init returns at once; final takes as much and its loads.
    block, whole = rows["block"]["cycles"], rows["hash"]["cycles"]
    assert rows["block"]["instructions"] == 102
    assert rows["hash"]["instructions"] == 2 + 102 + 22
    if add is not None and load is not None:
        empty = block - 100 * add
        assert 2 <= empty <= 8
        assert whole == 3 * empty + 100 * add + 20 * load
    assert rows["block"]["stack"] == 0


def test_every_format_has_every_row(cocrypt: Cocrypt, tmp_path: Path) -> None:
    files = ("--csv", "m.csv", "--markdown", "m.md", "--report", "m.html")
    done = cocrypt("measure", "sha256/lean", "speck64_128", *files, "--json", "-O", "s", "-O", "2")
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    rows = values["rows"]
    assert {row["length"] for row in rows} == {None, *LENGTHS}
    assert {row["flags"] for row in rows} == {"-Os", "-O2"}
    assert all(row["verified"] is True and row["energy_J"] is None for row in rows)
    assert set(values["provenance"]["subjects"]) >= {"sha256/lean", "speck64_128/small"}
    read = list(csv.DictReader(io.StringIO((tmp_path / "m.csv").read_text())))
    assert [int(row["cycles"]) for row in read] == [row["cycles"] for row in rows]
    assert tuple(read[0]) == COLUMNS
    assert (tmp_path / "m.md").read_text().count("\n") == len(rows) + 2
    page = (tmp_path / "m.html").read_text()
    assert "speck64_128/small" in page
    assert charts.embedded() in page


def test_a_device_with_power_figures_gives_energy(tmp_path: Path) -> None:
    text = (runtime().parent / "devices/ibex-small.toml").read_text()
    (tmp_path / "cores").symlink_to(runtime().parent / "devices/cores")
    (tmp_path / "powered.toml").write_text(
        text + '\n[power]\nactive_W = 0.01\nsource = "made up for a test"\n'
    )
    job = task("speck64_128/small", str(tmp_path / "powered.toml"))
    row = next(row for row in job.measure() if row.operation == "encrypt")
    assert row.energy == pytest.approx(0.01 * row.cycles / job.device.clock_hz)


def test_vectors_stand_before_figures(cocrypt: Cocrypt, tmp_path: Path) -> None:
    from conftest import ROOT

    example = ROOT / "docs/examples/primitives/xtea"
    for path in example.rglob("*"):
        if path.is_file():
            copy = tmp_path / "xtea" / path.relative_to(example)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    good = cocrypt("measure", "xtea", "--json")
    assert good.returncode == 0, good.stderr
    assert all(row["vectors"] == 6 for row in json.loads(good.stdout)["rows"])
    vectors = tmp_path / "xtea/vectors/xtea.rsp"
    vectors.write_text(vectors.read_text().replace("497df3d0", "497df3d1"))
    bad = cocrypt("measure", "xtea", "--json")
    assert bad.returncode == 3
    assert bad.stdout == ""
    assert "xtea/loop is wrong on picorv32" in bad.stderr
    assert "497df3d072612cb5 instead of 497df3d172612cb5" in bad.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["measure"], 1, "name primitives, or a folder, or --all"),
        (["measure", "aes129"], 1, "did you mean `aes192`?"),
        (["measure", "aes128/smal"], 1, "did you mean `aes128/small`?"),
        (["measure", "./nowhere"], 1, "nowhere is neither a folder nor a primitive"),
        (["measure", "aes128", "-O", "9"], 1, "there is no level `9`"),
        (["measure", "aes128", "--lengths", "8,x"], 1, "`8,x` are no lengths"),
        (["measure", "aes128/zkne", "-d", "vexriscv"], 1, "there is nothing to measure on this"),
        (["measure", "aes128", "--save", "a/b"], 1, "`a/b` is no name"),
        (["measure", "aes128", "--compiler", "nonesuch-gcc"], 2, "`nonesuch-gcc` is not installed"),
        (["measure", "aes128", "--iterations", "3"], 1, "there is no --table"),
        (["measure", "aes128", "--table", "--csv", "x"], 1, "`--csv` does nothing beside --table"),
        (["measure", "aes128", "--table", "--save", "x"], 1, "`--save` does nothing beside"),
        (["measure", "aes128", "--lengths", "9" * 5000], 1, "are no lengths"),
        (["portfolio", "aes128", "--rom", "9" * 5000], 1, "are no budgets"),
        (["portfolio", "aes128", "--rom", "0"], 1, "`0` are no budgets"),
    ],
)
def test_what_is_wrong_is_said(cocrypt: Cocrypt, words: list[str], code: int, message: str) -> None:
    done = cocrypt(*words)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


def test_versions_are_kept_and_compared(cocrypt: Cocrypt) -> None:
    assert cocrypt("measure", "md5/small", "--save", "before", "--lengths", "64").returncode == 0
    assert cocrypt("measure", "md5/small", "--save", "same", "--lengths", "64").returncode == 0
    same = cocrypt("compare", "before", "same")
    assert same.returncode == 0, same.stderr
    assert "8 of 8 figures are equal" in same.stdout
    words = ("measure", "md5/small", "--save", "after", "--lengths", "64", "-O", "s")
    assert cocrypt(*words).returncode == 0
    changed = cocrypt("compare", "before", "after", "--json")
    figures = {change["figure"] for change in json.loads(changed.stdout)["changes"]}
    assert {"cycles", "rom", "ram", "stack"} <= figures


def test_the_list_of_primitives_names_all(cocrypt: Cocrypt) -> None:
    rows: list[dict[str, Any]] = json.loads(cocrypt("primitives", "--json").stdout)["primitives"]
    names = {row["primitive"] for row in rows}
    assert {"aes128", "aes128_ccm", "hmac_sha256", "x25519", "rsa2048", "ascon_aead128"} <= names
    assert len(rows) == len(library.ours())


def test_a_row_tells_cycles_for_a_byte() -> None:
    rows: list[Row] = task("aes128/fast").measure()
    encrypt = next(row for row in rows if row.operation == "encrypt")
    assert encrypt.per_byte == encrypt.cycles / 16
    assert next(row for row in rows if row.operation == "expand").per_byte is None


@pytest.mark.parametrize("name", TEN)
def test_no_stack_goes_below_its_bound(name: str) -> None:
    for row in task(name).measure():
        assert row.stack_bound is not None
        assert row.stack <= row.stack_bound <= row.stack + 32


DEEP = """
    .globl counted_init, counted_update, counted_final
counted_init:
    addi sp, sp, -16
    sw   ra, 0(sp)
    call counted_init
    lw   ra, 0(sp)
    addi sp, sp, 16
    ret
counted_update:
    li   t0, 5000
    sub  sp, sp, t0
    bnez a0, 1f
    addi sp, sp, -48
    addi sp, sp, 48
1:  li   t0, 5000
    add  sp, sp, t0
    ret
counted_final:
    lw   a5, 0(a0)
    jr   a5
"""


def test_bounds_are_those_of_the_deepest_way(tmp_path: Path) -> None:
    (subject,) = library.of_file(Path(counted(tmp_path)) / "primitive.toml")
    (tmp_path / "counted.S").write_text(".text\n" + DEEP)
    device = Device.load("picorv32")
    calling = Calling(device, subject, Images(device, subject).callable())
    assert calling.stack_bound(["update"]) == 5048
    assert calling.stack_bound(["init"]) is None, "it calls itself"
    assert calling.stack_bound(["final"]) is None, "it jumps where a register says"
    assert calling.stack_bound(["update", "init"]) is None
