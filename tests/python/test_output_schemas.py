"""The output of every verb with `--json` is as its schema says.

The output of slow calls is checked in their own tests: `reproduce` in test_cli_verify.py,
test_matsui2013.py, test_matsuoka2004_java.py, test_matsuoka2004_logic.py and test_duarte2010.py,
`verify --fuzz` in test_cli_verify.py, crowds, pairs and attacks in test_authenticate.py.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import typer

import output_schemas
from cocrypt.cli import app
from conftest import ROOT, some_long

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conftest import Verb

STUDY = "docs/examples/studies/example.toml"
MARKS = """#include "cocrypt/device.h"
int main(void)
{
    for (int at = 1; at < 3; at++) {
        *(volatile unsigned *)COCRYPT_MARKS = at;
    }
    return 0;
}
"""
# The words of each call, by the name of its schema.
CALLS = {
    "explore": ("explore", STUDY),
    "verify": ("verify", STUDY, "--all"),
    "authenticate": ("authenticate", "studies/authentication.toml"),
    "measure": ("measure", "aes128/small", "sha256/small", "x25519/small"),
    "measure-table": ("measure", "--table", "sha256/small", "--iterations", "2"),
    "portfolio": ("portfolio", "md5", "speck64_128", "--rom", "512,1024", "--ram", "64,128"),
    "leak-ct": ("leak", "ct", "chacha20/small"),
    "primitives": ("primitives", "--all"),
    "fdl-check": ("fdl", "check", "docs/examples/coprocessor/adder.fdl"),
    "fdl-sim": ("fdl", "sim", "docs/examples/processors/gcd.fdl", "--device", "picorv32"),
    "fdl-test": ("fdl", "test", "coprocessors/sha256/registers.toml"),
    "devices": ("devices",),
    "build": ("build", STUDY, "--output", "images"),
    "cache": ("cache",),
    "trust": ("trust", "--list"),
    "toolchain": ("toolchain",),
    "doctor": ("doctor",),
}  # fmt: skip
# Verbs with several forms.
FORMS = {
    "authenticate": {"", "-pairs", "-attacks", "-terminals"},
    "leak-report": {"", "-rails"},
    "measure": {"", "-table"},
    "reproduce": {"-hau2011", "-duarte2010", "-matsui2013", "-matsuoka2004"},
    "verify": {"", "-fuzz"},
}
# Keys that other parts of the page describe: stops, images, transfers, hot spots, toolchains, and
# lists that several verbs have.
SHARED = {
    "address", "assembler", "bound", "calls", "cause", "compiler", "control", "cycle", "cycles",
    "encoding", "exit_code", "first_fault", "flags", "following", "form", "functions", "hash",
    "input", "instruction", "kind", "link_flags", "linker", "name", "notes", "operation", "output",
    "pc", "places", "reads", "reason", "refusals", "script", "self_cycles", "serves", "servings",
    "sets", "spots", "status", "symbol", "target", "text", "total_cycles", "vectors", "waited",
    "writes",
}  # fmt: skip
# Files that calls name stand in the checkout.
FOLDERS = ("coprocessors/", "docs/", "studies/")


def printed(verb: Verb, *words: str | Path, code: int = 0) -> Any:  # noqa: ANN401 - JSON.
    """The values that a verb prints with `--json`."""
    arguments = [ROOT / word if str(word).startswith(FOLDERS) else word for word in words]
    result = verb(*arguments, "--json")
    assert result.code == code, result.text
    return json.loads(result.out)


@pytest.mark.parametrize("name", some_long(CALLS, "explore"))
def test_a_verb_prints_what_its_schema_says(name: str, verb: Verb) -> None:
    output_schemas.check(name, printed(verb, *CALLS[name]))


def test_runs_and_profiles(verb: Verb, firmware: Callable[[str], Path]) -> None:
    image = firmware(MARKS)
    run = printed(verb, "run", image, "--device", "picorv32")
    assert len(run["marks"]) == 2
    output_schemas.check("run", run)
    profile = printed(verb, "profile", image, "--device", "picorv32")
    output_schemas.check("profile", profile)
    words = ("--device", "picorv32", "--annotate", "hottest")
    annotated = printed(verb, "profile", image, *words)
    assert annotated["annotation"]["instructions"]
    output_schemas.check("profile", annotated)


def test_a_workload_and_an_annotated_profile(verb: Verb) -> None:
    run = printed(verb, "run", STUDY)
    assert run["output"]["verified"]
    output_schemas.check("run", run)
    profile = printed(verb, "profile", STUDY, "--annotate", "hottest")
    assert profile["annotation"]["instructions"]
    output_schemas.check("profile", profile)


def test_secrets_of_a_program(verb: Verb, firmware: Callable[[str], Path]) -> None:
    text = "volatile int key[4]; int main(void) { return key[0] ? 0 * key[1] : 0; }"
    values = printed(verb, "leak", "ct", firmware(text), "-d", "picorv32", "-s", "key", code=3)
    assert values["rows"][0]["findings"]
    output_schemas.check("leak-ct", values)


def test_traces(verb: Verb) -> None:
    words = ("leak", "trace", "speck64_128/lean", "--random", "text", "-n", "5", "-o", "set")
    values = printed(verb, *words)
    assert values["constant_flow"]
    output_schemas.check("leak-trace", values)


def test_a_run_that_stops(verb: Verb, firmware: Callable[[str], Path]) -> None:
    image = firmware("int main(void) { return *(volatile int *)0x70000000; }")
    run = printed(verb, "run", image, "--device", "picorv32", code=3)
    assert run["stop"]["kind"] == "bus_fault"
    output_schemas.check("run", run)


def test_hot_spots(verb: Verb, tmp_path: Path) -> None:
    assert verb("new", "mine").code == 0
    study = tmp_path / "mine/study.toml"
    text = study.read_text(encoding="utf-8").partition("# A function in one")[0]
    study.write_text(text, encoding="utf-8")
    values = printed(verb, "explore", study)
    assert values["hot_spots"]["spots"]
    output_schemas.check("explore", values)


def test_a_comparison(verb: Verb, tmp_path: Path) -> None:
    old = printed(verb, "measure", "aes128/small")
    new = json.loads(json.dumps(old))
    new["rows"][0]["cycles"] *= 2
    new["rows"][1]["operation"] = "other"
    for name, values in {"old": old, "new": new}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(values), encoding="utf-8")
    comparison = printed(verb, "compare", "old.json", "new.json", code=3)
    assert comparison["gone"]
    assert any(change["worse"] for change in comparison["changes"])
    output_schemas.check("compare", comparison)


def test_a_leak_and_a_warning(verb: Verb, tmp_path: Path) -> None:
    output_schemas.check("leak-ct", printed(verb, "leak", "ct", "aes128/fast", code=3))
    design = tmp_path / "d.fdl"
    text = (ROOT / "docs/fdl/diagnostics/lost-carry.md").read_text(encoding="utf-8")
    (example, *_) = re.findall(r"^```fdl\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    design.write_text(example, encoding="utf-8")
    values = printed(verb, "fdl", "check", design)
    assert values["diagnostics"]
    output_schemas.check("fdl-check", values)


@pytest.mark.long
def test_random_designs(verb: Verb, need_tool: Callable[[str], str]) -> None:
    need_tool("iverilog")
    need_tool("ghdl")
    output_schemas.check("fdl-fuzz", printed(verb, "fdl", "fuzz", "--designs", "1"))


def verbs() -> Iterator[str]:
    """The verbs that have `--json`, as their schemas are called."""
    top = typer.main.get_command(app)
    for name in top.list_commands(None):  # type: ignore[attr-defined]
        command = top.get_command(None, name)  # type: ignore[attr-defined]
        inner = getattr(command, "commands", {"": command})
        for part, subcommand in inner.items():
            if any("--json" in parameter.opts for parameter in subcommand.params):
                yield f"{name}-{part}".removesuffix("-")


def test_every_verb_has_its_schemas() -> None:
    expected = {f"{verb}{form}" for verb in verbs() for form in FORMS.get(verb, {""})}
    assert set(output_schemas.NAMES) == expected


def keys(part: Any) -> Iterator[str]:  # noqa: ANN401 - any part of a schema.
    """The names of all keys in a schema."""
    if isinstance(part, dict):
        if isinstance(part.get("properties"), dict):
            yield from part["properties"]
        for inner in part.values():
            yield from keys(inner)
    if isinstance(part, list):
        for inner in part:
            yield from keys(inner)


@pytest.mark.parametrize("name", output_schemas.NAMES)
def test_a_schema_is_one_and_says_what_each_key_means(name: str) -> None:
    schema = output_schemas.schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"].startswith("cocrypt ")
    for owner in described(schema):
        for key, inner in owner["properties"].items():
            assert inner.get("description"), f"{name}: {key} has no description"


def described(part: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - any part of a schema.
    """All objects with named keys."""
    if isinstance(part, dict):
        if isinstance(part.get("properties"), dict):
            yield part
        for inner in part.values():
            yield from described(inner)
    if isinstance(part, list):
        for inner in part:
            yield from described(inner)


@pytest.mark.parametrize("name", output_schemas.NAMES)
def test_the_page_in_words_names_every_key(name: str) -> None:
    page = (ROOT / "docs/json.md").read_text(encoding="utf-8")
    verb = next(
        candidate
        for candidate in sorted(verbs(), key=len, reverse=True)
        if name.startswith(candidate)
    )
    (section,) = re.findall(
        rf"^## {verb.replace('-', ' ')}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL
    )
    words = set(re.findall(r"\w+", section)) | SHARED
    missing = {key for key in keys(output_schemas.schema(name)) if key not in words}
    assert missing == set()
