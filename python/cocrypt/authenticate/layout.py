"""What host and firmware write into each other's hands: parameters, identities, outcomes.

The same structures as in studies/authentication/, whose words are little-endian.
"""

from __future__ import annotations

import struct
from dataclasses import astuple, dataclass
from enum import IntEnum
from typing import ClassVar


class Role(IntEnum):
    """What a node is."""

    CA = 0
    SERVER = 1
    TERMINAL = 2


class Suite(IntEnum):
    """How data is encrypted."""

    XOR = 0
    AES = 1
    ASCON = 2


class State(IntEnum):
    """How far a session has come."""

    NONE = 0
    PROGRESS = 1
    OPEN = 2
    REFUSED = 3


class Reason(IntEnum):
    """Why a session was refused."""

    NONE = 0
    TIMEOUT = 1
    FORMAT = 2
    POINT = 3
    SEAL = 4
    ROLE = 5
    EXPIRED = 6
    RANGE = 7
    SIGNATURE = 8
    PEER = 9
    BUSY = 10


class Phase(IntEnum):
    """What a node computes, as its marks say."""

    IDLE = 0
    KEY = 1
    SIGN = 2
    HASH = 3
    AGREE = 4
    VERIFY = 5
    DERIVE = 6
    SEAL = 7
    UNSEAL = 8
    SEND = 9
    RECEIVE = 10
    RANDOM = 11


class Message(IntEnum):
    """The first byte of each message."""

    ENROL = 0x01
    CERTIFICATE = 0x02
    HELLO = 0x11
    CHALLENGE = 0x12
    RESPONSE = 0x13
    ACCEPT = 0x14
    REQUEST = 0x15
    REPLY = 0x16
    REFUSE = 0x1F

    @classmethod
    def called(cls, content: bytes) -> str:
        """What people call a packet."""
        known = content and content[0] in list(cls)
        return cls(content[0]).name.lower() if known else "?"


SEED = 20
MOST_SESSIONS = 1024
FOR_EVER = 0xFFFF_FFFF
"""As cycles: as long as it takes. As a date: the last one there is."""


@dataclass(frozen=True)
class Parameters:
    """What a node is told: times in its cycles, dates in seconds since 1970."""

    role: int
    suite: int
    ca: int
    peer: int
    patience: int
    idle: int
    sessions: int
    now: int
    clock_hz: int
    expiry: int
    size: int
    start: int
    provisioned: int
    seed: bytes

    def pack(self) -> bytes:
        """The bytes in memory."""
        return struct.pack(f"<13I{SEED}s", *astuple(self))


@dataclass(frozen=True)
class Identity:
    """A node's keys and certificate, as bytes with the highest first; points are x, then y."""

    LAYOUT: ClassVar[str] = "21s40s40s8s4s21s21s"

    d: bytes
    q: bytes
    ca: bytes
    name: bytes
    expiry: bytes
    r: bytes
    s: bytes

    def pack(self) -> bytes:
        """The bytes in memory."""
        return struct.pack(self.LAYOUT, *astuple(self))

    @property
    def certificate(self) -> bytes:
        """What the CA signed, with its signature, as packets have it."""
        return self.name + self.expiry + self.r + self.s

    @classmethod
    def unpack(cls, content: bytes) -> Identity:
        """The identity of these bytes."""
        return cls(*struct.unpack(cls.LAYOUT, content))

    @classmethod
    def size(cls) -> int:
        """Bytes that it takes."""
        return struct.calcsize(cls.LAYOUT)


@dataclass(frozen=True)
class Outcome:
    """How a session ended for a node: `key` is k_m where it is open, else nothing but zeros."""

    LAYOUT: ClassVar[str] = "<3I8s20s"

    state: State
    reason: Reason
    peer: int
    name: bytes
    key: bytes

    @classmethod
    def unpack(cls, content: bytes) -> Outcome:
        """The outcome of these bytes."""
        state, reason, *rest = struct.unpack(cls.LAYOUT, content)
        return cls(State(state), Reason(reason), *rest)

    @classmethod
    def size(cls) -> int:
        """Bytes that it takes."""
        return struct.calcsize(cls.LAYOUT)

    @property
    def text(self) -> str:
        """In words."""
        if self.state is State.REFUSED:
            return f"refused: {self.reason.name.lower()}"
        return {State.NONE: "none", State.PROGRESS: "in progress"}.get(self.state, "open")
