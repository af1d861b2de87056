"""Structures in memory that host and firmware share: parameters, identities, outcomes.

They are those of studies/authentication/, whose words are little-endian.
"""

from __future__ import annotations

import struct
from dataclasses import astuple, dataclass
from enum import IntEnum
from typing import ClassVar


class Role(IntEnum):
    """The role of a node."""

    CA = 0
    SERVER = 1
    TERMINAL = 2


class Suite(IntEnum):
    """The suite that encrypts data."""

    XOR = 0
    AES = 1
    ASCON = 2


class State(IntEnum):
    """The progress of a session."""

    NONE = 0
    PROGRESS = 1
    OPEN = 2
    REFUSED = 3


class Reason(IntEnum):
    """The reason of a refusal."""

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
    """The computation of a node, as its marks say."""

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
        """The name of a packet's message."""
        is_known = content and content[0] in list(cls)
        return cls(content[0]).name.lower() if is_known else "?"


SEED = 20
MOST_SESSIONS = 1024
FOR_EVER = 0xFFFF_FFFF
"""As cycles: no limit. As a date: the last that can be stated."""


@dataclass(frozen=True)
class Parameters:
    """The parameters of a node: times in its cycles, dates in seconds since 1970."""

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
        """The certificate with its signature, as packets have it."""
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
    """The outcome of a session for a node: `key` is k_m if it is open, else zeros."""

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
        """The outcome in words."""
        if self.state is State.REFUSED:
            return f"refused: {self.reason.name.lower()}"
        return {State.NONE: "none", State.PROGRESS: "in progress"}.get(self.state, "open")
