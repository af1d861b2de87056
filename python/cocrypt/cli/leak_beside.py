"""`cocrypt leak report STUDY`: a study's coprocessors as gates, with one rail beside two."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import log, paths
from cocrypt.cli import leak_sets, output
from cocrypt.cli.tables import figure, key
from cocrypt.errors import InputError
from cocrypt.study import Study

if TYPE_CHECKING:
    from cocrypt.explore.beside import Beside

COLUMNS = (key("figure"), figure("one rail"), figure("two rails"), figure("ratio"))


@dataclass(frozen=True)
class Changes:
    """What the command line asks for instead of the study's own; None where it does not."""

    workload: str | None
    partition: str | None
    model: str | None
    traces: int | None
    orders: int

    def of(self, study: Study) -> Study:
        """The study with other traces and another attack."""
        from cocrypt.leakage.selections import MODELS

        described = study.leakage
        if described is None:
            return study
        if self.traces is not None:
            described = replace(described, traces=self.traces)
        if self.model is not None:
            if self.model not in MODELS:
                raise InputError(
                    f"there is no model `{self.model}` of known bytes",
                    f"name one of {', '.join(MODELS)}",
                )
            described = replace(described, coprocessor_attacks=(self.model,))
        return replace(study, leakage=described)


def report(
    path: Path, changes: Changes, page: Path | None, csv: Path | None, as_json: bool
) -> None:
    """Samples both netlists, prints their figures and writes the page."""
    from cocrypt.explore.beside import beside
    from cocrypt.report import beside as pages

    study = changes.of(Study.load(paths.study(str(path))))
    workload = study.workload(changes.workload)
    with tempfile.TemporaryDirectory(prefix="cocrypt-leakage-") as folder:
        with output.progress("synthesised netlists are kept") as step:
            result = beside(study, workload, changes.partition, Path(folder), step, changes.orders)
        target = page or paths.build() / "reports" / f"{study.name}-rails.html"
        text = pages.page(result)
    leak_sets.write_files(csv, lambda: pages.csv(result))
    if as_json:
        output.print_json(pages.record(result))
    else:
        _show(result)
    for doubt in result.doubts:
        log.say(f"note: {doubt}")
    output.report(target, text, as_json)


def _show(result: Beside) -> None:
    from cocrypt.report import beside as pages

    for pair in result.pairs:
        table = output.table(f"{pair[0].coprocessor}: {result.partition}", *COLUMNS)
        for row in pages.figures(result, pair):
            table.add_row(*row)
        output.print_table(table)
        print(f"{pages.verdict(result, pair)}.")
