"""Malicious projects: opened, checked, simulated and built, they touch nothing.

What they try is in `tests/projects/hostile`. Without trust no program of theirs runs, no file
outside the stated folders changes, and no secret of the user's is shown or kept; and with trust
some of the same tricks work, so that they are tricks at all.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cocrypt import errors, paths
from cocrypt.coprocessor import Coprocessor
from cocrypt.study import Study
from cocrypt.trust import sandbox, store
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

HOSTILE = ROOT / "tests/projects/hostile"
SECRET = "hunter2hunter2hunter2"
FLAGS = [
    line
    for line in (HOSTILE / "flags/flags.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


class Folders(NamedTuple):
    """The project, a user's home folder, one beside the project, and the command."""

    project: Path
    home: Path
    beside: Path
    call: Verb


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: Verb) -> Folders:
    """A malicious project beside a user's home folder with a secret; nothing is trusted."""
    home, project, beside = tmp_path / "home", tmp_path / "work/hostile", tmp_path / "work/beside"
    for folder in (home / ".ssh", beside, tmp_path / "here"):
        folder.mkdir(parents=True)
    (home / ".ssh/id_secret").write_text(f"{SECRET}\n", encoding="utf-8")
    shutil.copytree(HOSTILE, project)
    for path in project.rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("@HOME@", str(home)), encoding="utf-8")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{project / 'compiler'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("COCRYPT_TRUST")
    monkeypatch.delenv("XDG_CONFIG_HOME")

    return Folders(project, home, beside, verb)


def content(*folders: Path) -> dict[str, str]:
    """All files in these folders with their contents."""
    files = (path for folder in folders for path in sorted(folder.rglob("*")))
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in files
    }


def with_flags(folders: Folders, line: str) -> Path:
    """Writes the study with these options."""
    words = line.replace("@HOME@", str(folders.home)).split(" ")
    study = folders.project / "flags/study.toml"
    text = (HOSTILE / "flags/study.toml").read_text(encoding="utf-8")
    quoted = ", ".join(f'"{word}"' for word in words)
    study.write_text(text.replace("@FLAGS@", quoted), encoding="utf-8")
    return study


def with_source(folders: Folders, source: str, flags: str = "-O2") -> Path:
    """Writes the study with this source."""
    study = folders.project / "reads/study.toml"
    text = (HOSTILE / "reads/study.toml").read_text(encoding="utf-8")
    text = text.replace("@SOURCE@", source).replace("-O2", flags)
    study.write_text(text, encoding="utf-8")
    return study


def kept(tmp_path: Path) -> bytes:
    """The contents of the cache."""
    return b"".join(path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file())


def test_no_option_that_runs_or_writes_is_used_without_trust(folders: Folders) -> None:
    with_flags(folders, "-O2")
    before = content(folders.home, folders.beside)
    for line in FLAGS:
        study = with_flags(folders, line)
        result = folders.call("explore", study)
        assert result.code == 1, (line, result.text)
        assert f"`cocrypt trust {study.parent}`" in result.text, line
        assert "option" in result.text, line
    assert content(folders.home, folders.beside) == before
    assert not list((folders.project / "flags").glob("*canary*"))


@pytest.mark.parametrize("compiler", ["./evil", "@PROJECT@/compiler/evil", "gcc", "evil"])
def test_no_compiler_of_a_projects_own_is_run_without_trust(
    folders: Folders, compiler: str
) -> None:
    study = folders.project / "compiler/study.toml"
    named = compiler.replace("@PROJECT@", str(folders.project))
    study.write_text(study.read_text().replace("./evil", named), encoding="utf-8")
    before = content(folders.home, folders.project, folders.beside)
    for verb in (("explore",), ("verify", "--all")):
        result = folders.call(verb[0], study, *verb[1:])
        assert result.code == 1, result.text
        assert "compiler" in result.text
        assert f"`cocrypt trust {study.parent}`" in result.text
    assert content(folders.home, folders.project, folders.beside) == before


def test_a_trusted_project_runs_its_compiler_until_it_changes(folders: Folders) -> None:
    """The trick works: with trust the program runs. A changed one has to be trusted again."""
    folder = folders.project / "compiler"
    study, canary = folder / "study.toml", folders.home / "canary"
    assert folders.call("trust", folder).code == 0
    folders.call("explore", study)
    assert canary.exists()
    canary.unlink()
    (folder / "evil").write_text(f"#!/bin/sh\ntouch {canary}; echo gcc\n", encoding="utf-8")
    store.forget()
    assert folders.call("explore", study).code == 1
    assert not canary.exists()
    assert folders.call("trust", folder, "--own").code == 0
    folders.call("explore", study)
    assert canary.exists()


@pytest.mark.parametrize("source", ["include.c", "above.c", "passwd.c", "embed.c", "assembly.S"])
def test_no_source_reads_what_is_the_users(folders: Folders, tmp_path: Path, source: str) -> None:
    if not sandbox.works():
        pytest.skip("this host has no sandbox; a project without trust is not built at all")
    result = folders.call("explore", with_source(folders, source, "-std=gnu23"))
    assert result.code == 1, result.text
    for leaked in (SECRET, "root:x:"):
        assert leaked not in result.text
        assert leaked.encode() not in kept(tmp_path)
    assert "is shown to compilers" in result.text


def test_no_image_holds_what_is_the_users(folders: Folders, tmp_path: Path) -> None:
    study = with_source(folders, "incbin.c")
    result = folders.call("explore", study)
    assert result.code == 1, result.text
    assert SECRET.encode() not in kept(tmp_path)
    # An image holds it with trust, so a secret could enter an image in this way.
    assert folders.call("trust", folders.project).code == 0
    folders.call("explore", study)
    assert SECRET.encode() in kept(tmp_path)


def test_a_source_without_an_end_does_not_stop_the_host(folders: Folders) -> None:
    result = folders.call("explore", with_source(folders, "endless.c"))
    assert result.code == 1, result.text


def test_links_lead_no_further_than_the_project(folders: Folders, tmp_path: Path) -> None:
    reads = folders.project / "reads"
    (reads / "link.c").symlink_to(folders.home / ".ssh/id_secret")
    (reads / "link.h").symlink_to(folders.home / ".ssh/id_secret")
    (reads / "header.c").write_text('#include "link.h"\n', encoding="utf-8")
    for source in ("link.c", "header.c"):
        result = folders.call("explore", with_source(folders, source))
        assert result.code == 1, result.text
        assert SECRET not in result.text
    assert SECRET.encode() not in kept(tmp_path)


def test_a_link_to_what_comes_with_cocrypt_is_not_trusted(folders: Folders) -> None:
    """Paths of the study start at the link, so its sources are the project's."""
    folder = folders.project / "linked"
    (folder / "aes128").mkdir(parents=True)
    (folder / "study.toml").symlink_to(ROOT / "studies/aes128.toml")
    for name in ("primitives", "coprocessors", "devices"):
        (folders.project / name).symlink_to(ROOT / name)
    text = (ROOT / "studies/aes128.toml").read_text(encoding="utf-8")
    for name in set(re.findall(r"\"([\w./-]+\.[cS])\"", text)):
        path = folder / name
        if path.resolve().is_relative_to(folder):
            path.write_text(f'#include "{folders.home}/.ssh/id_secret"\n', encoding="utf-8")
    result = folders.call("explore", folder / "study.toml")
    assert result.code == 1, result.text
    assert "is shown to compilers" in result.text or not sandbox.works()
    assert SECRET not in result.text


def test_no_verilog_of_a_projects_own_is_run_without_trust(
    folders: Folders, firmware: Callable[[str], Path]
) -> None:
    folder = folders.project / "verilog"
    image = firmware("int main(void) { return 0; }")
    before = content(folders.home, folders.project, folders.beside)
    calls: list[tuple[str | Path, ...]] = [
        ("explore", folder / "study.toml"),
        ("explore", folder / "study.toml", "--area"),
        ("verify", folder / "study.toml"),
        ("fdl", "test", folder / "registers.toml"),
        ("run", image, "--device", "picorv32", "--coprocessor", folder / "registers.toml"),
        ("profile", image, "--device", "picorv32", "--coprocessor", folder / "registers.toml"),
    ]
    for words in calls:
        result = folders.call(*words)
        assert result.code == 1, (words, result.text)
        # If nothing can be built without trust, the message about trust comes first.
        reason = "a coprocessor in Verilog" if sandbox.works() else "Verilog|has no sandbox"
        assert re.search(reason, result.text), words
        assert f"`cocrypt trust {folder}`" in result.text, words
    assert content(folders.home, folders.project, folders.beside) == before


def test_folders_of_primitives_are_measured_without_harm(folders: Folders, tmp_path: Path) -> None:
    before = content(folders.home, folders.project, folders.beside)
    for folder in ("primitive", "supercop"):
        result = folders.call("measure", folders.project / folder)
        assert result.code == 1, result.text
        assert SECRET not in result.text
    assert content(folders.home, folders.project, folders.beside) == before
    assert SECRET.encode() not in kept(tmp_path)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The processes that are started, none of which runs."""
    commands: list[str] = []

    def start(*words: object, **_: object) -> None:
        commands.append(str(words[0] if words else ""))
        raise OSError("a process was started")

    for name in ("fork", "forkpty", "system", "posix_spawn", "posix_spawnp", "execv", "execve"):
        monkeypatch.setattr(os, name, start)
    monkeypatch.setattr(subprocess, "Popen", start)
    return commands


def test_designs_are_refused_and_touch_nothing(folders: Folders, started: list[str]) -> None:
    designs = sorted((folders.project / "fdl").glob("*.fdl"))
    before = content(folders.project.parents[1])
    for design in designs:
        for verb in ("check", "sim", "verilog", "vhdl", "diagram"):
            result = folders.call("fdl", verb, design)
            assert result.code == errors.Exit.INPUT, (design, verb, result.text)
            assert SECRET not in result.text
    assert len(designs) > 2
    assert content(folders.project.parents[1]) == before
    assert started == []


def test_opening_runs_nothing(folders: Folders, started: list[str]) -> None:
    with_flags(folders, "-fplugin=./evil.so")
    with_source(folders, "include.c")
    studies = sorted(folders.project.rglob("study.toml"))
    before = content(folders.project.parents[1])
    for study in studies:
        Study.load(study)
    Coprocessor.load(folders.project / "verilog/registers.toml")
    assert len(studies) > 3
    assert content(folders.project.parents[1]) == before
    assert started == []
    # The compiler of a trusted project would be such a process.
    store.trust(folders.project, own=True)
    folders.call("explore", folders.project / "compiler/study.toml")
    assert all(command.startswith(f"['{folders.project}/compiler/evil'") for command in started)
    assert started


# Semihosting of RISC-V: opens a file to write, removes one, and runs a command.
CALLS = r"""
static int call(int operation, const void *words)
{
    register int a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = words;
    __asm__ volatile(".option push\n.option norvc\n.balign 16\nslli x0, x0, 0x1f\nebreak\n"
                     "srai x0, x0, 7\n.option pop" : "+r"(a0) : "r"(a1) : "memory");
    return a0;
}
int main(void)
{
    static const char *names[] = {NAMES};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned size = 0;
        while (names[i][size])
            size++;
        const unsigned words[] = {(unsigned)names[i], 4, size};
        const unsigned removed[] = {(unsigned)names[i], size};
        if (call(0x01, words) != -1 || call(0x0e, removed) == 0 || call(0x12, removed) == 0)
            return 1;
    }
    return 0;
}
"""


@pytest.fixture
def reaching(folders: Folders, firmware: Callable[[str], Path]) -> Path:
    """A program that asks its host for a command, and for files that are not below a folder."""
    victim, shared = folders.beside / "victim", folders.project / "shared"
    victim.write_text("kept\n", encoding="utf-8")
    shared.mkdir()
    (shared / "link").symlink_to(victim)
    (shared / "folder").symlink_to(folders.beside)
    names = [str(victim), "../../beside/victim", "link", "folder/victim", "./../x", "touch ../x"]
    return firmware(CALLS.replace("NAMES", ", ".join(f'"{name}"' for name in names)))


def test_a_program_reaches_nothing_of_the_host(
    folders: Folders, reaching: Path, started: list[str]
) -> None:
    image, shared = reaching, folders.project / "shared"
    calls: list[list[str | Path]] = [
        ["run", image, "--device", "picorv32"],
        ["run", image, "--device", "picorv32", "--semihosting"],
        ["run", image, "--device", "picorv32", "--semihosting-files", shared],
        ["profile", image, "--device", "picorv32"],
    ]
    before = content(folders.home, folders.project, folders.beside)
    results = [folders.call(*words) for words in calls]
    assert [result.code for result in results[1:3]] == [0, 0], results[1].text + results[2].text
    assert content(folders.home, folders.project, folders.beside) == before
    assert started == []


@pytest.mark.parametrize("at", ["build", "build/reports", "build/reports/flags/index.html"])
def test_no_page_goes_through_a_link(
    folders: Folders, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """A user may call the command in the project's folder, which has a `build` already."""
    study = with_flags(folders, "-O2")
    victim = folders.home / ".profile"
    victim.write_text("kept\n", encoding="utf-8")
    link = study.parent / at
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(victim if at.endswith(".html") else folders.home)
    before = content(folders.home)
    monkeypatch.chdir(study.parent)
    monkeypatch.setenv("COCRYPT_TRUST", str(study.parent))
    result = folders.call("explore", study)
    assert result.code == errors.Exit.HOST, result.text
    assert f"{at} is a link" in result.text
    assert content(folders.home) == before


def test_no_page_waits_for_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = paths.build() / "results/name.json"
    page.parent.mkdir(parents=True)
    os.mkfifo(page)
    with pytest.raises(errors.HostError, match="no plain file"):
        paths.write_page(page, "a page")
