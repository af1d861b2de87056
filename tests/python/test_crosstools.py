"""`cocrypt toolchain` with small packages instead of the real ones: what is built, and refused.

The packages are Debian's format, and their sources a configure script and a Makefile that install
shell scripts. Nothing here needs a network.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import output_schemas
from cocrypt import cache, eviction, paths
from cocrypt.crosstools import building, host, kept, packages, targets
from cocrypt.crosstools.targets import CrossTarget, Edit, Package, Part, Stage
from cocrypt.errors import Exit, HostError, InputError
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Verb

CONFIGURE = """#!/bin/sh
for word in "$@"; do case $word in --prefix=*) prefix=${word#--prefix=};; esac; done
folder=$(dirname "$0")
sed "s|@prefix@|$prefix|g" "$folder/Makefile.in" > Makefile
cp "$folder/data" .
env >> "@counted@.environment"
echo configured >> "@counted@"
"""
MAKEFILE = """all:
\t{compile}
install:
\tmkdir -p $(DESTDIR)@prefix@/bin $(DESTDIR)@prefix@/toy-elf/bin
\tfor name in {programs}; do \\
\t  file=$(DESTDIR)@prefix@/bin/toy-elf-$$name; \\
\t  printf '#!/bin/sh\\necho GNU %s 1.0 %s\\n' $$name "`cat data`" > $$file; \\
\t  if test -f more; then cat more >> $$file; fi; \\
\t  chmod +x $$file; cp $$file $(DESTDIR)@prefix@/toy-elf/bin/$$name; \\
\tdone
"""
PROGRAMS = {"binutils": ("as", "ld"), "compiler": ("gcc",), "simulator": ("run",)}


SOMEBODY = 54321
"""The owner of files in archives, who is not the user."""


def tar(files: dict[str, str | bytes], mode: str) -> bytes:
    """An archive of files, of which scripts can be run."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            data = text if isinstance(text, bytes) else text.encode()
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o755
            member.uid = member.gid = SOMEBODY
            archive.addfile(member, io.BytesIO(data))
    return content.getvalue()


def deb(files: dict[str, str | bytes]) -> bytes:
    """A package with these files, in the formats of the manual pages of deb and ar."""
    members = {
        "debian-binary": b"2.0\n",
        "control.tar.xz": b"odd",
        "data.tar.xz": tar(files, "w:xz"),
    }
    parts = [b"!<arch>\n"]
    for name, data in members.items():
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n"
        parts += [header.encode(), data, b"\n" * (len(data) % 2)]
    return b"".join(parts)


class Toy:
    """A target with parts whose packages are in a folder."""

    def __init__(self, folder: Path, compiling: dict[str, str] | None = None) -> None:
        self.counted = folder / "counted"
        self.sources = folder / "sources"
        self.sources.mkdir()
        self.target = CrossTarget("toy-elf", "Toy")
        self.parts: dict[str, Part] = {}
        for name, programs in PROGRAMS.items():
            recipe = (compiling or {}).get(name, "echo compiled")
            package = self.package(name, recipe, programs)
            self.parts[name] = Part(
                name=name,
                title=name,
                package=package,
                options=(),
                stages=(
                    Stage("compiling", ("all",), 5, 2),
                    Stage("installing", ("install",), 1, 2, False),
                ),
                programs=programs,
                tools=("make", "tar"),
                needs=("binutils",) if name == "compiler" else (),
            )

    def package(self, name: str, recipe: str, programs: tuple[str, ...]) -> Package:
        """Writes the package of a part."""
        inside = tar(
            {
                "top-1/configure": CONFIGURE.replace("@counted@", str(self.counted)),
                "top-1/Makefile.in": MAKEFILE.format(compile=recipe, programs=" ".join(programs)),
                "top-1/data": "plain\n",
                "top-1/unused/large": "left out",
            },
            "w:xz",
        )
        patch = "--- a/x/data\n+++ b/x/data\n@@ -1 +1 @@\n-plain\n+patched\n"
        content = deb({"usr/src/top-1.tar.xz": inside, "usr/src/fix.diff": patch})
        package = Package(
            name=f"{name}-source",
            version="1.0-1",
            sha256=hashlib.sha256(content).hexdigest(),
            archive="usr/src/top-*.tar.xz",
            patches=(("usr/src/fix.diff", 2),),
            omitted=("*/unused",),
        )
        (self.sources / package.file).write_bytes(content)
        return package

    def build(self, *names: str, step: building.Step = lambda *_: None) -> None:
        """Builds parts."""
        parts = [self.parts[name] for name in names]
        building.build(building.Request(self.target, parts, 1, self.sources), step)

    def folder(self, name: str) -> Path:
        """The folder of a part."""
        return kept.folder(self.target, self.parts[name])


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Toy]:
    """Makes the toy the only target, with a cache of its own."""
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "cache"))

    def make(compiling: dict[str, str] | None = None) -> Toy:
        made = Toy(tmp_path, compiling)
        for table, entries in (
            (targets.PARTS, made.parts),
            (targets.TARGETS, {made.target.name: made.target}),
        ):
            for name in list(table):
                monkeypatch.delitem(table, name)
            for name, entry in entries.items():
                monkeypatch.setitem(table, name, entry)
        return made

    return make


def entries() -> list[str]:
    """What is in the folder of toolchains, but for locks."""
    home = paths.cache() / kept.KIND
    return sorted(path.name for path in home.iterdir() if path.suffix != ".lock")


def test_parts_are_built_once_and_found(toy: Callable[..., Toy], tmp_path: Path) -> None:
    made = toy()
    steps: list[int] = []
    made.build("binutils", "compiler", step=lambda _what, done, _every: steps.append(done))
    assert entries() == sorted(made.folder(name).name for name in ("binutils", "compiler"))
    compiler = kept.which("toy-elf-gcc")
    assert compiler == str(made.folder("compiler") / "bin/toy-elf-gcc")
    # Debian's patch was applied.
    said = subprocess.run([compiler], capture_output=True, text=True, check=True).stdout
    assert said == "GNU gcc 1.0 patched\n"
    assert kept.which("toy-elf-as") == str(made.folder("binutils") / "bin/toy-elf-as")
    assert kept.which("toy-elf-run") is None
    # GCC finds its assembler beside itself.
    assert (made.folder("compiler") / "toy-elf/bin/as").is_file()
    assert steps == sorted(steps)
    assert steps[-1] <= 100
    made.build("binutils", "compiler")
    assert (tmp_path / "counted").read_text().splitlines() == ["configured"] * 2


def test_a_recipe_that_changed_builds_again(
    toy: Callable[..., Toy], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = toy()
    made.build("simulator")
    old = made.folder("simulator")
    changed = replace(made.target, edits=(Edit("simulator", "data", "patched\n", "edited\n"),))
    monkeypatch.setitem(targets.TARGETS, "toy-elf", changed)
    assert kept.which("toy-elf-run") is None
    made.target = changed
    made.build("simulator")
    found = kept.find(changed, made.parts["simulator"])
    assert found is not None
    assert (found.version, found.origin) == ("GNU run 1.0 edited", "cocrypt")
    assert not old.exists()


def test_a_part_of_another_recipe_stays_until_its_successor_is_there(
    toy: Callable[..., Toy], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = toy({"compiler": "false"})
    made.build("binutils", "simulator")
    old = [made.folder(name) for name in ("binutils", "simulator")]
    changed = replace(
        made.target,
        edits=tuple(Edit(part, "data", "patched\n", "edited\n") for part in PROGRAMS),
    )
    monkeypatch.setitem(targets.TARGETS, "toy-elf", changed)
    made.target = changed
    with pytest.raises(HostError, match="compiler of toy-elf cannot be built"):
        made.build("compiler", "simulator")
    assert [path.exists() for path in old] == [True, True]
    made.build("binutils")
    assert [path.exists() for path in old] == [False, True]


def test_a_source_that_is_not_as_known_is_refused(toy: Callable[..., Toy]) -> None:
    made = toy()
    made.target = replace(made.target, edits=(Edit("binutils", "data", "other\n", "edited\n"),))
    with pytest.raises(HostError, match=r"binutils-source_1\.0-1_all\.deb is not as cocrypt"):
        made.build("binutils")
    assert entries() == []


def test_unpacked_sources_are_the_users(toy: Callable[..., Toy], tmp_path: Path) -> None:
    """Root's tar would give them to their owner elsewhere, and the cache is refused then."""
    made, scratch = toy(), tmp_path / "scratch"
    scratch.mkdir()
    package = made.parts["binutils"].package
    source = packages.unpack(package, made.sources / package.file, scratch)
    assert {path.stat().st_uid for path in (source, *source.rglob("*"))} == {os.geteuid()}


def test_a_package_of_another_hash_is_not_unpacked(toy: Callable[..., Toy]) -> None:
    made = toy()
    path = made.sources / made.parts["binutils"].package.file
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(InputError, match="is not the file that cocrypt knows") as refused:
        made.build("binutils")
    assert made.parts["binutils"].package.sha256 in refused.value.message
    assert entries() == []
    path.unlink()
    with pytest.raises(InputError, match=r"has no binutils-source_1\.0-1_all\.deb"):
        made.build("binutils")


@pytest.mark.parametrize("content", [b"", b"!<arch>\n", b"!<arch>\n" + b"x" * 60, b"no archive"])
def test_a_file_that_is_no_package_is_refused(content: bytes, tmp_path: Path) -> None:
    package = Package("odd", "1", hashlib.sha256(content).hexdigest(), "*.tar")
    path = tmp_path / package.file
    path.write_bytes(content)
    (tmp_path / "scratch").mkdir()
    with pytest.raises(HostError, match="is no Debian package"):
        packages.unpack(package, path, tmp_path / "scratch")


def test_a_build_that_fails_leaves_nothing_of_its_part(toy: Callable[..., Toy]) -> None:
    made = toy({"compiler": "echo first; echo toy.c:1: error: odd >&2; false"})
    with pytest.raises(
        HostError, match="compiler of toy-elf cannot be built: make all failed"
    ) as failed:
        made.build("binutils", "compiler")
    assert "toy.c:1: error: odd" in failed.value.message
    output = paths.cache() / kept.KIND / "toy-elf-compiler.failed"
    assert str(output) in (failed.value.help or "")
    assert "first" in output.read_text()
    # What was finished before stays.
    assert entries() == sorted([made.folder("binutils").name, output.name])
    assert kept.which("toy-elf-gcc") is None


def test_programs_that_are_not_installed_are_a_mistake(toy: Callable[..., Toy]) -> None:
    made = toy()
    lacking = replace(made.parts["binutils"], programs=("as", "ld", "nm"))
    targets.PARTS["binutils"] = made.parts["binutils"] = lacking
    with pytest.raises(HostError, match="installed no toy-elf-nm"):
        made.build("binutils")
    assert entries() == []


def test_ctrl_c_ends_the_tools_and_leaves_nothing(toy: Callable[..., Toy], tmp_path: Path) -> None:
    number = tmp_path / "number"
    made = toy({"binutils": f"sleep 300 & echo $$! > {number}; echo started; wait"})

    def step(_what: str, _done: int, _every: int) -> None:
        if number.exists() and number.read_text().strip():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made.build("binutils", step=step)
    assert entries() == []
    process = Path("/proc") / number.read_text().strip()
    for _ in range(50):
        if not process.exists() or "sleep" not in (process / "cmdline").read_text():
            break
        time.sleep(0.1)
    else:
        pytest.fail("the tool still runs")


STARTS = """
import sys
sys.path[:0] = {path!r}
from test_crosstools import *
from cocrypt.errors import guard
made = Toy(Path({folder!r}), {compiling!r})
targets.PARTS.clear()
targets.PARTS.update(made.parts)
targets.TARGETS.clear()
targets.TARGETS["toy-elf"] = made.target
sys.exit(guard(lambda: made.build("binutils") or 0))
"""


def elsewhere(folder: Path, recipe: str) -> subprocess.Popen[str]:
    """A process that builds the toy's binutils, in the cache of this one."""
    compiling = {"binutils": recipe}
    script = STARTS.format(path=sys.path, folder=str(folder), compiling=compiling)
    command = [sys.executable, "-c", script]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_process_that_is_told_to_end_ends_its_tools(
    toy: Callable[..., Toy], tmp_path: Path, number: signal.Signals
) -> None:
    toy()
    folder, running = tmp_path / "elsewhere", tmp_path / "number"
    folder.mkdir()
    process = elsewhere(folder, f"sleep 300 & echo $$! > {running}; echo started; wait")
    for _ in range(300):
        if running.exists() and running.read_text().strip():
            break
        time.sleep(0.1)
    process.send_signal(number)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == Exit.INTERRUPTED, said
    assert entries() == []
    tool = Path("/proc") / running.read_text().strip() / "cmdline"
    assert not tool.exists() or "sleep" not in tool.read_text()


def test_a_process_that_waits_for_another_says_so(toy: Callable[..., Toy], tmp_path: Path) -> None:
    made = toy()
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    lock = paths.cache() / kept.KIND / "toy-elf.lock"
    lock.parent.mkdir(parents=True, mode=0o700)
    with cache.locked(lock):
        process = elsewhere(folder, "echo compiled")
        assert process.stderr is not None
        said = process.stderr.readline()
    assert said == "another process builds for toy-elf: waiting until it ends\n"
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == Exit.FINE
    assert len(entries()) == 1
    assert made.counted.exists() is False


def test_options_of_other_builds_reach_no_tool(
    toy: Callable[..., Toy], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = toy()
    for name in ("CFLAGS", "CFLAGS_FOR_TARGET", "CONFIG_SHELL", "MAKEFLAGS", "CPATH", "ODD"):
        monkeypatch.setenv(name, "-odd")
    made.build("binutils")
    seen = made.counted.with_name("counted.environment").read_text()
    assert "-odd" not in seen
    assert f"CFLAGS={targets.FLAGS}\n" in seen


@pytest.mark.parametrize(
    ("content", "version"),
    [
        ("#!/bin/sh\nprintf 'GNU \\351 1.0\\n'\n", "GNU \ufffd 1.0"),
        ("#!/bin/sh\nexec sleep 30\n", ""),
        ("\x7fELF", ""),
    ],
)
def test_any_program_may_be_asked_for_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, version: str
) -> None:
    monkeypatch.setattr(kept, "ANSWERING", 0.5)
    program = tmp_path / "toy-elf-as"
    program.write_text(content)
    program.chmod(0o755)
    assert kept.version_of(program) == version


def test_a_program_without_a_version_has_that_of_its_sources(toy: Callable[..., Toy]) -> None:
    made = toy({"simulator": "echo 1.0; echo exit 1 > more"})
    made.build("simulator")
    program = made.folder("simulator") / "bin/toy-elf-run"
    assert kept.version_of(program) == ""
    assert kept.record(made.target, made.parts["simulator"])["version"] == "simulator-source 1.0-1"


def test_what_a_killed_process_left_is_removed(toy: Callable[..., Toy]) -> None:
    made = toy()
    left = paths.cache() / kept.KIND / f"{building.SCRATCH}toy-elf-odd"
    left.mkdir(parents=True)
    other = left.with_name(f"{building.SCRATCH}other-elf-odd")
    other.mkdir()
    made.build("binutils")
    assert entries() == sorted([other.name, made.folder("binutils").name])


def test_missing_tools_are_named_in_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "cocrypt.crosstools.host.shutil.which", lambda name: name not in {"xz", "bison"} or None
    )
    part = replace(targets.PARTS["compiler"], headers=("stdio.h", "cocrypt/odd.h"))
    with pytest.raises(HostError, match=r"needs: xz, bison, cocrypt/odd\.h$") as missing:
        host.require([part])
    assert missing.value.help == "in Debian: apt-get install xz-utils bison cocrypt/odd.h"


def test_a_full_disk_is_noticed_before_the_build(toy: Callable[..., Toy]) -> None:
    made = toy()
    part = made.parts["binutils"]
    with pytest.raises(HostError, match="the build takes"):
        host.require_room(
            made.sources, [replace(part, package=replace(part.package, installed=1 << 60))]
        )


def test_a_cache_with_a_space_in_its_name_is_refused(
    toy: Callable[..., Toy], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = toy()
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "my cache"))
    with pytest.raises(HostError, match="whose name has a space") as refused:
        made.build("binutils")
    assert "COCRYPT_CACHE" in (refused.value.help or "")
    assert entries() == []


APT = """#!/bin/sh
case "$*" in
  indextargets*) echo "Debian trixie-security main file:/security/"
    echo "Debian trixie main file:/archive/";;
  *update) {update};;
  *download*) echo "$*" >> {called}; cp {file} .;;
esac
"""


def apt(toy: Toy, folder: Path, monkeypatch: pytest.MonkeyPatch, update: str = "true") -> Path:
    """Puts an apt-get on the PATH that knows one package; returns the file of what it was asked."""
    programs, called = folder / "bin", folder / "called"
    programs.mkdir()
    file = toy.sources / toy.parts["binutils"].package.file
    script = programs / "apt-get"
    script.write_text(APT.format(file=file, called=called, update=update))
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(packages, "KEYS", file)
    return called


def test_packages_come_from_the_archive(
    toy: Callable[..., Toy], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = toy()
    called = apt(made, tmp_path, monkeypatch)
    building.build(building.Request(made.target, [made.parts["binutils"]], 1), lambda *_: None)
    assert called.read_text().split()[-2:] == ["download", "binutils-source=1.0-1"]
    assert entries() == [made.folder("binutils").name]


def test_an_archive_that_does_not_answer_is_named(
    toy: Callable[..., Toy], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = toy()
    apt(made, tmp_path, monkeypatch, update="echo no route >&2; exit 100")
    with pytest.raises(HostError, match=r"1\.0-1 cannot be fetched:\nno route") as failed:
        building.build(building.Request(made.target, [made.parts["binutils"]], 1), lambda *_: None)
    assert "--sources" in (failed.value.help or "")
    assert entries() == []


def test_the_verb_builds_lists_and_takes_what_is_on_the_path(
    toy: Callable[..., Toy], verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = toy()
    listed = json.loads(verb("toolchain", "--json").out)
    output_schemas.check("toolchain", listed)
    assert [part["origin"] for part in listed["toolchains"][0]["parts"]] == [None] * 3
    built = verb("toolchain", "toy", "--sources", made.sources, "--json")
    assert built.code == Exit.FINE, built.err
    output_schemas.check("toolchain", json.loads(built.out))
    parts = {part["part"]: part for part in json.loads(built.out)["toolchains"][0]["parts"]}
    assert parts["compiler"]["version"] == "GNU gcc 1.0 patched"
    assert parts["compiler"]["source"] == "compiler-source 1.0-1"
    assert parts["simulator"]["program"] is None
    programs = tmp_path / "own"
    programs.mkdir()
    (programs / "toy-elf-run").write_text("#!/bin/sh\necho mine 2\n")
    (programs / "toy-elf-run").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    again = verb("toolchain", "toy-elf", "--only", "simulator", "--sources", made.sources)
    assert f"simulator is there: {programs / 'toy-elf-run'}" in again.err
    assert "mine 2" in again.out
    assert (tmp_path / "counted").read_text().count("configured") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("odd-elf",), "there is no toolchain `odd-elf`"),
        (("toy-elf", "--only", "odd"), "a toolchain has no part `odd`"),
        (("--only", "binutils"), "there is nothing to build without a target"),
    ],
)
def test_what_is_no_target_is_refused(
    toy: Callable[..., Toy], verb: Verb, words: tuple[str, ...], message: str
) -> None:
    toy()
    refused = verb("toolchain", *words)
    assert refused.code == Exit.INPUT
    assert message in refused.err


def test_toolchains_are_not_evicted(toy: Callable[..., Toy]) -> None:
    made = toy()
    made.build("binutils")
    (paths.cache() / "objects").mkdir()
    (paths.cache() / "objects" / "a.o").write_bytes(bytes(100))
    cache = paths.cache()
    assert [entry.kind for entry in eviction.trim(cache, 0)] == ["objects"]
    assert kept.which("toy-elf-as") is not None


def test_recipes_are_whole() -> None:
    """Hashes are whole, targets have recipes of their own, and each edit is of a part."""
    recipes = set()
    for target in targets.TARGETS.values():
        assert all(edit.part in targets.PARTS and edit.old != edit.new for edit in target.edits)
        recipes |= {target.recipe(part) for part in targets.PARTS.values()}
    assert len(recipes) == len(targets.TARGETS) * len(targets.PARTS)
    assert all(len(bytes.fromhex(part.package.sha256)) == 32 for part in targets.PARTS.values())
    assert (ROOT / "docs/howto/toolchain.md").is_file()
