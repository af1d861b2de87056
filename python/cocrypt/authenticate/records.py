"""The shapes of the JSON of `cocrypt authenticate`, and its figures in words."""

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


def handshake(done: Handshake) -> dict[str, Any]:
    """What `--json` prints of a handshake."""
    return {
        **_scenario(done.scenario),
        "steps": [steps.record(step, NAMES) for step in done.steps],
        "spent": [
            {
                "node": NAMES[one.node],
                "busy_cycles": one.busy,
                "waited_cycles": one.waited,
                "seconds": one.seconds,
                "energy_J": one.energy_J,
            }
            for one in done.spent
        ],
        "outcomes": {role.name.lower(): _outcome(one) for role, one in done.outcomes.items()},
        "open": done.is_open,
        "handshake_seconds": done.seconds,
        "differences_from_model": list(done.differences),
    }


def sentences(done: Handshake) -> list[str]:
    """How it ended, in words."""
    server, terminal = done.outcomes[Role.SERVER], done.outcomes[Role.TERMINAL]
    if done.is_open:
        ends = f"both ends hold the session key {server.key.hex()}"
    else:
        ends = f"no session: the server is {server.text}, the terminal {terminal.text}"
    model = "; ".join(done.differences) or (
        "every machine sent the packets, and came to the values, of the protocol's model in Python"
    )
    return [f"{ends}, {done.seconds:.3f} s after the user came", model]


def campaign(tried: Campaign) -> dict[str, Any]:
    """What `--json` prints of attacks."""
    return {
        **_scenario(tried.scenario),
        "suites": list(tried.suites),
        "runs": tried.runs,
        "rows": [
            {
                "attack": line.attack,
                "runs": line.runs,
                "refused": line.refused,
                "reasons": dict(line.reasons),
                "wrong": line.wrong,
            }
            for line in tried.lines
        ],
    }


def pairs(scenario: Scenario, joined: Sequence[Pair]) -> dict[str, Any]:
    """What `--json` prints of pairs of partitions."""
    return {
        **_scenario(scenario),
        "rows": [
            {
                "server": list(one.server.hw),
                "terminal": list(one.terminal.hw),
                "seconds": one.seconds,
                "open": one.is_open,
                "session_key": one.key.hex(),
                "differences_from_model": list(one.differences),
            }
            for one in joined
        ],
    }


def crowd(met: Crowd) -> dict[str, Any]:
    """What `--json` prints of many terminals: the same for any number of workers."""
    return {
        **_scenario(met.scenario),
        "terminals": len(met.terminals),
        "failed": met.failed,
        "seconds": met.seconds,
        "sessions_per_second": met.per_second,
        "latency_s": {
            "mean": met.mean,
            **{f"p{part}": met.percentile(part) for part in (5, 50, 95, 99)},
            "max": met.latencies[-1],
        },
        "queued_s": {
            "mean": sum(met.queued) / max(1, len(met.queued)),
            "max": max(met.queued, default=0.0),
        },
        "server": {"busy_cycles": met.server.busy, "waited_cycles": met.server.waited},
        "capacities": [
            {"partition": one.partition, "busy_cycles": one.busy, "per_second": one.per_second}
            for one in met.capacities
        ],
        "rows": [
            {
                "terminal": one.number,
                "came_s": one.came,
                "opened_s": one.opened,
                **_outcome(one.outcome),
            }
            for one in met.terminals
        ],
    }


def figures(met: Crowd) -> list[tuple[str, str]]:
    """The figures of a crowd, as people read them."""
    found = crowd(met)
    latency, queued, server = found["latency_s"], found["queued_s"], met.server
    return [
        ("sessions opened", f"{len(met.terminals) - met.failed:,} of {len(met.terminals):,}"),
        ("first user to last session", f"{met.seconds:.3f} s"),
        ("sessions a second", f"{met.per_second:.3f}"),
        ("latency, mean", f"{latency['mean']:.3f} s"),
        (
            "latency, 5 / 50 / 95 / 99 %",
            " / ".join(f"{met.percentile(p):.3f}" for p in (5, 50, 95, 99)) + " s",
        ),
        ("latency, longest", f"{latency['max']:.3f} s"),
        ("packets waited at the server, mean", f"{queued['mean']:.3f} s"),
        (
            "server busy",
            f"{100 * server.busy / max(1, server.cycles):.1f} % of {server.seconds:.3f} s",
        ),
        *(
            (f"a server with {one.partition} can bear", f"{one.per_second:.3f} sessions a second")
            for one in met.capacities
        ),
    ]
