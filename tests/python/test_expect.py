"""The expectation of a study: a first run prints it, and a wrong one gets a message."""

from __future__ import annotations

import hashlib
import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.outcome import Output
from cocrypt.study import Study

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Verb

# The digest comes from Python's hashlib, so the expectation does not depend on our machine.
DIGEST = hashlib.sha256(b"abc").digest()
STUDY = """[study]
name = "first"
title = "First"
device = "picorv32"
[toolchain]
compiler = "zig"
flags = ["-O2"]
[sources]
include = ["."]
[[workload]]
name = "digest"
title = "Digest"
source = "main.c"
output = "output"
EXPECT
[[candidate]]
function = "fill"
[[candidate.option]]
name = "other"
source = "other.c"
[[verify]]
workload = "digest"
hw = []
"""
MAIN = f"""#include <stdint.h>
uint8_t output[32];
void fill(uint8_t *bytes, int value);
static const uint8_t known[32] = {{{", ".join(map(str, DIGEST))}}};
void fill(uint8_t *bytes, int value)
{{
    for (int i = 0; i < 32; i++)
        bytes[i] = known[i] + value;
}}
int main(void)
{{
    fill(output, 0);
    return 0;
}}
"""
OTHER = """#include <stdint.h>
extern uint8_t output[32];
void fill(uint8_t *bytes, int value);
void fill(uint8_t *bytes, int value)
{
    static const uint8_t known[32] = {KNOWN};
    for (int i = 31; i >= 0; i--)
        bytes[i] = known[i] + value;
}
"""


def project(folder: Path, expect: str = "", changed: int | None = None) -> Path:
    """A study with one candidate; its other option changes a byte of the output, if any."""
    expected = bytearray(DIGEST)
    if changed is not None:
        expected[changed] ^= 0x40
    (folder / "main.c").write_text(MAIN)
    (folder / "other.c").write_text(OTHER.replace("KNOWN", ", ".join(map(str, expected))))
    path = folder / "study.toml"
    path.write_text(STUDY.replace("EXPECT", expect))
    return path


def stated(digest: bytes) -> str:
    return f'expect = "{digest.hex()}"'


def explored(verb: Verb, path: Path, code: int = 0) -> dict[str, Any]:
    result = verb("explore", path, "--json")
    assert result.code == code, result.err
    values: dict[str, Any] = json.loads(result.out)
    return values


def test_a_first_exploration_says_what_came_out_and_how_to_keep_it(
    verb: Verb, tmp_path: Path
) -> None:
    path = project(tmp_path)
    result = verb("explore", path)
    assert result.code == 0
    assert DIGEST.hex(" ") in result.out
    (line,) = (line for line in result.out.splitlines() if line.startswith("expect = "))
    path.write_text(path.read_text().replace('output = "output"\n', f'output = "output"\n{line}\n'))
    assert Study.load(path).workload().expect == DIGEST
    again = verb("explore", path)
    assert again.code == 0
    assert "expect = " not in again.out


@pytest.mark.parametrize("name", ["run", "profile"])
def test_a_first_run_says_it_too(verb: Verb, tmp_path: Path, name: str) -> None:
    path = project(tmp_path)
    result = verb(name, path)
    assert result.code == 0
    assert (stated(DIGEST) in result.out) == (name == "run")


def test_json_says_what_came_out(verb: Verb, tmp_path: Path) -> None:
    values = explored(verb, project(tmp_path))
    assert values["verified"] is True
    output = values["output"]
    assert output["symbol"] == "output"
    assert output["verified"] is output["expected"] is None
    assert output["got"] == DIGEST.hex()
    assert bytes.fromhex(tomllib.loads(output["keep"])["expect"]) == DIGEST
    software, replaced = values["rows"]
    assert software["verified"] is None
    # Without an expectation, partitions must leave what the software leaves.
    assert replaced["verified"] is True
    assert replaced["expected"] == replaced["got"] == DIGEST.hex()
    run = json.loads(verb("run", tmp_path / "study.toml", "--json").out)
    assert run["output"] == {key: output[key] for key in ("symbol", "verified", "expected", "got")}


def test_the_report_does_not_call_right_what_nobody_knows(verb: Verb, tmp_path: Path) -> None:
    path = project(tmp_path)
    assert verb("explore", path, "--report", tmp_path / "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "does not say which result is right" in page
    assert "1 of 1 other partitions" in page


def test_a_stated_result_is_verified(verb: Verb, tmp_path: Path) -> None:
    values = explored(verb, project(tmp_path, stated(DIGEST)))
    assert values["output"]["keep"] is None
    assert [row["verified"] for row in values["rows"]] == [True, True]
    assert {row["expected"] for row in values["rows"]} == {DIGEST.hex()}


WRONG = DIGEST[:17] + bytes([DIGEST[17] ^ 1, DIGEST[18]]) + DIGEST[19:31] + bytes([DIGEST[31] ^ 8])


def marked(lines: list[str]) -> set[int]:
    """The indices of the bytes under which marks stand, found by their columns."""
    columns = set()
    for expected, marks in zip(lines, lines[2:], strict=False):
        if "expected" not in expected:
            continue
        start = expected.index("expected") + len("expected  ")
        first = int(expected.split()[0], 16)
        columns |= {
            first + (at - start) // 3 for at in range(start, len(marks), 3) if marks[at] == "^"
        }
    return columns


@pytest.mark.parametrize("name", ["run", "profile", "explore"])
def test_a_wrong_result_stands_beside_what_is_expected(
    verb: Verb, tmp_path: Path, name: str
) -> None:
    result = verb(name, project(tmp_path, stated(WRONG)))
    assert result.code == 3
    assert "`output` is not what the study expects" in result.err
    lines = result.err.splitlines()
    assert any(WRONG[16:].hex(" ") in line and "0x0010 expected" in line for line in lines)
    assert any(DIGEST[16:].hex(" ") in line and "got" in line for line in lines)
    assert WRONG[:16].hex(" ") not in result.err
    assert marked(lines) == {17, 31}


def test_a_wrong_result_is_in_json_too(verb: Verb, tmp_path: Path) -> None:
    path = project(tmp_path, stated(WRONG))
    for row in explored(verb, path, 3)["rows"]:
        assert row["verified"] is False
        assert (row["expected"], row["got"]) == (WRONG.hex(), DIGEST.hex())
    output = json.loads(verb("run", path, "--json").out)["output"]
    assert output["verified"] is False
    assert (output["expected"], output["got"]) == (WRONG.hex(), DIGEST.hex())


def test_a_partition_that_leaves_something_else_is_found_without_a_vector(
    verb: Verb, tmp_path: Path
) -> None:
    path = project(tmp_path, changed=5)
    values = explored(verb, path, 3)
    assert [row["verified"] for row in values["rows"]] == [None, False]
    assert values["verified"] is False
    result = verb("explore", path)
    assert "not what the software leaves in: fill" in result.err
    assert marked(result.err.splitlines()) == {5}
    # The software's result is offered nevertheless.
    assert stated(DIGEST) in result.out


def test_fewer_bytes_than_the_global_has_may_be_expected(verb: Verb, tmp_path: Path) -> None:
    assert verb("run", project(tmp_path, stated(DIGEST[:4]))).code == 0


def test_more_bytes_than_the_global_has_are_refused(verb: Verb, tmp_path: Path) -> None:
    result = verb("run", project(tmp_path, stated(DIGEST + b"\0")))
    assert result.code == 1
    assert "`output` has 32 bytes, 33 are expected" in result.err


def test_rtl_is_compared_with_the_model_where_nothing_is_expected(
    verb: Verb, tmp_path: Path
) -> None:
    result = verb("verify", project(tmp_path), "--json")
    assert result.code == 0, result.err
    (run,) = json.loads(result.out)["runs"]
    assert run["verified"] is True
    assert run["expected"] is None
    assert run["got"] == {"model": DIGEST.hex(), "rtl": DIGEST.hex()}
    result = verb("verify", project(tmp_path, stated(WRONG)), "--json")
    assert result.code == 3
    (run,) = json.loads(result.out)["runs"]
    assert (run["expected"], run["got"]["rtl"]) == (WRONG.hex(), DIGEST.hex())


def test_many_differences_are_cut_and_lengths_may_differ() -> None:
    long = Output("o", bytes(16 * 40), bytes([255] * 16 * 40))
    assert long.differences.count("expected") == 8
    assert "32 more lines differ" in long.differences
    short = Output("o", bytes(3), bytes(5))
    assert marked(short.differences.splitlines()) == {3, 4}
    assert Output("o", b"", b"").verified is True
