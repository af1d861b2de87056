"""Values that all parties share: certificates, sessions and refusals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from cocrypt.authenticate.ciphers import sha1
from cocrypt.authenticate.layout import MOST_SESSIONS, Message, Outcome, Parameters, Reason, State

if TYPE_CHECKING:
    from cocrypt.authenticate import curve

POINT, NUMBER, NAME, SALT, KEY = 40, 21, 8, 16, 20
NO_NAME, NO_KEY = bytes(NAME), bytes(KEY)
MOST_DATA = 1024


class Refused(Exception):  # noqa: N818 - a refusal is no error of ours.
    """A packet is refused; `answered` says whether its sender gets an answer."""

    def __init__(self, reason: Reason, *, answered: bool = True) -> None:
        super().__init__(reason.name)
        self.reason = reason
        self.answered = answered


def require(condition: object, reason: Reason) -> None:
    """Refuses with a reason unless a condition holds."""
    if not condition:
        raise Refused(reason)


@dataclass(frozen=True)
class Certificate:
    """The text that a CA signs with a public key; numbers are big-endian."""

    name: bytes
    expiry: int
    r: int
    s: int

    SIZE: ClassVar[int] = NAME + 4 + 2 * NUMBER

    def pack(self) -> bytes:
        """The bytes in packets."""
        numbers = self.r.to_bytes(NUMBER) + self.s.to_bytes(NUMBER)
        return self.name + self.expiry.to_bytes(4) + numbers

    @classmethod
    def unpack(cls, content: bytes) -> Certificate:
        """The certificate of 54 bytes."""
        name, expiry, numbers = content[:NAME], content[NAME : NAME + 4], content[NAME + 4 :]
        r, s = numbers[:NUMBER], numbers[NUMBER:]
        return cls(name, *(int.from_bytes(number) for number in (expiry, r, s)))

    def digest(self, q: bytes) -> int:
        """The number e that is signed."""
        return int.from_bytes(sha1(self.name[:1], q, self.name, self.expiry.to_bytes(4)))


PROOF = Certificate.SIZE + SALT
CHALLENGE_AT, SEALED_AT = 2 + SALT + POINT, 2
HELLO = 2 + SALT + POINT


@dataclass
class Session:
    """All values of a session; those that are not known yet are empty."""

    peer: int
    state: State = State.PROGRESS
    reason: Reason = Reason.NONE
    name: bytes = NO_NAME
    sent: Message | None = None
    since: float = 0.0
    salt_u: bytes = b""
    salt_s: bytes = b""
    q: bytes = b""
    point: curve.Point = None
    z: bytes = b""
    k_0: bytes = b""
    certificate: Certificate | None = None
    e: int = 0
    g_s: bytes = b""
    g_u: bytes = b""
    transcript: bytes = b""
    h: bytes = b""
    k_m: bytes = b""

    @property
    def outcome(self) -> Outcome:
        """The outcome as firmware leaves it: without a key unless it is open."""
        key = self.k_m if self.state is State.OPEN else NO_KEY
        return Outcome(self.state, self.reason, self.peer, self.name, key)

    def end(self, reason: Reason) -> None:
        """Opens the session, or refuses it for a reason."""
        self.state = State.REFUSED if reason else State.OPEN
        self.reason = reason


def take_refusal(content: bytes) -> None:
    """Ends the session if the peer refused; a refusal is never answered."""
    if content[0] == Message.REFUSE:
        reason = Reason.PEER if len(content) == 2 else Reason.FORMAT
        raise Refused(reason, answered=False)


def slots(parameters: Parameters) -> int:
    """The number of certificates or sessions of a CA or server."""
    return min(parameters.sessions, MOST_SESSIONS) or MOST_SESSIONS
