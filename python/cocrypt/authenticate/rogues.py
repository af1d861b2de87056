"""Rogue nodes: servers and terminals with false credentials or behaviour, and one in between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from cocrypt.authenticate import curve
from cocrypt.authenticate.layout import Message, Reason, Role
from cocrypt.authenticate.model import Server, Terminal
from cocrypt.authenticate.provision import absent_ca, authority, enrolled
from cocrypt.authenticate.scenario import CA, MEMBERS, SERVER, TERMINAL, seed
from cocrypt.authenticate.tampering import Attack
from cocrypt.authenticate.values import NUMBER, POINT, SALT, Certificate, Session
from cocrypt.network import Packet, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cocrypt.authenticate.layout import Identity
    from cocrypt.authenticate.party import Member, Packets
    from cocrypt.authenticate.scenario import Scenario
    from cocrypt.network import Node, Simulation

_Behaviour: TypeAlias = tuple[str, str, Reason, "type[Member]"]

OTHER = {Role.SERVER: Role.TERMINAL, Role.TERMINAL: Role.SERVER}


@dataclass(frozen=True)
class Rogue:
    """An attack by a rogue that plays a role, or sits in between in place of the CA."""

    attack: Attack
    plays: Role
    party: Callable[[], Member | Between]
    identities: dict[int, Identity]

    def simulation(self, scenario: Scenario) -> Simulation:
        """The network with the rogue."""
        between = self.plays is Role.CA
        name = f"rogue {'in between' if between else self.plays.name.lower()}"
        rogue = scenario.party(int(self.plays), name, self.party())
        nodes: list[Node] = [rogue if between else absent_ca(scenario)]
        for role, number in MEMBERS.items():
            nodes.append(rogue if role is self.plays else self._genuine(scenario, role, number))
        return scenario.simulation(nodes, Detour() if between else None)

    def _genuine(self, scenario: Scenario, role: Role, number: int) -> Node:
        parameters = replace(scenario.parameters(role, number), provisioned=1)
        machine = scenario.machine(parameters, self.identities[number], engine="interpreter")
        return scenario.node(number, role.name.lower(), machine)


def rogues(scenario: Scenario) -> Iterator[Rogue]:
    """All rogues."""
    makes = _Makes(scenario)
    for plays in (Role.SERVER, Role.TERMINAL):
        yield from makes.with_identities(plays)
        yield from makes.with_signatures(plays)
        yield from makes.with_points(plays)
        yield from makes.with_behaviour(plays)
    yield makes.in_between()


class _Makes:
    """Makes rogues for a scenario: there is one genuine CA, and good identities of both roles."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        members = {number: role for role, number in MEMBERS.items()}
        self.ca, self.identities = enrolled(scenario, members)

    def rogue(
        self,
        plays: Role,
        kind: str,
        text: str,
        reason: Reason,
        party: Callable[[], Member],
    ) -> Rogue:
        """A rogue that the other side has to refuse."""
        victim = OTHER[plays]
        label = f"rogue {plays.name.lower()}: {text}"
        attack = Attack(kind, label, ((victim, reason),), genuine=(victim,))
        return Rogue(attack, plays, party, self.identities)

    def party(self, plays: Role, identity: Identity, kind: type[Member] | None = None) -> Member:
        """A member that plays a role with an identity."""
        number = MEMBERS[plays]
        parameters = replace(
            self.scenario.parameters(plays, number), provisioned=1, seed=seed(1 << 33, number)
        )
        usual: type[Member] = Server if plays is Role.SERVER else Terminal
        return (kind or usual)(number, parameters, identity)

    def own(self, plays: Role) -> Identity:
        """A key pair of the rogue's own, with the certificate of the node that it plays."""
        d = int.from_bytes(seed(1 << 34, plays))
        pair = {"d": d.to_bytes(NUMBER), "q": curve.to_bytes(curve.public(d))}
        return replace(self.identities[MEMBERS[plays]], **pair)

    def signed(
        self, plays: Role, as_role: Role, expiry: int, *, wrong_ca: bool = False
    ) -> Identity:
        """A key pair of the rogue's own with a certificate of the genuine CA, or of another CA."""
        own = self.own(plays)
        ca = authority(self.scenario)
        if wrong_ca:
            ca.d = int.from_bytes(seed(1 << 35, 0))
        else:
            ca.d = self.ca.d
        ca.parameters = replace(ca.parameters, expiry=expiry)
        certificate = ca.certify(ca.name(as_role, MEMBERS[plays]), own.q)
        return _certified(own, certificate)

    def with_identities(self, plays: Role) -> Iterator[Rogue]:
        """Rogues whose certificate is another's, or not good."""
        network = self.scenario.network
        later, before = network.now + network.lifetime, max(network.now - 1, 0)
        cases = (
            ("stolen certificate", Reason.SIGNATURE, self.own(plays)),
            ("wrong CA", Reason.SIGNATURE, self.signed(plays, plays, later, wrong_ca=True)),
            ("expired certificate", Reason.EXPIRED, self.signed(plays, plays, before)),
            ("certificate of the other role", Reason.ROLE, self.signed(plays, OTHER[plays], later)),
            ("the other's identity", Reason.ROLE, self.identities[MEMBERS[OTHER[plays]]]),
        )
        for text, reason, identity in cases:
            party = partial(self.party, plays, identity)
            yield self.rogue(plays, text, text, reason, party)

    def with_signatures(self, plays: Role) -> Iterator[Rogue]:
        """Rogues whose signature is forged."""
        own = self.own(plays)
        n, top = curve.N, (1 << 8 * NUMBER) - 1
        out = Reason.RANGE
        cases = (
            ("forged signature", "random r and s", Reason.SIGNATURE, 12345 << 99, 54321 << 88),
            ("forged signature", "r = s = 1", Reason.SIGNATURE, 1, 1),
            ("r or s out of range", "r = 0", out, 0, 1),
            ("r or s out of range", "s = 0", out, 1, 0),
            ("r or s out of range", "r = s = 0", out, 0, 0),
            ("r or s out of range", "r = n", out, n, 1),
            ("r or s out of range", "s = n", out, 1, n),
            ("r or s out of range", "r all ones", out, top, 1),
            ("r or s out of range", "s all ones", out, 1, top),
        )
        for kind, text, reason, r, s in cases:
            forged = replace(own, r=r.to_bytes(NUMBER), s=s.to_bytes(NUMBER))
            yield self.rogue(plays, kind, text, reason, partial(self.party, plays, forged))

    def with_points(self, plays: Role) -> Iterator[Rogue]:
        """Rogues whose public key is no valid point."""
        half = POINT // 2
        x, y = curve.G
        cases = (
            ("infinity, as zeros", bytes(POINT)),
            ("not on the curve", x.to_bytes(half) + (y ^ 1).to_bytes(half)),
            ("x = p", curve.P.to_bytes(half) + y.to_bytes(half)),
        )
        kind = {Role.SERVER: PointServer, Role.TERMINAL: PointTerminal}[plays]
        for text, point in cases:

            def party(point: bytes = point) -> Member:
                member = self.party(plays, self.own(plays), kind)
                member.shown = point  # type: ignore[attr-defined]
                return member

            yield self.rogue(plays, "invalid point", text, Reason.POINT, party)

    def with_behaviour(self, plays: Role) -> Iterator[Rogue]:
        """Rogues that have a good identity and break the protocol."""
        servers: tuple[_Behaviour, ...] = (
            ("silent", "says nothing to a hello", Reason.TIMEOUT, Silent),
            ("another key", "accepts with another key", Reason.SEAL, AcceptsBlindly),
            ("wrong data", "replies with other data", Reason.FORMAT, RepliesOtherwise),
            ("another suite", "answers with another suite", Reason.FORMAT, Switches),
        )
        terminals: tuple[_Behaviour, ...] = (
            ("silent", "says nothing to a challenge", Reason.TIMEOUT, Hangs),
            ("another key", "asks with another key", Reason.SEAL, AsksBlindly),
            ("another suite", "says hello with another suite", Reason.FORMAT, Suits),
            ("out of order", "says hello twice", Reason.FORMAT, Greets),
        )
        good = self.identities[MEMBERS[plays]]
        for kind, text, reason, member in servers if plays is Role.SERVER else terminals:
            yield self.rogue(plays, kind, text, reason, partial(self.party, plays, good, member))

    def in_between(self) -> Rogue:
        """A rogue between terminal and server with a key pair of its own."""
        attack = Attack(
            "man in the middle",
            "with a key pair of its own, and the server's certificate",
            ((Role.TERMINAL, Reason.SIGNATURE),),
        )

        def party() -> Between:
            server = self.party(Role.SERVER, self.own(Role.SERVER))
            terminal = self.party(Role.TERMINAL, self.own(Role.SERVER))
            return Between(server, terminal)

        return Rogue(attack, Role.CA, party, self.identities)


def _certified(identity: Identity, certificate: Certificate) -> Identity:
    return replace(
        identity,
        name=certificate.name,
        expiry=certificate.expiry.to_bytes(4),
        r=certificate.r.to_bytes(NUMBER),
        s=certificate.s.to_bytes(NUMBER),
    )


class PointServer(Server):
    """Shows another point than its own."""

    shown = b""

    def challenge(self, session: Session) -> bytes:
        """The challenge with the other point."""
        message = super().challenge(session)
        at = 2 + SALT
        return message[:at] + self.shown + message[at + POINT :]


class PointTerminal(Terminal):
    """Shows another point than its own."""

    shown = b""

    def hello(self, session: Session) -> bytes:
        """The hello with the other point."""
        return super().hello(session)[:-POINT] + self.shown


class Silent(Server):
    """Says nothing."""

    def serve(self, content: bytes, sender: int, seconds: float) -> Packets:
        """Sends nothing."""
        super().serve(content, sender, seconds)
        return []


class AcceptsBlindly(Server):
    """Has another key than the terminal."""

    def accept(self, session: Session) -> bytes:
        """The accept, sealed with the other key."""
        session.k_m = bytes(20)
        return super().accept(session)


class RepliesOtherwise(Server):
    """Replies with data that the application does not expect."""

    def reply(self, session: Session, plain: bytes) -> bytes:
        """The request itself in place of its inverse."""
        return super().reply(session, bytes(255 - byte for byte in plain))


class Switches(Server):
    """Answers with another suite."""

    def challenge(self, session: Session) -> bytes:
        """The challenge of another suite."""
        message = super().challenge(session)
        return message[:1] + bytes([(message[1] + 1) % 3]) + message[2:]


class Hangs(Terminal):
    """Says nothing after its hello, not even that it gives up."""

    def serve(self, content: bytes, sender: int, seconds: float) -> Packets:  # noqa: ARG002
        """Sends nothing."""
        self.done = True
        return []


class AsksBlindly(Terminal):
    """Has another key than the server."""

    def request(self, session: Session) -> bytes:
        """The request, sealed with the other key."""
        session.k_m = bytes(20)
        return super().request(session)


class Suits(Terminal):
    """Asks for another suite."""

    def hello(self, session: Session) -> bytes:
        """The hello with the other suite."""
        message = super().hello(session)
        return message[:1] + bytes([(message[1] + 1) % 3]) + message[2:]


class Greets(Terminal):
    """Says hello in place of everything."""

    def response(self, session: Session) -> bytes:
        """A hello in place of the response."""
        return super().hello(session)


class Between:
    """Plays the server for the terminal and a terminal for the server, with one key pair."""

    def __init__(self, server: Member, terminal: Member) -> None:
        self.server, self.terminal = server, terminal
        self.hello = b""
        self.done = False
        self.deadline: float | None = None

    def start(self) -> Packets:
        """Waits for the terminal."""
        return []

    def receive(self, content: bytes, sender: int, seconds: float) -> Packets:
        """Gets the server's certificate with a hello of its own, and shows it to the terminal."""
        if sender == TERMINAL and content[0] == Message.HELLO:
            self.hello = content
            return self.terminal.start()
        if sender == SERVER and content[0] == Message.CHALLENGE:
            self.terminal.receive(content, SERVER, seconds)
            self.server.certificate = self.terminal.session.certificate  # type: ignore[attr-defined]
            return self.server.receive(self.hello, TERMINAL, seconds)
        self.done = content[0] == Message.REFUSE
        return [(SERVER, content)] if sender == TERMINAL else []

    def timeout(self, seconds: float) -> Packets:  # noqa: ARG002 - it waits for ever.
        """Sends nothing."""
        return []


class Detour(Wire):
    """Leads all packets to the node in between, which speaks with either's name."""

    def carry(self, packet: Packet) -> Sequence[Packet]:
        """Sends the packets of terminal and server to the node in between."""
        if packet.sender == CA:
            name = {SERVER: TERMINAL, TERMINAL: SERVER}[packet.receiver]
            return (replace(packet, sender=name),)
        return (replace(packet, receiver=CA),)
