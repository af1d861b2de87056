"""The leakage of simulated partitions: traces of the core and of its coprocessors, and verdicts."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.cache import digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cocrypt.explore.bench import Bench, TrialResult
    from cocrypt.study import Search

FORMAT = 1
"""The format of kept results; it changes with their content, so that old ones are not used."""
FIGURES = ("leakage_t", "leakage_deviation", "disclosure_traces")
"""The figures of a partition's leakage."""
MORE = frozenset({"disclosure_traces"})
"""Figures of which more is better."""


@dataclass(frozen=True)
class SourceLeakage:
    """The leakage of a core, or of a coprocessor as gates.

    `rails` is 0 for a core. `t` is the largest |t| at `sample`, infinite where groups that do not
    vary differ, and `above` the number of samples above the threshold; None without a t-test.
    `deviation` is the standard deviation of a coprocessor's energy from the mean at the same cycle,
    over the mean energy. `disclosed` is the number of traces at which an attack has the key,
    infinite if none has it with all traces, and None without an attack.
    """

    name: str
    rails: int
    samples: int
    t: float | None = None
    sample: int | None = None
    above: int | None = None
    deviation: float | None = None
    disclosed: float | None = None
    attack: str | None = None
    found: int | None = None

    @property
    def record(self) -> dict[str, Any]:
        """The source as `--json` prints it; an infinite |t| is null."""
        values = asdict(self)
        undisclosed = self.disclosed is None or math.isinf(self.disclosed)
        return {
            **values,
            "t": None if self.t is None or math.isinf(self.t) else self.t,
            "infinite": self.t is not None and math.isinf(self.t),
            "disclosed": None if undisclosed else self.disclosed,
        }


@dataclass(frozen=True)
class Leakage:
    """The leakage of a partition: its sources, and the reasons for figures that are not known."""

    traces: int
    sources: tuple[SourceLeakage, ...]
    doubts: tuple[str, ...] = ()

    def figure(self, name: str) -> float | None:
        """The worst of all sources; infinite traces if no attack found the key."""
        if name == "leakage_t":
            return max((each.t for each in self.sources if each.t is not None), default=None)
        if name == "leakage_deviation":
            known = [each.deviation for each in self.sources if each.deviation is not None]
            return max(known, default=None)
        known = [each.disclosed for each in self.sources if each.disclosed is not None]
        return min(known, default=None)

    @property
    def record(self) -> dict[str, Any]:
        """The leakage as `--json` prints it."""
        t, disclosed = self.figure("leakage_t"), self.figure("disclosure_traces")
        return {
            "traces": self.traces,
            "leakage_t": None if t is None or math.isinf(t) else t,
            "leakage_deviation": self.figure("leakage_deviation"),
            "disclosure_traces": None if disclosed is None or math.isinf(disclosed) else disclosed,
            "undisclosed": disclosed is not None and math.isinf(disclosed),
            "sources": [source.record for source in self.sources],
        }


def leakages(bench: Bench, results: Sequence[TrialResult]) -> dict[tuple[str, ...], Leakage]:
    """The leakage of partitions on the device as it is, by their keys.

    Each is kept by the content of all that it depends on. Raises `InputError` if a function or
    memory that the study names is in no partition, or an attack's column is missing.
    """
    described = bench.study.leakage
    if described is None:
        return {}
    # NumPy and Polars are loaded only where traces are made.
    from cocrypt.explore.traced import Traced, require_memory

    require_memory(described, results)
    found = {}
    for number, result in enumerate(results):
        traced = Traced(described, result)
        bench.step(f"leakage of {result.trial.partition.name}", number, len(results))

        def step(what: str, done: int, every: int, name: str = result.trial.partition.name) -> None:
            bench.step(f"{what}, {name}", done, every)

        key = digest([repr(FORMAT), traced.content])
        outcome = bench.workers.store.get(key)
        if outcome is None:
            outcome = _outcome(traced.leakage(step))
            bench.workers.store.put(key, outcome)
        found[result.trial.partition.key] = _leakage(outcome)
    return found


def _outcome(leakage: Leakage) -> dict[str, Any]:
    """The leakage as JSON that the store keeps; infinite numbers stay as Python writes them."""
    return asdict(leakage)


def _leakage(outcome: Mapping[str, Any]) -> Leakage:
    sources = tuple(SourceLeakage(**source) for source in outcome["sources"])
    return Leakage(outcome["traces"], sources, tuple(outcome["doubts"]))


def doubts(leakages: Mapping[tuple[str, ...], Leakage], search: Search) -> Iterator[str]:
    """Sentences about bounds and objectives that could not be evaluated for each partition."""
    found = list(leakages.values())
    for leakage in found:
        yield from leakage.doubts
    for name in FIGURES:
        bound = search.at_most.get(name) or search.at_least.get(name)
        if name not in search.figures:
            continue
        unknown = sum(leakage.figure(name) is None for leakage in found)
        if unknown:
            counted = f"{unknown} of {len(found)} partitions"
            if bound is None:
                yield f"{name}: unknown for {counted}, which count as the worst"
            else:
                yield f"{name}: unknown for {counted}, which the bound {bound:g} does not exclude"
    least = search.at_least.get("disclosure_traces")
    if least is not None and any(
        leakage.traces < least and leakage.figure("disclosure_traces") == math.inf
        for leakage in found
    ):
        yield (
            f"disclosure_traces: the bound {least:g} cannot be evaluated with {found[0].traces:,} "
            "traces, which disclose no key in some partitions; raise `traces` of [leakage]"
        )
