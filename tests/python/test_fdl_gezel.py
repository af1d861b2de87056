"""What the command says of designs as GEZEL takes them, and of tops that show nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

COUNTER = "dp d(out o : ns(8)) { reg n : ns(8); always { n = n + 1; o = n; $display(n); } }\n"


def test_a_file_without_a_system_runs_nothing(cocrypt: Cocrypt, tmp_path: Path) -> None:
    path = tmp_path / "d.fdl"
    path.write_text(COUNTER)
    nothing = cocrypt("fdl", "sim", path, "--gezel", "--cycles", "3")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "no system" in nothing.stderr
    chosen = cocrypt("fdl", "sim", path, "--gezel", "--cycles", "3", "--top", "d")
    assert chosen.stdout.split() == ["0/1", "1/2", "2/3"]
    assert cocrypt("fdl", "sim", path, "--cycles", "3").stdout.split() == ["0/1", "1/2", "2/3"]


def test_a_trace_that_cannot_be_written_is_left_out(cocrypt: Cocrypt, tmp_path: Path) -> None:
    path = tmp_path / "d.fdl"
    path.write_text(
        "dp d { reg n : ns(8); always { n = n + 1; $display(n); }\n"
        '$trace(n, "taken/below"); $trace(n, "free"); }\nsystem s { d; }\n'
    )
    files = tmp_path / "files"
    files.mkdir()
    (files / "taken").write_text("a file, and no folder")
    command = ("fdl", "sim", path, "--cycles", "2", "--files", files)
    assert cocrypt(*command).returncode == 2
    lenient = cocrypt(*command, "--gezel")
    assert (lenient.returncode, lenient.stdout.split()) == (0, ["0/1", "1/2"])
    assert "taken" in lenient.stderr
    assert (files / "free").read_text().split() == ["00000000", "00000001"]


def test_a_rule_that_a_state_breaks_ends_the_run(cocrypt: Cocrypt, tmp_path: Path) -> None:
    path = tmp_path / "d.fdl"
    path.write_text(
        "dp d { reg n : ns(8); sig s : ns(8);\n"
        "  sfg good { s = 1; n = n + s; $display(n); }\n  sfg bad { n = n + s; } }\n"
        "fsm f(d) { initial s0; state s1; @s0 good -> s1; @s1 bad -> s0; }\nsystem t { d; }\n"
    )
    assert "is read in a cycle that does not assign it" in cocrypt("fdl", "check", path).stderr
    run = cocrypt("fdl", "sim", path, "--gezel")
    assert (run.returncode, run.stdout.split()) == (0, ["0/1"])
    assert "cycle 1: `s` is read in a cycle that does not assign it" in run.stderr


def test_tops_that_show_something_are_named(cocrypt: Cocrypt, tmp_path: Path) -> None:
    path = tmp_path / "d.fdl"
    user = "dp e(in i : ns(8)) { reg r : ns(8); always { r = i; } }\n"
    path.write_text(COUNTER + user + "dp spare(out o : ns(1)) { always { o = 1; } }\n")
    path.write_text(path.read_text() + "system s { d(n); e(n); }\n")
    export = cocrypt("fdl", "verilog", path)
    assert export.returncode == 0
    assert "choose one with --top: d, spare" in export.stderr
    bench = cocrypt("fdl", "verilog", path, "--testbench")
    assert bench.returncode == 1
    assert "choose one with --top: d, spare" in bench.stderr
    assert "warning" not in cocrypt("fdl", "vhdl", path, "--top", "d").stderr


def test_the_rules_apply_to_the_top_that_is_run(cocrypt: Cocrypt, tmp_path: Path) -> None:
    """What no system names is only warned of, unless `--top` runs it."""
    path = tmp_path / "d.fdl"
    path.write_text(
        COUNTER
        + "dp bad(out o : ns(8)) { sig s : ns(8); always { o = s; } }\n"
        + "dp worse(out o : ns(8)) { sig s : ns(8); sfg a { o = 1; } sfg b { o = s; } }\n"
        + "fsm f(worse) { initial s0; state s1; @s0 a -> s1; @s1 b -> s0; }\n"
        + "system t { d(x); }\n"
    )
    command = ("fdl", "sim", path, "--gezel", "--cycles", "3")
    assert cocrypt(*command).returncode == 0
    refused = cocrypt(*command, "--top", "bad")
    assert refused.returncode == 1
    assert "`s` is read in a cycle that does not assign it" in refused.stderr
    ended = cocrypt(*command, "--top", "worse")
    assert ended.returncode == 0
    assert "cycle 1: `s` is read in a cycle that does not assign it" in ended.stderr


def test_a_state_without_transition_ends_the_run(cocrypt: Cocrypt, tmp_path: Path) -> None:
    path = tmp_path / "d.fdl"
    path.write_text(
        "dp d { reg n : ns(8); always { $display(n); } sfg up { n = n + 1; } }\n"
        "fsm f(d) { initial s0; state s1; @s0 up -> s1; }\nsystem t { d; }\n"
    )
    assert cocrypt("fdl", "sim", path).returncode == 1
    run = cocrypt("fdl", "sim", path, "--gezel")
    assert (run.returncode, run.stdout.split()) == (0, ["0/1"])
    assert "cycle 1: the state `s1` has no transition" in run.stderr
