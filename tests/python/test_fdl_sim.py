"""`cocrypt fdl sim` and `diagram`: output, files, and the ends of runs."""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from conftest import ROOT

if TYPE_CHECKING:
    from conftest import Cocrypt

GCD = """
dp gcd(in a, b : ns(16)) {
  reg m, n : ns(16);
  reg done : ns(1);
  sfg take { m = a; n = b; }
  sfg reduce { m = (m > n) ? m - n : m; n = (n > m) ? n - m : n; done = m == n; }
  sfg show { $display("cycle ", $cycle, ": ", $dec, m); $finish; }
  $trace(m, "m.txt");
}
fsm control(gcd) {
  initial start;
  state run;
  @start take -> run;
  @run if (done) then show -> run; else reduce -> run;
}
dp numbers(out a, b : ns(16)) { always { a = 48; b = 36; } }
system s { gcd(x, y); numbers(x, y); }
"""


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(cocrypt: Cocrypt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `cocrypt fdl` in the test's folder; returns exit status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str | Path) -> tuple[int, str, str]:
        result = cocrypt("fdl", *words)
        return result.returncode, result.stdout, result.stderr

    return call


@pytest.fixture
def design(tmp_path: Path) -> Path:
    path = tmp_path / "gcd.fdl"
    path.write_text(GCD, encoding="utf-8")
    return path


def test_a_design_prints_and_finishes(design: Path, run: Run) -> None:
    code, out, err = run("sim", design)
    assert (code, out) == (0, "cycle 5: 12/12\nfinish reached !\n")
    assert "finished after 5 cycles" in err
    assert "m.txt" in err
    lines = Path("gcd.files/m.txt").read_text(encoding="utf-8").split()
    assert [int(line, 2) for line in lines] == [0, 48, 12, 12, 12]


def test_the_same_as_json(design: Path, run: Run) -> None:
    code, out, _ = run("sim", design, "--json")
    values = json.loads(out)
    assert code == 0
    assert (values["end"], values["cycles"]) == ("finished", 5)
    assert values["output"][-1] == "finish reached !"
    assert values["files"] == ["gcd.files/m.txt"]


def test_cycles_are_limited(design: Path, run: Run) -> None:
    code, out, err = run("sim", design, "--cycles", "3")
    assert (code, out) == (0, "")
    assert "stopped after 3 cycles" in err


def test_waves_have_the_scopes_of_the_design(design: Path, run: Run) -> None:
    assert run("sim", design, "--waves", "gcd.vcd")[0] == 0
    text = Path("gcd.vcd").read_text(encoding="utf-8")
    scopes = [line.split()[2] for line in text.splitlines() if line.startswith("$scope")]
    assert scopes == ["s", "gcd", "numbers"]
    assert "b0000000000110000" in text
    # The state as a number, and as its name in ASCII.
    names = [line.split()[4] for line in text.splitlines() if line.startswith("$var")]
    assert {"control", "control_name"} <= set(names)
    for state in ("start", "run"):
        assert format(int.from_bytes(state.encode()), "040b") in text
    assert run("sim", design, "--waves", "gcd.fst")[0] == 0
    assert Path("gcd.fst").stat().st_size > 100


def test_activity_has_a_row_a_cycle(design: Path, run: Run) -> None:
    assert run("sim", design, "--activity", "gcd.npz")[0] == 0
    activity = np.load("gcd.npz")
    names, toggles = list(activity["name"]), activity["toggles"]
    assert toggles.shape == (5, len(names))
    # 0, 48, 12, …: 2 bits are set, then 4 change.
    assert list(toggles[:, names.index("gcd.m")]) == [0, 2, 4, 0, 0]
    assert list(activity["total"]) == [int(row.sum()) for row in toggles]


def test_a_design_that_rests_ends(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "rest.fdl"
    path.write_text(
        "dp d(out o : ns(8)) {\n reg n : ns(8);\n always { n = (n == 5) ? 5 : n + 1; o = n; }\n}"
    )
    code, _, err = run("sim", path)
    assert code == 0
    assert "nothing changes any more after 6 cycles" in err


def test_an_access_past_the_end_fails(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "past.fdl"
    text = "dp d(out o : ns(8)) {\n lookup t : ns(8) = { 1, 2 };\n reg n : ns(8);\n"
    path.write_text(
        text + " sig s : ns(8);\n always { n = n + 1; s = t(n); o = s; $display(s); }\n}"
    )
    code, out, err = run("sim", path)
    assert code == 3
    assert out == "1\n2\n0\n"
    assert "lookup table `t` is read past its end" in err
    # GEZEL's simulator reports it too, but ends without an error.
    assert run("sim", path, "--gezel")[0] == 0


def test_files_that_are_missing_are_named(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "stimulus.fdl"
    text = "dp d(in a : ns(8)) { reg r : ns(8); always { r = a; } }\n"
    path.write_text(text + 'system s { d(n); stimulus(n, "numbers.txt"); }')
    code, _, err = run("sim", path)
    assert code == 1
    assert "numbers.txt" in err
    (tmp_path / "numbers.txt").write_text("12 nothing")
    code, _, err = run("sim", path)
    assert code == 1
    assert "`nothing`" in err


def test_extensions_are_refused_on_request(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "array.fdl"
    path.write_text("dp d(out o : ns(8)) { reg m(2) : ns(8); always { m(0) = 1; o = m(1); } }")
    assert run("check", path)[0] == 0
    code, _, err = run("check", path, "--gezel")
    assert code == 1
    assert "fdl.extension" in err


def test_state_machines_are_drawn(design: Path, run: Run) -> None:
    code, out, _ = run("diagram", design)
    assert code == 0
    assert 's0_0 -> s0_1 [label="  take\\l"]' in out
    assert "1. done / show" in out
    assert "2. else / reduce" in out
    assert "1. done / show" in run("diagram", design, "--kind", "mermaid")[1]


def test_datapaths_are_drawn(design: Path, run: Run) -> None:
    code, out, _ = run("diagram", design, "--kind", "datapath", "--top", "gcd")
    assert code == 0
    assert "ns(16)" in out
    assert '[label="reduce"]' in out


def drawn(page: str) -> list[dict[str, Any]]:
    """The datapaths that a page draws."""
    found = re.findall(r'data-drawn="([^"]*)"', page)
    return [json.loads(html.unescape(data)) for data in found]


def test_a_page_has_all_datapaths(design: Path, run: Run) -> None:
    assert run("diagram", design, "-o", "gcd.html")[0] == 0
    page = Path("gcd.html").read_text(encoding="utf-8")
    names = [part["name"] for part in drawn(page)]
    assert names
    assert [f"<h3>{name}</h3>" in page for name in names] == [True] * len(names)
    assert page.count('id="layout"') == 1
    assert run("diagram", design, "--top", "gcd", "-o", "one.html")[0] == 0
    assert len(drawn(Path("one.html").read_text(encoding="utf-8"))) == 1


@pytest.mark.long
def test_a_browser_draws_every_element(
    tmp_path: Path, run: Run, need_tool: Callable[[str], str]
) -> None:
    browser = need_tool("chromium")
    source = ROOT / "coprocessors" / "aes128" / "aes128.fdl"
    assert run("diagram", source, "-o", tmp_path / "page.html")[0] == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    parts = drawn(page)
    options = ["--headless", "--no-sandbox", "--virtual-time-budget=8000", "--dump-dom"]
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    done = subprocess.run(
        [browser, *options, profile, (tmp_path / "page.html").as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    pictures = re.findall(
        r'<svg role="img" aria-label="connections of .*?</svg>', done.stdout, re.DOTALL
    )
    assert len(pictures) == len(parts) > 1
    for picture, part in zip(pictures, parts, strict=True):
        assert picture.count("<title>") == len(part["elements"])
        assert picture.count('class="wire"') == len(part["arrows"])
        assert "NaN" not in picture


def test_pictures_are_made(design: Path, run: Run, need_tool: Callable[[str], str]) -> None:
    need_tool("dot")
    assert run("diagram", design, "-o", "gcd.svg")[0] == 0
    assert "<svg" in Path("gcd.svg").read_text(encoding="utf-8")
