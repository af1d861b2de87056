"""The JSON schemas accept every TOML file of the repository and refuse what the reader refuses.

Their agreement key by key is tested beside the reader, in crates/config/tests/schemas.rs.
"""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from cocrypt import project

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/cases/config"
EXAMPLES = ROOT / "docs/examples"

GOOD = {
    "core": [*ROOT.glob("devices/cores/*.toml"), *EXAMPLES.glob("devices/cores/*.toml")],
    "device": [*ROOT.glob("devices/*.toml"), *EXAMPLES.glob("devices/*.toml")],
    "coprocessor": [
        *ROOT.glob("coprocessors/*/registers.toml"),
        *EXAMPLES.glob("coprocessor/registers.toml"),
    ],
    "primitive": [
        *ROOT.glob("primitives/*/primitive.toml"),
        *EXAMPLES.glob("primitives/*/primitive.toml"),
    ],
    "leakage": [*ROOT.glob("devices/leakage/*.toml"), *EXAMPLES.glob("leakage/*.toml")],
    "set": [*EXAMPLES.glob("traces/**/set.toml")],
    "study": [
        *ROOT.glob("studies/*.toml"),
        *(EXAMPLES / "studies" / name for name in ("example.toml", "java.toml")),
    ],
}

# Mistakes that can be seen without looking at another file or comparing two values.
STRUCTURAL = {
    "bits",
    "empty",
    "missing-key",
    "missing-table",
    "no-hexadecimal",
    "no-identifier",
    "no-memory",
    "no-name",
    "no-register",
    "no-size",
    "no-weight",
    "no-workload",
    "out-of-range",
    "unaligned",
    "unknown-access",
    "unknown-assembler",
    "unknown-class",
    "unknown-delays",
    "unknown-figure",
    "unknown-interface",
    "unknown-key",
    "unknown-kind-of-instructions",
    "unknown-kind-of-memory",
    "unknown-kind-of-peripheral",
    "unknown-kind-of-primitive",
    "unknown-kind-of-register",
    "unknown-method",
    "unknown-role",
    "unknown-type",
    "wrong-type",
}

# Files with one of these codes where two values together make the mistake, or a value and the core;
# which sizes a primitive has follows from its kind. A heap's size is a text.
RELATIONAL = {
    "devices/beyond.toml",
    "devices/switch.toml",
    "coprocessors/bits.toml",
    "primitives/no-size.toml",
    "primitives/size.toml",
    "studies/heap.toml",
}


@cache
def validator(kind: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((ROOT / f"docs/schemas/{kind}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def announced(file: Path) -> set[str]:
    """Return the codes that a bad file says it holds, in lines `# expect CODE LINE WORDS`."""
    lines = (line.split() for line in file.read_text().splitlines())
    return {words[2] for words in lines if words[:2] == ["#", "expect"]}


def bad_files() -> Iterator[tuple[str, Path]]:
    for folder in sorted(path for path in CASES.iterdir() if path.is_dir()):
        kind = {"studies": "study"}.get(folder.name, folder.name.removesuffix("s"))
        for file in sorted(folder.glob("*.toml")):
            codes = announced(file)
            if codes and f"{kind}.syntax" not in codes:
                yield kind, file


@pytest.mark.parametrize("kind", GOOD)
def test_good_files_are_accepted(kind: str) -> None:
    files = GOOD[kind]
    assert len(files) >= 2, f"no files of kind {kind}"
    for file in files:
        validator(kind).validate(tomllib.loads(file.read_text()))


def test_the_schema_refuses_what_it_can_and_nothing_else() -> None:
    count = 0
    for kind, file in bad_files():
        structural = announced(file) & {f"{kind}.{code}" for code in STRUCTURAL}
        expected = bool(structural) and f"{file.parent.name}/{file.name}" not in RELATIONAL
        errors = list(validator(kind).iter_errors(tomllib.loads(file.read_text())))
        assert bool(errors) == expected, f"{file}: {errors or sorted(structural)}"
        count += 1
    assert count >= 60


def test_editors_find_the_schema_of_every_file() -> None:
    """`.taplo.toml` names for each kind at least the files above."""
    rules = tomllib.loads((ROOT / ".taplo.toml").read_text())["rule"]
    named = {
        Path(rule["schema"]["path"]).name.removesuffix(".schema.json"): {
            file for pattern in rule["include"] for file in ROOT.glob(pattern)
        }
        for rule in rules
    }
    assert named.keys() == GOOD.keys()
    for kind, files in named.items():
        assert files >= set(GOOD[kind])
        for file in files:
            validator(kind).validate(tomllib.loads(file.read_text()))


def test_a_new_study_names_the_schema_beside_it(tmp_path: Path) -> None:
    written = project.create(tmp_path / "mine", "picorv32")
    study = tmp_path / "mine/study.toml"
    first = study.read_text().splitlines()[0]
    schema = study.parent / first.removeprefix("#:schema ")
    assert schema in written
    assert schema.read_text() == (ROOT / "docs/schemas/study.schema.json").read_text()
