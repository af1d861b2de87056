"""Projects that mean harm: opened, checked, simulated and built, they touch nothing.

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

from cocrypt import errors, house
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


class Place(NamedTuple):
    """The project, a user's home folder, one beside the project, and what calls the command."""

    project: Path
    home: Path
    beside: Path
    call: Verb


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: Verb) -> Place:
    """A project that means harm, in a user's home folder with a secret; nothing is trusted."""
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

    return Place(project, home, beside, verb)


def content(*folders: Path) -> dict[str, str]:
    """All files in these folders and what is in them."""
    files = (path for folder in folders for path in sorted(folder.rglob("*")))
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in files
    }


def with_flags(place: Place, line: str) -> Path:
    """The study with these options."""
    words = line.replace("@HOME@", str(place.home)).split(" ")
    study = place.project / "flags/study.toml"
    text = (HOSTILE / "flags/study.toml").read_text(encoding="utf-8")
    quoted = ", ".join(f'"{word}"' for word in words)
    study.write_text(text.replace("@FLAGS@", quoted), encoding="utf-8")
    return study


def with_source(place: Place, source: str, flags: str = "-O2") -> Path:
    """The study with this source."""
    study = place.project / "reads/study.toml"
    text = (HOSTILE / "reads/study.toml").read_text(encoding="utf-8")
    text = text.replace("@SOURCE@", source).replace("-O2", flags)
    study.write_text(text, encoding="utf-8")
    return study


def kept(tmp_path: Path) -> bytes:
    """All that is in the cache."""
    return b"".join(path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file())


def test_no_option_that_runs_or_writes_is_used_without_trust(place: Place) -> None:
    with_flags(place, "-O2")
    before = content(place.home, place.beside)
    for line in FLAGS:
        study = with_flags(place, line)
        said = place.call("explore", study)
        assert said.code == 1, (line, said.text)
        assert f"`cocrypt trust {study.parent}`" in said.text, line
        assert "option" in said.text, line
    assert content(place.home, place.beside) == before
    assert not list((place.project / "flags").glob("*canary*"))


@pytest.mark.parametrize("compiler", ["./evil", "@PROJECT@/compiler/evil", "gcc", "evil"])
def test_no_compiler_of_a_projects_own_is_run_without_trust(place: Place, compiler: str) -> None:
    study = place.project / "compiler/study.toml"
    named = compiler.replace("@PROJECT@", str(place.project))
    study.write_text(study.read_text().replace("./evil", named), encoding="utf-8")
    before = content(place.home, place.project, place.beside)
    for verb in (("explore",), ("verify", "--all")):
        said = place.call(verb[0], study, *verb[1:])
        assert said.code == 1, said.text
        assert "compiler" in said.text
        assert f"`cocrypt trust {study.parent}`" in said.text
    assert content(place.home, place.project, place.beside) == before


def test_a_trusted_project_runs_its_compiler_until_it_changes(place: Place) -> None:
    """The trick is one: with trust the program runs. A changed one has to be trusted again."""
    folder = place.project / "compiler"
    study, canary = folder / "study.toml", place.home / "canary"
    assert place.call("trust", folder).code == 0
    place.call("explore", study)
    assert canary.exists()
    canary.unlink()
    (folder / "evil").write_text(f"#!/bin/sh\ntouch {canary}; echo gcc\n", encoding="utf-8")
    store.forget()
    assert place.call("explore", study).code == 1
    assert not canary.exists()
    assert place.call("trust", folder, "--own").code == 0
    place.call("explore", study)
    assert canary.exists()


@pytest.mark.parametrize("source", ["include.c", "above.c", "passwd.c", "embed.c", "assembly.S"])
def test_no_source_reads_what_is_the_users(place: Place, tmp_path: Path, source: str) -> None:
    if not sandbox.works():
        pytest.skip("this host has no sandbox; a project without trust is not built at all")
    said = place.call("explore", with_source(place, source, "-std=gnu23"))
    assert said.code == 1, said.text
    for leaked in (SECRET, "root:x:"):
        assert leaked not in said.text
        assert leaked.encode() not in kept(tmp_path)
    assert "is shown to compilers" in said.text


def test_no_image_holds_what_is_the_users(place: Place, tmp_path: Path) -> None:
    study = with_source(place, "incbin.c")
    said = place.call("explore", study)
    assert said.code == 1, said.text
    assert SECRET.encode() not in kept(tmp_path)
    # With trust it does, so this is how a secret would come into an image.
    assert place.call("trust", place.project).code == 0
    place.call("explore", study)
    assert SECRET.encode() in kept(tmp_path)


def test_a_source_without_an_end_does_not_stop_the_host(place: Place) -> None:
    said = place.call("explore", with_source(place, "endless.c"))
    assert said.code == 1, said.text


def test_links_lead_no_further_than_the_project(place: Place, tmp_path: Path) -> None:
    reads = place.project / "reads"
    (reads / "link.c").symlink_to(place.home / ".ssh/id_secret")
    (reads / "link.h").symlink_to(place.home / ".ssh/id_secret")
    (reads / "header.c").write_text('#include "link.h"\n', encoding="utf-8")
    for source in ("link.c", "header.c"):
        said = place.call("explore", with_source(place, source))
        assert said.code == 1, said.text
        assert SECRET not in said.text
    assert SECRET.encode() not in kept(tmp_path)


def test_a_link_to_what_comes_with_cocrypt_is_not_trusted(place: Place) -> None:
    """Its paths start where the link is, so its sources are the project's."""
    folder = place.project / "linked"
    (folder / "aes128").mkdir(parents=True)
    (folder / "study.toml").symlink_to(ROOT / "studies/aes128.toml")
    for name in ("primitives", "coprocessors", "devices"):
        (place.project / name).symlink_to(ROOT / name)
    text = (ROOT / "studies/aes128.toml").read_text(encoding="utf-8")
    for name in set(re.findall(r"\"([\w./-]+\.[cS])\"", text)):
        path = folder / name
        if path.resolve().is_relative_to(folder):
            path.write_text(f'#include "{place.home}/.ssh/id_secret"\n', encoding="utf-8")
    said = place.call("explore", folder / "study.toml")
    assert said.code == 1, said.text
    assert "is shown to compilers" in said.text or not sandbox.works()
    assert SECRET not in said.text


def test_no_verilog_of_a_projects_own_is_run_without_trust(
    place: Place, firmware: Callable[[str], Path]
) -> None:
    folder = place.project / "verilog"
    image = firmware("int main(void) { return 0; }")
    before = content(place.home, place.project, place.beside)
    calls: list[tuple[str | Path, ...]] = [
        ("explore", folder / "study.toml"),
        ("explore", folder / "study.toml", "--area"),
        ("verify", folder / "study.toml"),
        ("fdl", "test", folder / "registers.toml"),
        ("run", image, "--device", "picorv32", "--coprocessor", folder / "registers.toml"),
        ("profile", image, "--device", "picorv32", "--coprocessor", folder / "registers.toml"),
    ]
    for words in calls:
        said = place.call(*words)
        assert said.code == 1, (words, said.text)
        # Where nothing can be built without trust, that is what is missed first.
        reason = "a coprocessor in Verilog" if sandbox.works() else "Verilog|has no sandbox"
        assert re.search(reason, said.text), words
        assert f"`cocrypt trust {folder}`" in said.text, words
    assert content(place.home, place.project, place.beside) == before


def test_folders_of_primitives_are_measured_without_harm(place: Place, tmp_path: Path) -> None:
    before = content(place.home, place.project, place.beside)
    for folder in ("primitive", "supercop"):
        said = place.call("measure", place.project / folder)
        assert said.code == 1, said.text
        assert SECRET not in said.text
    assert content(place.home, place.project, place.beside) == before
    assert SECRET.encode() not in kept(tmp_path)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The processes that are started, none of which runs."""
    found: list[str] = []

    def start(*words: object, **_: object) -> None:
        found.append(str(words[0] if words else ""))
        raise OSError("a process was started")

    for name in ("fork", "forkpty", "system", "posix_spawn", "posix_spawnp", "execv", "execve"):
        monkeypatch.setattr(os, name, start)
    monkeypatch.setattr(subprocess, "Popen", start)
    return found


def test_designs_are_refused_and_touch_nothing(place: Place, started: list[str]) -> None:
    designs = sorted((place.project / "fdl").glob("*.fdl"))
    before = content(place.project.parents[1])
    for design in designs:
        for verb in ("check", "sim", "verilog", "vhdl", "diagram"):
            said = place.call("fdl", verb, design)
            assert said.code == errors.Exit.INPUT, (design, verb, said.text)
            assert SECRET not in said.text
    assert len(designs) > 2
    assert content(place.project.parents[1]) == before
    assert started == []


def test_opening_runs_nothing(place: Place, started: list[str]) -> None:
    with_flags(place, "-fplugin=./evil.so")
    with_source(place, "include.c")
    studies = sorted(place.project.rglob("study.toml"))
    before = content(place.project.parents[1])
    for study in studies:
        Study.load(study)
    Coprocessor.load(place.project / "verilog/registers.toml")
    assert len(studies) > 3
    assert content(place.project.parents[1]) == before
    assert started == []
    # A compiler of a project that is trusted would be one.
    store.trust(place.project, own=True)
    place.call("explore", place.project / "compiler/study.toml")
    assert all(one.startswith(f"['{place.project}/compiler/evil'") for one in started)
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
def reaching(place: Place, firmware: Callable[[str], Path]) -> Path:
    """A program that asks its host for a command, and for files that are not below a folder."""
    victim, shared = place.beside / "victim", place.project / "shared"
    victim.write_text("kept\n", encoding="utf-8")
    shared.mkdir()
    (shared / "link").symlink_to(victim)
    (shared / "folder").symlink_to(place.beside)
    names = [str(victim), "../../beside/victim", "link", "folder/victim", "./../x", "touch ../x"]
    return firmware(CALLS.replace("NAMES", ", ".join(f'"{one}"' for one in names)))


def test_a_program_reaches_nothing_of_the_host(
    place: Place, reaching: Path, started: list[str]
) -> None:
    image, shared = reaching, place.project / "shared"
    calls: list[list[str | Path]] = [
        ["run", image, "--device", "picorv32"],
        ["run", image, "--device", "picorv32", "--semihosting"],
        ["run", image, "--device", "picorv32", "--semihosting-files", shared],
        ["profile", image, "--device", "picorv32"],
    ]
    before = content(place.home, place.project, place.beside)
    said = [place.call(*words) for words in calls]
    assert [one.code for one in said[1:3]] == [0, 0], said[1].text + said[2].text
    assert content(place.home, place.project, place.beside) == before
    assert started == []


@pytest.mark.parametrize("at", ["build", "build/reports", "build/reports/flags/index.html"])
def test_no_page_goes_through_a_link(
    place: Place, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """A user may call the command in the project's folder, which has a `build` already."""
    study = with_flags(place, "-O2")
    victim = place.home / ".profile"
    victim.write_text("kept\n", encoding="utf-8")
    link = study.parent / at
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(victim if at.endswith(".html") else place.home)
    before = content(place.home)
    monkeypatch.chdir(study.parent)
    monkeypatch.setenv("COCRYPT_TRUST", str(study.parent))
    said = place.call("explore", study)
    assert said.code == errors.Exit.HOST, said.text
    assert f"{at} is a link" in said.text
    assert content(place.home) == before


def test_no_page_waits_for_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = house.build() / "results/name.json"
    page.parent.mkdir(parents=True)
    os.mkfifo(page)
    with pytest.raises(errors.HostError, match="no plain file"):
        house.write_page(page, "a page")
