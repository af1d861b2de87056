"""The shapes of the JSON of `cocrypt authenticate`, and its figures as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.authenticate import steps
from cocrypt.authenticate.handshake import NAMES
from cocrypt.authenticate.layout import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.authenticate.attacks import Campaign
    from cocrypt.authenticate.crowd import Crowd
    from cocrypt.authenticate.handshake import Handshake
    from cocrypt.authenticate.layout import Outcome
    from cocrypt.authenticate.pairs import Pair
    from cocrypt.authenticate.scenario import Scenario


def _scenario(scenario: Scenario) -> dict[str, Any]:
    network = scenario.network
    return {
        "study": scenario.study.name,
        "suite": network.suite,
        "line": network.line,
        "rate": network.rate,
        "latency_us": network.latency_us,
        "size": network.size,
        "nodes": {
            role.name.lower(): {
                "host": seat.built is None,
                "device": seat.device.name,
                "partition": seat.partition,
                "hw": list(seat.station.hw),
            }
            for role, seat in scenario.seats.items()
        },
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "state": outcome.state.name.lower(),
        "reason": outcome.reason.name.lower(),
        "peer": outcome.peer,
        "name": outcome.name.hex(),
        "session_key": outcome.key.hex(),
    }


def handshake(result: Handshake) -> dict[str, Any]:
    """The output of `--json` for a handshake."""
    return {
        **_scenario(result.scenario),
        "steps": [steps.record(step, NAMES) for step in result.steps],
        "spent": [
            {
                "node": NAMES[cost.node],
                "busy_cycles": cost.busy,
                "waited_cycles": cost.waited,
                "seconds": cost.seconds,
                "energy_J": cost.energy_J,
            }
            for cost in result.spent
        ],
        "outcomes": {
            role.name.lower(): _outcome(outcome) for role, outcome in result.outcomes.items()
        },
        "open": result.is_open,
        "handshake_seconds": result.seconds,
        "differences_from_model": list(result.differences),
    }


def sentences(result: Handshake) -> list[str]:
    """Sentences that say how the handshake ended."""
    server, terminal = result.outcomes[Role.SERVER], result.outcomes[Role.TERMINAL]
    if result.is_open:
        ends = f"both ends hold the session key {server.key.hex()}"
    else:
        ends = f"no session: the server is {server.text}, the terminal {terminal.text}"
    model = "; ".join(result.differences) or (
        "every machine sent the packets, and came to the values, of the protocol's model in Python"
    )
    return [f"{ends}, {result.seconds:.3f} s after the user came", model]


def campaign(attacks: Campaign) -> dict[str, Any]:
    """The output of `--json` for attacks."""
    return {
        **_scenario(attacks.scenario),
        "suites": list(attacks.suites),
        "runs": attacks.runs,
        "rows": [
            {
                "attack": line.attack,
                "runs": line.runs,
                "refused": line.refused,
                "reasons": dict(line.reasons),
                "wrong": line.wrong,
            }
            for line in attacks.lines
        ],
    }


def pairs(scenario: Scenario, handshakes: Sequence[Pair]) -> dict[str, Any]:
    """The output of `--json` for pairs of partitions."""
    return {
        **_scenario(scenario),
        "rows": [
            {
                "server": list(pair.server.hw),
                "terminal": list(pair.terminal.hw),
                "seconds": pair.seconds,
                "open": pair.is_open,
                "session_key": pair.key.hex(),
                "differences_from_model": list(pair.differences),
            }
            for pair in handshakes
        ],
    }


def crowd(result: Crowd) -> dict[str, Any]:
    """The output of `--json` for many terminals: the same for any number of workers."""
    return {
        **_scenario(result.scenario),
        "terminals": len(result.terminals),
        "failed": result.failed,
        "seconds": result.seconds,
        "sessions_per_second": result.per_second,
        "latency_s": {
            "mean": result.mean,
            **{f"p{part}": result.percentile(part) for part in (5, 50, 95, 99)},
            "max": result.latencies[-1],
        },
        "queued_s": {
            "mean": sum(result.queued) / max(1, len(result.queued)),
            "max": max(result.queued, default=0.0),
        },
        "server": {"busy_cycles": result.server.busy, "waited_cycles": result.server.waited},
        "capacities": [
            {
                "partition": capacity.partition,
                "busy_cycles": capacity.busy,
                "per_second": capacity.per_second,
            }
            for capacity in result.capacities
        ],
        "rows": [
            {
                "terminal": visit.number,
                "came_s": visit.came,
                "opened_s": visit.opened,
                **_outcome(visit.outcome),
            }
            for visit in result.terminals
        ],
    }


def figures(result: Crowd) -> list[tuple[str, str]]:
    """The figures of a crowd, as text."""
    values = crowd(result)
    latency, queued, server = values["latency_s"], values["queued_s"], result.server
    return [
        (
            "sessions opened",
            f"{len(result.terminals) - result.failed:,} of {len(result.terminals):,}",
        ),
        ("first user to last session", f"{result.seconds:.3f} s"),
        ("sessions a second", f"{result.per_second:.3f}"),
        ("latency, mean", f"{latency['mean']:.3f} s"),
        (
            "latency, 5 / 50 / 95 / 99 %",
            " / ".join(f"{result.percentile(p):.3f}" for p in (5, 50, 95, 99)) + " s",
        ),
        ("latency, longest", f"{latency['max']:.3f} s"),
        ("packets waited at the server, mean", f"{queued['mean']:.3f} s"),
        (
            "server busy",
            f"{100 * server.busy / max(1, server.cycles):.1f} % of {server.seconds:.3f} s",
        ),
        *(
            (
                f"a server with {capacity.partition} can bear",
                f"{capacity.per_second:.3f} sessions a second",
            )
            for capacity in result.capacities
        ),
    ]
