"""A machine: a device with a program in its memory and coprocessors on its bus."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cocrypt import _native, cache, paths, rtl
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.interrupt import interruptible
from cocrypt.measurement import MAX_CYCLES, Run, cycle_limit, placed
from cocrypt.profile import Profile
from cocrypt.sdcc import names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Engine = Literal["auto", "interpreter", "compiled", "unprofiled"]


class Debugged(NamedTuple):
    """The end of a debugger's session, and how many bytes of the console it was passed."""

    end: Literal["detached", "ended", "killed", "lost"]
    shown: int


class Machine:
    """A device, ready to run a program.

    `device` is a `Device`, a device's name or the path of its file; `image` the path of an ELF or
    Intel HEX file, or its bytes, or those of a raw binary that goes to `load_address`; it starts
    as the image says, or at `start_at`. `coprocessors` are paths of register maps. `contexts` makes
    `profile` available, `toggles` counts the changed bits of coprocessors. `host_calls` answers
    semihosting; then the program may use the files below the folder `host_files`, and gets the
    words of `command_line`. `stubs` are registers that are not modelled and that the program may
    access all the same, as ranges of addresses. The `engine` changes nothing but speed.

    Raises `DiagnosticError` where a file is wrong or does not fit the device.
    """

    def __init__(
        self,
        device: Device | str | Path,
        image: str | Path | bytes,
        *,
        name: str | None = None,
        coprocessors: Sequence[Path | str] = (),
        engine: Engine = "auto",
        load_address: int | None = None,
        start_at: int | None = None,
        contexts: bool = False,
        host_calls: bool = False,
        host_files: Path | None = None,
        command_line: Sequence[str] = (),
        stubs: Sequence[range] = (),
        toggles: bool = False,
    ) -> None:
        self.device = device if isinstance(device, Device) else Device.load(device)
        content = image if isinstance(image, bytes) else _content(Path(image), load_address)
        self.content = content
        self.name = name or ("image" if isinstance(image, bytes) else str(image))
        self.info = placed(_native.image_info(content, self.name, load_address), self.device)
        register_maps = [Path(path) for path in coprocessors]
        self.native = _native.Machine(
            self.device.path,
            content,
            self.name,
            register_maps,
            engine,
            load_address=load_address,
            start_at=start_at,
            contexts=contexts,
            host_calls=host_calls,
            host_files=host_files,
            command_line=_quoted(command_line),
            stubs=[(addresses.start, len(addresses)) for addresses in stubs],
            libraries=rtl.libraries(register_maps),
            settings=self.device.settings,
            toggles=toggles,
            home=paths.root(),
            code=cache.code(),
        )

    def __repr__(self) -> str:
        return f"<Machine {self.device.name} with {self.name}>"

    def run(
        self, max_cycles: int = MAX_CYCLES, progress: Callable[[int], object] | None = None
    ) -> Run:
        """Runs until the program ends, the machine stops, or `max_cycles` have passed since reset.

        The result says how it stopped; after the cycle limit another call goes on. `progress` is
        called now and then with the cycles that have passed. Ctrl-C interrupts.
        """
        return self.ended(self.native.run(cycle_limit(max_cycles), interruptible(progress)))

    def ended(self, values: dict[str, Any]) -> Run:
        """The run that ended with these values of the native module."""
        return Run(self.name, self.info, self.native, self.device.target.order, values)

    def waves(
        self,
        path: Path,
        max_cycles: int = MAX_CYCLES,
        progress: Callable[[int], object] | None = None,
    ) -> Run:
        """Runs as `run` does, and writes what core and bus did to a file for a wave viewer.

        A name that ends in .vcd asks for a value change dump, one that ends in .fst for the
        compressed form of GTKWave. Raises `InputError` for any other name, `OSError` if the file
        cannot be written.
        """
        kind = path.suffix.lower()
        if kind not in (".vcd", ".fst"):
            raise InputError(f"{path} is no name for waves", "let it end in .vcd or .fst")
        clock = self.device.clock_hz
        ends: Literal["vcd", "fst"] = "fst" if kind == ".fst" else "vcd"
        most = cycle_limit(max_cycles)
        values = _native.waves(self.native, path, ends, clock, most, interruptible(progress))
        return self.ended(values)

    def debug(
        self,
        host: str,
        port: int,
        listening: Callable[[str, int], object] = lambda _host, _port: None,
        console: Callable[[bytes], object] = lambda _text: None,
    ) -> Debugged:
        """Waits for the GNU debugger at this address and serves it until it leaves.

        `port` 0 takes any free one. `listening` is called with address and port when a debugger may
        connect, `console` with the program's output. Afterwards the machine can go on.
        Raises `OSError` if the address is not available. Ctrl-C interrupts.
        """
        return Debugged(*_native.debug(self.native, host, port, listening, console))

    def copy(self) -> Machine:
        """A snapshot: a machine in the same state, which goes on independently of this one."""
        twin = object.__new__(Machine)
        twin.device, twin.name, twin.info = self.device, self.name, self.info
        twin.content = self.content
        twin.native = self.native.copy()
        return twin

    def rewind(self, to: Machine) -> None:
        """Becomes what `to` is, of which this is a copy, and keeps code that was compiled since.

        Many short runs from one state take less time so than on a copy each.
        """
        self.native.rewind(to.native)

    def read(self, place: int | str, size: int) -> bytes:
        """Bytes at an address or of a global."""
        return self.native.read(self.address(place), size)

    def write(self, place: int | str, content: bytes) -> None:
        """Puts bytes into memory."""
        self.native.write(self.address(place), content)

    def initialise(self, name: str, content: bytes) -> None:
        """Changes the initial value of a global.

        Where code is in flash, the start-up code copies initialised data from there.
        """
        address = self.address(name)
        symbols = self._addresses
        start, end = symbols.get("_data_start", 0), symbols.get("_data_end", 0)
        if start <= address < end and "_data_load" in symbols:
            address += symbols["_data_load"] - start
        self.native.write(address, content)

    def address(self, place: int | str) -> int:
        """The address of a symbol; an address stays what it is."""
        if isinstance(place, int):
            return place
        if place not in self._addresses:
            raise InputError(
                f"{self.name} has no symbol `{place}`",
                paths.suggestion(place, list(self._addresses)),
            )
        return self._addresses[place]

    @cached_property
    def _addresses(self) -> dict[str, int]:
        """The addresses of symbols."""
        return {symbol["name"]: int(symbol["address"]) for symbol in self.info["symbols"]}

    def type_in(self, characters: bytes | str) -> None:
        """Gives the program characters to read from the console."""
        self.native.type_in(characters.encode() if isinstance(characters, str) else characters)

    def registers(self) -> dict[str, int]:
        """The core's integer registers by their ABI names."""
        names = self.device.target.instructions.registers
        return dict(zip(names, self.native.registers(), strict=False))

    def forget_stack(self) -> None:
        """Starts the record of the lowest stack pointer again."""
        self.native.forget_stack()

    def marks(self) -> list[tuple[int, int]]:
        """Cycle and value of each mark that the program set."""
        return self.native.marks()

    def profile(self) -> Profile:
        """The profile of the run so far; the machine must have been made with `contexts`."""
        return Profile(self.native, self.name)


def _content(image: Path, load_address: int | None) -> bytes:
    """A program's file, with names if there are any beside it; a raw binary as it is."""
    return names.read(image) if load_address is None else paths.read_named(image)


def _quoted(words: Sequence[str]) -> str:
    """Words as one line, as start-up code takes it apart: at spaces that stand in no quotes."""
    return " ".join(_word(word) for word in words)


def _word(word: str) -> str:
    if word and not any(character.isspace() or character in "\"'" for character in word):
        return word
    quote = "'" if '"' in word else '"'
    if quote in word or "\0" in word:
        raise InputError(f"the argument `{word}` cannot be given to a program", "leave quotes out")
    return f"{quote}{word}{quote}"


def run_many(
    machines: Sequence[Machine],
    max_cycles: int = MAX_CYCLES,
    jobs: int = 0,
    progress: Callable[[int], object] | None = None,
) -> list[Run]:
    """Runs machines at once on `jobs` threads, one a core if 0; returns the runs in their order.

    `progress` is called now and then with the number of machines that have ended.
    """
    most = cycle_limit(max_cycles)
    values = _native.run_many([machine.native for machine in machines], most, jobs, progress)
    return [machine.ended(result) for machine, result in zip(machines, values, strict=True)]
