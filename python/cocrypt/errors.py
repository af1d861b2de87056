"""The kinds of errors with exit code and message; no other module maps them."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import traceback
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING

import cocrypt
from cocrypt._native import DiagnosticError

if TYPE_CHECKING:
    from collections.abc import Callable


class Exit(IntEnum):
    """Exit codes of the command."""

    FINE = 0
    INPUT = 1
    HOST = 2
    PROGRAM = 3
    BUG = 101
    INTERRUPTED = 130
    PIPE = 141


class CocryptError(Exception):
    """An error with a message for a person: what happened, where, and what to do about it."""

    code = Exit.INPUT

    def __init__(self, message: str, help: str | None = None) -> None:  # noqa: A002
        super().__init__(message)
        self.message = message
        self.help = help


class InputError(CocryptError):
    """The user's input is at fault."""


class DoesNotFitError(InputError):
    """A program needs more memory than the device has; `reason` says so in a few words."""

    def __init__(self, message: str, help: str | None = None, reason: str = "") -> None:  # noqa: A002
        super().__init__(message, help)
        self.reason = reason


class HostError(CocryptError):
    """The host failed, or a tool is missing."""

    code = Exit.HOST


class ProgramError(CocryptError):
    """The simulated program failed: no clean exit, or not the bytes that were expected."""

    code = Exit.PROGRAM


class InterruptedWorkError(CocryptError):
    """Ctrl-C while work was under way; the message says how far it was and what is kept."""

    code = Exit.INTERRUPTED


def describe(error: BaseException) -> tuple[Exit, str]:
    """The exit code of an error and its message."""
    match error:
        case InterruptedWorkError():
            return error.code, f"interrupted: {error.message}"
        case CocryptError():
            advice = f"\n  help: {error.help}" if error.help else ""
            return error.code, f"error: {error.message}{advice}"
        case DiagnosticError():
            return Exit.INPUT, error.rendered.rstrip()
        case KeyboardInterrupt():
            return Exit.INTERRUPTED, "interrupted"
        case OSError():
            return Exit.HOST, f"error: {error}"
        case _:
            return Exit.BUG, _bug(error)


def guard(call: Callable[[], int]) -> int:
    """Calls and returns the exit code; prints the message of an error on stderr."""
    try:
        code = call()
        # The rest of the buffer may fail to be written, which is an error like any other.
        sys.stdout.flush()
        return code
    except SystemExit:
        raise
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does; Unix tools end without a message then.
        _drop_stdout()
        return Exit.PIPE
    except BaseException as error:  # noqa: BLE001 - a panic of the native module is no `Exception`.
        code, message = describe(error)
        with suppress(OSError):
            print(message, file=sys.stderr)
        with suppress(OSError):
            sys.stdout.flush()
            return code
        _drop_stdout()
        return code


def _drop_stdout() -> None:
    """Discards at the end of the process what could not be written before."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(error: BaseException) -> str:
    trace = "".join(traceback.format_exception(error))
    system = f"Python {platform.python_version()} on {platform.platform()}"
    return (
        f"{trace}\n"
        f"cocrypt {cocrypt.__version__}, {system}: {shlex.join(sys.argv)}\n"
        "error: this is a fault of cocrypt itself\n"
        "  help: report it with the lines above and the files that the command reads"
    )
