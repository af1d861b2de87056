"""Odd files, outputs that cannot be written, and readers that close: one message each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cocrypt.errors import Exit
from conftest import ROOT, STUDY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt, Verb

COMMAND = [sys.executable, "-c", "from cocrypt.cli import main; main()"]
DESIGN = ROOT / "coprocessors/sha256/sha256.fdl"
LARGE = 1 << 40
"""Bytes of a sparse file."""


@pytest.fixture
def odd(tmp_path: Path) -> Callable[[str], Path]:
    """Makes paths that are no plain files."""

    def make(kind: str) -> Path:
        path = tmp_path / f"{kind}.toml"
        if kind == "folder":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "device":
            path.symlink_to("/dev/zero")
        elif kind == "large":
            with path.open("wb") as file:
                file.truncate(LARGE)
        elif kind == "binary":
            path.write_bytes(bytes(range(256)))
        elif kind == "loop":
            path.symlink_to(path.name)
        return path

    return make


def unwrapped(text: str) -> str:
    """A message without the line breaks, which fall anywhere in a long path."""
    return re.sub(r"[\s│]+", "", text)


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "large", "binary", "loop", "nothing"])
def test_a_study_that_is_no_plain_file_is_one_message(
    odd: Callable[[str], Path], verb: Verb, kind: str
) -> None:
    path = odd(kind)
    for words in (("explore", path), ("verify", path), ("authenticate", path)):
        result = verb(*words)
        assert result.code == Exit.INPUT, result.text
        assert unwrapped(f"{path} cannot be read") in unwrapped(result.err), result.err
        assert "Traceback" not in result.err


def test_a_source_that_is_a_pipe_is_one_message(verb: Verb, tmp_path: Path) -> None:
    folder = tmp_path / "crypto_hash/sum/ref"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text("#define CRYPTO_BYTES 4\n", encoding="utf-8")
    os.mkfifo(folder / "hash.c")
    result = verb("measure", tmp_path / "crypto_hash")
    assert result.code == Exit.INPUT, result.text
    assert "hash.c is no plain file" in result.err


@pytest.mark.parametrize("kind", ["folder", "device", "large", "binary", "loop", "nothing"])
def test_an_image_that_is_no_plain_file_is_one_message(
    odd: Callable[[str], Path], verb: Verb, kind: str
) -> None:
    result = verb("run", odd(kind), "--device", "picorv32")
    assert result.code == Exit.INPUT, result.text
    assert "Traceback" not in result.err


def test_a_device_or_register_map_that_is_no_plain_file_is_one_message(
    odd: Callable[[str], Path], verb: Verb, firmware: Callable[[str], Path]
) -> None:
    image = firmware("int main(void) { return 0; }")
    for kind in ("pipe", "device", "large"):
        path = odd(kind)
        result = verb("run", image, "--device", "picorv32", "--coprocessor", path)
        assert result.code == Exit.INPUT, result.text
        result = verb("run", image, "--device", path)
        assert result.code == Exit.INPUT, result.text


@pytest.mark.parametrize(("page", "code", "why"), [
    ("/dev/null/page.html", Exit.INPUT, "there is no folder /dev/null"),
    ("missing/folder/page.html", Exit.INPUT, "there is no folder missing/folder"),
    (".", Exit.HOST, "Is a directory"),
])  # fmt: skip
def test_figures_are_printed_before_a_page_that_cannot_be_written(
    verb: Verb, page: str, code: Exit, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = verb("explore", STUDY, "--workload", "mod_add", "--report", page)
    assert result.code == code
    assert "mod_add" in result.out
    assert "┃" in result.out
    assert f"{page} cannot be written: {why}" in result.err
    assert "name another file" in result.err
    assert not (tmp_path / "missing").exists()


@pytest.mark.parametrize("words", [
    ("measure", "md4/small", "--report"),
    ("measure", "md4/small", "--csv"),
    ("measure", "md4/small", "--markdown"),
    ("portfolio", "md4", "-O", "s", "--report"),
    ("fdl", "verilog", DESIGN, "-o"),
    ("fdl", "diagram", DESIGN, "-o"),
])  # fmt: skip
def test_a_file_in_a_folder_that_is_missing_is_refused(
    verb: Verb, words: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "missing"
    result = verb(*words, folder / "file.html")
    assert result.code == Exit.INPUT, result.text
    assert f"{folder}/file.html cannot be written: there is no folder {folder}" in result.err
    assert "make the folder" in result.err
    assert not folder.exists()


def test_doctor_leaves_nothing_behind(process: Cocrypt, tmp_path: Path) -> None:
    assert process("doctor").returncode in (Exit.FINE, Exit.HOST)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["devices"], ["devices", "--json"], ["--help"]])
def test_a_reader_that_goes_ends_the_command_without_a_word(
    words: list[str], tmp_path: Path
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *words], cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == Exit.PIPE


def test_a_full_disk_is_the_hosts_fault(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device.
        done = subprocess.run(
            [*COMMAND, "devices"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == Exit.HOST
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


CLOSED = [
    ["devices"],
    ["devices", "--json"],
    ["--help"],
    ["--version"],
    ["fdl", "verilog", str(ROOT / "coprocessors/sha256/sha256.fdl")],
]


def closing(*handles: int) -> Callable[[], None]:
    """A function that closes handles in a process that is about to begin."""

    def close() -> None:
        for handle in handles:
            os.close(handle)

    return close


@pytest.mark.parametrize("words", CLOSED, ids=" ".join)
def test_a_closed_stdout_is_one_message(words: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=closing(1),
    )
    assert done.returncode == Exit.HOST, done.stderr
    assert done.stderr.startswith("error: stdout is closed")
    assert "Traceback" not in done.stderr


def test_what_prints_nothing_needs_no_stdout(tmp_path: Path) -> None:
    """A file that is written does not get the number of a stream that was closed."""
    design = ROOT / "coprocessors/sha256/sha256.fdl"
    for handles in ((1,), (2,), (0, 1, 2)):
        done = subprocess.run(
            [*COMMAND, "fdl", "verilog", str(design), "--output", "made"],
            cwd=tmp_path,
            check=False,
            preexec_fn=closing(*handles),
        )
        assert done.returncode == Exit.FINE
    # The message is lost, but the exit status is right.
    done = subprocess.run(
        [*COMMAND, "run", "missing.elf", "-d", "serv"],
        cwd=tmp_path,
        check=False,
        preexec_fn=closing(0, 1, 2),
    )
    assert done.returncode == Exit.INPUT
