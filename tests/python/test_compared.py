"""Charts of papers' tables: the pairs of figures that are drawn, and their kind of chart."""

from __future__ import annotations

import pytest

from cocrypt.reproduce.compared import charts, compared
from cocrypt.reproduce.paper import Shown, whose

TABLE = Shown(
    "Table 1",
    whose("cycles", "saved %", texts=["what"]),
    (
        ("<small>", "1,000", "2,000", "10.0 %", "5.0 %"),
        ("large", "50,000", "25,000", "-", "7"),
        ("nothing", "0", "12", "unknown", ""),
    ),
)


def test_ratios_are_of_the_figures_that_both_have() -> None:
    figure = compared(TABLE)
    assert figure is not None
    cycles, saved = figure["data"]
    assert (cycles["name"], saved["name"]) == ("cycles", "saved %")
    assert cycles["x"] == [2.0, 0.5]
    assert saved["x"] == [0.5]
    assert cycles["y"] == ["&lt;small&gt;", "large"]
    assert cycles["customdata"] == ["2,000 / 1,000", "25,000 / 50,000"]
    low, high = figure["layout"]["xaxis"]["range"]
    assert low < 0 < high


def test_rows_stand_in_the_order_of_the_table() -> None:
    figure = compared(TABLE)
    assert figure is not None
    assert figure["layout"]["yaxis"]["categoryarray"] == ["nothing", "large", "&lt;small&gt;"]


@pytest.mark.parametrize(
    "table",
    [
        Shown("words", ("section", "finding"), (("I", "holds"),), texts=2),
        Shown("ours alone", ("what", "cycles, ours"), (("a", "1"), ("b", "2"))),
        Shown("one point", whose("cycles", texts=["what"]), (("a", "1", "2"),)),
        Shown("no row", whose("cycles", texts=["what"]), ()),
    ],
    ids=lambda table: table.title,
)
def test_a_table_without_pairs_has_no_chart(table: Shown) -> None:
    assert compared(table) is None
    assert charts([table]) == ({}, {})


def test_places_and_figures_belong_together() -> None:
    charts_by_table, figures = charts([TABLE, Shown("Table 2", ("a", "b"), ())])
    assert list(charts_by_table) == ["Table 1"]
    assert [f'id="{name}"' in charts_by_table["Table 1"] for name in figures] == [True]
