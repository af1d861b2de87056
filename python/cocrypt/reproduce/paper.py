"""What a reproduced paper is to the command line and to its page: tables, findings, a record."""

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

    `section` is where the paper says so.
    """

    section: str
    claim: str
    holds: bool
    why: str


@dataclass(frozen=True)
class Shown:
    """A table as people see it, and what it says in a sentence; the first `texts` columns are text.

    A comma in a column's head stands between a figure and whose it is.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sentence: str = ""
    texts: int = 1


class Reproduced(Protocol):
    """A paper's experiment that was run again."""

    @property
    def study(self) -> Study:
        """What was run."""
        ...

    @property
    def tables(self) -> tuple[Shown, ...]:
        """The paper's tables and figures beside ours, in the paper's order."""
        ...

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The paper's conclusions, one by one."""
        ...

    @property
    def wrong(self) -> tuple[str, ...]:
        """Names of the runs whose result is not what was expected."""
        ...

    def record(self) -> dict[str, Any]:
        """What `--json` prints."""
        ...

    def page(self) -> str:
        """The HTML page, which needs nothing but itself."""
        ...


class Step(Protocol):
    """Hears what is done, and how much of how much."""

    def __call__(self, what: str, done: int, every: int, /) -> None:
        """Hears it."""
        ...


def unheard(_what: str, _done: int, _every: int) -> None:
    """A step that nobody hears."""


class Paper(Protocol):
    """How a paper's experiment is run again; `step` hears how far that is."""

    def __call__(self, study: Study, step: Step = unheard, /) -> Reproduced:
        """Runs it; raises what building and running programs do."""
        ...


def whose(*names: str, texts: Iterable[str] = ()) -> tuple[str, ...]:
    """Heads of columns in which the paper's figure and ours stand side by side."""
    return (*texts, *(f"{name}, {one}" for name in names for one in ("paper", "ours")))


def findings_table(findings: Iterable[Finding]) -> Shown:
    """The findings as a table."""
    rows = ((one.section, one.claim, "yes" if one.holds else "no", one.why) for one in findings)
    heads = ("section", "finding", "holds", "why")
    return Shown("The paper's findings", heads, tuple(rows), texts=4)


def parts(shown: Iterable[Shown], behind: Mapping[str, str] | None = None) -> list[str]:
    """Tables as parts of a page; `behind` is HTML that follows the table of a title."""
    more = behind or {}
    return [
        titled(one.title, one.sentence, table(one.heads, one.rows, one.texts))
        + more.get(one.title, "")
        for one in shown
    ]
