"""The HTML report of an exploration: one self-contained page."""

from __future__ import annotations

import json
import shlex
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from plotly.offline import get_plotlyjs

import cocrypt
from cocrypt import house
from cocrypt.report import charts, tables, text

if TYPE_CHECKING:
    from cocrypt.explore import Exploration


def page(result: Exploration) -> str:
    """The page, which needs nothing but itself."""
    study = result.study
    return Template((files("cocrypt.report") / "template.html").read_text("utf-8")).substitute(
        title=escape(study.title),
        headline=escape(text.headline(result)),
        summary=escape(text.summary(result)),
        chart_height=charts.height(result),
        hot=tables.hot_spots(result),
        table=tables.partitions(result),
        device=escape(text.device(study.device)),
        command=escape(_command(result)),
        tools=tables.tools(_tools(result)),
        images=tables.images(result),
        study=escape(study.name),
        plotly=get_plotlyjs(),
        figures=json.dumps(charts.figures(result)).replace("<", "\\u003c"),
    )


def _command(result: Exploration) -> str:
    path, root = result.study.path.resolve(), house.root()
    shown = path.relative_to(root) if path.is_relative_to(root) else path.name
    return shlex.join(["cocrypt", "explore", str(shown), "--workload", result.workload.name])


def _tools(result: Exploration) -> dict[str, str]:
    values = {"cocrypt": cocrypt.__version__, **result.toolchain}
    return {
        key.replace("_", " "): value if isinstance(value, str) else shlex.join(value)
        for key, value in values.items()
    }
