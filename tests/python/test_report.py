"""The report: one file that needs nothing else, says what the figures say, opens in a browser."""

from __future__ import annotations

import hashlib
import math
import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from cocrypt import paths
from cocrypt.cli import output
from cocrypt.explore import Exploration, explore
from cocrypt.report import axes, charts, library, text
from cocrypt.report import exploration as reports
from cocrypt.report.flames import flame
from cocrypt.study import Study
from conftest import ROOT, STUDY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

BROWSER = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="module")
def exploration() -> Exploration:
    study = Study.load(STUDY)
    return explore(study, study.workload("point_double"))


@pytest.fixture(scope="module")
def page(exploration: Exploration) -> str:
    return reports.page([exploration])


class Outline(HTMLParser):
    """The cells of each table row, and the addresses that the page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.loaded: list[str] = []
        self.scripts = 0
        self._cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        loaded = (value or "" for name, value in attrs if name in ("src", "href"))
        self.loaded += [link for link in loaded if not link.startswith("#")]
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
    # The two libraries, the scripts that unpack them, and the page's own.
    assert outline.scripts == 5
    assert len(page) < 1_000_000
    assert not re.search(r"\$[a-z_]+", page.split("<script>")[0])


def test_pages_share_the_library_below_the_folder_of_reports(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = paths.build() / "reports"
    for path in (folder / "study" / "index.html", folder / "portfolio" / "deep" / "a.html"):
        output.report(path, page, as_json=True)
        outline = Outline()
        outline.feed(path.read_text(encoding="utf-8"))
        (link,) = outline.loaded
        assert library.VERSION in link
        assert (path.parent / link).resolve() == (folder / library.NAME).resolve()
        assert len(path.read_bytes()) < 200_000
    assert f"v{library.VERSION}" in (folder / library.NAME).read_text(encoding="utf-8")[:100]
    alone = tmp_path / "alone.html"
    output.report(alone, page, as_json=True)
    assert alone.read_text(encoding="utf-8") == page


def test_the_library_is_the_one_that_its_note_names() -> None:
    note = (files("cocrypt.report") / "plotly" / "README.md").read_text("utf-8")
    assert hashlib.sha256(library.text().encode()).hexdigest() in note
    assert library.VERSION in note


def test_the_contents_lead_to_every_part(page: str) -> None:
    body = page.split("<script")[0]
    links = re.findall(r'<li><a href="#([^"]+)">([^<]+)</a>', body)
    heads = re.findall(r'<h2 id="([^"]+)"[^>]*>([^<]+)</h2>', body)
    assert links == heads
    assert "What is worth it" in dict(heads).values()
    assert body.count("<h2") == len(heads)


def test_ticks_read_as_values() -> None:
    assert [axes.si(value) for value in (0, 0.056, 1, 999, 999.9, 1000, 2_500_000)] == [
        "0", "0.056", "1", "999", "1 k", "1 k", "2.5 M",
    ]  # fmt: skip
    far = axes.logarithmic([900, 5_000_000], "cycles")
    assert far["ticktext"] == ["1 k", "10 k", "100 k", "1 M"]
    near = axes.logarithmic([90, 1100], "cycles")
    assert near["ticktext"] == ["100", "200", "500", "1 k"]
    for some in ([1], [3, 3.1], [0.002, 7e11], [90, 99], [270, 780]):
        axis = axes.logarithmic(some, "anything")
        low, high = axis["range"]
        assert all(low <= math.log10(tick) <= high for tick in axis["tickvals"])
        assert all(low < math.log10(value) < high for value in some)
        assert 3 <= len(axis["ticktext"]) == len(set(axis["ticktext"])) < 20
    assert axes.linear([84_000_000], "cycles")["ticktext"] == [
        "0", "20 M", "40 M", "60 M", "80 M",
    ]  # fmt: skip
    for values in ([0.0], [-0.05, 0.0], [7.0], []):
        low, high = axes.linear(values, "nothing much")["range"]
        assert low < high


def test_bars_stand_in_the_order_of_their_values(exploration: Exploration) -> None:
    figure = charts.figures(exploration)["parts"]
    totals = figure["views"]["cycles"]["x"][-1]
    # The library draws the first one at the bottom.
    assert totals == sorted(totals, reverse=True)
    parts = figure["views"]["cycles"]["x"][:-1]
    assert [sum(part or 0 for part in row) for row in zip(*parts, strict=True)] == totals
    shares = figure["views"]["share of T"]["x"][:-1]
    assert all(sum(row) == pytest.approx(100) for row in zip(*shares, strict=True))


def test_a_flame_graph_has_every_function_within_its_caller(exploration: Exploration) -> None:
    assert exploration.before is not None
    (boxes,) = flame(exploration.before)["data"]
    spans = list(zip(boxes["y"], boxes["base"], boxes["x"], strict=True))
    for level, start, width in spans[1:]:
        assert any(
            above == level - 1 and begin <= start and start + width <= begin + wide
            for above, begin, wide in spans
        )
    # Boxes of one level do not cover one another.
    for level in set(boxes["y"]):
        row = sorted((start, width) for depth, start, width in spans if depth == level)
        ends = [start + width for start, width in row]
        assert all(end <= start for end, (start, _) in zip(ends, row[1:], strict=False))


def test_the_table_holds_every_partition(page: str, exploration: Exploration) -> None:
    outline = Outline()
    outline.feed(page)
    cells = {cell for row in outline.rows for cell in row}
    for row in exploration.rows:
        assert f"{row.measurement.split.total:,}" in cells
        assert (", ".join(row.measurement.partition.hw) or "–") in cells
        assert row.measurement.image_hash in cells


def test_the_sentences_say_what_the_figures_say(exploration: Exploration) -> None:
    fastest = text.fastest(exploration)
    assert f"{fastest.gain:.1f} times as fast" in text.headline(exploration)
    summary = text.summary(exploration)
    assert f"{fastest.measurement.split.total:,} cycles" in summary
    assert "16 of 16 partitions gave the expected result" in summary


def test_a_title_is_text_and_never_markup(exploration: Exploration) -> None:
    study = replace(exploration.study, title="<b>bold</b> & more")
    assert "<title>&lt;b&gt;bold&lt;/b&gt; &amp; more</title>" in reports.page(
        [replace(exploration, study=study)]
    )


def measured_in_a_browser(page: str, folder: Path, browser: str, width: int) -> tuple[int, ...]:
    """The numbers of charts and marks drawn, and the widths of window and page in pixels.

    The page is asked for them, after the charts are drawn, in the browser. A window is never
    narrower than some 500 pixels, so the page stands in a frame of the width.
    """
    probe = (
        "<script>addEventListener('load', () => setTimeout(() => parent.postMessage("
        "`${document.querySelectorAll('.chart:has(.main-svg)').length} "
        "${document.querySelectorAll('.chart .bars path, .chart .points path').length} "
        "${innerWidth} ${document.documentElement.scrollWidth}`, '*'), 1500));</script>"
    )
    (folder / "index.html").write_text(page + probe, encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(
        "<script>onmessage = said => { document.title = said.data; };</script>"
        f'<iframe src="index.html" style="border: 0; width: {width}px; height: 1500px"></iframe>'
    )
    profile = f"--user-data-dir={folder / 'profile'}"
    options = ["--window-size=1400,1600", "--virtual-time-budget=8000", "--dump-dom"]
    done = subprocess.run(
        [browser, *BROWSER, profile, *options, frame.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    drawn = re.search(r"<title>(\d+) (\d+) (\d+) (\d+)</title>", done.stdout)
    assert drawn is not None
    return tuple(map(int, drawn.groups()))


@pytest.mark.parametrize("width", [1280, 400])
def test_a_browser_draws_all_charts_within_the_page(
    page: str, tmp_path: Path, need_tool: Callable[[str], str], width: int
) -> None:
    browser = need_tool("chromium")
    charts, marks, inner, content = measured_in_a_browser(page, tmp_path, browser, width)
    assert charts == page.count('class="chart"')
    # 16 partitions: four parts as bars, and each a point of the front.
    assert marks >= 16 * (4 + 1)
    assert inner == width
    assert content <= width


# Pages of other verbs, by the words that write them.
PAGES = {
    "portfolio": ("portfolio", "speck64_128", "aes128/ref", "aes128/small", "sha256/ref"),
    "measure": ("measure", "aes128/ref", "sha256/ref", "sha256/lean"),
    "handshake": ("authenticate", ROOT / "studies" / "authentication.toml"),
}


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.long
def test_pages_of_other_verbs_are_drawn_within_the_window(
    name: str, verb: Verb, tmp_path: Path, need_tool: Callable[[str], str], width: int
) -> None:
    browser = need_tool("chromium")
    result = verb(*PAGES[name], "--report", "page.html")
    assert result.code == 0, result.text
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert len(page) < 1_000_000
    charts, marks, inner, content = measured_in_a_browser(page, tmp_path, browser, width)
    assert charts == page.count('class="chart"') > 0
    assert marks > 0
    assert inner == width
    assert content <= width
