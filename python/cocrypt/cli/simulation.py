"""What the verbs that simulate one image share: the options, and the machine that they make."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import house
from cocrypt.cli import output
from cocrypt.errors import HostError, InputError
from cocrypt.machine import Machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cocrypt.measurement import Run

ImageArgument = Annotated[
    Path, typer.Argument(metavar="IMAGE", help="An ELF or Intel HEX file, or a raw binary.")
]
CoprocessorOption = Annotated[
    list[Path] | None,
    typer.Option("--coprocessor", "-c", metavar="FILE", help="A register map, on the bus."),
]
LoadAddressOption = Annotated[
    str | None,
    typer.Option(
        "--load-address",
        metavar="ADDRESS",
        help="IMAGE is a raw binary that goes, and starts, here.",
    ),
]
InputOption = Annotated[
    Path | None,
    typer.Option("--input", "-i", metavar="FILE", help="What the program reads at its console."),
]
HostCallsOption = Annotated[
    bool, typer.Option("--semihosting", help="Answer the program's calls to its host.")
]


def machine(
    image: Path,
    device: str,
    *,
    coprocessors: list[Path] | None = None,
    load_address: str | None = None,
    console_input: Path | None = None,
    host_calls: bool = False,
    contexts: bool = False,
) -> Machine:
    """The machine that the command line describes."""
    made = Machine(
        device,
        image,
        coprocessors=coprocessors or (),
        load_address=None if load_address is None else _address(load_address),
        contexts=contexts,
        host_calls=host_calls,
    )
    if console_input is not None:
        made.type_in(house.read_named(console_input))
    return made


def simulate(on: Machine, max_cycles: int, waves: Path | None = None) -> Run:
    """Runs it, with a sign of life on a terminal; writes waves if there is a file for them."""
    with _cycles() as progress:
        if waves is None:
            return on.run(max_cycles, progress)
        try:
            result = on.waves(waves, max_cycles, progress)
        except OSError as error:
            raise HostError(f"cannot write {waves}: {error.strerror or error}") from error
    output.say(f"wrote {waves}")
    return result


@contextmanager
def _cycles() -> Iterator[Callable[[int], object] | None]:
    """Shows, on stderr where that is a terminal, how many cycles have passed."""
    console = output.stderr()
    if not console.is_terminal:
        yield None
        return
    with console.status("simulating") as status:
        yield lambda cycles: status.update(f"simulating: {cycles:,} cycles")


def _address(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 32:
        raise InputError(f"`{text}` is no 32-bit address", "write it as 0x20000000, say")
    return value
