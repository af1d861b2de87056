"""A study's images as files, and the verbs that take a study instead of an image."""

from __future__ import annotations

import json
import re
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import output_schemas
from conftest import ROOT, STUDY
from elf import HEADER, LOADABLE, PROGRAM_HEADER

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Verb

SHA256 = ROOT / "studies" / "sha256.toml"
EXAMPLE = ROOT / "docs" / "examples" / "studies" / "example.toml"
WRITABLE = 2


def segments(path: Path) -> list[tuple[int, ...]]:
    """The program headers that are loaded, read as the ELF specification has them."""
    content = path.read_bytes()
    header = HEADER.unpack_from(content)
    offset, size, count = header[5], header[9], header[10]
    headers = [PROGRAM_HEADER.unpack_from(content, offset + size * at) for at in range(count)]
    return [entry for entry in headers if entry[0] == LOADABLE]


@pytest.fixture
def built(verb: Verb) -> Callable[..., list[dict[str, Any]]]:
    """Builds a study's images; returns the rows that are printed."""

    def build(*words: str | Path) -> list[dict[str, Any]]:
        result = verb("build", *words, "--json")
        assert result.code == 0, result.err
        images: list[dict[str, Any]] = json.loads(result.out)["images"]
        return images

    return build


@pytest.mark.long
def test_images_are_those_of_the_exploration(
    built: Callable[..., list[dict[str, Any]]], verb: Verb, tmp_path: Path
) -> None:
    images = {image["name"]: image for image in built(EXAMPLE, "-o", tmp_path / "out")}
    result = verb("explore", EXAMPLE, "-d", "picorv32", "--json")
    # Rows on the unchanged device come first, other buses and clocks behind them.
    rows = {row["name"]: row for row in json.loads(result.out)["rows"][: len(images)]}
    assert len(images) == 5
    assert set(images) == set(rows)
    for name, row in rows.items():
        shared = ("choice", "hw", "rom", "ram", "image")
        assert [images[name][key] for key in shared] == [row[key] for key in shared]


def test_sizes_are_those_of_the_files_program_headers(
    built: Callable[..., list[dict[str, Any]]], tmp_path: Path
) -> None:
    for image in built(SHA256, "-w", "abc", "-o", tmp_path / "out"):
        loaded = segments(tmp_path / image["file"])
        # File size, size in memory, flags: words 4 to 6 of a program header.
        assert image["rom"] == sum(segment[4] for segment in loaded)
        assert image["ram"] == sum(segment[5] for segment in loaded if segment[6] & WRITABLE)


def test_sizes_are_those_that_binutils_counts(
    built: Callable[..., list[dict[str, Any]]],
    tmp_path: Path,
    need_tool: Callable[[str], str],
) -> None:
    tool = need_tool("riscv64-unknown-elf-size")
    (image,) = built(SHA256, "-w", "abc", "-p", "software", "-o", tmp_path / "out")
    process = subprocess.run([tool, image["file"]], capture_output=True, text=True, check=True)
    text, data, bss = map(int, process.stdout.splitlines()[1].split()[:3])
    # Sections are padded to words where they are loaded.
    assert text + data <= image["rom"] <= text + data + 8
    assert data + bss <= image["ram"] <= data + bss + 8


def test_every_workload_gets_files_of_its_own(
    built: Callable[..., list[dict[str, Any]]], tmp_path: Path
) -> None:
    images = built(SHA256, "-p", "software", "-p", "sha256_compress=zknh")
    assert [(image["workload"], image["name"]) for image in images] == [
        (workload, name)
        for workload in ("message", "abc")
        for name in ("all software", "sha256_compress: zknh")
    ]
    files = sorted(path.name for path in (tmp_path / "build" / "images" / "sha256").iterdir())
    assert files == [
        "abc.all-software.elf",
        "abc.sha256_compress-zknh.elf",
        "message.all-software.elf",
        "message.sha256_compress-zknh.elf",
    ]


def test_a_file_runs_as_the_study_does(
    built: Callable[..., list[dict[str, Any]]], verb: Verb
) -> None:
    words = ("-w", "abc", "-p", "sha256_compress")
    (image,) = built(SHA256, *words)
    (register_map,) = image["coprocessors"]
    alone = json.loads(
        verb("run", image["file"], "-d", "picorv32", "-c", register_map, "--json").out
    )
    study = json.loads(verb("run", SHA256, *words, "--json").out)
    assert study["image"]["hash"] == alone["image"]["hash"] == image["image"]
    for key in ("cycles", "instructions", "rom", "ram", "stack", "transfers", "device"):
        assert study[key] == alone[key], key
    assert study["image"]["name"] == "sha256/abc (sha256_compress)"


def test_a_partition_has_the_extensions_of_its_options(verb: Verb) -> None:
    software = json.loads(verb("run", SHA256, "-w", "abc", "--json").out)
    result = verb("run", SHA256, "-w", "abc", "-p", "sha256_compress: zknh", "--json")
    assert result.code == 0, result.err
    assert json.loads(result.out)["cycles"] < software["cycles"]


def test_figures_stand_beside_the_bounds_of_the_study(verb: Verb, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(
        "volatile int output;\nint main(void) { output = 0; return 0; }\n"
    )
    most = "[search.at_most]\ntotal = 10\nrom = 100000\nhardware = 1\narea_GE = 5\n"
    (tmp_path / "bound.toml").write_text(MANY + most)
    result = verb("run", "bound.toml", "--json")
    assert result.code == 0, result.err
    values = json.loads(result.out)
    output_schemas.check("run", values)
    bounds = {bound["figure"]: bound for bound in values["bounds"]}
    assert bounds["total"] == {
        "figure": "total", "most": 10, "value": values["cycles"], "within": False
    }  # fmt: skip
    assert (bounds["rom"]["value"], bounds["rom"]["within"]) == (values["rom"], True)
    assert (bounds["hardware"]["value"], bounds["hardware"]["within"]) == (0, True)
    # A run does not synthesise.
    assert (bounds["area_GE"]["value"], bounds["area_GE"]["within"]) == (None, True)
    assert f"`total` is {values['cycles']:,}, and the study allows 10 at most" in result.err
    assert "`rom`" not in result.err


def test_another_device_takes_the_place_of_the_studys(verb: Verb) -> None:
    result = verb("run", SHA256, "-w", "abc", "-d", "serv", "--json")
    assert json.loads(result.out)["device"] == "serv"


def test_names_of_partitions_are_those_of_the_study(verb: Verb) -> None:
    cycles = {}
    for name in ("Arch. 4", "mod_sub", "mod_sub=coprocessor", "Arch. 6", "mod_add + mod_sub"):
        result = verb("run", STUDY, "-w", "mod_sub", "-p", name, "--json")
        assert result.code == 0, result.err
        cycles[name] = json.loads(result.out)["cycles"]
    assert cycles["Arch. 4"] == cycles["mod_sub"] == cycles["mod_sub=coprocessor"]
    assert cycles["Arch. 6"] == cycles["mod_add + mod_sub"]


def test_a_profile_of_a_study_knows_its_lines(verb: Verb) -> None:
    result = verb("profile", SHA256, "-w", "abc", "--json")
    values = json.loads(result.out)
    assert values["functions"][0]["name"] == "sha256_compress"
    assert any(line["file"].endswith("sha256_compress.c") for line in values["lines"])


def test_debug_information_changes_nothing_that_is_loaded(
    built: Callable[..., list[dict[str, Any]]], tmp_path: Path
) -> None:
    words = (SHA256, "-w", "abc", "-p", "software")
    (plain,) = built(*words, "-o", tmp_path / "plain")
    (debug,) = built(*words, "-g", "-o", tmp_path / "debug")
    assert plain["image"] == debug["image"]
    assert b".debug_line" in (tmp_path / "debug" / "abc.all-software.elf").read_bytes()


def test_a_program_of_others_is_written_with_its_jumps(
    built: Callable[..., list[dict[str, Any]]],
    firmware: Callable[[str], Path],
    tmp_path: Path,
) -> None:
    program = firmware(
        "unsigned output[1];\n"
        "__attribute__((noinline)) unsigned twice(unsigned x) { return 2 * x; }\n"
        "int main(void) { output[0] = twice(21); return 0; }\n"
    )
    (tmp_path / "thrice.c").write_text(
        "unsigned twice(unsigned x);\nunsigned twice(unsigned x) { return 3 * x; }\n"
    )
    study = tmp_path / "study.toml"
    study.write_text(
        '[study]\nname = "others"\ntitle = "Others"\ndevice = "picorv32"\n'
        '[toolchain]\ncompiler = "zig"\n'
        f'[[workload]]\nname = "program"\ntitle = "P"\nsource = "{program}"\n'
        'output = "output"\nexpect = "2a000000"\n'
        '[[candidate]]\nfunction = "twice"\n'
        '[[candidate.option]]\nname = "thrice"\nsource = "thrice.c"\n'
    )
    as_it_is, replaced = built(study, "-o", tmp_path / "out")
    assert (tmp_path / "out" / "program.all-software.elf").read_bytes() == program.read_bytes()
    assert as_it_is["image"] != replaced["image"]
    assert replaced["rom"] > as_it_is["rom"]


def test_the_table_names_files_and_sizes(verb: Verb, tmp_path: Path) -> None:
    result = verb("build", SHA256, "-w", "abc", "-p", "software", "-o", "out")
    (file,) = (tmp_path / "out").iterdir()
    assert file.name in result.out
    assert f"{sum(segment[4] for segment in segments(file)):,}" in result.out
    assert struct.unpack_from("<4s", file.read_bytes()) == (b"\x7fELF",)


MISTAKES = [
    (("build", SHA256, "-p", "sha256_compres"), "did you mean `sha256_compress`?"),
    (("build", SHA256, "-p", "sha256_compress=zknhh"), "did you mean `zknh`?"),
    (("build", SHA256, "-w", "acb"), "did you mean `abc`?"),
    (("build", SHA256, "-w", "abc", "-p", "software", "-o", "a/b"), "there is no folder a"),
    (("run", SHA256, "-w", "abc", "-c", "x.toml"), "choose one by --partition"),
    (("run", SHA256, "--load-address", "0"), "leave it out"),
    (("run", "x.elf"), "add --device"),
    (("run", "x.elf", "-d", "picorv32", "-w", "abc"), "name the study's .toml file"),
    (("run", "x.elf", "-d", "picorv32", "-p", "abc"), "name the study's .toml file"),
    (("profile", "x.elf"), "add --device"),
    (("run", STUDY, "-d", "gd32vf103", "-p", "mod_add"), "there is no device"),
]


@pytest.mark.parametrize(("words", "advice"), MISTAKES)
def test_a_mistake_is_told_with_what_to_do(
    verb: Verb, words: tuple[str | Path, ...], advice: str
) -> None:
    result = verb(*words)
    assert result.code == 1
    assert advice in result.err
    assert "Traceback" not in result.err


MANY = """[study]
name = "many"
title = "Many"
device = "picorv32"
[toolchain]
compiler = "zig"
[[workload]]
name = "main"
title = "M"
source = "main.c"
output = "output"
expect = "00000000"
"""


def test_many_partitions_are_not_built_unasked(verb: Verb, tmp_path: Path) -> None:
    functions = [f"f{number}" for number in range(9)]
    body = "".join(f"int {name}(int x) {{ return x; }}\n" for name in functions)
    (tmp_path / "main.c").write_text(body + "int output;\nint main(void) { return 0; }\n")
    (tmp_path / "other.c").write_text("int f0(int x) { return 2 * x; }\n")
    option = '[[candidate.option]]\nname = "o"\nsource = "other.c"\n'
    candidates = "".join(f'[[candidate]]\nfunction = "{name}"\n{option}' for name in functions)
    (tmp_path / "many.toml").write_text(MANY + candidates)
    result = verb("build", "many.toml")
    assert result.code == 1
    assert "512 partitions" in result.err
    assert "--partition" in result.err
    assert verb("build", "many.toml", "-p", "software").code == 0


def test_more_coprocessors_than_the_device_holds_are_refused(verb: Verb, tmp_path: Path) -> None:
    names = ("sha1", "sha256", "trivium", "keccak", "aes128")
    (tmp_path / "main.c").write_text("int output;\nint main(void) { return 0; }\n")
    candidates = "".join(
        f'[[candidate]]\nfunction = "{name}"\n[[candidate.option]]\nname = "o"\n'
        f'source = "main.c"\ncoprocessor = "{name}"\n'
        for name in names
    )
    (tmp_path / "crowded.toml").write_text(MANY + candidates)
    result = verb("run", "crowded.toml", "-p", ",".join(names))
    assert result.code == 1
    assert "needs 5 coprocessors, and picorv32 has room for" in result.err


def test_a_debugger_is_told_the_file_of_a_study(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "cocrypt", "run", str(SHA256), "-w", "abc", "--gdb", ":0"]
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        line = running.stderr.readline()
        match = re.search(r'waiting for \S+ (\S+) -ex "target remote 127.0.0.1:(\d+)"', line)
        assert match, line
        with socket.create_connection(("127.0.0.1", int(match[2]))) as debugger:
            # The debugger kills the program, and nothing is printed of it.
            debugger.sendall(b"$k#6b")
            assert running.wait(20) == 0
    assert b".debug_line" in Path(match[1]).read_bytes()
