"""The protocol's model in plain Python: firmware is compared with it, rogues derive from it.

A party takes packets and answers them, as a party on the host of `cocrypt.network` does; its times
are seconds from the beginning. All values that it computes stay accessible, and each step is
a method that a rogue may override. studies/authentication/README.md has the protocol.

Random numbers come from the same generator as in firmware, in the same order:

- CA: d (20 bytes) unless provisioned; for each certificate the name (5), the nonce k (20).
- Server, terminal: d (20) unless provisioned.
- Terminal: salt_u (16) with hello, g_u (16) with response.
- Server, for each hello with a good point: salt_s (16), g_s (16).
"""

from __future__ import annotations

from cocrypt.authenticate import curve
from cocrypt.authenticate.layout import Identity, Message, Outcome, Parameters, Reason, Role, State
from cocrypt.authenticate.party import Member, Packets, Party
from cocrypt.authenticate.sealing import TAG
from cocrypt.authenticate.values import (
    CHALLENGE_AT,
    HELLO,
    NO_KEY,
    POINT,
    PROOF,
    SALT,
    SEALED_AT,
    Certificate,
    Refused,
    Session,
    require,
    slots,
    take_refusal,
)

__all__ = [
    "Authority",
    "Certificate",
    "Member",
    "Party",
    "Refused",
    "Server",
    "Session",
    "Terminal",
]


class Authority(Party):
    """The CA."""

    def __init__(
        self, number: int, parameters: Parameters, identity: Identity | None = None
    ) -> None:
        super().__init__(number, parameters, identity)
        self.issued: list[tuple[int, Certificate]] = []

    @property
    def outcomes(self) -> list[Outcome]:
        """An outcome for each certificate."""
        return [
            Outcome(State.OPEN, Reason.NONE, peer, certificate.name, NO_KEY)
            for peer, certificate in self.issued
        ]

    def take(self, content: bytes, sender: int, seconds: float) -> Packets:
        """A certificate for an enrolment."""
        self.wait(seconds, self.parameters.idle)
        if content[0] == Message.REFUSE:
            return []
        try:
            role, q = self.check(content)
        except Refused as refused:
            return self.refuse(sender, refused.reason)
        certificate = self.certify(self.name(role, sender), q)
        self.issued.append((sender, certificate))
        self.done = len(self.issued) == slots(self.parameters)
        return [(sender, bytes([Message.CERTIFICATE]) + self.q + certificate.pack())]

    def check(self, content: bytes) -> tuple[int, bytes]:
        """Role and public key of an enrolment."""
        require(content[0] == Message.ENROL and len(content) == 2 + POINT, Reason.FORMAT)
        role, q = content[1], content[2:]
        require(curve.is_on_curve(curve.from_bytes(q)), Reason.POINT)
        require(role in (Role.SERVER, Role.TERMINAL), Reason.ROLE)
        return role, q

    def name(self, role: int, node: int) -> bytes:
        """A temporary identity."""
        return bytes([role]) + (node & 0xFFFF).to_bytes(2) + self.random.bytes(5)

    def certify(self, name: bytes, q: bytes) -> Certificate:
        """Signs name, expiry and a public key."""
        plain = Certificate(name, self.parameters.expiry, 0, 0)
        signature = None
        while signature is None:
            signature = curve.sign(self.d, plain.digest(q), self.draw_number())
        return Certificate(name, self.parameters.expiry, *signature)


class Server(Member):
    """A server of many sessions."""

    role = Role.SERVER

    def __init__(
        self, number: int, parameters: Parameters, identity: Identity | None = None
    ) -> None:
        super().__init__(number, parameters, identity)
        self.sessions: list[Session] = []

    @property
    def outcomes(self) -> list[Outcome]:
        """An outcome for each session; before the first, that of a failed enrolment."""
        if self.enrolment.state in (State.PROGRESS, State.REFUSED):
            return [self.enrolment.outcome]
        return [session.outcome for session in self.sessions]

    def begin(self, seconds: float) -> Packets:
        """Waits for terminals."""
        self.look_ahead(seconds)
        return []

    def serve(self, content: bytes, sender: int, seconds: float) -> Packets:
        """A packet within a session, or a hello."""
        session = next(
            (candidate for candidate in reversed(self.sessions) if candidate.peer == sender), None
        )
        if session and session.state is State.PROGRESS:
            sent = self.answer(session, content, seconds)
        elif content[0] == Message.HELLO:
            sent = self.greet(content, sender, seconds)
        elif session is None and content[0] != Message.REFUSE:
            sent = self.refuse(sender, Reason.FORMAT)
        else:
            sent = []
        self.look_ahead(seconds)
        return sent

    def greet(self, content: bytes, sender: int, seconds: float) -> Packets:
        """A new session, if there is a slot."""
        if len(self.sessions) == slots(self.parameters):
            return self.refuse(sender, Reason.BUSY)
        self.sessions.append(Session(sender))
        return self.answer(self.sessions[-1], content, seconds)

    def answer(self, session: Session, content: bytes, seconds: float) -> Packets:
        """The answer to a packet in a session."""
        session.since = seconds
        steps = {
            None: self.take_hello,
            Message.CHALLENGE: self.take_response,
            Message.ACCEPT: self.take_request,
        }
        try:
            take_refusal(content)
            answer = steps[session.sent](session, content)
        except Refused as refused:
            session.end(refused.reason)
            return self.refuse(session.peer, refused.reason) if refused.answered else []
        session.sent = Message(answer[0])
        return [(session.peer, answer)]

    def take_hello(self, session: Session, content: bytes) -> bytes:
        """Agrees on Q_k, and answers with a challenge."""
        self.require_form(content, Message.HELLO, HELLO)
        session.salt_u, session.q = content[2 : 2 + SALT], content[2 + SALT :]
        require(curve.is_on_curve(curve.from_bytes(session.q)), Reason.POINT)
        session.salt_s = self.random.bytes(SALT)
        session.g_s = self.random.bytes(SALT)
        self.agree(session)
        answer = self.challenge(session)
        session.transcript = content + answer
        return answer

    def challenge(self, session: Session) -> bytes:
        """The server's certificate and g_s."""
        opening = self.opening(Message.CHALLENGE) + session.salt_s + self.q
        plain = self.own_certificate().pack() + session.g_s
        return self.sealed(session.k_0, 0, opening, plain)

    def take_response(self, session: Session, content: bytes) -> bytes:
        """Verifies the terminal, and derives k_m."""
        self.require_form(content, Message.RESPONSE, SEALED_AT + PROOF + TAG)
        proof = self.unsealed(session.k_0, 0, content, SEALED_AT)
        session.g_u = self.examine(session, proof, Role.TERMINAL)
        session.transcript += content
        self.agree_on_key(session)
        return self.accept(session)

    def accept(self, session: Session) -> bytes:
        """Shows that the server has the key."""
        return self.sealed(session.k_m, 0, self.opening(Message.ACCEPT), b"")

    def take_request(self, session: Session, content: bytes) -> bytes:
        """The application's data, which shows that the terminal has the key, too."""
        self.require_form(content, Message.REQUEST, SEALED_AT + self.size + TAG)
        plain = self.unsealed(session.k_m, 0, content, SEALED_AT)
        if plain is None:
            raise Refused(Reason.SEAL)
        session.end(Reason.NONE)
        return self.reply(session, plain)

    def reply(self, session: Session, plain: bytes) -> bytes:
        """Every byte inverted."""
        inverted = bytes(255 - byte for byte in plain)
        return self.sealed(session.k_m, 1, self.opening(Message.REPLY), inverted)

    def look_ahead(self, seconds: float) -> None:
        """Sets the next deadline, or ends."""
        running = [session.since for session in self.sessions if session.state is State.PROGRESS]
        self.done = len(self.sessions) == slots(self.parameters) and not running
        if running:
            self.wait(min(running), self.parameters.patience)
        else:
            self.wait(seconds, self.parameters.idle)

    def timeout(self, seconds: float) -> Packets:
        """Refuses sessions that were silent for too long; without any, ends."""
        running = [session for session in self.sessions if session.state is State.PROGRESS]
        if not running:
            return super().timeout(seconds)
        sent: Packets = []
        late = self.deadline if self.deadline is not None else seconds
        patience = self.parameters.patience / (self.parameters.clock_hz or 1)
        for session in running:
            if session.since + patience <= late:
                session.end(Reason.TIMEOUT)
                sent += self.refuse(session.peer, Reason.TIMEOUT)
        self.look_ahead(seconds)
        return sent


class Terminal(Member):
    """A user's terminal."""

    role = Role.TERMINAL

    def __init__(
        self, number: int, parameters: Parameters, identity: Identity | None = None
    ) -> None:
        super().__init__(number, parameters, identity)
        self.session = Session(parameters.peer, State.NONE)

    @property
    def outcomes(self) -> list[Outcome]:
        """The session's outcome, or that of the enrolment before there is a session."""
        enrolling = self.enrolment.state in (State.PROGRESS, State.REFUSED)
        return [(self.enrolment if enrolling else self.session).outcome]

    def begin(self, seconds: float) -> Packets:
        """Says hello, at once or later."""
        self.wait(seconds, self.parameters.start)
        return [] if self.parameters.start else self.greet(seconds)

    def greet(self, seconds: float) -> Packets:
        """Begins the session."""
        session = self.session
        session.state, session.sent = State.PROGRESS, Message.HELLO
        session.salt_u = self.random.bytes(SALT)
        session.transcript = self.hello(session)
        self.wait(seconds, self.parameters.patience)
        return [(session.peer, session.transcript)]

    def hello(self, session: Session) -> bytes:
        """Salt and public key."""
        return self.opening(Message.HELLO) + session.salt_u + self.q

    def serve(self, content: bytes, sender: int, seconds: float) -> Packets:
        """The answer to a packet in the session; packets of other nodes are ignored."""
        session = self.session
        if sender != session.peer or session.state is not State.PROGRESS:
            return []
        steps = {
            Message.HELLO: self.take_challenge,
            Message.RESPONSE: self.take_accept,
            Message.REQUEST: self.take_reply,
        }
        try:
            take_refusal(content)
            answer = steps[session.sent or Message.HELLO](session, content)
        except Refused as refused:
            return self.end(refused)
        self.wait(seconds, self.parameters.patience)
        self.done = session.outcome.state is State.OPEN
        session.sent = Message(answer[0]) if answer else session.sent
        return [(session.peer, answer)] if answer else []

    def end(self, refused: Refused) -> Packets:
        """Refuses the session."""
        self.session.end(refused.reason)
        self.done = True
        return self.refuse(self.session.peer, refused.reason) if refused.answered else []

    def timeout(self, seconds: float) -> Packets:
        """Says hello at its time, or gives up."""
        if self.enrolment.state is State.PROGRESS:
            return super().timeout(seconds)
        if self.session.state is State.NONE:
            return self.greet(seconds)
        return self.end(Refused(Reason.TIMEOUT))

    def take_challenge(self, session: Session, content: bytes) -> bytes:
        """Verifies the server, and answers with a response."""
        self.require_form(content, Message.CHALLENGE, CHALLENGE_AT + PROOF + TAG)
        session.salt_s = content[2 : 2 + SALT]
        session.q = content[2 + SALT : CHALLENGE_AT]
        self.agree(session)
        proof = self.unsealed(session.k_0, 0, content, CHALLENGE_AT)
        session.g_s = self.examine(session, proof, Role.SERVER)
        session.g_u = self.random.bytes(SALT)
        answer = self.response(session)
        session.transcript += content + answer
        self.agree_on_key(session)
        return answer

    def response(self, session: Session) -> bytes:
        """The terminal's certificate and g_u."""
        plain = self.own_certificate().pack() + session.g_u
        return self.sealed(session.k_0, 0, self.opening(Message.RESPONSE), plain)

    def take_accept(self, session: Session, content: bytes) -> bytes:
        """The server has the key: sends the application's request."""
        self.require_form(content, Message.ACCEPT, SEALED_AT + TAG)
        require(self.unsealed(session.k_m, 0, content, SEALED_AT) is not None, Reason.SEAL)
        return self.request(session)

    def data(self) -> bytes:
        """The application's data."""
        return bytes(i & 0xFF ^ 0x5A for i in range(self.size))

    def request(self, session: Session) -> bytes:
        """The application's data, sealed."""
        return self.sealed(session.k_m, 0, self.opening(Message.REQUEST), self.data())

    def take_reply(self, session: Session, content: bytes) -> bytes:
        """The application's answer; the session is open."""
        self.require_form(content, Message.REPLY, SEALED_AT + self.size + TAG)
        plain = self.unsealed(session.k_m, 1, content, SEALED_AT)
        require(plain is not None, Reason.SEAL)
        require(plain == bytes(255 - byte for byte in self.data()), Reason.FORMAT)
        session.end(Reason.NONE)
        return b""
