"""The parts of the paper's experiment, run one after the other."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.report.sheet import sheet
from cocrypt.reproduce.compared import charts
from cocrypt.reproduce.matsuoka2004 import called, java, logic, native
from cocrypt.reproduce.paper import findings_table, parts, unheard

if TYPE_CHECKING:
    from cocrypt.reproduce.paper import Finding, Shown, Step

NAME = "matsuoka2004"


@dataclass(frozen=True)
class Reproduction:
    """The library in Java on the SA-1110, AES from Java and in C, and AES in logic."""

    java: java.Reproduction
    called: called.Reproduction
    native: native.Reproduction
    logic: logic.Reproduction

    @property
    def tables(self) -> tuple[Shown, ...]:
        """Tables 1 and 2, figures 6 and 13, table 3, and the variation of power."""
        return (*self.java.tables, *self.called.tables, *self.native.tables, *self.logic.tables)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The paper's conclusions, each with its verdict."""
        return (*self.java.findings, *self.called.findings, *self.logic.findings)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Algorithms with a result that is not that of the official vectors."""
        return (*self.java.wrong, *self.called.wrong, *self.native.wrong)

    def record(self) -> dict[str, Any]:
        """The output of `--json`; `docs/json.md` describes it."""
        return {
            "study": NAME,
            "java": self.java.record(),
            "called": self.called.record(),
            "native": self.native.record(),
            "logic": self.logic.record(),
            "findings": [asdict(finding) for finding in self.findings],
        }

    def page(self) -> str:
        """The HTML page, which refers to no other file."""
        frames, figures = charts(self.tables)
        held = sum(finding.holds for finding in self.findings)
        summary = (
            "The experiment run again, by <code>cocrypt reproduce matsuoka2004</code>: every "
            "figure of ours was measured or computed for this page."
        )
        headline = f"{held} of {len(self.findings)} findings hold"
        shown = (findings_table(self.findings), *self.tables)
        title = self.java.published["title"]
        return sheet(title, headline, summary, parts(shown, frames), figures)


def reproduce(step: Step = unheard) -> Reproduction:
    """Runs all parts; raises what building and running programs, and hardening, raise."""
    in_java = java.reproduce(step)
    from_java = called.reproduce(in_java.published, step)
    in_c = native.reproduce(in_java.published, step)
    return Reproduction(in_java, from_java, in_c, logic.reproduce(step))
