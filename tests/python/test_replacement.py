"""Files that the user names are replaced as a whole, with their permissions."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cocrypt import paths, replacement
from cocrypt.errors import HostError

SMALL = 4096
"""Bytes of a file at most, as the system lets the process write."""
WRITE = """
import pathlib, sys
from cocrypt import paths
paths.write_text(pathlib.Path(sys.argv[1]), "new")
"""


def test_a_file_that_cannot_be_written_whole_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "table.md"
    target.write_text("old", encoding="utf-8")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, limits[1]))
    try:
        with pytest.raises(HostError, match="cannot be written"):
            paths.write_text(target, "x" * (SMALL + 1))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert target.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_reader_of_the_old_file_keeps_it(tmp_path: Path) -> None:
    target = tmp_path / "table.md"
    target.write_text("old", encoding="utf-8")
    with target.open(encoding="utf-8") as reader:
        paths.write_text(target, "new")
        assert reader.read() == "old"
    assert target.read_text("utf-8") == "new"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_permissions_are_kept(mode: int, tmp_path: Path) -> None:
    target = tmp_path / "table.md"
    target.write_text("old", encoding="utf-8")
    target.chmod(mode)
    paths.write_text(target, "new")
    assert target.stat().st_mode & 0o7777 == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder any group")
def test_the_group_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "table.md"
    target.write_text("old", encoding="utf-8")
    os.chown(tmp_path, -1, os.getegid() + 1)
    tmp_path.chmod(0o2755)
    paths.write_text(target, "new")
    assert target.stat().st_gid == os.getegid()


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    usual, target = tmp_path / "usual", tmp_path / ("n" * 255)
    usual.touch()
    paths.write_text(target, "new")
    assert target.stat().st_mode == usual.stat().st_mode
    assert sorted(tmp_path.iterdir()) == sorted([usual, target])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to all files")
def test_a_protected_file_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "table.md"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o444)
    with pytest.raises(HostError, match="cannot be written"):
        paths.write_text(target, "new")
    assert target.read_text("utf-8") == "old"


def test_links_are_kept(tmp_path: Path) -> None:
    target, symbolic, hard = (tmp_path / name for name in ("target", "symbolic", "hard"))
    target.write_text("old", encoding="utf-8")
    symbolic.symlink_to(target)
    paths.write_text(symbolic, "through a link")
    assert symbolic.is_symlink()
    assert target.read_text("utf-8") == "through a link"
    os.link(target, hard)
    paths.write_text(hard, "both")
    assert target.read_text("utf-8") == "both"


def test_standard_output_is_written(tmp_path: Path) -> None:
    if not Path("/dev/stdout").exists():
        pytest.skip("this system has no /dev/stdout")
    command = [sys.executable, "-c", WRITE, "/dev/stdout"]
    piped = subprocess.run(command, capture_output=True, check=True, text=True)
    assert piped.stdout == "new"
    file = tmp_path / "out.txt"
    with file.open("w", encoding="utf-8") as out:
        number = file.stat().st_ino
        subprocess.run(command, stdout=out, check=True)
    assert (file.read_text("utf-8"), file.stat().st_ino) == ("new", number)


def test_a_pipe_is_written(tmp_path: Path) -> None:
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    replacement.write(pipe, b"new")
    reader.join(10)
    assert found == [b"new"]
    assert pipe.is_fifo()
