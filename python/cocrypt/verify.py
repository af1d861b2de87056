"""Comparison of images on the model with the same images at register-transfer level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import measurement, rtl
from cocrypt.builder import Builder
from cocrypt.errors import InputError
from cocrypt.partition import Partition, partition

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cocrypt.builder import Built
    from cocrypt.study import Choice, Study

# RTL is slow, so a program that never ends is cut off a little after the model's end.
SLACK = 1_000_000


@dataclass(frozen=True)
class Comparison:
    """One image on model and RTL; cycles, host seconds. `verified`: both gave the right bytes.

    These are `expected`, or the same ones on both where the study does not say; `model_output` and
    `rtl_output` are the bytes that they gave.
    """

    workload: str
    partition: Partition
    image_hash: str
    model_cycles: int
    rtl_cycles: int
    verified: bool
    model_seconds: float
    rtl_seconds: float
    expected: bytes | None = None
    model_output: bytes = b""
    rtl_output: bytes = b""

    @property
    def difference(self) -> int:
        """Model's cycles minus RTL's."""
        return self.model_cycles - self.rtl_cycles

    @property
    def speed_ratio(self) -> float | None:
        """The speed of the model as a multiple of the RTL simulator's; None if it took no time."""
        return self.rtl_seconds / self.model_seconds if self.model_seconds else None


@dataclass(frozen=True)
class Verification:
    """All comparisons of a study."""

    study: Study
    core: str
    runs: tuple[Comparison, ...]

    @property
    def agrees(self) -> bool:
        """True if every run has the same cycles and the expected result on both."""
        return all(run.difference == 0 and run.verified for run in self.runs)


def verify(
    study: Study,
    choices: Sequence[Choice],
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
) -> Verification:
    """Runs each choice's image on both; the device is the study's own.

    Raises `ProgramError` where a program does not end well on the model, `RtlError` where the
    RTL system lacks a tool or cannot be the device.
    """
    if study.device.core.name not in rtl.cores():
        # A core without RTL is reported before anything is built.
        rtl.from_device(study.device)
    pairs = [(study.workload(choice.workload), partition(study, choice.hw)) for choice in choices]
    step("building", 0, len(pairs))
    built = Builder(study).build(pairs)
    runs = [_model(study, program) for program in built]
    results = _rtl_results(study, built, runs, step)
    compared = [_compare(*group) for group in zip(built, runs, results, strict=True)]
    return Verification(study, study.device.core.name, tuple(compared))


def _model(study: Study, built: Built) -> measurement.Run:
    run = measurement.run(
        study.device,
        built.image,
        built.name,
        built.coprocessors,
        console_input=built.workload.input,
    )
    measurement.require_clean(run)
    return run


def _rtl_results(
    study: Study,
    built: Sequence[Built],
    runs: Sequence[measurement.Run],
    step: Callable[[str, int, int], None],
) -> list[rtl.RtlResult]:
    """The programs' results at register-transfer level, on a system for each coprocessor.

    Software runs on the first system, with the coprocessor.
    """
    every = (path for program in built for path in program.coprocessors)
    used: list[Path | None] = list(dict.fromkeys(every))
    for program in built:
        if len(program.coprocessors) > 1:
            raise InputError(
                f"{study.path}: the RTL system has room for one coprocessor, and "
                f"{program.name} uses {len(program.coprocessors)}",
                "verify the partitions that use one of them",
            )
    on_system: dict[Path | None, list[int]] = {path: [] for path in (used or [None])}
    for number, program in enumerate(built):
        on_system[next(iter(program.coprocessors or used), None)].append(number)
    results: dict[int, rtl.RtlResult] = {}
    for done, (path, numbers) in enumerate(on_system.items()):
        step("building the RTL system", done, len(on_system))
        simulator, jobs = _rtl_system(
            study, path, [built[each] for each in numbers], [runs[each] for each in numbers]
        )
        step("running at register-transfer level", done, len(on_system))
        results |= zip(numbers, rtl.run_batch(simulator, jobs), strict=True)
    return [results[number] for number in range(len(built))]


def _rtl_system(
    study: Study,
    coprocessor: Path | None,
    built: Sequence[Built],
    runs: Sequence[measurement.Run],
) -> tuple[Path, list[rtl.Job]]:
    """The simulator of the device with a coprocessor, and its jobs."""
    configuration, waits = rtl.from_device(study.device)
    verilog = rtl.coprocessor_verilog(coprocessor) if coprocessor else (None, None)
    simulator = rtl.build([configuration], *verilog)
    jobs = [
        rtl.Job(
            image=rtl.flat_image(program.image),
            configuration=configuration,
            waits=waits,
            max_cycles=run.cycles + SLACK,
            console_input=program.workload.input,
            dumps=(run.locate(program.workload.output, program.workload.size),),
        )
        for program, run in zip(built, runs, strict=True)
    ]
    return simulator, jobs


def _compare(built: Built, run: measurement.Run, result: rtl.RtlResult) -> Comparison:
    output = run.output(built.workload.output, built.workload.size)
    expected = output if built.workload.expect is None else built.workload.expect
    ended = result.stop == "exit" and result.exit_code == 0
    return Comparison(
        workload=built.workload.name,
        partition=built.partition,
        image_hash=run.info["hash"],
        model_cycles=run.cycles,
        rtl_cycles=result.cycles,
        verified=ended and output == result.dumps[0] == expected,
        model_seconds=run.values["seconds"],
        rtl_seconds=result.seconds,
        expected=built.workload.expect,
        model_output=output,
        rtl_output=result.dumps[0],
    )
