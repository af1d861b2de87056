"""The firmware of studies/authentication on the host, packet by packet against the model."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from authentication_host import (
    FOR_EVER,
    PLAIN,
    Firmware,
    Tamper,
    begin,
    built,
    identity,
    makers,
    model,
    parameters,
    untouched,
)
from cocrypt import measurement
from cocrypt.authenticate.layout import Message, Reason, Role, State, Suite
from cocrypt.authenticate.model import Authority, Server, Terminal
from cocrypt.builder import Builder
from cocrypt.partition import partitions
from cocrypt.study import Study
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from authentication_host import Make, Party

CA_NODE, SERVER_NODE, TERMINAL_NODE = 0, 1, 2


@pytest.fixture
def make() -> Iterator[Make]:
    yield from makers()


# Firmware has the same packets, outcomes and identities as the model.


@pytest.mark.parametrize("suite", Suite)
@pytest.mark.parametrize("size", [0, 1, 255, 1024, 5000])
def test_same_as_the_model(suite: Suite, size: int, make: Make) -> None:
    runs = []
    for kind in (make, model):
        parameters_by_role = {role: parameters(role, suite, size=size) for role in Role}
        parameters_by_role[Role.CA] = replace(parameters_by_role[Role.CA], sessions=2)
        parties = {
            int(role): kind(int(role), values) for role, values in parameters_by_role.items()
        }
        ca = parties[CA_NODE]
        ca.start()
        packets = [*begin(parties, SERVER_NODE), *begin(parties, TERMINAL_NODE)]
        runs.append((packets, [party.outcomes for party in parties.values()]))
        assert all(party.done for party in parties.values())
    assert runs[0] == runs[1]
    assert runs[0][1][SERVER_NODE][0].state is State.OPEN
    assert len(runs[0][0]) == 10


@pytest.mark.parametrize("suite", Suite)
def test_identities_are_the_models(suite: Suite, make: Make) -> None:
    values = parameters(Role.TERMINAL, suite)
    terminal = make(TERMINAL_NODE, values)
    ca = Authority(CA_NODE, parameters(Role.CA, suite, sessions=9))
    begin({TERMINAL_NODE: terminal, CA_NODE: ca}, TERMINAL_NODE)
    terminal.receive(b"\x1f\x02", SERVER_NODE, 0.0)
    assert terminal.done
    assert terminal.identity == identity(Role.TERMINAL)
    assert terminal.outcomes[0].reason is Reason.PEER


@pytest.mark.parametrize("suite", Suite)
def test_whole_protocol_within_one_program(suite: Suite, make: Make) -> None:
    seed = b"cocrypt node seed 1\0"
    alone = make(9, replace(parameters(Role.CA, suite, seed=seed), role=3))
    assert alone.start() == []
    assert (alone.code, alone.output.hex()) == (0, _keys(suite, seed).hex())


def _keys(suite: Suite, seed: bytes) -> bytes:
    """Returns the bytes that `output` must hold."""
    seeds = {role: seed[:-1] + bytes([seed[-1] ^ role]) for role in Role}
    parties = {
        int(role): model(
            int(role), parameters(role, suite, seed=seeds[role], sessions=0 if role == 0 else 1)
        )
        for role in Role
    }
    begin(parties, SERVER_NODE)
    begin(parties, TERMINAL_NODE)
    return b"".join(parties[node].outcomes[0].key for node in (SERVER_NODE, TERMINAL_NODE))


def test_study_expects_the_models_keys() -> None:
    """The device's firmware computes the model's keys, too."""
    study = Study.load(ROOT / "studies/authentication.toml")
    workload = study.workload("node")
    assert workload.expect == _keys(Suite.XOR, b"cocrypt node seed 1\0")
    hardware = next(partition for partition in partitions(study) if partition.name == "Arch. 8")
    built = Builder(study).build([(workload, hardware)])[0]
    run = measurement.run(study.device, built.image, built.name, built.coprocessors)
    assert run.output("output", 40) == workload.expect
    assert run.ram + run.rom + run.values["stack"] < 0x40000


# Packets that are changed on their way: the receiver never opens a session.


def changed(content: bytes, draw: random.Random, packets: list[bytes]) -> bytes:
    """Returns a packet that differs from the given one and is not empty."""
    size = len(content)
    at = draw.choice((draw.randrange(size), size - 1, max(size - 16, 0), max(size - 17, 0)))
    packet = draw.choice(packets)
    flipped = bytes([content[at] ^ 1 << draw.randrange(8)])
    candidates = (
        *(content[:at] + flipped + content[at + 1 :],) * 3,
        content[: max(1, at)],
        content + draw.randbytes(draw.choice((1, 16, 1000, 2048 - len(content)))),
        content[:1] + draw.randbytes(len(content) - 1),
        content[:2] + draw.randbytes(draw.choice((len(content) - 2, 0, 1, 2046))),
        content[:at] + bytes(len(content) - at) if at else bytes(len(content)),
        draw.randbytes(draw.randrange(1, 2049)),
        packet[:at] + content[at:],
        packet,
    )
    result = draw.choice(candidates)
    return result if result != content else content + b"\0"


def _tamper(step: int, seed: int, packets: list[bytes]) -> Tamper:
    """Changes the packet of a step, the same way each time."""

    def change(number: int, content: bytes) -> bytes:
        return changed(content, random.Random(seed), packets) if number == step else content

    return change


class Pair:
    """A server for many terminals: each as firmware, and in the model."""

    def __init__(self, suite: Suite, make: Make) -> None:
        self.suite = suite
        values = parameters(Role.SERVER, suite, sessions=1024, patience=FOR_EVER)
        mine = identity(Role.SERVER)
        self.own = identity(Role.TERMINAL)
        self.servers = (make(SERVER_NODE, values, mine), Server(SERVER_NODE, values, mine))
        for server in self.servers:
            server.start()

    def terminal(self, kind: Callable[..., Party], number: int) -> Party:
        values = parameters(Role.TERMINAL, self.suite, seed=number.to_bytes(20))
        return kind(number, values, self.own)


def _packets(pair: Pair) -> list[bytes]:
    """The packets of an undisturbed session."""
    runs = []
    for server in pair.servers:
        terminal = pair.terminal(model, 9)
        runs.append(begin({SERVER_NODE: server, 9: terminal}, 9))
        assert terminal.outcomes[0].state is State.OPEN
    assert runs[0] == runs[1]
    return [packet[2] for packet in runs[0]]


@pytest.mark.parametrize("suite", Suite)
def test_changed_packets_to_a_server(suite: Suite, make: Make) -> None:
    pair = Pair(suite, make)
    originals = _packets(pair)
    for number in range(10, 94):
        step = number % 3 * 2
        runs = []
        for server in pair.servers:
            terminal = pair.terminal(model, number)
            parties = {SERVER_NODE: server, number: terminal}
            runs.append(begin(parties, number, _tamper(step, number, originals)))
            assert all(outcome.state is not State.OPEN for outcome in terminal.outcomes)
        assert runs[0] == runs[1], (step, number)
    reasons = _refuse_all_that_wait(pair)
    assert {Reason.FORMAT, Reason.POINT, Reason.SEAL, Reason.PEER} <= reasons


def _refuse_all_that_wait(pair: Pair) -> set[Reason]:
    """Ends both servers; their outcomes are the same, and nothing but the first session is open."""
    firmware, server = pair.servers
    assert isinstance(server, Server)
    for number in range(5000, 5000 + 1024):
        if firmware.done:
            break
        for node in pair.servers:
            node.receive(bytes([Message.HELLO]), number, 0.0)
        for session in server.sessions:
            if session.state is State.PROGRESS:
                for node in pair.servers:
                    node.receive(bytes([Message.REFUSE, Reason.TIMEOUT]), session.peer, 0.0)
    assert firmware.done
    assert firmware.outcomes == server.outcomes
    assert [outcome.state for outcome in server.outcomes[1:]] == [State.REFUSED] * 1023
    return {outcome.reason for outcome in server.outcomes}


@pytest.mark.parametrize("suite", Suite)
def test_changed_packets_to_a_terminal(suite: Suite, make: Make) -> None:
    mine = identity(Role.SERVER)
    originals: list[bytes] = []
    reasons = set()
    for number in range(40):
        step = number % 3 * 2 + 1
        runs = []
        for kind in (make, model):
            server = Server(SERVER_NODE, parameters(Role.SERVER, suite), mine)
            values = parameters(Role.TERMINAL, suite)
            parties = {SERVER_NODE: server, 2: kind(2, values, identity(Role.TERMINAL))}
            server.start()
            tamper = _tamper(step, number, originals) if originals else untouched
            runs.append((begin(parties, 2, tamper), parties[2].outcomes))
            assert parties[2].done
        assert runs[0] == runs[1], (step, number)
        if originals:
            assert runs[0][1][0].state is State.REFUSED
            reasons.add(runs[0][1][0].reason)
        originals = originals or [packet[2] for packet in runs[0][0]]
    assert {Reason.FORMAT, Reason.SEAL} <= reasons


def test_changed_enrolments(make: Make) -> None:
    values = parameters(Role.CA, sessions=100)
    authorities = (make(CA_NODE, values), Authority(CA_NODE, values))
    for server in authorities:
        server.start()
    enrol = bytes([Message.ENROL, Role.TERMINAL]) + identity(Role.TERMINAL).q
    draw = random.Random(4)
    for number in range(150):
        content = changed(enrol, draw, [enrol]) if number % 3 else enrol
        answers = [server.receive(content, number, 0.0) for server in authorities]
        assert answers[0] == answers[1]
        assert (answers[0][0][1][0] == Message.CERTIFICATE) == (content == enrol), content.hex()


def test_changed_certificates(make: Make) -> None:
    reasons = set()
    for number in range(60):
        role = (Role.SERVER, Role.TERMINAL)[number % 2]
        runs = []
        for kind in (make, model):
            ca = Authority(CA_NODE, parameters(Role.CA, sessions=9))
            party = kind(int(role), parameters(role))
            enrol = party.start()[0][1]
            certificate = ca.receive(enrol, int(role), 0.0)[0][1]
            certificate = changed(certificate, random.Random(number), [enrol])
            runs.append((party.receive(certificate, CA_NODE, 0.0), party.outcomes, party.done))
        assert runs[0] == runs[1]
        assert runs[0][1][0].state is State.REFUSED
        reasons.add(runs[0][1][0].reason)
    assert {Reason.FORMAT, Reason.POINT, Reason.SIGNATURE} <= reasons


def test_anything_at_any_time(make: Make) -> None:
    """Good, changed and repeated packets of a few senders, in any order."""
    pair = Pair(Suite.ASCON, make)
    originals = _packets(pair)
    draw = random.Random(5)
    for _ in range(400):
        sender = draw.randrange(10, 16)
        content = draw.choice(originals)
        content = changed(content, draw, originals) if draw.random() < 0.3 else content
        answers = [server.receive(content, sender, 0.0) for server in pair.servers]
        assert answers[0] == answers[1]
    _refuse_all_that_wait(pair)


# Secrets, and the memory of a run.


@pytest.mark.parametrize("suite", Suite)
def test_nothing_secret_is_left(suite: Suite) -> None:
    nodes = {
        1: Firmware(built(*PLAIN), 1, parameters(Role.SERVER, suite), identity(Role.SERVER)),
        2: Firmware(built(*PLAIN), 2, parameters(Role.TERMINAL, suite), identity(Role.TERMINAL)),
    }
    nodes[1].start()
    begin(nodes, 2)
    shadow = Server(1, parameters(Role.SERVER, suite), identity(Role.SERVER))
    terminal = Terminal(2, parameters(Role.TERMINAL, suite), identity(Role.TERMINAL))
    begin({1: shadow, 2: terminal}, 2)
    session = shadow.sessions[0]
    secrets = [session.z, session.k_0, session.g_s, session.g_u, session.k_m, terminal.data()]
    for node, party in ((nodes[1], shadow), (nodes[2], terminal)):
        assert node.outcomes == party.outcomes
        *stacks, variables = node.left
        assert variables.count(session.k_m) == 1, "k_m stands in the outcome, and nowhere else"
        for secret in (*secrets, party.d.to_bytes(20)):
            assert not any(secret in stack for stack in stacks), secret.hex()
            assert not any(_turned(secret) in stack for stack in stacks), secret.hex()
            assert secret == session.k_m or secret not in variables


def _turned(secret: bytes) -> bytes:
    """The bytes of a number of the field, the lowest first."""
    return secret[::-1]


def test_marks_do_not_nest(make: Make) -> None:
    alone = make(9, replace(parameters(Role.CA), role=3))
    alone.start()
    assert set(alone.marks) == set(range(9)) | {11}
    assert alone.marks[1::2] == [0] * (len(alone.marks) // 2)
    assert all(alone.marks[::2])
