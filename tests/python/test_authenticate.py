"""The network of `cocrypt authenticate` on machines: values, partitions, attackers, crowds."""

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import output_schemas
from cocrypt.authenticate import (
    attacks,
    crowd,
    handshake,
    pairs,
    provision,
    records,
    rogues,
    tampering,
)
from cocrypt.authenticate.layout import Message, Reason, Role, State
from cocrypt.authenticate.model import Terminal
from cocrypt.authenticate.scenario import SERVER, TERMINAL, Scenario
from cocrypt.authenticate.values import Certificate
from cocrypt.cli.authenticate import chosen, hardware
from cocrypt.errors import InputError, ProgramError
from cocrypt.partition import Partition, partitions
from cocrypt.report import authentication as report
from cocrypt.study import Study

STUDY = Path(__file__).resolve().parents[2] / "studies/authentication.toml"
ALL = ("mod_add", "mod_sub", "mod_mul", "mod_div")
ATTACKS = 250
"""A random sample of more than 20,000; `cocrypt authenticate --attacks` runs all."""


@cache
def study() -> Study:
    return Study.load(STUDY)


@cache
def scenario() -> Scenario:
    """All field arithmetic in hardware, the CA on the host."""
    network = study().authentication
    assert network is not None
    network = network.having("terminal", ALL).having("server", ALL)
    quick = replace(network, ca=replace(network.ca, host=True))
    return Scenario.of(replace(study(), authentication=quick))


@pytest.mark.parametrize("suite", ["xor", "aes", "ascon"])
def test_both_ends_hold_the_same_key_and_all_nodes_do_what_the_model_does(suite: str) -> None:
    session = handshake.handshake(Scenario.of(study()).with_suite(suite))
    assert session.is_open
    assert session.differences == ()
    server, terminal = session.outcomes[Role.SERVER], session.outcomes[Role.TERMINAL]
    assert server.key == terminal.key != bytes(20)
    assert (server.peer, terminal.peer) == (TERMINAL, SERVER)
    assert (server.name[0], terminal.name[0]) == (Role.TERMINAL, Role.SERVER)
    messages = [step.what for step in session.steps if step.is_message]
    assert messages[-6:] == ["hello", "challenge", "response", "accept", "request", "reply"]
    assert sorted(messages[:4]) == ["certificate", "certificate", "enrol", "enrol"]


@pytest.mark.parametrize(
    "hosts", [("server",), ("terminal",), ("ca", "server", "terminal")], ids="-".join
)
def test_any_node_may_be_on_the_host(hosts: tuple[str, ...]) -> None:
    network = scenario().network
    stations = {name: replace(getattr(network, name), host=True) for name in hosts}
    on_host = replace(study(), authentication=replace(network, **stations))
    session = handshake.handshake(Scenario.of(on_host))
    assert session.is_open
    assert session.differences == ()
    assert "Both ends hold the same key" in report.handshake(session)


def test_steps_add_up_to_what_nodes_spent() -> None:
    session = handshake.handshake(Scenario.of(study()))
    for node in session.spent:
        device = session.scenario.seats[Role(node.node)].device
        steps = [step for step in session.steps if step.node == node.node and not step.is_message]
        computed = sum(step.cycles or 0 for step in steps)
        # Cycles outside of two marks are start-up, which clears the table of sessions.
        assert 0.95 * node.busy < computed <= node.busy
        assert node.seconds == pytest.approx((node.busy + node.waited) / device.clock_hz)
        has_power = device.power.active_W is not None
        assert all((step.energy_J is not None) is has_power for step in steps)
    values = json.loads(json.dumps(records.handshake(session)))
    output_schemas.check("authenticate", values)
    assert values["open"] is True


def by_lot(server: Partition, terminal: Partition) -> bool:
    """Pairs at the corners, and some others; `cocrypt authenticate --pairs` runs all."""
    corners = ((), ALL)
    is_corner = server.hw in corners and terminal.hw in corners
    return is_corner or random.Random(f"{server.name} {terminal.name}").random() < 0.03


@pytest.mark.long
def test_partitions_go_together() -> None:
    joined = pairs.pairs(scenario(), by_lot)
    assert len(joined) > 8
    assert all(pair.is_good for pair in joined), [pair.differences for pair in joined]
    assert len({pair.key for pair in joined}) == 1, "no partition changes a value"
    seconds = {(pair.server.hw, pair.terminal.hw): pair.seconds for pair in joined}
    assert seconds[(), ()] > 10 * seconds[ALL, ALL]
    output_schemas.check("authenticate-pairs", records.pairs(scenario(), joined))


@pytest.mark.long
def test_attacks_by_lot_end_as_they_should() -> None:
    results = attacks.campaign(scenario(), ATTACKS)
    assert results.runs == ATTACKS
    assert not results.wrong
    assert sum(line.refused for line in results.lines) > 0.97 * ATTACKS
    output_schemas.check("authenticate-attacks", json.loads(json.dumps(records.campaign(results))))


def test_there_is_every_attack_at_every_message() -> None:
    messages: dict[str, set[Message]] = {}
    changes: set[tuple[Message, int]] = set()
    for stage in attacks.stages(scenario()):
        content = stage.packet.content
        message = Message(content[0])
        for attack in tampering.attacks(
            stage.packet, tampering.Recorded(), scenario().network.size
        ):
            messages.setdefault(attack.kind, set()).add(message)
            if attack.kind == "bit flipped":
                changed = attack.instead[0].content
                pairs_ = zip(content, changed, strict=True)
                (index,) = [i for i, (a, b) in enumerate(pairs_) if a != b]
                changes.add((message, index))
        assert {index for kind, index in changes if kind is message} == set(range(len(content)))
    attacked = set(Message) - {Message.REFUSE}
    for kind in ("bit flipped", "truncated", "extended", "noise", "lost"):
        assert messages[kind] == attacked, kind
    kinds = {rogue.attack.kind for rogue in rogues.rogues(scenario())}
    assert {"man in the middle", "wrong CA", "expired certificate", "forged signature"} <= kinds
    assert {"invalid point", "r or s out of range", "stolen certificate"} <= kinds


class Lenient(Terminal):
    """A terminal that takes every certificate for good."""

    def check(self, certificate: Certificate, role: Role, q: bytes, ca: bytes) -> None:
        """Checks nothing."""


def test_a_node_that_does_not_look_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(provision.PARTIES, Role.TERMINAL, Lenient)
    network = scenario().network
    on_host = replace(network, terminal=replace(network.terminal, host=True))
    lenient = Scenario.of(replace(study(), authentication=on_host))
    stage = next(
        stage
        for stage in attacks.stages(lenient)
        if stage.packet.content[0] == Message.CERTIFICATE and stage.packet.receiver == TERMINAL
    )
    forged = [
        attack
        for attack in tampering.attacks(stage.packet, tampering.Recorded(), network.size)
        if Reason.SIGNATURE in {reason for _, reason in attack.refusals}
    ]
    results = [attacks.attempt(stage, attack, "xor") for attack in forged[::40]]
    assert len(results) > 5
    assert all(result.wrong for result in results), [
        result.attack.text for result in results if not result.wrong
    ]


@pytest.mark.long
def test_a_crowd_is_the_same_for_one_and_for_two_workers() -> None:
    alone, together = (crowd.crowd(scenario(), 6, jobs=jobs) for jobs in (1, 2))
    assert json.dumps(records.crowd(alone)) == json.dumps(records.crowd(together))
    output_schemas.check("authenticate-terminals", records.crowd(alone))
    assert alone.failed == 0
    assert len({terminal.outcome.key for terminal in alone.terminals}) == 6
    bears = next(capacity for capacity in alone.capacities if capacity.partition == "Arch. 8")
    assert alone.per_second == pytest.approx(bears.per_second, rel=0.05)


@pytest.mark.long
def test_a_crowd_that_comes_one_by_one_waits_less() -> None:
    at_once, in_turn = (crowd.crowd(scenario(), 5, rate) for rate in (None, 1.0))
    assert in_turn.mean < 0.6 * at_once.mean
    assert in_turn.terminals[0].came < in_turn.terminals[-1].came
    assert all(terminal.outcome.state is State.OPEN for terminal in in_turn.terminals)


def test_firmware_that_stops_is_told() -> None:
    nodes = handshake.nodes(scenario())
    nodes[TERMINAL].most = 1000  # type: ignore[attr-defined]
    simulation = scenario().simulation(nodes)
    with pytest.raises(ProgramError, match="terminal stopped in cycle 1,0"):
        simulation.run()


def test_what_is_in_hardware_can_be_named_in_many_ways() -> None:
    assert hardware(study(), "arch. 7") == ("mod_mul", "mod_div")
    assert hardware(study(), "mod_div, mod_add") == ("mod_add", "mod_div")
    assert (hardware(study(), "all"), hardware(study(), "none")) == (ALL, ())
    network = chosen(study(), ["none", "server=all"]).authentication
    assert network is not None
    assert (network.server.hw, network.terminal.hw) == (ALL, ())
    with pytest.raises(InputError, match="no partition `mod_mull`"):
        hardware(study(), "mod_mull")
    with pytest.raises(InputError, match="no node `host`"):
        chosen(study(), ["host=all"])


def test_wrong_requests_get_one_message() -> None:
    with pytest.raises(InputError, match="no suite `des`"):
        scenario().with_suite("des")
    with pytest.raises(InputError, match="describes no network"):
        Scenario.of(Study.load(STUDY.parent / "hau2011.toml"))
    on_host = replace(scenario().network, server=replace(scenario().network.server, host=True))
    with pytest.raises(InputError, match="have to be machines"):
        crowd.crowd(Scenario.of(replace(study(), authentication=on_host)), 2)


def test_every_partition_of_the_signature_study_is_there() -> None:
    signatures = Study.load(STUDY.parent / "hau2011.toml")
    assert [partition.hw for partition in partitions(study())] == [
        partition.hw for partition in partitions(signatures)
    ]
