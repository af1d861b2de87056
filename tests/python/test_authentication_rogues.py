"""The firmware of studies/authentication against rogues, silence and strangers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from authentication_host import (
    CLOCK,
    EXPIRY,
    FOR_EVER,
    NOW,
    begin,
    identity,
    makers,
    parameters,
)
from cocrypt.authenticate import curve
from cocrypt.authenticate.layout import Identity, Message, Reason, Role, State
from cocrypt.authenticate.model import Authority, Certificate, Server, Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from authentication_host import Make, Party
    from cocrypt.authenticate.model import Session

CA_NODE = 0


@pytest.fixture
def make() -> Iterator[Make]:
    yield from makers()


# Rogues: a method of the model is replaced, and firmware must refuse with the right reason.


def _point(x: int, y: int) -> bytes:
    return curve.to_bytes((x, y))


OTHER = Identity(*((5).to_bytes(21), curve.to_bytes(curve.public(5))), *([b""] * 5))
X, Y = curve.G
POINTS = (
    _point(X, Y ^ 1),
    _point(0, 0),
    _point(curve.P - 1, 1),
    _point(2**160 - 1, Y),
    b"\xff" * 40,
)


def _certificate(role: Role, **changes: int | bytes) -> Certificate:
    """A valid certificate, but for the given changes."""
    signed = identity(role)
    certificate = Certificate.unpack(signed.name + signed.expiry + signed.r + signed.s)
    return replace(certificate, **changes)  # type: ignore[arg-type]


def _signed(role: Role, q: bytes, expiry: int = EXPIRY, name: bytes | None = None) -> Certificate:
    """A certificate of any contents that the CA has signed."""
    ca = Authority(CA_NODE, parameters(Role.CA, expiry=expiry))
    return ca.certify(ca.name(role, int(role)) if name is None else name, q)


@cache
def _certificates(role: Role) -> dict[str, tuple[Certificate, Reason]]:
    """The certificates that a rogue may show instead, and the reasons of refusal."""
    q, good = identity(role).q, _certificate(role)
    wrong = Role.SERVER if role is Role.TERMINAL else Role.TERMINAL
    stranger = Authority(CA_NODE, parameters(Role.CA, seed=b"another authority  .")).certify(
        good.name, q
    )
    return {
        "other role": (_signed(wrong, q), Reason.ROLE),
        "CA's role": (_signed(Role.CA, q), Reason.ROLE),
        "expired": (_signed(role, q, expiry=NOW - 1), Reason.EXPIRED),
        "r is 0": (replace(good, r=0), Reason.RANGE),
        "s is 0": (replace(good, s=0), Reason.RANGE),
        "r is n": (replace(good, r=curve.N), Reason.RANGE),
        "s is too large": (replace(good, s=2**168 - 1), Reason.RANGE),
        "longer than signed": (replace(good, expiry=EXPIRY + 1), Reason.SIGNATURE),
        "another name": (replace(good, name=good.name[:-1] + b"?"), Reason.SIGNATURE),
        "another key": (_signed(role, OTHER.q), Reason.SIGNATURE),
        "another CA": (stranger, Reason.SIGNATURE),
    }


class RogueServer(Server):
    """A server that shows another certificate or public key than its own."""

    shown: Certificate | None = None
    shown_q: bytes = b""

    def challenge(self, session: Session) -> bytes:
        self.certificate = self.shown or self.certificate
        self.q = self.shown_q or self.q
        return super().challenge(session)


class RogueTerminal(Terminal):
    """A terminal that shows another certificate or public key than its own."""

    shown: Certificate | None = None
    shown_q: bytes = b""

    def hello(self, session: Session) -> bytes:
        self.certificate = self.shown or self.certificate
        self.q = self.shown_q or self.q
        return super().hello(session)


def _meet(victim: Party, rogue: Server | Terminal) -> Reason:
    """Returns the reason why the victim refuses; no session is open."""
    parties: dict[int, Party] = {1: victim, 2: rogue}
    if isinstance(rogue, Server):
        parties = {1: rogue, 2: victim}
    parties[1].start()
    begin(parties, 2)
    assert victim.done
    assert all(outcome.state is not State.OPEN for outcome in (*victim.outcomes, *rogue.outcomes))
    return victim.outcomes[0].reason


@pytest.mark.parametrize("case", _certificates(Role.TERMINAL))
def test_terminals_with_wrong_certificates(case: str, make: Make) -> None:
    victim = make(1, parameters(Role.SERVER), identity(Role.SERVER))
    rogue = RogueTerminal(2, parameters(Role.TERMINAL), identity(Role.TERMINAL))
    rogue.shown, reason = _certificates(Role.TERMINAL)[case]
    assert _meet(victim, rogue) is reason
    assert rogue.session.reason is Reason.PEER
    assert victim.outcomes[0].name == bytes(8)


@pytest.mark.parametrize("case", _certificates(Role.SERVER))
def test_servers_with_wrong_certificates(case: str, make: Make) -> None:
    victim = make(2, parameters(Role.TERMINAL), identity(Role.TERMINAL))
    rogue = RogueServer(1, parameters(Role.SERVER), identity(Role.SERVER))
    rogue.shown, reason = _certificates(Role.SERVER)[case]
    assert _meet(victim, rogue) is reason
    assert rogue.sessions[0].reason is Reason.PEER


@pytest.mark.parametrize("q", POINTS, ids=bytes.hex)
def test_points_that_are_none(q: bytes, make: Make) -> None:
    server = make(1, parameters(Role.SERVER), identity(Role.SERVER))
    guest = RogueTerminal(2, parameters(Role.TERMINAL), identity(Role.TERMINAL))
    guest.shown_q = q
    assert _meet(server, guest) is Reason.POINT
    terminal = make(2, parameters(Role.TERMINAL), identity(Role.TERMINAL))
    host = RogueServer(1, parameters(Role.SERVER), identity(Role.SERVER))
    host.shown_q = q
    assert _meet(terminal, host) is Reason.POINT
    ca = make(0, parameters(Role.CA))
    ca.start()
    assert ca.receive(bytes([1, 2]) + q, 2, 0.0) == [(2, bytes([0x1F, Reason.POINT]))]


def test_public_key_of_somebody_else(make: Make) -> None:
    """A certificate that is overheard is of no use without its private key."""
    server = make(1, parameters(Role.SERVER), identity(Role.SERVER))
    guest = RogueTerminal(2, parameters(Role.TERMINAL, seed=bytes(20)), OTHER)
    guest.certificate, guest.ca = _certificate(Role.TERMINAL), identity(Role.TERMINAL).ca
    guest.shown_q = identity(Role.TERMINAL).q
    parties: dict[int, Party] = {1: server, 2: guest}
    server.start()
    begin(parties, 2)
    assert guest.session.reason is Reason.SEAL
    assert server.outcomes[0].reason is Reason.PEER


def test_a_reply_of_another_application(make: Make) -> None:
    class Rogue(Server):
        def reply(self, session: Session, plain: bytes) -> bytes:
            return super().reply(session, plain[:-1] + bytes([plain[-1] ^ 1]))

    terminal = make(2, parameters(Role.TERMINAL), identity(Role.TERMINAL))
    begin({1: Rogue(1, parameters(Role.SERVER), identity(Role.SERVER)), 2: terminal}, 2)
    assert terminal.outcomes[0].reason is Reason.FORMAT


# Time, and the peers that a node answers.


def _hello(number: int = 2) -> bytes:
    values = parameters(Role.TERMINAL, seed=number.to_bytes(20))
    return Terminal(number, values, identity(Role.TERMINAL)).start()[0][1]


def test_server_forgets_who_is_silent(make: Make) -> None:
    values = parameters(Role.SERVER, sessions=3, patience=3 * CLOCK, idle=7 * CLOCK)
    server = make(1, values, identity(Role.SERVER))
    server.start()
    assert server.waits == 7 * CLOCK
    server.receive(_hello(2), 2, 1.0)
    assert server.waits == 3 * CLOCK
    server.receive(_hello(3), 3, 2.0)
    assert server.waits == 2 * CLOCK
    assert server.timeout(4.0) == [(2, bytes([0x1F, Reason.TIMEOUT]))]
    assert server.waits == CLOCK
    # A packet that has arrived in time counts, however late the node reads it.
    assert server.receive(b"\x13", 3, 9.0) == [(3, bytes([0x1F, Reason.FORMAT]))]
    assert server.waits == 7 * CLOCK
    server.timeout(16.0)
    reasons = [outcome.reason for outcome in server.outcomes]
    assert reasons == [Reason.TIMEOUT, Reason.FORMAT]


def test_server_patience_across_halves_of_the_counter(make: Make) -> None:
    late = 2**32 / CLOCK
    server = make(1, parameters(Role.SERVER, patience=CLOCK), identity(Role.SERVER))
    server.start()
    server.receive(_hello(), 2, late - 0.5)
    assert server.waits == CLOCK
    assert server.timeout(late + 0.5) == [(2, bytes([0x1F, Reason.TIMEOUT]))]


def test_terminal_gives_up(make: Make) -> None:
    terminal = make(2, parameters(Role.TERMINAL, start=5 * CLOCK), identity(Role.TERMINAL))
    assert terminal.start() == []
    assert terminal.waits == 5 * CLOCK
    assert terminal.receive(b"\x1f\x02", 1, 2.0) == []
    assert terminal.waits == 3 * CLOCK
    hello = terminal.timeout(5.0)
    assert hello == [(1, hello[0][1])]
    assert terminal.waits == CLOCK
    assert terminal.receive(b"\x12", 7, 5.25) == []
    assert terminal.waits == CLOCK * 3 // 4
    assert terminal.timeout(6.0) == [(1, bytes([0x1F, Reason.TIMEOUT]))]
    assert terminal.outcomes[0].reason is Reason.TIMEOUT


@pytest.mark.parametrize("role", [Role.SERVER, Role.TERMINAL])
def test_enrolment_is_given_up(role: Role, make: Make) -> None:
    node = make(2, parameters(role))
    node.start()
    assert node.receive(b"\x1f\x02", 7, 0.5) == []
    assert node.waits == CLOCK // 2
    assert node.timeout(1.0) == [(0, bytes([0x1F, Reason.TIMEOUT]))]
    assert (node.done, node.outcomes[0].reason, node.outcomes[0].peer) == (True, Reason.TIMEOUT, 0)


def test_server_is_strict(make: Make) -> None:
    server = make(1, parameters(Role.SERVER, sessions=2), identity(Role.SERVER))
    server.start()
    refused = bytes([0x1F, Reason.FORMAT])
    assert server.receive(b"\x13\0", 5, 0.0) == [(5, refused)]
    assert server.receive(b"\x1f\x02", 5, 0.0) == []
    assert server.receive(_hello(5), 5, 0.0)[0][1][0] == Message.CHALLENGE
    assert server.receive(_hello(6), 6, 0.0)[0][1][0] == Message.CHALLENGE
    assert server.receive(_hello(7), 7, 0.0) == [(7, bytes([0x1F, Reason.BUSY]))]
    assert server.receive(_hello(5), 5, 0.0) == [(5, refused)]
    assert server.receive(b"\x15\0", 5, 0.0) == []
    assert server.receive(b"\x1f", 6, 0.0) == []
    assert server.done
    assert [outcome.reason for outcome in server.outcomes] == [Reason.FORMAT, Reason.FORMAT]


def test_ca_and_server_end_when_nobody_comes(make: Make) -> None:
    for role in (Role.CA, Role.SERVER):
        node = make(1, parameters(role, idle=CLOCK), identity(role) if role else None)
        node.start()
        assert node.waits == CLOCK
        assert node.timeout(1.0) == []
        assert (node.done, node.code, node.outcomes) == (True, 0, [])


def test_date_runs_with_the_clock(make: Make) -> None:
    """A certificate holds through its last second."""
    for seconds, state in ((10.9, State.PROGRESS), (11.0, State.REFUSED)):
        values = parameters(Role.TERMINAL, patience=FOR_EVER)
        credentials = identity(Role.TERMINAL)
        terminal = make(2, values, credentials)
        server = Server(1, parameters(Role.SERVER), identity(Role.SERVER))
        server.certificate = _signed(Role.SERVER, server.q, expiry=NOW + 10)
        ((_, hello),) = terminal.start()
        ((_, challenge),) = server.receive(hello, 2, 0.0)
        terminal.receive(challenge, 1, seconds)
        assert terminal.done == (state is State.REFUSED)
    assert terminal.outcomes[0].reason is Reason.EXPIRED
