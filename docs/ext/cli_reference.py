"""The directive `cli-reference`: every verb of the command with its usage, arguments and options.

It prints the same as `cocrypt VERB --help`, from the same objects, so that the page cannot be
out of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from sections import section
from sphinx.util.docutils import SphinxDirective

from cocrypt.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils import nodes
    from sphinx.application import Sphinx


class CliReference(SphinxDirective):
    """A section for each verb, groups of verbs with one for each of theirs."""

    def run(self) -> list[nodes.Node]:
        """Parses the verbs' pages as Markdown."""
        return [section(self, context.command_path, page(context)) for context in contexts()]


def contexts() -> Iterator[Any]:
    """The context of each verb, and of each verb of a group, in the order of `cocrypt --help`."""
    command = typer.main.get_command(app)
    top = command.make_context("cocrypt", [], resilient_parsing=True)
    yield from below(top)


def below(parent: Any) -> Iterator[Any]:
    """The contexts of a group's verbs."""
    for name in parent.command.list_commands(parent):
        command = parent.command.get_command(parent, name)
        context = type(parent)(command, info_name=name, parent=parent)
        if hasattr(command, "list_commands"):
            yield from below(context)
        else:
            yield context


def page(context: Any) -> str:
    """A verb's section: its help, its usage, and a row for each argument and option."""
    usage = " ".join(context.get_usage().removeprefix("Usage:").split())
    rows = "\n".join(row(*record) for record in records(context))
    table = f"| argument or option | meaning |\n|---|---|\n{rows}"
    help_text = escaped(context.command.help or "")
    return f"{help_text}\n\n```text\n{usage}\n```\n\n{table}"


def records(context: Any) -> Iterator[tuple[str, str]]:
    """The form of each parameter and its meaning, as in the help."""
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record:
            yield record


def row(written: str, meaning: str) -> str:
    """A row of a Markdown table."""
    return f"| `{cell(written)}` | {escaped(cell(meaning))} |"


def cell(text: str) -> str:
    """Text without characters that would end a cell."""
    return " ".join(text.split()).replace("|", "\\|")


def escaped(text: str) -> str:
    """Text in which Markdown reads no tags and no links; code between backticks remains code."""
    return text.replace("<", "&lt;").replace("[", "\\[")


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directive."""
    app.add_directive("cli-reference", CliReference)
    return {"parallel_read_safe": True, "version": "1"}
