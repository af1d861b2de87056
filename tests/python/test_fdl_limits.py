"""Designs that would take all memory or time, or write to forbidden paths."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COCRYPT = (sys.executable, "-m", "cocrypt")
GIGABYTE = 1 << 30
SECONDS = 5
VERBS = (["check"], ["diagram"], ["verilog"], ["vhdl"], ["sim", "--cycles", "1"])


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTE, GIGABYTE))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def _fdl(*words: str | Path, cwd: Path, timeout: int = 120) -> subprocess.CompletedProcess[str]:
    """`cocrypt fdl` with a gigabyte of addresses."""
    command = [*COCRYPT, "fdl", *map(str, words)]
    # One thread: each further one of a numeric library reserves addresses.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=_limited,
        timeout=timeout,
    )


def _each(count: int, part: Callable[[int], str]) -> str:
    return "".join(map(part, range(count)))


def _datapath(items: str) -> str:
    return f"dp d(in i : ns(8); out o : ns(8)) {{ {items} }}"


def _levels(count: int) -> str:
    uses = ["".join(f"use a{at}(a, w{n}); " for n in range(4)) for at in range(count)]
    sums = "sig w0, w1, w2, w3 : ns(8); always { o = w0 ^ w1 ^ w2 ^ w3; }"
    port = "(in a : ns(8); out o : ns(8))"
    above = [f"dp a{at + 1}{port} {{ {sums} {use} }}" for at, use in enumerate(uses)]
    return "\n".join([f"dp a0{port} {{ always {{ o = a; }} }}", *above])


def _states(count: int) -> str:
    names = _each(count, lambda n: f"state s{n};")
    moves = _each(count, lambda n: f"@s{n} a -> s{(n + 1) % count};")
    datapath = _datapath("always { o = i; } sfg a { $finish; }")
    return f"{datapath} fsm f(d) {{ initial z; {names} @z a -> s0; {moves} }}"


LARGE = {
    "clones of clones": _levels(9),
    "many more of them": _levels(60),
    "states": _states(20_000),
    "sfgs": _datapath("always { o = i; } " + _each(20_000, lambda n: f"sfg g{n} {{ o = 1; }} ")),
    "mistakes": _datapath("always { " + _each(40_000, lambda n: f"x{n} = y{n}; ") + "}"),
    "arrays": _datapath(_each(9_000, lambda n: f"reg m{n}(200) : ns(8); ") + "always { o = i; }"),
    "a wide memory": _datapath("reg m(2000) : ns(1000000); always { o = m(0); m(0) = i; }"),
    "comments": "/* " * 300_000,
    "ports": "dp c(" + _each(8_000, lambda n: f"in p{n} : ns(8); ") + "out o : ns(8)) "
    "{ always { o = p0; } } dp d(in i : ns(8); out o : ns(8)) { use c("
    + _each(8_000, lambda n: f".p{n}(i), ")
    + ".o(o)); }",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_design_is_checked_or_refused_soon(name: str, tmp_path: Path) -> None:
    design = tmp_path / "large.fdl"
    design.write_text(LARGE[name], encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = _fdl("check", design, cwd=tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process.returncode in (0, 1), process.stderr[-2000:]
    assert "panicked" not in process.stderr
    assert (process.returncode == 0) or "fdl." in process.stderr
    assert after.ru_utime - before.ru_utime < SECONDS
    assert len(process.stderr) < 1_000_000


@pytest.mark.parametrize("verb", ["verilog", "vhdl"])
def test_many_signals_are_written_soon(verb: str, tmp_path: Path) -> None:
    count = 50_000
    signals = ", ".join(f"w{n}" for n in range(count))
    values = _each(count, lambda n: f"w{n} = i; ")
    design = tmp_path / "signals.fdl"
    design.write_text(_datapath(f"sig {signals} : ns(8); always {{ o = i; {values} }}"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = _fdl(verb, design, "--output", "text", cwd=tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process.returncode == 0, process.stderr[-2000:]
    assert after.ru_utime - before.ru_utime < SECONDS


MACHINE = """dp d{0}(out o : ns(16)) {{ reg s, n : ns(16); reg on : ns(1);
  always {{ o = n; on = 1; s = on ? (s >> 1) ^ (s[0] ? (ns(16)) 0xb400 : (ns(16)) 0) : {1}; }}
  sfg up {{ n = n + 1; }} sfg down {{ n = n - 3; }} }}
fsm f{0}(d{0}) {{ initial a; state b; @a if (s[0]) then up -> b; else down -> a;
  @b if (s[1]) then up -> a; else down -> b; }}
"""


def _independent(count: int) -> str:
    machines = _each(count, lambda n: MACHINE.format(n, 1 + 37 * n))
    nets = ", ".join(f"o{n}" for n in range(count))
    uses = _each(count, lambda n: f"use d{n}(o{n}); ")
    return f"{machines}dp top {{ sig {nets} : ns(16); {uses} always {{ $display(o0); }} }}"


@pytest.mark.parametrize("count", [13, 20])
def test_independent_controllers_stay_small(count: int, tmp_path: Path) -> None:
    design = tmp_path / "machines.fdl"
    design.write_text(_independent(count), encoding="utf-8")
    process = _fdl("sim", design, "--cycles", "3000", cwd=tmp_path)
    assert (process.returncode, len(process.stdout.splitlines())) == (0, 3000), process.stderr[
        -2000:
    ]


def test_what_was_displayed_is_there_when_a_run_is_killed(tmp_path: Path) -> None:
    design = tmp_path / "slow.fdl"
    text = "dp d { reg n : ns(32); always { n = n + 1; $display($dec, $cycle); } }"
    design.write_text(text, encoding="utf-8")
    command = [*COCRYPT, "fdl", "sim", str(design), "--cycles", "100000000"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        started = time.monotonic()
        assert running.stdout.readline() == "0\n"
        waited = time.monotonic() - started
        running.kill()
    assert waited < 60


TRACED = 'dp d {{ reg n : ns(8); always {{ n = n + 1; }} $trace(n, "{}"); }}'


@pytest.mark.parametrize("name", ["/tmp/elsewhere.txt", "../out.txt", "a/../../out.txt"])
def test_a_design_writes_nowhere_else(name: str, tmp_path: Path) -> None:
    design = tmp_path / "in" / "d.fdl"
    design.parent.mkdir()
    design.write_text(TRACED.format(name), encoding="utf-8")
    for verb in VERBS[::4]:
        process = _fdl(*verb, design, cwd=design.parent)
        assert process.returncode == 1
        assert "fdl.file" in process.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["in", "d.fdl"]


def test_files_go_below_the_folder_that_is_named(tmp_path: Path) -> None:
    design = tmp_path / "d.fdl"
    design.write_text(TRACED.format("sub/n.txt"), encoding="utf-8")
    process = _fdl("sim", design, "--cycles", "3", "--files", "out", cwd=tmp_path)
    assert process.returncode == 0, process.stderr
    lines = (tmp_path / "out/sub/n.txt").read_text(encoding="utf-8").split()
    assert [int(line, 2) for line in lines] == [0, 1, 2]


@pytest.mark.parametrize("at", ["d.files", "d.files/sub/n.txt"])
def test_links_are_not_followed(at: str, tmp_path: Path) -> None:
    design, outside = tmp_path / "d.fdl", tmp_path / "outside"
    design.write_text(TRACED.format("sub/n.txt"), encoding="utf-8")
    outside.mkdir()
    (outside / "n.txt").write_text("kept", encoding="utf-8")
    link = tmp_path / at
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside / "n.txt" if at.endswith(".txt") else outside)
    process = _fdl("sim", design, "--cycles", "3", cwd=tmp_path)
    assert process.returncode != 0
    assert "is a link" in process.stderr
    assert (outside / "n.txt").read_text(encoding="utf-8") == "kept"


@pytest.mark.parametrize("verb", VERBS[:4])
def test_other_verbs_write_nothing(verb: list[str], tmp_path: Path) -> None:
    design = tmp_path / "d.fdl"
    text = (
        TRACED.format("n.txt")
        .replace("dp d", "dp d(out o : ns(8))")
        .replace("n + 1; ", "n + 1; o = n; ")
    )
    design.write_text('$option "vcd" ' + text, encoding="utf-8")
    assert _fdl(*verb, design, cwd=tmp_path).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["d.fdl"]


def test_a_design_reads_nothing_outside_of_its_folder(tmp_path: Path) -> None:
    secret = tmp_path / "secret.bin"
    secret.write_bytes(b"a secret of somebody")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "linked.bin").symlink_to(secret)
    for name in (str(secret), "../secret.bin", "linked.bin"):
        design = folder / "d.fdl"
        design.write_text(
            "ipblock r(in address : ns(8); in rd : ns(1); out odata : ns(8)) "
            f'{{ iptype "rom"; ipparm "size=8"; ipparm "wl=8"; ipparm "file={name}"; }}',
            encoding="utf-8",
        )
        process = _fdl("check", design, cwd=folder)
        assert process.returncode == 1
        assert "fdl.block" in process.stderr
    (folder / "linked.fdl").symlink_to(secret)
    design.write_text('$include "linked.fdl";', encoding="utf-8")
    process = _fdl("check", design, cwd=folder)
    assert (process.returncode, "a secret" in process.stderr) == (1, False)


@pytest.mark.parametrize("kind", ["device", "pipe", "large", "part"])
def test_a_file_without_an_end_or_a_writer_is_refused(tmp_path: Path, kind: str) -> None:
    path, message = tmp_path / "d.fdl", "it is no plain file"
    if kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "large":
        path.touch()
        os.truncate(path, 1 << 40)
        message = "more than"
    else:
        os.mkfifo(tmp_path / "part.fdl")
        path.write_text('$include "part.fdl";', encoding="utf-8")
    for verb in (["check"], ["sim", "--cycles", "1"]):
        process = _fdl(*verb, path.name, cwd=tmp_path, timeout=20)
        assert process.returncode == 1
        assert message in process.stderr
