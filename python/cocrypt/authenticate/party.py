"""A party of the protocol, and what servers and terminals have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeAlias

from cocrypt.authenticate import curve
from cocrypt.authenticate.ciphers import Random, sha1
from cocrypt.authenticate.layout import (
    FOR_EVER,
    Identity,
    Message,
    Outcome,
    Parameters,
    Reason,
    Role,
    State,
)
from cocrypt.authenticate.sealing import Direction, Label, derive, seal, unseal
from cocrypt.authenticate.values import (
    KEY,
    MOST_DATA,
    NUMBER,
    POINT,
    Certificate,
    Refused,
    Session,
    require,
    take_refusal,
)

Packets: TypeAlias = list[tuple[int, bytes]]
"""Packets to send: receivers and contents."""


class Party(ABC):
    """A party of any role: parameters, random numbers, an identity, and outcomes."""

    def __init__(
        self, number: int, parameters: Parameters, identity: Identity | None = None
    ) -> None:
        self.number = number
        self.parameters = parameters
        self.random = Random(parameters.seed)
        self.date = parameters.now
        self.done = False
        self.deadline: float | None = None
        self.d = int.from_bytes(identity.d) if identity else self.draw_number()
        self.q = identity.q if identity else curve.to_bytes(curve.public(self.d))

    @property
    @abstractmethod
    def outcomes(self) -> list[Outcome]:
        """The outcomes as in the memory of firmware, as far as they are used."""

    def start(self) -> Packets:
        """Starts, and returns the first packets."""
        self.wait(0.0, self.parameters.idle)
        return []

    def receive(self, content: bytes, sender: int, seconds: float) -> Packets:
        """Returns the answers to a packet; none if the packet is empty."""
        if not content:
            return []
        self.date = min(self.parameters.now + int(seconds), FOR_EVER)
        return self.take(content, sender, seconds)

    @abstractmethod
    def take(self, content: bytes, sender: int, seconds: float) -> Packets:
        """Returns the answers to a packet; the date is set."""

    def timeout(self, seconds: float) -> Packets:  # noqa: ARG002 - subclasses read the time.
        """Ends when no packet came until the deadline."""
        self.done = True
        return []

    def wait(self, seconds: float, cycles: int) -> None:
        """Sets the deadline `cycles` later."""
        parameters = self.parameters
        forever = cycles == FOR_EVER or not parameters.clock_hz
        self.deadline = None if forever else seconds + cycles / parameters.clock_hz

    def draw_number(self) -> int:
        """A private key or a nonce: 20 bytes, which are below the order; 0 becomes 1."""
        return int.from_bytes(self.random.bytes(20)) or 1

    def refuse(self, to: int, reason: Reason) -> Packets:
        """A refusal with its reason."""
        return [(to, bytes([Message.REFUSE, reason]))]


class Member(Party):
    """Servers and terminals: they enrol, unless they are provisioned, and go on with `begin`."""

    role: Role

    def __init__(
        self, number: int, parameters: Parameters, identity: Identity | None = None
    ) -> None:
        super().__init__(number, parameters, identity)
        self.ca = identity.ca if identity else b""
        self.certificate: Certificate | None = None
        if identity:
            packed = identity.name + identity.expiry + identity.r + identity.s
            self.certificate = Certificate.unpack(packed)
        self.enrolment = Session(parameters.ca, State.NONE)

    @property
    def identity(self) -> Identity:
        """The identity as in the memory of firmware, once there is a certificate."""
        own = self.own_certificate()
        numbers = (own.r.to_bytes(NUMBER), own.s.to_bytes(NUMBER))
        d = self.d.to_bytes(NUMBER)
        return Identity(d, self.q, self.ca, own.name, own.expiry.to_bytes(4), *numbers)

    def start(self) -> Packets:
        """Asks for a certificate, or begins."""
        if self.certificate:
            return self.begin(0.0)
        self.enrolment.state = State.PROGRESS
        self.wait(0.0, self.parameters.patience)
        return [(self.parameters.ca, self.enrol())]

    @abstractmethod
    def begin(self, seconds: float) -> Packets:
        """Begins with its identity, and returns the first packets."""

    def take(self, content: bytes, sender: int, seconds: float) -> Packets:
        """Takes the certificate first, then the packets of the role."""
        if self.enrolment.state is not State.PROGRESS:
            return self.serve(content, sender, seconds)
        if sender != self.parameters.ca:
            return []
        try:
            self.take_certificate(content)
        except Refused as refused:
            return self.give_up_enrolling(refused)
        self.enrolment.state = State.OPEN
        return self.begin(seconds)

    @abstractmethod
    def serve(self, content: bytes, sender: int, seconds: float) -> Packets:
        """Returns the answers to a packet once it has an identity."""

    def timeout(self, seconds: float) -> Packets:
        """Stops waiting for its certificate."""
        if self.enrolment.state is State.PROGRESS:
            return self.give_up_enrolling(Refused(Reason.TIMEOUT))
        return super().timeout(seconds)

    def give_up_enrolling(self, refused: Refused) -> Packets:
        """Ends without an identity."""
        self.enrolment.end(refused.reason)
        self.done = True
        return self.refuse(self.parameters.ca, refused.reason) if refused.answered else []

    def enrol(self) -> bytes:
        """The packet that asks for a certificate."""
        return bytes([Message.ENROL, self.role]) + self.q

    def take_certificate(self, content: bytes) -> None:
        """Verifies a certificate, and stores it."""
        take_refusal(content)
        size = 1 + POINT + Certificate.SIZE
        require(content[0] == Message.CERTIFICATE and len(content) == size, Reason.FORMAT)
        ca, certificate = content[1 : 1 + POINT], Certificate.unpack(content[1 + POINT :])
        require(curve.is_on_curve(curve.from_bytes(ca)), Reason.POINT)
        self.check(certificate, self.role, self.q, ca)
        self.ca, self.certificate = ca, certificate
        self.enrolment.name = certificate.name

    def check(self, certificate: Certificate, role: Role, q: bytes, ca: bytes) -> None:
        """Checks role, expiry, range and signature."""
        require(certificate.name[0] == role, Reason.ROLE)
        require(certificate.expiry >= self.date, Reason.EXPIRED)
        r, s = certificate.r, certificate.s
        require(curve.is_in_range(r, s), Reason.RANGE)
        good = curve.verify(curve.from_bytes(ca), certificate.digest(q), r, s)
        require(good, Reason.SIGNATURE)

    def own_certificate(self) -> Certificate:
        """Its own certificate."""
        if self.certificate is None:
            raise ValueError(f"node {self.number} has no certificate yet")
        return self.certificate

    @property
    def suite(self) -> int:
        """The suite with which it encrypts."""
        return self.parameters.suite

    @property
    def size(self) -> int:
        """Bytes of the application's data."""
        return min(self.parameters.size, MOST_DATA)

    def agree(self, session: Session) -> None:
        """Computes Q_k, z and K_0 of both public keys and salts."""
        peer = curve.from_bytes(session.q)
        require(curve.is_on_curve(peer), Reason.POINT)
        session.point = curve.multiply(self.d, peer)
        if session.point is None:
            raise Refused(Reason.POINT)
        session.z = session.point[0].to_bytes(KEY)
        session.k_0 = derive(Label.SEALS, session.z, session.salt_u, session.salt_s)

    def examine(self, session: Session, proof: bytes | None, role: Role) -> bytes:
        """Verifies what the peer has sealed; returns its g."""
        if proof is None:
            raise Refused(Reason.SEAL)
        session.certificate = Certificate.unpack(proof[: Certificate.SIZE])
        session.e = session.certificate.digest(session.q)
        self.check(session.certificate, role, session.q, self.ca)
        session.name = session.certificate.name
        return proof[Certificate.SIZE :]

    def agree_on_key(self, session: Session) -> None:
        """Computes k_m of z, both challenges and all packets so far."""
        session.h = sha1(session.transcript)
        pieces = (session.z, session.g_s, session.g_u, session.h)
        session.k_m = derive(Label.SESSION, *pieces)

    def sealed(self, key: bytes, number: int, opening: bytes, plain: bytes) -> bytes:
        """A packet with a sealed part."""
        direction = Direction.FROM_SERVER if self.role is Role.SERVER else Direction.FROM_TERMINAL
        return opening + seal(self.suite, key, direction, number, opening, plain)

    def unsealed(self, key: bytes, number: int, content: bytes, at: int) -> bytes | None:
        """The peer's sealed text, from `at` on; None if the tag is wrong."""
        direction = Direction.FROM_TERMINAL if self.role is Role.SERVER else Direction.FROM_SERVER
        return unseal(self.suite, key, direction, number, content[:at], content[at:])

    def require_form(self, content: bytes, message: Message, size: int) -> None:
        """Checks type, length and suite."""
        good = len(content) == size and content[0] == message and content[1] == self.suite
        require(good, Reason.FORMAT)

    def opening(self, message: Message) -> bytes:
        """The first two bytes of a packet in a session."""
        return bytes([message, self.suite])
