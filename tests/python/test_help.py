"""The help of verbs: examples, completion, manual pages, and verbosity."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from typer.core import TyperGroup

from cocrypt import paths
from cocrypt.cli import manual
from cocrypt.cli.examples import EXAMPLES
from conftest import ROOT, STUDY, Cocrypt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

VERBS = {words: command for words, command in manual.verbs() if len(words) > 1}
LEAVES = [words for words, command in VERBS.items() if not isinstance(command, TyperGroup)]
EVERY_EXAMPLE = [
    pytest.param(words, line, id=line)
    for words in LEAVES
    for line, _ in EXAMPLES[" ".join(words[1:])]
]


def test_examples_belong_to_verbs() -> None:
    assert set(EXAMPLES) == {" ".join(words[1:]) for words in LEAVES}


@pytest.mark.parametrize(("words", "line"), EVERY_EXAMPLE)
def test_an_example_is_what_its_verb_takes(words: tuple[str, ...], line: str) -> None:
    arguments = shlex.split(line)
    count = len(words) - 1
    assert tuple(arguments[:count]) == words[1:]
    # This reads the words and raises where the verb would refuse them, without calling it.
    context = VERBS[words].make_context(words[-1], arguments[count:])
    assert context.params


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_help_ends_with_examples(words: tuple[str, ...], process: Cocrypt) -> None:
    printed = process(*words[1:], "--help").stdout
    first, _ = EXAMPLES[" ".join(words[1:])][0]
    assert f"    cocrypt {first}\n" in printed.partition("Examples:")[2]
    assert "--quiet" in printed
    assert "--verbose" in printed


def test_manual_pages_say_what_help_says(tmp_path: Path, need_tool: Callable[[str], str]) -> None:
    groff = need_tool("groff")
    pages = manual.write(tmp_path)
    assert {path.stem for path in pages} == {"cocrypt", *("-".join(words) for words in VERBS)}
    for (_, command), path in zip(manual.verbs(), pages, strict=True):
        command_line = [groff, "-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=200n", str(path)]
        process = subprocess.run(command_line, capture_output=True, text=True, check=True)
        assert process.stderr == ""
        for parameter in command.params:
            name = max(parameter.opts, key=len)
            label = name.upper() if parameter.param_type_name == "argument" else name
            assert (
                parameter.metavar in process.stdout
                if parameter.metavar
                else label in process.stdout
            )
    command_line = [sys.executable, "-m", "cocrypt.cli.manual", str(tmp_path / "again")]
    process = subprocess.run(command_line, capture_output=True, text=True, check=True)
    assert len(process.stdout.splitlines()) == len(pages)


def completed(folder: Path, *words: str) -> list[str]:
    """The completions that bash gets for the last of these words."""
    variables = {
        "_COCRYPT_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(("cocrypt", *words)),
        "COMP_CWORD": str(len(words)),
    }
    call = "import sys; sys.argv = ['cocrypt']; from cocrypt.cli import main; main()"
    command = [sys.executable, "-c", call]
    process = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout.split()


@pytest.mark.parametrize(
    ("words", "some"),
    [
        (("expl",), {"explore"}),
        (("run", "--device", "picor"), {"picorv32"}),
        (("measure", "sha5"), {"sha512"}),
        (("measure", "sha256/r"), {"sha256/ref"}),
        (("measure", "aes128", "--compiler", "z"), {"zig"}),
        (("measure", "aes128", "-O", ""), {"s", "2", "3"}),
        (("explore", STUDY, "--workload", "ecdsa_v"), {"ecdsa_verify"}),
        (("verify", "--fuzz", "3", "--core", "i"), {"ibex"}),
        (("reproduce", "hau"), {"hau2011"}),
        (("explore", f"{ROOT}/studies/hau"), {f"{ROOT}/studies/hau2011.toml"}),
        (("fdl", "verilog", f"{ROOT}/docs/examples/cop"), {f"{ROOT}/docs/examples/coprocessor/"}),
        (("fdl", "ver"), {"verilog"}),
    ],
)
def test_shells_complete_what_stands_behind_a_verb(
    tmp_path: Path, words: tuple[str, ...], some: set[str]
) -> None:
    completions = completed(tmp_path, *map(str, words))
    assert some <= set(completions)
    assert all(word.startswith(str(words[-1])) for word in completions)


def test_all_devices_are_completed(tmp_path: Path) -> None:
    assert completed(tmp_path, "run", "--device", "") == list(paths.devices())


def test_names_of_saved_measurements_are_completed(tmp_path: Path) -> None:
    (tmp_path / "build" / "results").mkdir(parents=True)
    (tmp_path / "build" / "results" / "before.json").write_text("{}", encoding="utf-8")
    assert completed(tmp_path, "compare", "bef") == ["before"]


def test_a_broken_study_completes_nothing(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text("[[workload", encoding="utf-8")
    assert completed(tmp_path, "explore", "study.toml", "--workload", "") == []


@pytest.mark.long
@pytest.mark.parametrize("front", [True, False])
def test_quiet_and_verbose_choose_what_is_said(
    front: bool, process: Cocrypt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "cache"))
    verb = ("measure", "md5", "--lengths", "16", "--save", "now")

    def messages(option: str) -> str:
        done = process(option, *verb) if front else process(*verb, option)
        assert done.returncode == 0
        assert "md5" in done.stdout
        return done.stderr

    loud = messages("-v")
    assert "\n+ " in f"\n{loud}"
    assert "ld.lld" in loud
    assert " s)" in loud
    assert messages("-q") == ""
    assert "saved:" in loud


def test_quiet_keeps_errors(process: Cocrypt) -> None:
    done = process("-q", "run", "none.elf", "--device", "picorv32")
    assert done.returncode == 1
    assert "none.elf" in done.stderr
