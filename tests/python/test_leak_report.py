"""`cocrypt leak report`: lines that leak, verdicts, what a set lacks, and the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import output_schemas
from cocrypt.leakage import TraceSetWriter
from test_leak_traces import COUNT, KEY, groups, traces

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Verb

# Fixtures of the other module.
__all__ = ["groups", "traces"]


def test_lines_that_use_a_byte_are_named(verb: Verb, groups: Path, tmp_path: Path) -> None:
    csv, page = tmp_path / "lines.csv", tmp_path / "page.html"
    words = ("--report", page, "--csv", csv)
    result = verb("leak", "report", groups, *words, "--json")
    assert result.code == 0, result.text
    values = json.loads(result.out)
    output_schemas.check("leak-report", values)
    for part in ("tvla", "snr", "attack"):
        output_schemas.check(f"leak-{part}", values[part])
    # Sample 10 + b is line 11 + b and uses byte b; its cycle is 110 + b.
    found = {line["line"]: line for line in values["lines"]}
    assert set(range(11, 27)) <= found.keys()
    assert [line["above"] for line in values["lines"]] == [1] * len(found)
    assert (found[14]["samples"], found[14]["cycles"]) == ([13], [113])
    points = values["tvla"]["orders"][0]["points"]
    largest = {point["line"]: abs(point["t"]) for point in points}
    # A text of 0xff alone differs little from others at some bytes, which their variance shows.
    assert len(found.keys() & largest.keys()) > 8
    for number in found.keys() & largest.keys():
        assert found[number]["max_t"] == pytest.approx(largest[number])
    assert values["attack"]["key"] == KEY.hex()
    assert len(values["verdicts"]) == 3
    table = pl.read_csv(csv)
    assert table["line"].to_list() == [line["line"] for line in values["lines"]]
    assert table["function"].to_list() == ["<aes>"] * len(found)
    text = page.read_text(encoding="utf-8")
    assert all(verdict in text.replace("&gt;", ">") for verdict in values["verdicts"])
    assert "&lt;aes&gt;" in text
    for title in ("Where it leaks", "|t| over samples", "Known bytes", "Rank against traces"):
        assert title in text
    assert "secure" not in text.lower().replace("insecure", "")
    shown = verb("leak", "report", groups, "--report", page)
    assert "aes.c:14" in shown.out


def test_a_set_without_groups_is_attacked_alone(verb: Verb, tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    columns = {"ciphertext": ("uint8", (16,))}
    with TraceSetWriter.create(tmp_path / "set", 8, "float32", columns, "noise") as writer:
        noise = random.normal(0, 1, (COUNT, 8)).astype(np.float32)
        writer.append(noise, ciphertext=random.integers(0, 256, (COUNT, 16), np.uint8))
    result = verb("leak", "report", "set", "--json", "--report", "page.html")
    assert result.code == 0, result.text
    values = json.loads(result.out)
    output_schemas.check("leak-report", values)
    assert (values["tvla"], values["snr"], values["model"]) == (None, None, "aes-last")
    assert values["lines"] == []
    other = verb("leak", "report", "set", "--model", "aes-last-value", "--report", "page.html")
    assert other.code == 0, other.text
    assert "more than by chance" in " ".join(other.out.split())


def test_a_set_with_groups_alone_is_compared(verb: Verb, tmp_path: Path) -> None:
    group = np.arange(COUNT, dtype=np.uint8) % 2
    power = np.random.default_rng(6).normal(0, 1, (COUNT, 4)).astype(np.float32)
    power[:, 2] = group
    columns = {"group": ("uint8", ())}
    with TraceSetWriter.create(tmp_path / "set", 4, "float32", columns, "two groups") as writer:
        writer.append(power, group=group)
    result = verb("leak", "report", "set", "--json", "--report", "page.html")
    values = json.loads(result.out)
    output_schemas.check("leak-report", values)
    (line,) = values["lines"]
    assert (line["samples"], line["infinite"], line["max_t"]) == ([2], True, None)
    assert (values["attack"], values["model"]) == (None, None)


def test_a_set_that_tells_nothing_is_refused(verb: Verb, tmp_path: Path) -> None:
    with TraceSetWriter.create(tmp_path / "set", 4, "float32", {}, "nothing") as writer:
        writer.append(np.zeros((10, 4), np.float32))
    result = verb("leak", "report", "set", "--report", "page.html")
    assert result.code == 1
    assert "neither groups nor known bytes" in result.err
