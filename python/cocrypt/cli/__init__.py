"""The command `cocrypt`: one verb per task, each in a file of its own."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import cocrypt
from cocrypt import errors, visible
from cocrypt.cli import standard
from cocrypt.cli.decorate import QuietOption, VerboseOption, choose
from cocrypt.cli.verbs import Verbs

app = typer.Typer(
    name="cocrypt",
    cls=Verbs,
    help="A workbench for cryptography on embedded devices.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(requested: bool) -> None:
    if requested:
        print(f"cocrypt {cocrypt.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback answers.
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """A workbench for cryptography on embedded devices."""
    choose(quiet, verbose)
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(errors.Exit.INPUT)


def main() -> None:
    """Runs the command and ends the process with its exit code."""
    standard.complete()
    with visible.streams():
        code = errors.guard(call)
    sys.exit(code)


def call() -> int:
    """Calls the verb; a wrong command line becomes an `InputError`."""
    try:
        result = app(standalone_mode=False)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "cocrypt"
        help = f"`{command} --help` says what is known"  # noqa: A001
        raise errors.InputError(error.format_message(), help) from error
    except SystemExit as error:
        # Completion ends the process when it has answered, and a verb when its reader has gone.
        if not error.code:
            return errors.Exit.FINE
        raise BrokenPipeError from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    if result == errors.Exit.INTERRUPTED:
        # The library has turned Ctrl-C into its exit code without a message.
        raise KeyboardInterrupt
    return result if isinstance(result, int) else errors.Exit.FINE
