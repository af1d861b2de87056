"""The JSON schemas accept every TOML file of the repository and refuse what the reader refuses."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/cases/config"

GOOD = {
    "core": [*ROOT.glob("devices/cores/*.toml"), *ROOT.glob("docs/examples/devices/cores/*.toml")],
    "device": [*ROOT.glob("devices/*.toml"), *ROOT.glob("docs/examples/devices/*.toml")],
    "coprocessor": [
        *ROOT.glob("coprocessors/*/registers.toml"),
        *ROOT.glob("docs/examples/coprocessor/*.toml"),
    ],
    "study": [*ROOT.glob("studies/*.toml"), ROOT / "docs/examples/studies/example.toml"],
}

# What needs no other file to be seen: the schema must refuse these too.
STRUCTURAL = {"unknown-key", "wrong-type", "out-of-range", "missing-key", "no-memory", "no-workload"}


def validator(kind: str) -> jsonschema.Draft202012Validator:
    schema: dict[str, Any] = json.loads((ROOT / f"docs/schemas/{kind}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("kind", GOOD)
def test_good_files_are_accepted(kind: str) -> None:
    files = GOOD[kind]
    assert len(files) >= 2, f"no files of kind {kind}"
    for file in files:
        validator(kind).validate(tomllib.loads(file.read_text()))


def structural_cases() -> list[tuple[str, Path]]:
    cases = []
    for file in sorted(CASES.glob("*/*.toml")):
        first = file.read_text().splitlines()[0].split()
        if first[:2] == ["#", "expect"] and first[2].partition(".")[2] in STRUCTURAL:
            cases.append((first[2].partition(".")[0], file))
    return cases


def test_what_the_reader_refuses_the_schema_refuses() -> None:
    cases = structural_cases()
    assert len(cases) >= 7
    for kind, file in cases:
        if file.name == "beyond.toml":  # The sum of base and size, which a schema cannot say.
            continue
        errors = list(validator(kind).iter_errors(tomllib.loads(file.read_text())))
        assert errors, f"{file.name} passes the schema"
