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
"""Of more than 20,000, drawn by lot; all of them are run by `cocrypt authenticate --attacks`."""


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
    done = handshake.handshake(Scenario.of(study()).with_suite(suite))
    assert done.is_open
    assert done.differences == ()
    server, terminal = done.outcomes[Role.SERVER], done.outcomes[Role.TERMINAL]
    assert server.key == terminal.key != bytes(20)
    assert (server.peer, terminal.peer) == (TERMINAL, SERVER)
    assert (server.name[0], terminal.name[0]) == (Role.TERMINAL, Role.SERVER)
    said = [step.what for step in done.steps if step.is_message]
    assert said[-6:] == ["hello", "challenge", "response", "accept", "request", "reply"]
    assert sorted(said[:4]) == ["certificate", "certificate", "enrol", "enrol"]


@pytest.mark.parametrize(
    "hosts", [("server",), ("terminal",), ("ca", "server", "terminal")], ids="-".join
)
def test_any_node_may_be_on_the_host(hosts: tuple[str, ...]) -> None:
    network = scenario().network
    stations = {name: replace(getattr(network, name), host=True) for name in hosts}
    on_host = replace(study(), authentication=replace(network, **stations))
    done = handshake.handshake(Scenario.of(on_host))
    assert done.is_open
    assert done.differences == ()
    assert "Both ends hold the same key" in report.handshake(done)


def test_steps_add_up_to_what_nodes_spent() -> None:
    done = handshake.handshake(Scenario.of(study()))
    for one in done.spent:
        device = done.scenario.seats[Role(one.node)].device
        own = [step for step in done.steps if step.node == one.node and not step.is_message]
        computed = sum(step.cycles or 0 for step in own)
        # What is not between two marks is start-up, which clears the table of sessions.
        assert 0.95 * one.busy < computed <= one.busy
        assert one.seconds == pytest.approx((one.busy + one.waited) / device.clock_hz)
        known = device.power.active_W is not None
        assert all((step.energy_J is not None) is known for step in own)
    values = json.loads(json.dumps(records.handshake(done)))
    output_schemas.check("authenticate", values)
    assert values["open"] is True


def by_lot(server: Partition, terminal: Partition) -> bool:
    """The corners, and some others; all pairs are run by `cocrypt authenticate --pairs`."""
    corners = ((), ALL)
    is_corner = server.hw in corners and terminal.hw in corners
    return is_corner or random.Random(f"{server.name} {terminal.name}").random() < 0.03


def test_partitions_go_together() -> None:
    joined = pairs.pairs(scenario(), by_lot)
    assert len(joined) > 8
    assert all(one.is_good for one in joined), [one.differences for one in joined]
    assert len({one.key for one in joined}) == 1, "no partition changes a value"
    seconds = {(one.server.hw, one.terminal.hw): one.seconds for one in joined}
    assert seconds[(), ()] > 10 * seconds[ALL, ALL]
    output_schemas.check("authenticate-pairs", records.pairs(scenario(), joined))


def test_attacks_by_lot_end_as_they_should() -> None:
    tried = attacks.campaign(scenario(), ATTACKS)
    assert tried.runs == ATTACKS
    assert not tried.wrong
    assert sum(line.refused for line in tried.lines) > 0.97 * ATTACKS
    output_schemas.check("authenticate-attacks", json.loads(json.dumps(records.campaign(tried))))


def test_there_is_every_attack_at_every_message() -> None:
    found: dict[str, set[Message]] = {}
    places: set[tuple[Message, int]] = set()
    for stage in attacks.stages(scenario()):
        content = stage.packet.content
        message = Message(content[0])
        for one in tampering.attacks(stage.packet, tampering.Recorded(), scenario().network.size):
            found.setdefault(one.kind, set()).add(message)
            if one.kind == "bit flipped":
                changed = one.instead[0].content
                pairs_ = zip(content, changed, strict=True)
                (place,) = [i for i, (a, b) in enumerate(pairs_) if a != b]
                places.add((message, place))
        assert {place for kind, place in places if kind is message} == set(range(len(content)))
    every = set(Message) - {Message.REFUSE}
    for kind in ("bit flipped", "truncated", "extended", "noise", "lost"):
        assert found[kind] == every, kind
    known = {one.attack.kind for one in rogues.rogues(scenario())}
    assert {"man in the middle", "wrong CA", "expired certificate", "forged signature"} <= known
    assert {"invalid point", "r or s out of range", "stolen certificate"} <= known


class Lenient(Terminal):
    """Takes every certificate for good."""

    def check(self, certificate: Certificate, role: Role, q: bytes, ca: bytes) -> None:
        """Looks at nothing."""


def test_a_node_that_does_not_look_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(provision.PARTIES, Role.TERMINAL, Lenient)
    network = scenario().network
    on_host = replace(network, terminal=replace(network.terminal, host=True))
    lenient = Scenario.of(replace(study(), authentication=on_host))
    stage = next(
        one
        for one in attacks.stages(lenient)
        if one.packet.content[0] == Message.CERTIFICATE and one.packet.receiver == TERMINAL
    )
    forged = [
        one
        for one in tampering.attacks(stage.packet, tampering.Recorded(), network.size)
        if Reason.SIGNATURE in {reason for _, reason in one.refusals}
    ]
    results = [attacks.attempt(stage, one, "xor") for one in forged[::40]]
    assert len(results) > 5
    assert all(one.wrong for one in results), [one.attack.text for one in results if not one.wrong]


def test_a_crowd_is_the_same_for_one_and_for_two_workers() -> None:
    alone, together = (crowd.crowd(scenario(), 6, jobs=jobs) for jobs in (1, 2))
    assert json.dumps(records.crowd(alone)) == json.dumps(records.crowd(together))
    output_schemas.check("authenticate-terminals", records.crowd(alone))
    assert alone.failed == 0
    assert len({one.outcome.key for one in alone.terminals}) == 6
    bears = next(one for one in alone.capacities if one.partition == "Arch. 8")
    assert alone.per_second == pytest.approx(bears.per_second, rel=0.05)


def test_a_crowd_that_comes_one_by_one_waits_less() -> None:
    at_once, in_turn = (crowd.crowd(scenario(), 5, rate) for rate in (None, 1.0))
    assert in_turn.mean < 0.6 * at_once.mean
    assert in_turn.terminals[0].came < in_turn.terminals[-1].came
    assert all(one.outcome.state is State.OPEN for one in in_turn.terminals)


def test_firmware_that_stops_is_told() -> None:
    made = handshake.nodes(scenario())
    made[TERMINAL].most = 1000  # type: ignore[attr-defined]
    simulation = scenario().simulation(made)
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
    other = Study.load(STUDY.parent / "hau2011.toml")
    assert [one.hw for one in partitions(study())] == [one.hw for one in partitions(other)]
