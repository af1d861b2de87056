"""Attacks on a message on the line, with the node that has to notice each, and the reason."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cocrypt.authenticate import curve
from cocrypt.authenticate.layout import Message, Reason, Role
from cocrypt.authenticate.provision import PARTIES, absent_ca, enrolled
from cocrypt.authenticate.scenario import TERMINAL, seed
from cocrypt.authenticate.values import CHALLENGE_AT, NUMBER, POINT, SALT, Certificate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cocrypt.authenticate.scenario import Scenario
    from cocrypt.network import Node, Packet, Simulation

MESSAGES = (
    (Message.ENROL, Role.SERVER, Role.CA),
    (Message.ENROL, Role.TERMINAL, Role.CA),
    (Message.CERTIFICATE, Role.CA, Role.SERVER),
    (Message.CERTIFICATE, Role.CA, Role.TERMINAL),
    (Message.HELLO, Role.TERMINAL, Role.SERVER),
    (Message.CHALLENGE, Role.SERVER, Role.TERMINAL),
    (Message.RESPONSE, Role.TERMINAL, Role.SERVER),
    (Message.ACCEPT, Role.SERVER, Role.TERMINAL),
    (Message.REQUEST, Role.TERMINAL, Role.SERVER),
    (Message.REPLY, Role.SERVER, Role.TERMINAL),
)
"""Every message of the protocol, its sender, and its receiver."""

INITIAL = (Message.ENROL, Message.CERTIFICATE)
LONGEST = 2048


@dataclass(frozen=True)
class Attack:
    """An attack: the packets that arrive in place of one, and the end that is expected.

    `refusals` say who may refuse first, and why; one of them must come. `done` are the
    nodes that have got all their messages unchanged. A harmless attack changes no message:
    a session that opens all the same is good. `genuine` are the nodes whose outcomes are checked.
    """

    kind: str
    text: str
    refusals: tuple[tuple[Role, Reason], ...]
    instead: tuple[Packet, ...] = ()
    done: tuple[Role, ...] = ()
    harmless: bool = False
    genuine: tuple[Role, ...] = (Role.SERVER, Role.TERMINAL)


@dataclass(frozen=True)
class _Field:
    """Bytes of a message, the node that notices an error in them, and the reasons that it gives."""

    name: str
    size: int
    notices: Role
    reasons: tuple[Reason, ...]


def fields(packet: Packet, size: int) -> tuple[_Field, ...]:
    """The fields of a message."""
    message, at = Message(packet.content[0]), Role(packet.receiver)
    back = Role(packet.sender)
    kind = _Field("type", 1, at, (Reason.FORMAT,))
    suite = _Field("suite", 1, at, (Reason.FORMAT,))
    point = _Field("public key", POINT, at, (Reason.POINT,))

    def seal(plain: int) -> _Field:
        return _Field("sealed part", plain + 16, at, (Reason.SEAL,))

    salt = _Field("salt", SALT, at, (Reason.SEAL,))
    proof = seal(Certificate.SIZE + SALT)
    signed = (Reason.SIGNATURE,)
    certificate = (
        _Field("role", 1, at, (Reason.ROLE,)),
        _Field("name", 7, at, signed),
        _Field("expiry", 4, at, (*signed, Reason.EXPIRED)),
        _Field("r", NUMBER, at, (*signed, Reason.RANGE)),
        _Field("s", NUMBER, at, (*signed, Reason.RANGE)),
    )
    return {
        Message.ENROL: (kind, _Field("role", 1, at, (Reason.ROLE,)), point),
        Message.CERTIFICATE: (kind, point, *certificate),
        # Only the terminal knows the salt.
        Message.HELLO: (kind, suite, replace(salt, notices=back), point),
        Message.CHALLENGE: (kind, suite, salt, point, proof),
        Message.RESPONSE: (kind, suite, proof),
        Message.ACCEPT: (kind, suite, seal(0)),
        Message.REQUEST: (kind, suite, seal(size)),
        Message.REPLY: (kind, suite, seal(size)),
    }[message]


@dataclass(frozen=True)
class _Aim:
    """A message that is attacked."""

    packet: Packet
    size: int

    @property
    def message(self) -> Message:
        return Message(self.packet.content[0])

    @property
    def label(self) -> str:
        sender, receiver = Role(self.packet.sender), Role(self.packet.receiver)
        return f"{self.message.name.lower()} from {sender.name.lower()} to {receiver.name.lower()}"

    def attack(
        self,
        kind: str,
        text: str,
        reasons: Sequence[Reason],
        *contents: bytes,
        refuses: Role | None = None,
        harmless: bool = False,
    ) -> Attack:
        """An attack in which these contents arrive in place of the packet, in this order."""
        packets = tuple(replace(self.packet, content=content) for content in contents)
        notices = Role(self.packet.receiver) if refuses is None else refuses
        return Attack(
            kind=kind,
            text=f"{self.label}: {text}",
            refusals=tuple((notices, reason) for reason in reasons),
            instead=packets,
            done=(Role.SERVER,) if self.message is Message.REPLY else (),
            harmless=harmless,
        )


@dataclass(frozen=True)
class Recorded:
    """Messages that an attacker has from elsewhere.

    `messages` are those of another session of the same nodes, `certificates` the CA's messages to
    other nodes, by their roles.
    """

    messages: Mapping[Message, bytes] = field(default_factory=dict)
    certificates: Mapping[Role, bytes] = field(default_factory=dict)


def attacks(packet: Packet, recorded: Recorded, size: int) -> Iterator[Attack]:
    """All attacks on a message."""
    aim = _Aim(packet, size)
    yield from _flips(aim)
    yield from _lengths(aim)
    yield from _lost_and_doubled(aim)
    yield from _others(aim, recorded.messages)
    yield from _swapped(aim, recorded.certificates)
    yield from _points(aim)
    yield from _numbers(aim)


def _flips(aim: _Aim) -> Iterator[Attack]:
    """Flips every bit of every byte."""
    content, at = aim.packet.content, 0
    for part in fields(aim.packet, aim.size):
        for offset in range(at, at + part.size):
            for bit in range(8):
                changed = bytearray(content)
                changed[offset] ^= 1 << bit
                text = f"bit {bit} of byte {offset} ({part.name})"
                kind = "bit flipped"
                yield aim.attack(kind, text, part.reasons, bytes(changed), refuses=part.notices)
        at += part.size


def _lengths(aim: _Aim) -> Iterator[Attack]:
    """Makes the message shorter and longer."""
    content, wrong = aim.packet.content, (Reason.FORMAT,)
    for length in range(1, len(content)):
        yield aim.attack("truncated", f"{length} bytes", wrong, content[:length])
    for more in (1, 4, 16, LONGEST - len(content)):
        yield aim.attack("extended", f"{more} bytes more", wrong, content + bytes(more))
    generator = random.Random(len(content))
    noise = content[:1] + generator.randbytes(len(content) - 1)
    every = {reason for part in fields(aim.packet, aim.size) for reason in part.reasons}
    second = fields(aim.packet, aim.size)[1]
    yield aim.attack("noise", "random bytes", tuple(every | set(second.reasons)), noise)


def _lost_and_doubled(aim: _Aim) -> Iterator[Attack]:
    """Loses the message, and delivers it twice."""
    waits = Role(aim.packet.receiver)
    if aim.message in (Message.ENROL, Message.HELLO):
        waits = Role(aim.packet.sender)
    yield aim.attack("lost", "does not arrive", (Reason.TIMEOUT,), refuses=waits)
    content = aim.packet.content
    # No node waits for a copy of the last message.
    is_last = aim.message in (Message.CERTIFICATE, Message.REQUEST, Message.REPLY)
    if aim.message is not Message.ENROL:
        wrong = (Reason.FORMAT,)
        twice = aim.attack("doubled", "arrives twice", wrong, content, content, harmless=is_last)
        # The first accept was good, and so is the request that the server has then.
        yield replace(twice, done=(Role.SERVER,)) if aim.message is Message.ACCEPT else twice


def _others(aim: _Aim, recorded: Mapping[Message, bytes]) -> Iterator[Attack]:
    """Delivers messages of another session, of another kind, and the sender's own."""
    for message, content in recorded.items():
        if message is aim.message:
            if message not in INITIAL:
                # The server cannot know an old hello; its answer does not fit the terminal's.
                back = Role.TERMINAL if message is Message.HELLO else None
                yield aim.attack(
                    "replayed", "that of a session before", (Reason.SEAL,), content, refuses=back
                )
        else:
            text = f"{message.name.lower()} of a session before"
            yield aim.attack("reordered", text, (Reason.FORMAT,), content)
    packet = aim.packet
    mirrored = replace(packet, sender=packet.receiver, receiver=packet.sender)
    if aim.message is not Message.ENROL:
        # A node that has ended ignores it, as if the message were lost.
        refusals = (
            (Role(packet.sender), Reason.FORMAT),
            (Role(packet.receiver), Reason.TIMEOUT),
        )
        returned = aim.attack("reflected", "comes back", ())
        yield replace(returned, instead=(mirrored,), refusals=refusals)


def _swapped(aim: _Aim, certificates: Mapping[Role, bytes]) -> Iterator[Attack]:
    """Delivers certificates that the CA made for others."""
    if aim.message is not Message.CERTIFICATE:
        return
    for role, content in certificates.items():
        same = role is Role(aim.packet.receiver)
        reason = Reason.SIGNATURE if same else Reason.ROLE
        text = f"that of another {role.name.lower()}"
        yield aim.attack("certificates swapped", text, (reason,), content)


def _points(aim: _Aim) -> Iterator[Attack]:
    """Replaces the public key by invalid points, and by a good point of another key."""
    offsets = {Message.ENROL: 2, Message.CERTIFICATE: 1, Message.HELLO: 2 + SALT}
    offsets[Message.CHALLENGE] = CHALLENGE_AT - POINT
    at = offsets.get(aim.message)
    if at is None:
        return
    content = aim.packet.content
    own = content[at : at + POINT]
    for text, point in _bad_points(own):
        changed = content[:at] + point + content[at + POINT :]
        yield aim.attack("invalid point", text, (Reason.POINT,), changed)
    another = curve.to_bytes(curve.public(7))
    changed = content[:at] + another + content[at + POINT :]
    if aim.message in INITIAL:
        # The node itself finds that what was signed is not its own key.
        node = Role(aim.packet.sender if aim.message is Message.ENROL else aim.packet.receiver)
        yield aim.attack(
            "another's point", "a good one", (Reason.SIGNATURE,), changed, refuses=node
        )
    else:
        yield aim.attack(
            "another's point", "a good one", (Reason.SEAL,), changed, refuses=Role.TERMINAL
        )


def _bad_points(own: bytes) -> Iterator[tuple[str, bytes]]:
    """Invalid points."""
    half = POINT // 2
    x, y = int.from_bytes(own[:half]), int.from_bytes(own[half:])
    yield "infinity, as zeros", bytes(POINT)
    yield "all ones", b"\xff" * POINT
    yield "not on the curve", x.to_bytes(half) + ((y + 1) % curve.P).to_bytes(half)
    yield "x = p", curve.P.to_bytes(half) + own[half:]
    yield "y = p", own[:half] + curve.P.to_bytes(half)
    yield "coordinates exchanged", own[half:] + own[:half]


def _numbers(aim: _Aim) -> Iterator[Attack]:
    """Replaces signatures by numbers out of range, in the message that shows them."""
    if aim.message is not Message.CERTIFICATE:
        return
    content = aim.packet.content
    s_at = len(content) - NUMBER
    for name, at in (("r", s_at - NUMBER), ("s", s_at)):
        for text, number in (("0", 0), ("n", curve.N), ("n + 1", curve.N + 1), ("all ones", -1)):
            bits = (1 << 8 * NUMBER) - 1
            changed = content[:at] + (number & bits).to_bytes(NUMBER) + content[at + NUMBER :]
            yield aim.attack("r or s out of range", f"{name} = {text}", (Reason.RANGE,), changed)


def recorded(scenario: Scenario) -> Recorded:
    """A session of the same nodes with other random numbers, and certificates of two others."""
    simulation = session_on_host(scenario)
    other_nodes = {TERMINAL + 1: Role.SERVER, TERMINAL + 2: Role.TERMINAL}
    issuer, identities = enrolled(scenario, other_nodes)
    opening = bytes([Message.CERTIFICATE]) + issuer.q
    return Recorded(
        {Message(packet.content[0]): packet.content for packet in simulation.packets},
        {role: opening + identities[number].certificate for number, role in other_nodes.items()},
    )


def session_on_host(scenario: Scenario) -> Simulation:
    """Server and terminal with their own keys, and other random numbers than in their firmware."""
    members = {int(role): role for role in (Role.SERVER, Role.TERMINAL)}
    _, identities = enrolled(scenario, members)
    nodes: list[Node] = [absent_ca(scenario)]
    for number, role in members.items():
        parameters = replace(
            scenario.parameters(role, number), provisioned=1, seed=seed(1 << 32, number)
        )
        party = PARTIES[role](number, parameters, identities[number])
        nodes.append(scenario.party(number, role.name.lower(), party))
    simulation = scenario.simulation(nodes)
    simulation.run()
    return simulation
