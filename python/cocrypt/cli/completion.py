"""Completion by the shell behind a verb: names and files that fit its parameters.

Each function takes the text typed so far and returns the words that may stand there, some with a
description. None loads more than it must, since a person waits for it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import typer
from typer.models import ParameterInfo

from cocrypt import paths

Words = Iterable[str | tuple[str, str]]
"""Words that may stand at a position, some with a description."""
LEVELS = ("s", "2", "3")


def attach(name: str, info: ParameterInfo) -> None:
    """Gives a verb's parameter its completion, by its name or by its placeholder in the help."""
    if info.autocompletion is None:
        info.autocompletion = BY_NAME.get(name) or BY_PLACEHOLDER.get(info.metavar or "")


def files(*suffixes: str) -> Callable[[str], Iterator[str]]:
    """Completes folders, and files with one of these suffixes, or all files where none is named."""

    def complete(incomplete: str) -> Iterator[str]:
        head, slash, begin = incomplete.rpartition("/")
        folder = Path(head + slash or ".")
        if not folder.is_dir():
            return
        for path in sorted(folder.iterdir()):
            if not path.name.startswith(begin) or (path.name.startswith(".") and not begin):
                continue
            if path.is_dir():
                yield f"{head}{slash}{path.name}/"
            elif not suffixes or path.suffix in suffixes:
                yield f"{head}{slash}{path.name}"

    return complete


any_file = files()
studies = files(".toml")
designs = files(".fdl")
figures = files(".json")


def devices(incomplete: str) -> Words:
    """Completes the names of shipped devices, or files that describe devices."""
    return _named(paths.devices(), incomplete) or studies(incomplete)


def primitives(incomplete: str) -> Words:
    """Completes primitives, their implementations behind a slash, or folders with others' code."""
    from cocrypt.primitives import library

    names = [subject.name for subject in library.ours()]
    if "/" not in incomplete:
        names = list(dict.fromkeys(name.partition("/")[0] for name in names))
    return _named(names, incomplete) or any_file(incomplete)


def compilers(incomplete: str) -> Words:
    """Completes compilers, each with what it compiles for."""
    from cocrypt.target import INSTRUCTION_SETS

    descriptions = {"zig": "Clang and LLD, installed with cocrypt", "clang": "the host's"}
    descriptions |= {isa.gcc: f"GCC for {isa.name}" for isa in INSTRUCTION_SETS}
    return [pair for pair in descriptions.items() if pair[0].startswith(incomplete)]


def levels(incomplete: str) -> Words:
    """Completes levels of optimisation."""
    return _named(LEVELS, incomplete)


def papers(incomplete: str) -> Words:
    """Completes the papers whose experiments are run again."""
    from cocrypt.reproduce import NAMES

    return _named(NAMES, incomplete)


def saved(incomplete: str) -> Words:
    """Completes measurements that were saved by name, and files of figures."""
    names = sorted(path.stem for path in (paths.build() / "results").glob("*.json"))
    return [*_named(names, incomplete), *figures(incomplete)]


def workloads(ctx: typer.Context, incomplete: str) -> Words:
    """Completes the workloads of the study that was named before."""
    return _of_study(ctx, "workload", incomplete)


def partitions(ctx: typer.Context, incomplete: str) -> Words:
    """Completes the partitions of the study that was named before."""
    return _of_study(ctx, "partition", incomplete)


def cores(incomplete: str) -> Words:
    """Completes the cores whose RTL is simulated."""
    systems = (path.name for path in (paths.root() / "systems").iterdir())
    return _named(sorted(set(systems) - {"common", "library"}), incomplete)


def _of_study(ctx: typer.Context, kind: str, incomplete: str) -> Words:
    """Completes the names in one kind of the study's tables, each with its title."""
    # An option that has no value yet keeps the parser from the arguments before it.
    named = ctx.params.get("study") or ctx.params.get("image")
    study = named or next(iter(ctx.args), "")
    try:
        text = Path(str(study)).read_text(encoding="utf-8")
        tables: list[dict[str, Any]] = tomllib.loads(text).get(kind, [])
        titles = {str(table["name"]): str(table.get("title", "")) for table in tables}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        # The verb reports what is wrong with the study when it reads it.
        return []
    return [pair for pair in titles.items() if pair[0].startswith(incomplete)]


def _named(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


BY_NAME: Mapping[str, Callable[..., Words]] = MappingProxyType(
    {
        "workload": workloads,
        "partition": partitions,
        "partitions": partitions,
        "device": devices,
        "core": cores,
        "compiler": compilers,
        "optimise": levels,
        "old": saved,
        "new": saved,
        "design": designs,
        "coprocessor": studies,
    }
)
"""Completions by the name of a parameter."""
BY_PLACEHOLDER: Mapping[str, Callable[..., Words]] = MappingProxyType(
    {
        "STUDY": studies,
        "[STUDY]": studies,
        "MAP": studies,
        "PRIMITIVE|FOLDER": primitives,
        "PAPER": papers,
        "IMAGE": any_file,
        "IMAGE|STUDY": any_file,
        "FILE": any_file,
        "DIR": any_file,
        "FOLDER": any_file,
    }
)
"""Completions by the placeholder that the help shows for a parameter."""
