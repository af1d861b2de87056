"""`cocrypt compare`, and the formats that verbs print: JSON, comma-separated values, Markdown."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

EXAMPLE = ROOT / "docs/examples/studies/example.toml"


@pytest.fixture(scope="module")
def rows() -> dict[str, Any]:
    """The compared figures, as `explore --json` prints them."""
    names = ("Software", "Hardware")
    figures = {"device": "picorv32", "total": 1000, "rom": 400, "stack": None, "energy_J": 1e-6}
    return {"study": "s", "workload": "w", "rows": [{**figures, "name": name} for name in names]}


def changed(rows: dict[str, Any], **figures: object) -> dict[str, Any]:
    """Figures as of `rows`, with changes in the second row."""
    first, second = rows["rows"]
    return {**rows, "rows": [first, {**second, **figures}]}


@pytest.mark.parametrize(
    ("figures", "bound", "code", "said"),
    [
        ({}, "1", 0, "6 of 6 figures are equal"),
        ({"total": 1010}, "1", 0, "+1.00"),
        ({"total": 1011}, "1", 3, "total of s, w, picorv32, Hardware, from 1,000 to 1,011"),
        ({"total": 900, "rom": 401}, "0", 3, "1 figures grew by more than 0 %"),
        ({"total": 900}, "0", 0, "-10.00"),
        ({"stack": 64}, "0", 0, "6 of 6 figures are equal"),
        ({"name": "Other"}, "0", 0, "gone: s, w, picorv32, Hardware"),
    ],
)
def test_growth_beyond_the_bound_fails(
    cocrypt: Cocrypt,
    tmp_path: Path,
    rows: dict[str, Any],
    figures: dict[str, object],
    bound: str,
    code: int,
    said: str,
) -> None:
    (tmp_path / "old.json").write_text(json.dumps(rows))
    (tmp_path / "new.json").write_text(json.dumps(changed(rows, **figures)))
    result = cocrypt("compare", "old.json", "new.json", "--bound", bound)
    assert result.returncode == code
    assert said in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"),
        ("[]", "is none of ours"),
        ('{"rows": []}', "have no row in common"),
        # Rows of the same names, without figures that could have grown.
        (
            '{"study": "s", "workload": "w", "rows": [{"device": "picorv32", "name": "Software"}]}',
            "have no figure in common",
        ),
        ("\xff\xfe", "is not JSON"),
    ],
)
def test_other_files_are_refused(
    cocrypt: Cocrypt, tmp_path: Path, rows: dict[str, Any], text: str, message: str
) -> None:
    (tmp_path / "old.json").write_text(json.dumps(rows))
    (tmp_path / "new.json").write_bytes(text.encode("latin-1"))
    result = cocrypt("compare", "old.json", "new.json")
    assert (result.returncode, message in result.stderr) == (1, True), result.stderr
    assert cocrypt("compare", "old.json", "missing.json").returncode == 1


def test_an_exploration_compares_with_itself(cocrypt: Cocrypt, tmp_path: Path) -> None:
    words = ("--csv", "rows.csv", "--markdown", "rows.md", "--json")
    result = cocrypt("explore", EXAMPLE, *words)
    assert result.returncode == 0, result.stderr
    (tmp_path / "old.json").write_text(result.stdout)
    compared = cocrypt("compare", "old.json", "old.json", "--bound", "0", "--json")
    assert compared.returncode == 0, compared.stderr
    assert not any(change["worse"] for change in json.loads(compared.stdout)["changes"])
    values = json.loads(result.stdout)["rows"]
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as file:
        printed = list(csv.DictReader(file))
    assert [record["name"] for record in printed] == [row["name"] for row in values]
    assert [int(record["total"]) for record in printed] == [row["total"] for row in values]
    assert [record["verified"] for record in printed] == ["true"] * len(values)
    table = (tmp_path / "rows.md").read_text(encoding="utf-8").splitlines()
    heads = 2 * len({row["device"] for row in values})
    assert len([line for line in table if line.startswith("|")]) == heads + len(values)
    assert f"{values[1]['total']:,}" in table[5]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("text", '`rows[1]` is "text", not an object'),
        ([1], "`rows[1]` is [1], not an object"),
        ({"name": ["a"]}, '`rows[1].name` is ["a"], not a name or a number'),
        ({"name": {"a": 1}}, '`rows[1].name` is {"a": 1}, not a name or a number'),
        ({"total": "12"}, '`rows[1].total` is "12", not a figure'),
        ({"total": True}, "`rows[1].total` is true, not a figure"),
        ({"total": -1}, "`rows[1].total` is -1, not a figure"),
        ({"total": float("nan")}, "`rows[1].total` is NaN, not a figure"),
        ({"total": {"mean": [2]}}, "`rows[1].total` is [2], not a figure"),
        ({"settings": [1]}, "`rows[1].settings` is [1], not an object"),
        ({"settings": {"clock": [1]}}, "`rows[1].settings`"),
    ],
)
def test_values_that_somebody_edited_are_refused(
    cocrypt: Cocrypt, tmp_path: Path, rows: dict[str, Any], row: object, said: str
) -> None:
    first, second = rows["rows"]
    edited = {**second, **row} if isinstance(row, dict) else row
    (tmp_path / "old.json").write_text(json.dumps(rows))
    (tmp_path / "new.json").write_text(json.dumps({**rows, "rows": [first, edited]}))
    result = cocrypt("compare", "old.json", "new.json")
    assert (result.returncode, result.stdout) == (1, "")
    assert f"error: new.json: {said}" in result.stderr
