"""The command line: exit codes, messages, and JSON that keeps its keys."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from typer.main import get_command

from cocrypt import _native, errors, paths
from cocrypt.cli import app
from cocrypt.cli.verbs import VERBS, Loaded
from conftest import ROOT, STUDY, Cocrypt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HELLO = """
#include <cocrypt/device.h>
__attribute__((noinline)) static uint32_t work(uint32_t rounds)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        sum ^= device_read(COCRYPT_COUNTER);
    }
    return sum;
}
int main(void)
{
    for (const char *text = "hello\\n"; *text; text++) {
        device_write(COCRYPT_CONSOLE, (uint8_t)*text);
    }
    return work(100) == 0 ? 5 : 0;
}
"""

# Words of the command line, and what must stand in the message; all are the user's mistakes.
MISTAKES = [
    (["explor"], "explore"),
    (["explore"], "STUDY"),
    (["explore", "none.toml"], "none.toml"),
    (["explore", STUDY, "--workload", "ecdsa_sing"], "did you mean `ecdsa_sign`?"),
    (["explore", STUDY, "--jobs", "many"], "--jobs"),
    (["explore", STUDY, "--jobs", "0"], "--jobs"),
    (["verify", STUDY, "--core", "ibex"], "`picorv32`, not `ibex`"),
    (["reproduce", "hau2012"], "did you mean `hau2011`?"),
    (["run", "none.elf", "--device", "picorv23"], "did you mean `picorv32`?"),
    (["run", "none.elf", "--device", "picorv32"], "none.elf cannot be read"),
    (["run", ROOT / "devices" / "serv.toml", "--device", "picorv32"], "no [study]"),
    (["run", "none.elf"], "--device"),
    (["profile", "none.elf", "--device", "picorv32"], "none.elf"),
    (["fdl", "check", "none.fdl"], "none.fdl"),
    (["fdl"], "fdl --help"),
    ([], "Commands"),
]


@pytest.mark.parametrize(("words", "expected"), MISTAKES, ids=lambda value: str(value)[-40:])
def test_a_mistake_gets_one_message_and_exit_1(
    process: Cocrypt, words: list[str | Path], expected: str
) -> None:
    result = process(*words)
    assert result.returncode == 1
    assert expected in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


class PanicException(BaseException):
    """Stands for a panic of the native module; PyO3 does not export its own class."""


# Exceptions that are raised anywhere below a verb, and their exit codes.
CODES = [
    (PanicException("index out of bounds"), 101),
    (errors.InputError("wrong"), 1),
    (errors.HostError("missing"), 2),
    (OSError("disk full"), 2),
    (KeyboardInterrupt("interrupted"), 130),
    (errors.ProgramError("failed"), 3),
    (ValueError("ours"), 101),
]


@pytest.mark.parametrize(("error", "code"), CODES, ids=lambda value: type(value).__name__)
def test_each_kind_of_error_has_its_exit_code(
    error: BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> int:
        raise error

    assert errors.guard(fail) == code
    message = capsys.readouterr().err
    assert str(error) in message
    assert ("Traceback" in message) == (code == 101)
    assert ("report it" in message) == (code == 101)


# A line of the study, what replaces it, and what the message must name.
BROKEN_STUDIES = [
    ('function    = "mod_div"', 'function    = "mod_dib"', "mod_div"),
    ('device    = "hau2011-soc"', 'device    = "hau2011-sok"', "hau2011-soc"),
    ('compiler = "zig"', 'compilr = "zig"', "compiler"),
]


@pytest.mark.parametrize(("line", "instead", "expected"), BROKEN_STUDIES)
def test_a_study_with_a_mistake_is_told_with_its_line(
    process: Cocrypt, tmp_path: Path, line: str, instead: str, expected: str
) -> None:
    text = STUDY.read_text(encoding="utf-8")
    assert line in text
    study = _checkout(tmp_path) / "studies" / "broken.toml"
    study.write_text(text.replace(line, instead), encoding="utf-8")
    result = process("explore", study)
    assert result.returncode == 1
    assert "broken.toml:" in result.stderr
    assert expected in result.stderr
    assert "Traceback" not in result.stderr


def _checkout(folder: Path) -> Path:
    """A folder that looks like the project's own to a study in it."""
    for name in ("devices", "primitives", "coprocessors"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "studies", folder / "studies")
    return folder


def test_c_that_does_not_compile_is_the_users_mistake(process: Cocrypt, tmp_path: Path) -> None:
    source = _checkout(tmp_path) / "studies" / "hau2011" / "mod_add.c"
    source.write_text("int main(void) { return undeclared; }\n", encoding="utf-8")
    result = process("explore", tmp_path / "studies" / "hau2011.toml", "--workload", "mod_add")
    assert result.returncode == 1
    assert "mod_add.c:1:" in result.stderr
    assert "undeclared" in result.stderr


def test_a_run_prints_its_figures(process: Cocrypt, firmware: Callable[[str], Path]) -> None:
    result = process("run", firmware(HELLO), "--device", "picorv32", "--json")
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    assert values["console"] == "hello\n"
    assert values["exit_code"] == 0
    assert values["stop"]["kind"] == "exit"
    assert values["cycles"] > values["instructions"] > 100
    assert values["energy_J"] is None
    assert {"device", "image", "rom", "ram", "stack", "host"} <= set(values)


def test_a_profile_accounts_for_every_cycle(
    process: Cocrypt, firmware: Callable[[str], Path]
) -> None:
    image = firmware(HELLO)
    values = json.loads(process("profile", image, "--device", "picorv32", "--json").stdout)
    calls = {function["name"]: function["calls"] for function in values["functions"]}
    assert calls["work"] == 1
    machine = _native.Machine(paths.device("picorv32"), image.read_bytes(), image.name)
    # The first instruction is issued when its word has been fetched; before, no function runs.
    first_issue, _ = machine.trace(100)[0]
    spent = sum(function["self_cycles"] for function in values["functions"])
    assert first_issue + spent == values["total_cycles"]


# A program, options, and what the message must say beside pc, symbol and cycle.
FAULTS = [
    ("int main(void) { return 7; }", [], "code 7"),
    ("int main(void) { for (volatile int i = 0;; i++) { } }", ["--max-cycles", "5000"], "limit"),
    ('int main(void) { for (;;) { __asm__ volatile(""); } }', [], "deadlock"),
    ("int main(void) { return *(volatile int *)0x40000000; }", [], "0x40000000"),
    ('int main(void) { __asm__ volatile(".word 0"); return 0; }', [], "illegal_instruction"),
]


@pytest.mark.parametrize(("text", "options", "expected"), FAULTS, ids=lambda value: str(value)[:40])
def test_a_program_that_fails_is_exit_3(
    process: Cocrypt,
    firmware: Callable[[str], Path],
    text: str,
    options: list[str],
    expected: str,
) -> None:
    result = process("run", firmware(text), "--device", "picorv32", *options)
    assert result.returncode == 3
    assert expected in result.stderr
    assert "pc 0x" in result.stderr
    assert "cycle" in result.stderr


def test_a_fault_names_its_function(process: Cocrypt, firmware: Callable[[str], Path]) -> None:
    image = firmware("int main(void) { return *(volatile int *)0x40000000; }")
    result = process("run", image, "--device", "picorv32")
    assert "in `main`" in result.stderr


def test_an_object_file_is_refused(process: Cocrypt, tmp_path: Path) -> None:
    cut = tmp_path / "cut.elf"
    cut.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(20))
    result = process("run", cut, "--device", "picorv32")
    assert result.returncode == 1
    assert "cut.elf" in result.stderr


def test_doctor_and_devices_name_what_there_is(process: Cocrypt) -> None:
    tools = json.loads(process("doctor", "--json").stdout)["tools"]
    assert all(tool["purpose"] and tool["how"] for tool in tools)
    assert next(tool for tool in tools if tool["name"] == "ziglang")["version"]
    devices = json.loads(process("devices", "--json").stdout)["devices"]
    assert {"picorv32", "hau2011-soc"} <= {device["name"] for device in devices}


def test_a_design_is_checked_and_exported(process: Cocrypt, tmp_path: Path) -> None:
    design = ROOT / "coprocessors" / "map" / "map.fdl"
    assert "no errors" in process("fdl", "check", design).stdout
    result = process("fdl", "verilog", design, "--top", "map", "--output", tmp_path / "map.v")
    assert result.returncode == 0, result.stderr
    assert "module map" in (tmp_path / "map.v").read_text(encoding="utf-8")


def test_a_broken_design_is_told_with_its_line(process: Cocrypt, tmp_path: Path) -> None:
    design = tmp_path / "broken.fdl"
    design.write_text("dp map(in a : ns(1))\n{\n  nonsense nonsense\n}\n", encoding="utf-8")
    result = process("fdl", "check", design)
    assert result.returncode == 1
    assert "broken.fdl:" in result.stderr


def test_version_and_help_are_data(process: Cocrypt) -> None:
    assert process("--version").stdout.startswith("cocrypt ")
    assert "--device" in process("run", "--help").stdout


@pytest.mark.parametrize("name", VERBS)
def test_the_list_of_verbs_has_what_each_says_of_itself(name: str) -> None:
    text = Loaded()[name].help or ""
    assert " ".join(text.partition("\n\n")[0].split()) == VERBS[name]


def test_every_module_with_a_verb_is_in_the_list() -> None:
    modules = (ROOT / "python" / "cocrypt" / "cli").glob("*.py")
    have = {
        module.stem for module in modules if "\ndef command(" in module.read_text(encoding="utf-8")
    }
    # Parts of `fdl` have modules of their own.
    assert {name for name in have if not name.startswith("fdl_")} == set(VERBS) - {"fdl", "leak"}


def test_help_loads_no_verb(process: Cocrypt) -> None:
    """Help and completion load no more modules than they need."""
    script = "import sys; from cocrypt.cli import call; call()"
    report = (
        "print(*(one for one in sys.modules if one.startswith('cocrypt.')), 'numpy' in sys.modules)"
    )
    command = [sys.executable, "-c", f"{script}; {report}", "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    printed, _, loaded = result.stdout.rstrip().rpartition("\n")
    assert "explore" in printed
    assert loaded.endswith("False")
    assert not {"cocrypt.cli.explore", "cocrypt.explore", "cocrypt.machine"} & set(loaded.split())
    assert process("--help").stdout.split("\n", 1)[1] == printed.split("\n", 1)[1] + "\n"


def test_the_package_is_the_command_too() -> None:
    command = [sys.executable, "-m", "cocrypt", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("cocrypt ")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("cocrypt po", ["portfolio"]),
        ("cocrypt fdl ch", ["check"]),
        ("cocrypt --vers", ["--version"]),
    ],
)
def test_shells_complete_verbs(typed: str, found: list[str]) -> None:
    command = get_command(app)
    words = typed.split()
    context = command.make_context("cocrypt", words[1:-1], resilient_parsing=True)
    for word in words[1:-1]:
        inner = command.get_command(context, word)  # type: ignore[attr-defined]
        command, context = (
            inner,
            inner.make_context(word, [], parent=context, resilient_parsing=True),
        )
    assert [item.value for item in command.shell_complete(context, words[-1])] == found
