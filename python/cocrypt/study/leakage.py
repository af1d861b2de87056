"""The leakage of a study: what is sampled in every partition, and which attacks are tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class LeakageInput:
    """Memory that each run begins with; `place` is as `following.secret` reads it.

    `fixed` is its content in the fixed runs of a t-test, None if it is random in all runs.
    """

    name: str
    place: str
    fixed: bytes | None


@dataclass(frozen=True)
class LeakageOutput:
    """Memory that is read at the end of each run."""

    name: str
    place: str


@dataclass(frozen=True)
class StudyLeakage:
    """The sampled function with its memory, the models and the attacks.

    `delays` are those of coprocessors' gates, as `gates.glitches.Delays.parse` reads them.
    `traces` are those of each t-test and of each attack. `noise` is the standard deviation of the
    core's noise in units of its model, `noise_J` that of a coprocessor's cycle. `window` is the
    part of a trace that t-tests look at, in percent. `attacks` are those on the core's traces.
    """

    function: str
    model: str
    library: str
    delays: str
    traces: int
    seed: int
    noise: float
    noise_J: float  # noqa: N815 - a joule is a capital J.
    window: tuple[int, int]
    attacks: tuple[str, ...]
    coprocessor_attacks: tuple[str, ...]
    key: bytes
    inputs: tuple[LeakageInput, ...]
    outputs: tuple[LeakageOutput, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> StudyLeakage:
        """The leakage of a checked dictionary."""
        plain = ("function", "model", "library", "delays", "traces", "seed", "noise", "noise_J")
        return cls(
            **{key: values[key] for key in plain},
            window=(values["window"][0], values["window"][1]),
            attacks=tuple(values["attacks"]),
            coprocessor_attacks=tuple(values["coprocessor_attacks"]),
            key=bytes.fromhex(values["key"] or ""),
            inputs=tuple(
                LeakageInput(
                    each["name"],
                    each["place"],
                    None if each["fixed"] is None else bytes.fromhex(each["fixed"]),
                )
                for each in values["inputs"]
            ),
            outputs=tuple(LeakageOutput(each["name"], each["place"]) for each in values["outputs"]),
        )

    @property
    def has_groups(self) -> bool:
        """True if there is a content for the fixed runs of a t-test."""
        return any(each.fixed is not None for each in self.inputs)
