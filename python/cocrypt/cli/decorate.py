"""Parts that every verb has beside its own: the options `-q` and `-v`, and completion."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import log
from cocrypt.cli import completion

if TYPE_CHECKING:
    from collections.abc import Callable

QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print figures, warnings and errors only.")
]
VerboseOption = Annotated[
    bool,
    typer.Option(
        "--verbose", "-v", help="Print every tool that runs, with its seconds, to stderr."
    ),
]


def choose(quiet: bool, verbose: bool) -> None:
    """Sets the level that the options ask for; without either it stays as it is."""
    if quiet:
        log.set_level(log.Level.QUIET)
    elif verbose:
        log.set_level(log.Level.VERBOSE)


def decorated(verb: Callable[..., Any]) -> Callable[..., Any]:
    """A verb with completion, and with the options `-q` and `-v` behind its own."""

    @functools.wraps(verb)
    def called(*args: Any, quiet: bool, verbose: bool, **options: Any) -> Any:  # noqa: ANN401 - as the verb has them.
        choose(quiet, verbose)
        return verb(*args, **options)

    own = inspect.signature(verb, eval_str=True)
    _complete(own)
    added = {"quiet": QuietOption, "verbose": VerboseOption}
    further = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=option)
        for name, option in added.items()
    ]
    signature = own.replace(parameters=[*own.parameters.values(), *further])
    called.__annotations__ = {
        parameter.name: parameter.annotation for parameter in signature.parameters.values()
    }
    called.__signature__ = signature  # type: ignore[attr-defined]
    return called


def _complete(signature: inspect.Signature) -> None:
    """Gives every parameter its completion."""
    for name, parameter in signature.parameters.items():
        for info in getattr(parameter.annotation, "__metadata__", ()):
            completion.attach(name, info)
