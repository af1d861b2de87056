"""The traces of a simulated partition, of its core and of its coprocessors, and what they show.

A t-test has a set of traces with fixed and random contents, an attack one with random contents. The
sets are in a temporary folder, for as long as they are looked at.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import boundary, following
from cocrypt.errors import InputError
from cocrypt.explore.leakage import Leakage, SourceLeakage
from cocrypt.explore.ports import Port
from cocrypt.explore.simulation import Job
from cocrypt.gates import library as libraries
from cocrypt.gates.glitches import Delays
from cocrypt.leakage import assessment, models, sampling, statistics
from cocrypt.leakage.selections import MODELS
from cocrypt.leakage.traces import TraceSet
from cocrypt.machine import Machine
from cocrypt.study import SOFTWARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cocrypt.explore.bench import TrialResult
    from cocrypt.explore.ports import GateSamples
    from cocrypt.leakage.assessment import Attack
    from cocrypt.leakage.sampling import Campaign
    from cocrypt.study import LeakageInput, LeakageOutput, StudyLeakage

STEPS = 10
"""The numbers of traces, in equal ratios, after which an attack looks at its guesses."""
CORE = "core"


@dataclass(frozen=True)
class Traced:
    """A partition that was simulated, and what the study samples in it."""

    described: StudyLeakage
    result: TrialResult

    @cached_property
    def content(self) -> str:
        """All that the leakage depends on, as text."""
        built, model = self.result.built, models.model(self.described.model)
        job = Job.of(self.result.device, built)
        parts = [repr(self.described), model.path.read_text("utf-8"), job.key, self._function]
        return "\n".join([*parts, *(port.content for port in self._ports)])

    def leakage(self, step: Callable[[str, int, int], None]) -> Leakage:
        """The leakage of all sources; raises as `sampling.sample` does."""
        parts: list[tuple[str, SourceLeakage]] = []
        doubts: list[str] = []
        machine = self._machine()
        begun = following.reach(machine, following.Start(self._function))
        with tempfile.TemporaryDirectory(prefix="cocrypt-leakage-") as folder:
            for number, campaign in enumerate(self._campaigns(machine)):
                part = Path(folder) / str(number)
                for name, source in self._sources(campaign, begun, part, step):
                    if isinstance(source, str):
                        doubts.append(source)
                    else:
                        parts.append((name, source))
        return Leakage(self.described.traces, _joined(parts), tuple(dict.fromkeys(doubts)))

    def _campaigns(self, machine: Machine) -> Iterator[Campaign]:
        """The samples for a t-test, and for attacks and deviations."""
        outputs = [
            sampling.Output(each.name, *self._place(machine, each))
            for each in self.described.outputs
        ]
        campaign = sampling.Campaign(
            machine=machine,
            model=models.model(self.described.model),
            inputs=(),
            outputs=tuple(outputs),
            runs=self.described.traces,
            noise=self.described.noise,
            seed=self.described.seed,
        )
        present = [each for each in self.described.inputs if has_memory(machine, each)]
        if self.described.has_groups:
            yield replace(campaign, inputs=tuple(self._input(machine, each) for each in present))
        free = [replace(each, fixed=None) for each in present]
        yield replace(campaign, inputs=tuple(self._input(machine, each) for each in free))

    def _machine(self) -> Machine:
        built = self.result.built
        machine = Machine(
            self.result.device, built.image, name=built.name, coprocessors=built.coprocessors
        )
        machine.type_in(built.workload.input)
        return machine

    @property
    def _function(self) -> str:
        """The function's symbol; its replacement within the project's sources has another."""
        function = self.described.function
        choice = self.result.trial.partition.choice
        bounded = function in self.result.study.bounded
        replaced = choice.get(function, SOFTWARE) != SOFTWARE
        return boundary.REPLACEMENT + function if bounded and replaced else function

    def _input(self, machine: Machine, described: LeakageInput) -> sampling.Input:
        address, size = self._place(machine, described)
        if described.fixed is None:
            return sampling.Input(described.name, address, size, "random")
        return sampling.Input(described.name, address, size, "fixed-vs-random", described.fixed)

    @staticmethod
    def _place(machine: Machine, described: LeakageInput | LeakageOutput) -> tuple[int, int]:
        secret = following.secret(machine, described.place)
        if isinstance(secret, following.PointedSecret):
            secret = secret.at(machine)
        return secret.address, secret.length

    @cached_property
    def _ports(self) -> list[Port]:
        library = libraries.load(self.described.library)
        delays = Delays.parse(self.described.delays)
        device = self.result.device
        return [
            Port(path, window, library, path in self.result.dual_rails, device, delays)
            for path, window in device.attached(self.result.built.coprocessors)
        ]

    def _sources(
        self,
        campaign: Campaign,
        begun: int,
        folder: Path,
        step: Callable[[str, int, int], None],
    ) -> Iterator[tuple[str, SourceLeakage | str]]:
        """The sources with what a set shows of them, or why it shows nothing.

        The function begins in the cycle `begun`.
        """
        folder.mkdir()
        sampled = sampling.sample(campaign, folder / CORE, CORE, step)
        base = SourceLeakage(CORE, 0, sampled.samples)
        yield CORE, self._examined(base, TraceSet.open(sampled.path), step)
        for port in self._ports:
            found = port.sample(
                campaign, begun + sampled.samples, self.described.noise_J, folder, step
            )
            if isinstance(found, str):
                yield port.name, found
                continue
            traces = TraceSet.open(found.path)
            base = SourceLeakage(port.name, port.rails, traces.samples)
            if not campaign.has_groups:
                base = replace(base, deviation=found.deviation)
            yield port.name, self._examined(base, traces, step)

    def _examined(
        self, source: SourceLeakage, traces: TraceSet, step: Callable[[str, int, int], None]
    ) -> SourceLeakage:
        """A source with the t-test of a set that has groups, or with the attacks on another."""
        if assessment.GROUP in traces.columns:
            chosen = statistics.part(traces, None, self.window(traces.samples))
            found = assessment.assess(traces, chosen)
            t, sample = found.peak(1)
            return replace(source, t=t, sample=sample, above=found.above(1))
        described = self.described
        names = described.coprocessor_attacks if source.rails else described.attacks
        attacks = [(name, self._disclosing(name, traces, step)) for name in names]
        if not attacks:
            return source
        disclosed, found_parts, name = min(
            (_disclosed(attack), -(attack.found or 0), name) for name, attack in attacks
        )
        return replace(source, disclosed=disclosed, found=-found_parts, attack=name)

    def window(self, samples: int) -> tuple[int, int]:
        """The samples that t-tests look at, of so many."""
        first, last = (percent * samples // 100 for percent in self.described.window)
        return first, max(last, first + 1)

    def gates(
        self, folder: Path, step: Callable[[str, int, int], None]
    ) -> Iterator[tuple[Campaign, Port, GateSamples | str]]:
        """The traces of coprocessors in each campaign, or why there are none, in a new folder."""
        machine = self._machine()
        begun = following.reach(machine, following.Start(self._function))
        for number, campaign in enumerate(self._campaigns(machine)):
            part = folder / str(number)
            part.mkdir(parents=True)
            end = begun + sampling.cycles(campaign)
            for port in self._ports:
                yield campaign, port, port.sample(campaign, end, self.described.noise_J, part, step)

    def _disclosing(
        self, name: str, traces: TraceSet, step: Callable[[str, int, int], None]
    ) -> Attack:
        """An attack with all traces; after fewer, too, if it finds the whole key."""
        whole = self.attack(name, traces, 1, step)
        found_all = whole.found == len(whole.selections)
        return self.attack(name, traces, STEPS, step) if found_all else whole

    def attack(
        self, name: str, traces: TraceSet, steps: int, step: Callable[[str, int, int], None]
    ) -> Attack:
        """An attack by a model, with its guesses after so many numbers of traces."""
        model = MODELS[name]
        if model.column not in traces.columns:
            raise InputError(
                f"the attack `{name}` classifies traces by a column `{model.column}`",
                f"give an input or output of [leakage] the name `{model.column}`",
            )
        if len(self.described.key) != model.key_size:
            raise InputError(
                f"the key of [leakage] has {len(self.described.key)} bytes, and `{name}` is for "
                f"{model.key_size}",
                "write it in hexadecimal, two digits for each byte",
            )
        selections = model.select(model.column, None)
        known = model.true_key(self.described.key)
        step(f"attack {name}", 0, 1)
        chosen = statistics.part(traces)
        return assessment.disclose(traces, chosen, selections, known, steps=steps)


def _disclosed(attack: Attack) -> float:
    """The traces from which on the right guesses of all parts stay the best; infinite if never."""
    assert attack.known is not None
    parts = [attack.disclosed(number) for number in range(len(attack.known))]
    known = [traces for traces in parts if traces is not None]
    return float(max(known)) if len(known) == len(parts) else float("inf")


def _joined(parts: Sequence[tuple[str, SourceLeakage]]) -> tuple[SourceLeakage, ...]:
    """The sources, each with what all sets show of it."""
    joined: dict[str, SourceLeakage] = {}
    for name, source in parts:
        values: dict[str, Any] = {
            key: value for key, value in vars(source).items() if value is not None
        }
        joined[name] = replace(joined.get(name, source), **values)
    return tuple(joined.values())


def has_memory(machine: Machine, described: LeakageInput) -> bool:
    """True unless a memory of random bytes is a symbol that the program lacks.

    Random bytes that only a masked implementation has, for example.
    """
    symbol = described.place.partition(":")[0].partition("+")[0]
    if described.fixed is not None or not symbol[:1].isalpha():
        return True
    return any(each["name"] == symbol for each in machine.info["symbols"])


def require_memory(described: StudyLeakage, results: Sequence[TrialResult]) -> None:
    """Raises `InputError` for memory that is in no partition."""
    machines = [
        Machine(result.device, result.built.image, coprocessors=result.built.coprocessors)
        for result in results
    ]
    for each in described.inputs:
        if not any(has_memory(machine, each) for machine in machines):
            raise InputError(
                f"no partition has a global `{each.place}`, which [leakage] names",
                "name a global of one of the options' sources, or @ARGUMENT:LENGTH",
            )
