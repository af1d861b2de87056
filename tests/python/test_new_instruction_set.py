"""A new instruction set, added to a copy of the sources by the steps of CONTRIBUTING.md.

It is `tests/toy`: ten instructions of 16 bits. No file of the product is changed but the list of
instruction sets and the two that name crates.
"""

from __future__ import annotations

import binascii
import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from host import ROOT
from rust_examples import CHECKED, CRATES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Call = Callable[..., dict[str, Any]]

# The native module is compiled again, with one more instruction set.
pytestmark = pytest.mark.long

TOY = ROOT / "tests" / "toy"
COPIED = ("crates", "python", "devices", "runtime", "studies", "Cargo.toml", "Cargo.lock")
NOT_COPIED = shutil.ignore_patterns("*.so", "__pycache__", "target")


def inserted(path: Path, before: str, line: str) -> None:
    """Puts a line in front of the one line of a file that begins with a text."""
    text = path.read_text(encoding="utf-8")
    changed, count = re.subn(f"^{re.escape(before)}", f"{line}\n{before}", text, flags=re.MULTILINE)
    assert count == 1, f"{path} has {count} lines that begin with {before!r}"
    path.write_text(changed, encoding="utf-8")


def listed(root: Path) -> None:
    """Names the crate in the files that CONTRIBUTING.md lists."""
    dependency = 'cocrypt-isa-toy = { path = "crates/isa-toy" }'
    inserted(root / "Cargo.toml", "cocrypt-jit = ", dependency)
    every = root / "crates" / "isa-all"
    with (every / "Cargo.toml").open("a", encoding="utf-8") as file:
        file.write("cocrypt-isa-toy.workspace = true\n")
    source = every / "src" / "lib.rs"
    inserted(source, "/// All of them.", "use cocrypt_isa_toy::TOY;\n")
    text = source.read_text(encoding="utf-8")
    changed, count = re.subn(r"(pub static ALL: .*?=\s*&\[)", r"\1&TOY, ", text, flags=re.DOTALL)
    assert count == 1
    source.write_text(changed, encoding="utf-8")


UNIFIED = ("--release", *CHECKED, *CRATES, "--example", "avr_disassembly")
"""The whole workspace, with what only its examples and tests need, as `make test` builds it:
dependencies have the same features, and are not built again."""


def cargo(root: Path, *words: str) -> str:
    """Runs cargo on the copy; crates that depend on none of ours are built already."""
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0"}
    done = subprocess.run(
        ["cargo", *words, "--offline"],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy, with the extension built in it."""
    root = tmp_path_factory.mktemp("toy") / "cocrypt"
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=NOT_COPIED)
        else:
            shutil.copy(ROOT / name, root / name)
    for name in ("crates", "devices", "runtime", "studies"):
        shutil.copytree(TOY / name, root / name, dirs_exist_ok=True)
    listed(root)
    cargo(root, "test", *UNIFIED, "--test", "descriptions")
    messages = cargo(root, "build", *UNIFIED, "--lib", "--message-format", "json")
    built = [
        path for line in messages.splitlines() for path in json.loads(line).get("filenames", [])
    ]
    library = next(path for path in built if path.endswith(("lib_native.so", "lib_native.dylib")))
    shutil.copy(library, root / "python" / "cocrypt" / "_native.abi3.so")
    return root


@pytest.fixture(scope="module")
def cocrypt(tree: Path) -> Call:
    """The command of the copy, which gives its JSON."""

    def call(*words: str) -> dict[str, Any]:
        environment = {**os.environ, "PYTHONPATH": str(tree / "python"), "COCRYPT_TRUST": str(tree)}
        command = [sys.executable, "-c", "from cocrypt.cli import main; main()", *words, "--json"]
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        values: dict[str, Any] = json.loads(done.stdout)
        return values

    return call


ENGINES = """
import sys
from pathlib import Path

from cocrypt._native import Machine
from cocrypt.device import Device
from cocrypt.paths import device

image, described = Path(sys.argv[1]).read_bytes(), device("toy")
# Whole, and cut in front of every instruction: in delay slots too.
ended = []
for step in (1_000_000, 1):
    runs = [Machine(described, image, "toy", engine=name) for name in ("interpreter", "compiled")]
    for limit in range(step, 1_000_001, step):
        seen = [machine.run(limit) for machine in runs]
        for record in seen:
            del record["seconds"]
        assert seen[0] == seen[1], seen
        assert runs[0].registers() == runs[1].registers()
        if seen[0]["stop"]["kind"] == "exit":
            break
    ended.append((seen[0], runs[0].registers()))
assert ended[0] == ended[1], ended
"""

IMAGE = """
from pathlib import Path

from cocrypt.builder import Builder
from cocrypt.partition import partition
from cocrypt.study import Study

study = Study.load(Path("studies/toy.toml"))
print(Builder(study).build([(study.workload(), partition(study, ()))])[0].path)
"""

CHECK = 0x31C3
"""The CRC of the nine digits, as catalogues of CRCs have it for XMODEM."""
ONES = 32
"""The bits that leave the CRC as 1, each of which takes a cycle and three instructions more."""
CRC_CYCLES = 9 * (71 + 2 + 8 * 10 + 38 + 5) + ONES
"""By the core's table: a byte is moved up in 71 cycles; each of eight steps takes 10, 5 to begin
the next."""
MAIN_CYCLES = 10 + 9 * 14 + 6 + 14


def python(tree: Path, text: str, *words: str) -> str:
    """Runs a script with the copy's package."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "python"), "COCRYPT_TRUST": str(tree)}
    command = [sys.executable, "-c", text, *words]
    done = subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def image(tree: Path) -> str:
    """The workload in software alone."""
    return python(tree, IMAGE).strip()


def test_the_count_by_hand_is_of_the_digits_that_are_summed() -> None:
    assert binascii.crc_hqx(b"123456789", 0) == CHECK
    register, ones = 0, 0
    for byte in b"123456789":
        register ^= byte << 8
        for _ in range(8):
            ones += register >> 15
            register = register << 1 & 0xFFFF ^ (0x1021 if register >> 15 else 0)
    assert (register, ones) == (CHECK, ONES)


@pytest.mark.long
def test_it_runs(cocrypt: Call, image: str) -> None:
    result = cocrypt("run", image, "--device", "toy")
    assert result["cycles"] > CRC_CYCLES + MAIN_CYCLES
    assert result["exit_code"] == 0


def test_interpreted_and_compiled_it_is_the_same(tree: Path, image: str) -> None:
    python(tree, ENGINES, image)


def test_it_is_profiled(cocrypt: Call, image: str) -> None:
    profile = cocrypt("profile", image, "--device", "toy")
    functions = {function["name"]: function for function in profile["functions"]}
    assert functions["crc_byte"]["calls"] == 9
    assert functions["crc_byte"]["self_cycles"] == CRC_CYCLES
    assert functions["main"]["self_cycles"] == MAIN_CYCLES
    assert functions["main"]["total_cycles"] == MAIN_CYCLES + CRC_CYCLES


def test_it_is_explored(cocrypt: Call) -> None:
    """The coprocessor's registers are accessed in halves."""
    values = cocrypt("explore", "studies/toy.toml")
    rows = {row["name"]: row for row in values["rows"]}
    assert all(row["verified"] for row in rows.values())
    assert rows["Hardware"]["total"] < rows["Software"]["total"]
    assert rows["Hardware"]["transfers"]["control"] == 9


def test_a_program_without_sources_is_explored(cocrypt: Call, tree: Path, image: str) -> None:
    """The function is replaced by a jump at its entry."""
    text = (tree / "studies" / "toy.toml").read_text(encoding="utf-8")
    changed = text.replace('"toy/main.S"', json.dumps(image)).replace('"toy"', '"bare"', 1)
    changed = re.sub(r"^software .*\n", "", changed, flags=re.MULTILINE)
    (tree / "studies" / "bare.toml").write_text(changed, encoding="utf-8")
    rows = cocrypt("explore", "studies/bare.toml")["rows"]
    assert [row["verified"] for row in rows] == [True, True]
    assert rows[0]["total"] > rows[1]["total"]


def test_it_is_disassembled_as_it_was_written(cocrypt: Call, image: str) -> None:
    profile = cocrypt("profile", image, "--device", "toy", "--instructions")
    source = (TOY / "studies" / "toy" / "crc.S").read_text(encoding="utf-8")
    written = re.findall(r"^(?:\d:)? +([a-z]+ +x.*)$", source, flags=re.MULTILINE)
    disassembled = [row["text"] for row in profile["instructions"] if row["function"] == "crc_byte"]
    assert [words(instruction) for instruction in disassembled] == [
        words(instruction) for instruction in written
    ]


def words(instruction: str) -> tuple[str, ...]:
    """An instruction's name and registers; targets and constants may be written differently."""
    name, operands = instruction.split(maxsplit=1)
    return name, *re.findall(r"\b[rx](\d)\b", operands)
