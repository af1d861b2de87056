"""The access that projects have to the host: options, compilers, the list of trusted folders."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import tomllib
from typing import TYPE_CHECKING

import pytest

from cocrypt.errors import HostError, InputError
from cocrypt.trust import Project, require_trust, sandbox, store
from cocrypt.trust.allowed import refused
from conftest import ROOT
from test_hostile import FLAGS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

USUAL = [
    line
    for line in (ROOT / "tests/cases/trust/usual.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def test_usual_options_need_no_trust() -> None:
    assert refused(USUAL) == []
    pairs = ["-D", "A=1", "-U", "B", "-I", "include", "-include", "hosted.h"]
    pairs += ["--param", "inline-unit-growth=5"]
    assert refused(pairs) == []


def test_options_of_what_comes_with_cocrypt_need_no_trust() -> None:
    """Users write the same options, so they have to be among those that are allowed."""
    options: set[tuple[str, ...]] = set()

    def collect(value: object) -> None:
        if isinstance(value, dict):
            options.update([tuple(value["flags"])] if isinstance(value.get("flags"), list) else [])
            for item in value.values():
                collect(item)
        elif isinstance(value, list):
            for item in value:
                collect(item)

    for pattern in ("studies/*.toml", "primitives/*/primitive.toml", "benches/**/*.toml"):
        for path in ROOT.glob(pattern):
            collect(tomllib.loads(path.read_text(encoding="utf-8")))
    assert len(options) > 50
    assert {words: refused(words) for words in options if refused(words)} == {}


@pytest.mark.parametrize("line", FLAGS)
def test_options_that_run_or_write_need_trust(line: str) -> None:
    words = [word.replace("@HOME@", "/home/me") for word in line.split(" ")]
    assert refused(words)
    assert refused(["-O2", *words, "-g"])


def test_no_allowed_option_makes_gcc_write_beside_its_output(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """GCC lists its own options; those that are allowed are tried in an empty folder."""
    gcc = need_tool("gcc")
    listing = ""
    for kind in ("common", "optimizers", "target"):
        help_option = f"--help={kind}"
        listing += subprocess.run(
            [gcc, help_option], capture_output=True, text=True, check=True
        ).stdout
    every = set(re.findall(r"^ +(-[fm][-\w=+]*\w)(?:\s|$)", listing, re.MULTILINE))
    allowed = sorted(option for option in every if not refused([option]))
    assert len(allowed) > 250
    (tmp_path / "main.c").write_text("int f(int x) { while (x > 9) x /= 3; return x; }\n")

    def left(options: list[str]) -> list[str]:
        """The files beside a compilation's output; options that do not fit together are split."""
        folder = tmp_path / f"{options[0]}-{len(options)}"
        folder.mkdir()
        command = [gcc, "-O1", *options, "-S", "../main.c", "-o", "out.s"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        if done.returncode != 0 and len(options) > 1:
            middle = len(options) // 2
            return [*left(options[:middle]), *left(options[middle:])]
        return [f"{options}: {path.name}" for path in folder.iterdir() if path.name != "out.s"]

    assert left(["-fdump-tree-all"]), "an option that writes has to be seen to write"
    assert left(allowed) == []


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that nobody trusts."""
    monkeypatch.delenv("COCRYPT_TRUST")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    store.forget()
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "study.toml").write_text("[study]\n", encoding="utf-8")
    return folder


def test_what_a_project_asks_for_decides(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not sandbox.works():
        pytest.skip("this host has no sandbox")
    untrusted = Project(project, names_compiler=True)
    source = project / "main.c"
    assert untrusted.sandbox("zig", [("-O2",)], [source])
    for compiler, flags, files in (
        ("./gcc", (), ()),
        ("rm", (), ()),
        ("zig", ("-fplugin=x",), ()),
        ("zig", (), (project.parent / "other.c",)),
    ):
        with pytest.raises(InputError, match="is not trusted") as caught:
            untrusted.sandbox(compiler, [flags], files)
        assert f"`cocrypt trust {project}`" in str(caught.value.help)
    monkeypatch.setenv("HOME", str(project / "me"))
    with pytest.raises(InputError, match="home folder"):
        untrusted.sandbox("zig")
    monkeypatch.setenv("HOME", str(project.parent))
    # A compiler that the user names may be at any path.
    assert Project(project).sandbox("/usr/bin/gcc")


def test_without_a_sandbox_every_build_needs_trust(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "works", lambda: False)
    with pytest.raises(InputError, match="no sandbox"):
        Project(project).sandbox("zig")
    store.trust(project, own=False)
    assert Project(project).sandbox("zig") is None
    store.revoke(project)
    monkeypatch.setenv("COCRYPT_TRUST", os.pathsep.join(["/nowhere", str(project.parent)]))
    assert Project(project).sandbox("zig") is None


@pytest.mark.parametrize("name", ["study.toml", "sub/core.v", "sub/part.svh", "device.toml"])
def test_a_change_of_what_decides_asks_again(project: Path, name: str) -> None:
    (project / "sub").mkdir()
    store.trust(project, own=False)
    assert store.is_trusted(project / "sub")
    (project / "main.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    store.forget()
    assert store.is_trusted(project)
    (project / name).write_text("# changed\n", encoding="utf-8")
    store.forget()
    assert not store.is_trusted(project)
    with pytest.raises(InputError, match="Verilog"):
        require_trust([project], "Verilog")


@pytest.mark.parametrize(
    ("include", "deeper"),
    [
        ('`include "body.inc"', "module a; endmodule"),
        ('`include "first.txt"', '`include "sub/../body.inc"'),
        ("`include `BODY", "module a; endmodule"),
        ("`define THAT `include\n`THAT `BODY", "module a; endmodule"),
    ],
)
def test_a_change_of_what_verilog_includes_asks_again(
    project: Path, include: str, deeper: str
) -> None:
    (project / "sub").mkdir()
    (project / "core.v").write_text(include, encoding="utf-8")
    (project / "first.txt").write_text(deeper, encoding="utf-8")
    (project / "body.inc").write_text("module b; endmodule", encoding="utf-8")
    store.trust(project, own=False)
    assert store.is_trusted(project)
    (project / "body.inc").write_text('module b; initial $c("run()"); endmodule', encoding="utf-8")
    store.forget()
    assert not store.is_trusted(project)


@pytest.mark.parametrize(
    "include",
    [
        '#include "first.txt"',
        "# include <first.txt>",
        "#inc\\\nlude BODY",
        '#ifdef A\n#elif __has_include("first.txt")\n#endif',
    ],
)
def test_a_change_of_a_block_or_what_it_includes_asks_again(project: Path, include: str) -> None:
    for changed in ("block.cpp", "body.inc"):
        (project / "block.cpp").write_text(f"{include}\nCOCRYPT_BLOCK(A)", encoding="utf-8")
        (project / "first.txt").write_text('#include "body.inc"', encoding="utf-8")
        (project / "body.inc").write_text("class A {};", encoding="utf-8")
        store.trust(project, own=False)
        assert store.is_trusted(project)
        with (project / changed).open("a", encoding="utf-8") as file:
            file.write("// more")
        store.forget()
        assert not store.is_trusted(project)


def test_a_change_of_other_code_in_cpp_does_not_ask_again(project: Path) -> None:
    (project / "firmware.cpp").write_text("int main();", encoding="utf-8")
    store.trust(project, own=False)
    (project / "firmware.cpp").write_text("int main() {}", encoding="utf-8")
    store.forget()
    assert store.is_trusted(project)


def test_names_that_are_no_text_are_trusted_like_others(project: Path) -> None:
    odd = project / os.fsdecode(b"\xff.v")
    odd.write_bytes(b'`include "\xfe.inc"')
    (project / os.fsdecode(b"\xfe.inc")).write_bytes(b"one")
    store.trust(project, own=False)
    assert store.is_trusted(project)
    (project / os.fsdecode(b"\xfe.inc")).write_bytes(b"two")
    store.forget()
    assert not store.is_trusted(project)


@pytest.mark.parametrize(
    "name", ["core.v", "sub/../core.v", "../project/core.v", "x" * 5000, "a\0b", "sub", "", "/"]
)
def test_verilog_that_includes_itself_or_nothing_is_trusted(project: Path, name: str) -> None:
    (project / "sub").mkdir()
    (project / "core.v").write_text(f'`include "{name}"\n' * 1000, encoding="utf-8")
    assert len(store.deciding(project)) < 6
    store.trust(project, own=False)
    assert store.is_trusted(project)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(path, id="/".join(path.parts[-3:-1]))
        for path in sorted((ROOT / "benches/libraries").glob("*/*/primitive.toml"))
    ],
)
def test_other_libraries_are_measured_without_trust(file: Path) -> None:
    """All sources of a library are in its folder, and its options are usual ones."""
    values = tomllib.loads(file.read_text(encoding="utf-8"))
    for implementation in values["implementations"].values():
        for path in (*implementation.get("sources", ()), *implementation.get("include", ())):
            source = os.path.normpath(file.parent / path)
            assert source.startswith(f"{file.parents[1]}{os.sep}"), path
    flags = [*values.get("flags", ()), *(values["primitive"].get("flags", ()))]
    flags += [
        flag
        for implementation in values["implementations"].values()
        for flag in implementation.get("flags", ())
    ]
    assert refused(flags) == []


def test_trust_does_not_reach_beside_a_folder(project: Path) -> None:
    store.trust(project, own=True)
    sibling = project.with_name("project-2")
    sibling.mkdir()
    (project / "link").symlink_to(sibling)
    assert store.is_trusted(project / "sub")
    assert not store.is_trusted(sibling)
    assert not store.is_trusted(project / "link")
    assert not store.is_trusted(project.parent)


def test_the_list_is_the_users_alone(project: Path) -> None:
    store.trust(project, own=True)
    (path,) = project.parent.glob("config/cocrypt/*.json")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.parent.chmod(0o777)
    store.forget()
    with pytest.raises(HostError, match="others can write"):
        store.is_trusted(project)
    path.parent.chmod(0o700)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(HostError, match="cannot be read"):
        store.listed()


def test_the_verb_trusts_lists_and_revokes(project: Path, verb: Verb) -> None:
    assert verb("trust", "--list").out == ""
    done = verb("trust", project)
    assert (done.code, done.out) == (0, "")
    assert str(project / "study.toml") in done.err
    assert verb("trust", "--list").out == f"{project} as it is\n"
    (project / "study.toml").write_text("# changed\n", encoding="utf-8")
    listed = json.loads(verb("trust", "--list", "--json").out)
    assert listed["folders"] == [{"folder": str(project), "own": False, "trusted": False}]
    assert listed["sandbox"] is sandbox.works()
    assert verb("trust", project, "--own").code == 0
    assert verb("trust", "--list").out == f"{project} own\n"
    assert verb("trust", project, "--revoke").code == 0
    again = verb("trust", project, "--revoke")
    assert again.code == 1
    assert "is not in the list" in again.err
    assert verb("trust", "nowhere").code == 1
    assert verb("trust", "--list", "project").code == 1


def test_a_new_project_is_the_users_own(
    project: Path, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert verb("new", "mine").code == 0
    assert store.is_trusted(project.parent / "mine")
    # If the list cannot be written, the project is created all the same.
    monkeypatch.setenv("XDG_CONFIG_HOME", "/dev/null")
    done = verb("new", "other")
    assert done.code == 0
    assert "not remembered" in done.err


def test_a_sandbox_has_no_network_no_processes_and_no_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not sandbox.works():
        pytest.skip("this host has no sandbox")
    monkeypatch.setenv("TOKEN", "secret")
    shown, scratch = tmp_path / "shown", tmp_path / "scratch"
    for folder in (shown, scratch):
        folder.mkdir()
    program = (
        "env; ls /proc | grep -c '^[0-9]'; ls /sys /root /home /etc/passwd; cat /proc/net/dev; "
        f"touch {shown}/x {tmp_path}/x /usr/x /etc/x; touch {scratch}/y; ls /tmp"
    )
    words = sandbox.Sandbox((shown,)).wrap(
        ["/bin/sh", "-c", program], scratch, tmp_path / "shown", {}
    )
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "TOKEN" not in done.stdout
    devices = [line.split(":")[0].strip() for line in done.stdout.splitlines() if "|" not in line]
    assert {"lo"} == {name for name in devices if re.fullmatch(r"[a-z]+[0-9]*", name)} - {"y"}
    assert [path.name for path in tmp_path.rglob("?")] == ["y"]
    assert done.stderr.count("Read-only") == 2 or "cannot touch" in done.stderr
    assert "/etc/passwd" in done.stderr
