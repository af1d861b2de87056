# Types of the native module; what each function does is said in crates/py.

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

_Path: TypeAlias = str | PathLike[str]

LONGEST_TURN: int

class DiagnosticError(Exception):
    rendered: str
    diagnostics: list[dict[str, Any]]

def load_study(path: _Path, home: _Path | None = None) -> dict[str, Any]: ...
def load_device(
    path: _Path, settings: Mapping[str, int] = ..., home: _Path | None = None
) -> dict[str, Any]: ...
def load_coprocessor(path: _Path) -> dict[str, Any]: ...
def load_primitive(path: _Path) -> dict[str, Any]: ...
def function_results(
    content: bytes, addresses: list[int]
) -> list[tuple[int | None, str | None, int | None]]: ...
def function_parameters(content: bytes, addresses: list[int]) -> list[list[int] | None]: ...
def type_size(content: bytes, addresses: list[int], name: str) -> int | None: ...
def image_section(content: bytes, name: str) -> bytes | None: ...
def image_segments(content: bytes, name: str) -> list[tuple[int, bytes]]: ...
def instruction_sets() -> list[dict[str, Any]]: ...
def target_words(
    instructions: str, target: tuple[list[str], str | None, str], kind: str, is_recent: bool
) -> list[str]: ...
def target_title(instructions: str, target: tuple[list[str], str | None, str]) -> str: ...
def jump(
    instructions: str, variant: str, from_: tuple[int, int], to: tuple[int, int], memory: int
) -> tuple[int, bytes]: ...
def gates_library(name: str, text: str) -> dict[str, Any]: ...
def gates_report(
    name: str, text: str, netlist: str, wires: tuple[float, float, float]
) -> dict[str, Any]: ...
def gates_energy(
    name: str,
    text: str,
    netlist: str,
    wires: tuple[float, float, float],
    mismatch: tuple[float, int],
    tick: float | None,
    size: tuple[int, int, int],
) -> dict[str, Any]: ...
def gates_simulate(
    name: str,
    text: str,
    netlist: str,
    wires: tuple[float, float, float],
    mismatch: tuple[float, int],
    tick: float | None,
    stimuli: Sequence[Sequence[bytes]],
) -> tuple[list[list[bytes]], list[list[int]], dict[str, int]]: ...
def gates_outputs(
    name: str, text: str, netlist: str, stimuli: Sequence[Sequence[bytes]]
) -> list[list[bytes]]: ...
def gates_execute(
    name: str,
    text: str,
    netlist: str,
    wires: tuple[float, float, float],
    mismatch: tuple[float, int],
    tick: float | None,
    waits: tuple[int, int],
    preamble: Sequence[int],
    memory: bytes,
    writes: Sequence[tuple[int, int]],
    contents: bytes,
    cycles: Sequence[int],
) -> tuple[list[tuple[bytes, list[int], list[tuple[int, int, int, int]]]], int]: ...
def gates_verilog(name: str, text: str, netlist: str) -> str: ...
def image_info(content: bytes, name: str, load_address: int | None = None) -> dict[str, Any]: ...
def fdl_check(path: _Path, gezel: bool = False) -> list[dict[str, Any]]: ...
def verilog_simulate(library: _Path, rows: Sequence[Mapping[str, int]]) -> list[int]: ...
def fdl_cores(path: _Path, top: str | None, gezel: bool) -> list[dict[str, Any]]: ...
def fdl_run(
    path: _Path,
    asked: dict[str, Any],
    processors: Sequence[Mapping[str, object]],
    say: Callable[[str], object],
) -> tuple[dict[str, Any], bytes]: ...
def fdl_diagram(path: _Path, kind: str, top: str | None) -> str: ...
def fdl_blocks(
    path: _Path, top: str | None = None, gezel: bool = False
) -> list[dict[str, Any]]: ...
def fdl_verilog(path: _Path, top: str | None = None, blocks: bool = False) -> str: ...
def fdl_tops(path: _Path) -> list[str]: ...
def fdl_ports(path: _Path, top: str | None) -> dict[str, Any]: ...
def fdl_vhdl(path: _Path, top: str | None, standard: int) -> str: ...
def fdl_simulate(
    path: _Path,
    top: str | None,
    stimuli: Sequence[Mapping[str, int]],
    compiled: bool = False,
    libraries: Mapping[int, _Path] = ...,
) -> list[dict[str, int]]: ...

class Machine:
    def __init__(
        self,
        device: _Path,
        image: bytes,
        name: str,
        coprocessors: Sequence[_Path] = ...,
        engine: Literal["auto", "interpreter", "compiled", "unprofiled"] = ...,
        *,
        load_address: int | None = ...,
        start_at: int | None = ...,
        contexts: bool = ...,
        host_calls: bool = ...,
        host_files: Path | None = ...,
        command_line: str = ...,
        stubs: Sequence[tuple[int, int]] = ...,
        libraries: Mapping[Path, Path] = ...,
        settings: Mapping[str, int] = ...,
        toggles: bool = ...,
        home: _Path | None = ...,
        code: _Path | None = ...,
    ) -> None: ...
    def run(
        self, max_cycles: int = ..., progress: Callable[[int], object] | None = ...
    ) -> dict[str, Any]: ...
    def copy(self) -> Machine: ...
    def rewind(self, to: Machine) -> None: ...
    def trace(self, max_cycles: int) -> list[tuple[int, int]]: ...
    def first_transfers(
        self, base: int, size: int, count: int, max_cycles: int
    ) -> list[tuple[int, int, int, int, bool]]: ...
    def read(self, address: int, size: int) -> bytes: ...
    def write(self, address: int, content: bytes) -> None: ...
    def type_in(self, characters: bytes) -> None: ...
    def registers(self) -> list[int]: ...
    def run_to(self, address: int, max_cycles: int) -> tuple[int | None, dict[str, Any] | None]: ...
    def follow_guest(self, description: str) -> None: ...
    def visits(
        self,
        addresses: Sequence[int],
        registers: Sequence[int],
        count: int,
        max_cycles: int,
    ) -> list[tuple[int, int, list[int]]]: ...
    def follow(
        self,
        secrets: Sequence[tuple[int, int]],
        limit: int,
        entry: int | None = None,
        until_return: bool = False,
    ) -> dict[str, Any]: ...
    def attempt(
        self,
        arguments: Sequence[tuple[int, int]],
        writes: Sequence[tuple[int, bytes]],
        reads: Sequence[tuple[int, int]],
        limit: int,
    ) -> tuple[bool, int, int, list[bytes | None]]: ...
    def stack_bound(self, function: int) -> int | None: ...
    def has_caches(self) -> bool: ...
    def forget_stack(self) -> None: ...
    def marks(self) -> list[tuple[int, int]]: ...
    def profile(self) -> dict[str, Any]: ...
    def instruction(self, address: int) -> dict[str, Any] | None: ...
    def callgrind(self, command: str) -> str: ...
    def speedscope(self, name: str) -> str: ...
    def folded(self) -> str: ...

def link_plug(machine: Machine, base: int, number: int) -> None: ...
def link_run(
    machine: Machine, max_cycles: int
) -> tuple[str, str, int, int | None, int, list[tuple[int, int, bytes]]]: ...
def link_answer(machine: Machine, cycle: int, packet: tuple[int, bytes] | None) -> None: ...
def debug(
    machine: Machine,
    host: str,
    port: int,
    listening: Callable[[str, int], object],
    console: Callable[[bytes], object],
) -> tuple[Literal["detached", "ended", "killed", "lost"], int]: ...

_Target: TypeAlias = tuple[bytes, int, Sequence[tuple[bytes, int, bytes]]]
_Bounds: TypeAlias = tuple[int, int]

def leak_attack(
    path: _Path,
    traces: _Bounds,
    samples: _Bounds,
    targets: Sequence[_Target],
    difference: bool,
    after: Sequence[int],
    asked: Sequence[int | None],
    progress: Callable[[int], object] | None,
) -> list[list[tuple[bytes, list[int], dict[int, bytes]]]]: ...
def leak_explained(
    path: _Path,
    traces: _Bounds,
    samples: _Bounds,
    targets: Sequence[_Target],
    progress: Callable[[int], object] | None,
) -> list[bytes]: ...
def leak_welch(
    path: _Path,
    traces: _Bounds,
    samples: _Bounds,
    groups: bytes,
    orders: int,
    progress: Callable[[int], object] | None,
) -> tuple[list[int], list[bytes]]: ...
def trace_set(path: _Path) -> tuple[dict[str, Any], list[tuple[str, int]]]: ...

class TraceWriter:
    @staticmethod
    def create(
        path: _Path,
        samples: int,
        dtype: str,
        columns: Mapping[str, tuple[str, Sequence[int]]],
        source: str,
    ) -> TraceWriter: ...
    @staticmethod
    def resume(path: _Path) -> TraceWriter: ...
    @property
    def traces(self) -> int: ...
    def append(self, count: int, traces: bytes, columns: Mapping[str, bytes]) -> None: ...

def load_leakage(path: _Path) -> dict[str, Any]: ...

class LeakageSampler:
    def __init__(
        self,
        machine: Machine,
        model: _Path,
        writes: Sequence[tuple[int, int]],
        reads: Sequence[tuple[int, int]],
        max_cycles: int,
        jobs: int,
        lock_step: bool = True,
    ) -> None: ...
    def together(self) -> int: ...
    def first(self, contents: bytes) -> dict[str, Any]: ...
    def run(
        self, contents: bytes, count: int, length: int
    ) -> tuple[bytes, list[int], list[int], bytes]: ...

def waves(
    machine: Machine,
    path: _Path,
    format: Literal["vcd", "fst"],  # noqa: A002
    clock_hz: int,
    max_cycles: int,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]: ...
def run_many(
    machines: Sequence[Machine],
    max_cycles: int = ...,
    jobs: int = ...,
    progress: Callable[[int], object] | None = ...,
) -> list[dict[str, Any]]: ...
