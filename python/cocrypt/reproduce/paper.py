"""The interface of a reproduced paper: its tables, findings, record and page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cocrypt.report.sheet import table, titled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cocrypt.study import Study


@dataclass(frozen=True)
class Finding:
    """A conclusion of the paper in our words, whether it holds in our figures, and why.

    `section` is the paper's section that says so.
    """

    section: str
    claim: str
    holds: bool
    why: str


@dataclass(frozen=True)
class Shown:
    """A table as it is shown, with a sentence on it; the first `texts` columns are text.

    A comma in a column's head separates a figure from its source: the paper, or one of ours.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sentence: str = ""
    texts: int = 1


class Reproduced(Protocol):
    """A paper's experiment that was run again."""

    @property
    def tables(self) -> tuple[Shown, ...]:
        """The paper's tables and figures beside ours, in the paper's order."""
        ...

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The paper's conclusions, each with its verdict."""
        ...

    @property
    def wrong(self) -> tuple[str, ...]:
        """Names of the runs whose result is not as expected."""
        ...

    def record(self) -> dict[str, Any]:
        """The output of `--json`."""
        ...

    def page(self) -> str:
        """The HTML page, which refers to no other file."""
        ...


class Step(Protocol):
    """A callback for progress: the activity, the steps done, and all steps."""

    def __call__(self, activity: str, done: int, total: int, /) -> None:
        """Takes note of the progress."""
        ...


def unheard(_what: str, _done: int, _every: int) -> None:
    """A step that ignores the progress."""


class Paper(Protocol):
    """A function that runs a paper's experiment again; `step` gets the progress."""

    def __call__(self, study: Study, step: Step = unheard, /) -> Reproduced:
        """Runs the experiment; raises what building and running programs raise."""
        ...


def whose(
    *names: str, texts: Iterable[str] = (), sources: Iterable[str] = ("paper", "ours")
) -> tuple[str, ...]:
    """Heads of columns in which the paper's figure and ours stand side by side."""
    every = tuple(sources)
    return (*texts, *(f"{name}, {source}" for name in names for source in every))


def findings_table(findings: Iterable[Finding]) -> Shown:
    """The findings as a table."""
    rows = (
        (finding.section, finding.claim, "yes" if finding.holds else "no", finding.why)
        for finding in findings
    )
    heads = ("section", "finding", "holds", "why")
    return Shown("The paper's findings", heads, tuple(rows), texts=4)


def parts(shown: Iterable[Shown], behind: Mapping[str, str] | None = None) -> list[str]:
    """Tables as parts of a page; `behind` is HTML that follows the table of a title."""
    more = behind or {}
    return [
        titled(part.title, part.sentence, table(part.heads, part.rows, part.texts))
        + more.get(part.title, "")
        for part in shown
    ]
