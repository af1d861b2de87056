"""Manual pages of the command, in the macros of man(7): `python -m cocrypt.cli.manual FOLDER`.

Their text is that of `--help`, from the same source: a page for the command and one for each verb.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from typer.main import get_command

import cocrypt
from cocrypt import errors
from cocrypt.cli import app
from cocrypt.cli.examples import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Command

EXIT_CODES = {
    errors.Exit.FINE: "Fine.",
    errors.Exit.INPUT: "The input is at fault: a study, an image, a design, the command line.",
    errors.Exit.HOST: "The host failed, or a tool is missing.",
    errors.Exit.PROGRAM: "The simulated program failed, or a comparison found a difference.",
    errors.Exit.BUG: "A fault of cocrypt itself.",
    errors.Exit.INTERRUPTED: "Interrupted by Ctrl-C.",
    errors.Exit.PIPE: "The reader of stdout has gone.",
}


def write(folder: Path) -> list[Path]:
    """Writes a page for the command and one for each verb into `man1` of a folder."""
    target = folder / "man1"
    target.mkdir(parents=True, exist_ok=True)
    pages = []
    for words, command in verbs():
        path = target / f"{'-'.join(words)}.1"
        path.write_text(page(words, command), encoding="utf-8")
        pages.append(path)
    return pages


def verbs() -> Iterator[tuple[tuple[str, ...], Command]]:
    """The command, its groups and its verbs, each with the words that call it."""
    yield from _below(("cocrypt",), get_command(app))


def _below(words: tuple[str, ...], command: Command) -> Iterator[tuple[tuple[str, ...], Command]]:
    yield words, command
    if isinstance(command, typer.core.TyperGroup):
        context = _context(words, command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _below((*words, name), below)


def page(words: tuple[str, ...], command: Command) -> str:
    """The manual page of a verb."""
    context = _context(words, command)
    summary, *further = (command.help or "").strip().split("\n\n")
    version = f"cocrypt {cocrypt.__version__}"
    lines = [
        f'.TH "{"-".join(words).upper()}" 1 "" "{version}" "cocrypt"',
        *_section("NAME", f"{'-'.join(words)} \\- {_text(_one_line(summary)).rstrip('.')}"),
        *_section("SYNOPSIS", f".B {' '.join(words)}", _text(_placeholders(context, command))),
        *_section("DESCRIPTION", *_paragraphs([summary, *further])),
        *_records("ARGUMENTS", _arguments(context, command)),
        *_records("OPTIONS", _options(context, command)),
        *_records("COMMANDS", _commands(context, command)),
        *_records("EXAMPLES", _examples(words)),
        *_records("EXIT STATUS", [(str(int(code)), text) for code, text in EXIT_CODES.items()]),
    ]
    return "\n".join(lines) + "\n"


def _context(words: tuple[str, ...], command: Command) -> typer.Context:
    names = ["-h", "--help"]
    return typer.Context(command, info_name=" ".join(words), help_option_names=names)


def _placeholders(context: typer.Context, command: Command) -> str:
    """The placeholders behind the verb: `[OPTIONS]`, and its arguments."""
    return " ".join(command.collect_usage_pieces(context))


def _arguments(context: typer.Context, command: Command) -> list[tuple[str, str]]:
    """The arguments with what they mean."""
    parameters = (
        parameter
        for parameter in command.get_params(context)
        if parameter.param_type_name == "argument"
    )
    return [record for parameter in parameters if (record := parameter.get_help_record(context))]


def _options(context: typer.Context, command: Command) -> list[tuple[str, str]]:
    """The options with what they mean and their defaults."""
    parameters = (
        parameter
        for parameter in command.get_params(context)
        if parameter.param_type_name == "option"
    )
    return [record for parameter in parameters if (record := parameter.get_help_record(context))]


def _commands(context: typer.Context, command: Command) -> list[tuple[str, str]]:
    """The verbs of a group with what they are for."""
    return command.summaries(context) if hasattr(command, "summaries") else []


def _examples(words: tuple[str, ...]) -> list[tuple[str, str]]:
    examples = EXAMPLES.get(" ".join(words[1:]), ())
    return [(f"cocrypt {line}", meaning) for line, meaning in examples]


def _records(title: str, records: list[tuple[str, str]]) -> list[str]:
    """A section of terms with what they mean."""
    if not records:
        return []
    lines = [line for term, text in records for line in (".TP", f".B {_text(term)}", _text(text))]
    return _section(title, *lines)


def _section(title: str, *lines: str) -> list[str]:
    return [f'.SH "{title}"', *lines]


def _paragraphs(texts: list[str]) -> list[str]:
    lines = []
    for text in texts:
        lines += [".PP", _text(_one_line(text))]
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _text(text: str) -> str:
    """Text escaped for troff: characters by number, real hyphens, no macro at a line's start."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    # Without an option troff reads Latin-1.
    escaped = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m cocrypt.cli.manual FOLDER")
    for written in write(Path(sys.argv[1])):
        print(written)
