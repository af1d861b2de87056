"""The report: one file that needs nothing else, says what the figures say, opens in a browser."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from cocrypt import report
from cocrypt.explore import Exploration, explore
from cocrypt.report import text
from cocrypt.study import Study
from conftest import STUDY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BROWSER = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="module")
def found() -> Exploration:
    study = Study.load(STUDY)
    return explore(study, study.workload("point_double"))


@pytest.fixture(scope="module")
def page(found: Exploration) -> str:
    return report.page([found])


class Outline(HTMLParser):
    """The cells of each table row, and what the page would load from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.loaded: list[str] = []
        self.scripts = 0
        self._cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href")]
        self.scripts += tag == "script"
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self._cell = True

    def handle_endtag(self, tag: str) -> None:
        self._cell = self._cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.rows[-1][-1] += data


def test_the_page_needs_nothing_but_itself(page: str) -> None:
    outline = Outline()
    outline.feed(page)
    assert outline.loaded == []
    assert outline.scripts == 2
    assert page.count("plotly.js v") == 1
    assert not re.search(r"\$[a-z_]+", page.split("<script>")[0])


def test_the_table_holds_every_partition(page: str, found: Exploration) -> None:
    outline = Outline()
    outline.feed(page)
    cells = {cell for row in outline.rows for cell in row}
    for row in found.rows:
        assert f"{row.measurement.split.total:,}" in cells
        assert (", ".join(row.measurement.partition.hw) or "–") in cells
        assert row.measurement.image_hash in cells


def test_the_sentences_say_what_the_figures_say(found: Exploration) -> None:
    fastest = text.fastest(found)
    assert f"{fastest.gain:.1f} times as fast" in text.headline(found)
    summary = text.summary(found)
    assert f"{fastest.measurement.split.total:,} cycles" in summary
    assert "16 of 16 partitions gave the expected result" in summary


def test_a_title_is_text_and_never_markup(found: Exploration) -> None:
    study = replace(found.study, title="<b>bold</b> & more")
    assert "<title>&lt;b&gt;bold&lt;/b&gt; &amp; more</title>" in report.page(
        [replace(found, study=study)]
    )


@pytest.mark.parametrize("width", [1280, 400])
def test_a_browser_draws_all_charts_within_the_page(
    page: str, tmp_path: Path, need_tool: Callable[[str], str], width: int
) -> None:
    """The page is asked for its own widths, after the charts are drawn, in the browser.

    A window is never narrower than some 500 pixels, so the page stands in a frame of the width.
    """
    probe = (
        "<script>addEventListener('load', () => setTimeout(() => parent.postMessage("
        "`${document.querySelectorAll('.chart .main-svg').length > 3} "
        "${document.querySelectorAll('.chart .bars path, .chart .points path').length} "
        "${innerWidth} ${document.documentElement.scrollWidth}`, '*'), 500));</script>"
    )
    (tmp_path / "index.html").write_text(page + probe, encoding="utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(
        "<script>onmessage = said => { document.title = said.data; };</script>"
        f'<iframe src="index.html" style="border: 0; width: {width}px; height: 1500px"></iframe>'
    )
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    options = ["--window-size=1400,1600", "--virtual-time-budget=5000", "--dump-dom"]
    done = subprocess.run(
        [need_tool("chromium"), *BROWSER, profile, *options, frame.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    drawn = re.search(r"<title>(\w+) (\d+) (\d+) (\d+)</title>", done.stdout)
    assert drawn is not None
    charts, marks, inner, content = drawn.groups()
    assert charts == "true"
    # 16 partitions: four parts as bars, up to four parts and T as dots, and the gain.
    assert int(marks) >= 16 * (4 + 2 + 1)
    assert int(inner) == width
    assert int(content) <= width
