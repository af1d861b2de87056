"""Attacks on the line: every attack on every message, and the end of each.

A network runs until a message is on its way, and is saved. From that state each attack
goes on by itself: something else arrives, or nothing. An attack has failed if the node that
it is aimed at refuses for the right reason, no node has a session that was touched, and no node
hangs.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from os import cpu_count
from typing import TYPE_CHECKING

from cocrypt.authenticate import handshake, rogues, tampering
from cocrypt.authenticate.layout import Message, Outcome, Reason, Role, State
from cocrypt.errors import CocryptError
from cocrypt.interrupt import threads
from cocrypt.network import Packet, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cocrypt.authenticate.scenario import Scenario
    from cocrypt.authenticate.tampering import Attack
    from cocrypt.network import Simulation

SUITES = ("xor", "aes", "ascon")


@dataclass(frozen=True)
class Result:
    """The end of an attack: the first refusal or None, and the error of that end or None."""

    attack: Attack
    suite: str
    refusal: tuple[Role, Reason] | None
    wrong: str | None


@dataclass
class Line:
    """All attacks of a kind; `reasons` count how they were refused."""

    attack: str
    runs: int = 0
    refused: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Campaign:
    """All attacks that were tried."""

    scenario: Scenario
    suites: tuple[str, ...]
    seed: int
    results: tuple[Result, ...]

    @property
    def runs(self) -> int:
        """The number of attacks."""
        return len(self.results)

    @property
    def wrong(self) -> list[str]:
        """The attacks with a wrong end, in words."""
        return [text for line in self.lines for text in line.wrong]

    @property
    def lines(self) -> list[Line]:
        """The lines by kind of attack, in the order of the attempts."""
        lines: dict[str, Line] = {}
        for result in self.results:
            line = lines.setdefault(result.attack.kind, Line(result.attack.kind))
            line.runs += 1
            if result.refusal is not None:
                line.refused += 1
                line.reasons[result.refusal[1].name.lower()] += 1
            elif result.wrong is None:
                line.reasons["without effect"] += 1
            if result.wrong is not None:
                line.wrong.append(f"{result.attack.text}, {result.suite}: {result.wrong}")
        return list(lines.values())


class Tap(Wire):
    """Takes the packet of a message from one node to another off the line."""

    def __init__(self, message: Message, sender: int, receiver: int) -> None:
        self.message, self.ends = message, (sender, receiver)
        self.taken: Packet | None = None

    def has_taken(self) -> bool:
        """Returns whether the packet was sent already."""
        return self.taken is not None

    def carry(self, packet: Packet) -> Sequence[Packet]:
        """Takes the packet; all others arrive."""
        ends = (packet.sender, packet.receiver)
        if self.taken is None and ends == self.ends and packet.content[0] == self.message:
            self.taken = packet
            return ()
        return (packet,)


@dataclass(frozen=True)
class Stage:
    """A network in which a message was taken off the line."""

    simulation: Simulation
    packet: Packet
    woken: bool


def stages(scenario: Scenario) -> Iterator[Stage]:
    """The network at each of its messages."""
    for message, sender, receiver in tampering.MESSAGES:
        tap = Tap(message, sender, receiver)
        simulation = scenario.simulation(handshake.nodes(scenario, "interpreter"), tap)
        woken = message not in tampering.INITIAL
        if woken:
            simulation.settle()
            simulation.wake(int(Role.TERMINAL))
        simulation.run(until=tap.has_taken)
        if tap.taken is not None:
            simulation.wire = Wire()
            yield Stage(simulation, tap.taken, woken)


def campaign(
    scenario: Scenario,
    runs: int | None = None,
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
    suites: Sequence[str] = SUITES,
    seed: int = 1,
) -> Campaign:
    """Tries every attack, or `runs` of them at random, with each suite.

    The initialisation is the same with all suites, and is attacked once.
    """
    tried: list[Callable[[], Result]] = []
    for index, suite in enumerate(suites):
        tried += _attacks(scenario.with_suite(suite), suite, with_initialisation=index == 0)
    if runs is not None and runs < len(tried):
        chosen = sorted(random.Random(seed).sample(range(len(tried)), runs))
        tried = [tried[index] for index in chosen]
    results: list[Result] = []
    step("attacking", 0, len(tried))
    with threads(jobs or cpu_count()) as pool:
        for result in pool.map(lambda job: job(), tried):
            results.append(result)
            step("attacking", len(results), len(tried))
    return Campaign(scenario, tuple(suites), seed, tuple(results))


def _attacks(
    scenario: Scenario, suite: str, *, with_initialisation: bool
) -> list[Callable[[], Result]]:
    """The attacks to try with a suite."""
    recorded = tampering.recorded(scenario)
    attempts: list[Callable[[], Result]] = []
    for stage in stages(scenario):
        if not stage.woken and not with_initialisation:
            continue
        tried = tampering.attacks(stage.packet, recorded, scenario.network.size)
        attempts += [partial(attempt, stage, attack, suite) for attack in tried]
    return attempts + [partial(_meet, scenario, rogue, suite) for rogue in rogues.rogues(scenario)]


def attempt(stage: Stage, attack: Attack, suite: str) -> Result:
    """Runs an attack on a message."""
    simulation = stage.simulation.copy()
    count = len(simulation.packets)
    for packet in attack.instead:
        simulation.deliver(packet)
    return _ended(simulation, attack, suite, count, woken=stage.woken)


def _meet(scenario: Scenario, rogue: rogues.Rogue, suite: str) -> Result:
    """Runs the network with a rogue."""
    return _ended(rogue.simulation(scenario), rogue.attack, suite, 0, woken=True)


def _ended(
    simulation: Simulation, attack: Attack, suite: str, count: int, *, woken: bool
) -> Result:
    """Runs to the end, and judges it."""
    try:
        if not woken:
            simulation.settle()
            if not simulation.has_ended(int(Role.TERMINAL)):
                simulation.wake(int(Role.TERMINAL))
        simulation.run()
    except CocryptError as error:
        return Result(attack, suite, None, f"the firmware failed: {error.message}")
    refused = refusals(simulation.packets[count:])
    refusal = refused[0] if refused else None
    return Result(attack, suite, refusal, _error(simulation, attack, refusal))


def refusals(packets: Iterable[Packet]) -> list[tuple[Role, Reason]]:
    """The refusals with their senders and reasons, in the order of time."""
    ordered = sorted(packets, key=lambda packet: (packet.sent, packet.sender))
    return [
        (Role(packet.sender), Reason(packet.content[1]))
        for packet in ordered
        if packet.content[0] == Message.REFUSE and packet.sender in list(Role)
    ]


def _error(
    simulation: Simulation, attack: Attack, refusal: tuple[Role, Reason] | None
) -> str | None:
    """The error of an attack's end; None if there is none."""
    if simulation.stuck:
        return f"{', '.join(node.name for node in simulation.stuck)} waits for ever"
    ends = {role: handshake.outcome(simulation.nodes[role]) for role in attack.genuine}
    opened = all(end.state is State.OPEN for end in ends.values())
    if attack.harmless and opened and len({end.key for end in ends.values()}) == 1:
        return None
    if refusal is None:
        return "no node refused"
    if refusal not in attack.refusals:
        expected = " or ".join(f"{role.name} for {reason.name}" for role, reason in attack.refusals)
        return f"{refusal[0].name} refused for {refusal[1].name}, not {expected}"
    return _opened(attack, ends)


def _opened(attack: Attack, ends: dict[Role, Outcome]) -> str | None:
    """Names a node that has a session all the same, or a key without one."""
    for role, end in ends.items():
        if end.state is State.OPEN and role not in attack.done:
            return f"the {role.name.lower()} has a session"
        if end.state is not State.OPEN and any(end.key):
            return f"the {role.name.lower()} has a key without a session"
    return None
