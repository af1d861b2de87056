"""RSA refuses numbers that no key has, and gives out nothing that a fault has changed."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from Crypto.Cipher import PKCS1_OAEP, PKCS1_v1_5
from Crypto.Hash import SHA256
from Crypto.PublicKey import RSA
from Crypto.Signature import pkcs1_15

import implicit
from cavp import PYCRYPTODOME
from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images
from cocrypt.primitives.script import Buffer, Step, failures
from cocrypt.primitives.subject import Function
from hosted import Hosted
from vectors import opening

if TYPE_CHECKING:
    from collections.abc import Callable

    from cocrypt.primitives.subject import Subject

IMPLEMENTATIONS = ("small", "lean", "fast")
SIZE, HALF = 64, 32
UNTOUCHED = b"\xa5" * SIZE
RAW = Function("rsa512_raw_private_crt", ("p", "q", "dp", "dq", "qinv", "message", "result"))


@cache
def key() -> RSA.RsaKey:
    """A key of 512 bits, always the same."""
    draw = random.Random("a key for faults")
    while True:
        p, q = (_prime(draw) for _ in range(2))
        if (p * q).bit_length() == 8 * SIZE and math.gcd(65537, (p - 1) * (q - 1)) == 1:
            return RSA.construct((p * q, 65537, pow(65537, -1, (p - 1) * (q - 1)), p, q))


def _prime(draw: random.Random) -> int:
    candidates = iter(lambda: draw.randrange(2 ** (8 * HALF - 1) + 1, 2 ** (8 * HALF), 2), None)
    return next(
        candidate
        for candidate in candidates
        if pow(3, candidate - 1, candidate) == 1 and pow(5, candidate, candidate) == 5
    )


def numbers() -> dict[str, int]:
    """All arguments of the functions, by role."""
    n, e, d, p, q = (int(getattr(key(), name)) for name in "nedpq")
    r = random.Random("r").randrange(n)
    return {
        "n": n,
        "e": e,
        "d": d,
        "p": p,
        "q": q,
        "dp": d % (p - 1),
        "dq": d % (q - 1),
        "qinv": pow(q, -1, p),
        "message": random.Random("m").randrange(n),
        "blinding": pow(r, e, n) << 8 * SIZE | pow(r, -1, n),
    }


SIZES = {"n": SIZE, "d": SIZE, "e": 4, "message": SIZE, "blinding": 2 * SIZE}


def call_with(subject: Subject, operation: str, **others: int) -> tuple[Step, Buffer]:
    """A call with some numbers instead of the good ones, and its result."""
    values, result = {**numbers(), **others}, Buffer(UNTOUCHED)
    roles = subject.functions[operation].arguments
    given = {
        role: Buffer(values[role].to_bytes(SIZES.get(role, HALF)))
        for role in roles
        if role in values
    }
    return Step(operation, {**given, "result": result}), result


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("operation", ["public", "private", "private_crt"])
def test_what_no_key_has_is_refused(implementation: str, operation: str) -> None:
    (subject,) = library.named([f"rsa512/{implementation}"])
    good, hosted = numbers(), Hosted(subject)
    n, message = good["n"], good["message"]
    exponents = {"public": ("e",), "private": ("d",), "private_crt": ("e", "dp", "dq")}[operation]
    wrong = [{role: value} for role in exponents for value in (0, 1, 2, 6, good[role] - 1)]
    wrong += [{"message": value} for value in (n, n + 1, 2 ** (8 * SIZE) - 1)]
    if operation == "private_crt":
        wrong += [{role: value} for role in "pq" for value in (0, good[role] - 1)]
        exponent = good["d"]
    else:
        wrong += [{"n": value} for value in (0, n - 1, message | 1)]
        wrong += [{"n": 2 ** (8 * SIZE) - 2}, {"n": message}]
        exponent = good[exponents[0]]
    for others in wrong:
        if others == {"n": message | 1} and message % 2 == 0:
            continue
        step, result = call_with(subject, operation, **others)
        outcome = hosted.run([step])
        assert (outcome.results[step], outcome.contents[result]) == (-1, UNTOUCHED), others
    step, result = call_with(subject, operation)
    outcome = hosted.run([step])
    assert outcome.results[step] == 0
    assert outcome.contents[result] == pow(message, exponent, n).to_bytes(SIZE)


def prime_of(result: bytes) -> int:
    """A factor of the modulus: a prime if a private operation's result is wrong in one half."""
    n, e, message = (numbers()[role] for role in ("n", "e", "message"))
    return math.gcd(pow(int.from_bytes(result), e, n) - message, n)


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("role", ["dp", "dq", "qinv", "blinding"])
def test_a_number_that_is_wrong_shows_in_nothing(implementation: str, role: str) -> None:
    (subject,) = library.named([f"rsa512/{implementation}"])
    subject = replace(subject, functions={**subject.functions, "raw": RAW})
    hosted, fault = Hosted(subject), {role: numbers()[role] ^ 1 << 77}
    step, result = call_with(subject, "private_crt", **fault)
    outcome = hosted.run([step])
    if role == "blinding":
        # A wrong 1 / r makes the result wrong modulo both primes.
        assert prime_of(outcome.contents[result]) == 1 or outcome.results[step] == -1
        return
    assert (outcome.results[step], outcome.contents[result]) == (-1, UNTOUCHED)
    # Without the check the result would give a prime away.
    step, result = call_with(subject, "raw", **fault)
    assert 1 < prime_of(hosted.run([step]).contents[result]) < numbers()["n"]


class FaultInjection(Calling):
    """A device in which a word of the stack changes while a function runs."""

    def inject(self, step: Step, result: Buffer, draw: random.Random) -> tuple[int | None, bytes]:
        """The function's value, None if it does not return, and the content of its result."""
        layout = self._layout([step])
        if not hasattr(self, "span"):
            whole = self._loaded(layout)
            whole.run()
            self.span = whole.marks()[-2][0], whole.marks()[-1][0]
        begin, end = self.span
        machine = self._loaded(layout)
        # Both halves, without the code before and behind them.
        machine.run(begin + int(draw.uniform(0.25, 0.8) * (end - begin)))
        address = draw.randrange(machine.registers()["sp"], self._top - 64, 4)
        word = int.from_bytes(machine.read(address, 4), "little") ^ draw.getrandbits(32)
        machine.write(address, word.to_bytes(4, "little"))
        stop = machine.run(3 * end).values["stop"]
        returned = machine.read(layout.result(0), 4) if stop["kind"] == "exit" else None
        value = None if returned is None else int.from_bytes(returned, "little", signed=True)
        return value, machine.read(layout.places[result], SIZE)


def inject_faults(
    subject: Subject, operation: str, trials: int, tell: Callable[[int | None, bytes], object]
) -> None:
    device = Device.load("ibex-maxperf")
    subject = replace(subject, functions={operation: subject.functions[operation]})
    calling = FaultInjection(device, subject, Images(device, subject, ("-O2",)).callable())
    draw = random.Random(f"{subject.name} {operation}")
    for _ in range(trials):
        step, result = call_with(subject, operation)
        tell(*calling.inject(step, result, draw))


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_a_fault_on_the_device_gives_no_prime_away(implementation: str) -> None:
    """A word of the stack changes in one of the halves; without the check that gives primes."""
    (subject,) = library.named([f"rsa512/{implementation}"])
    subject = replace(subject, functions={**subject.functions, "raw": RAW})
    bare: list[int] = []
    inject_faults(subject, "raw", 16, lambda _returned, result: bare.append(prime_of(result)))
    assert any(1 < prime < numbers()["n"] for prime in bare)
    n, d, message = (numbers()[role] for role in ("n", "d", "message"))
    good, refused = pow(message, d, n).to_bytes(SIZE), 0

    def judge(returned: int | None, result: bytes) -> None:
        nonlocal refused
        assert result in (good, UNTOUCHED)
        assert returned != 0 or result == good
        refused += returned == -1

    inject_faults(subject, "private_crt", 16, judge)
    assert refused > 0


def rejections() -> list[tuple[str, dict[str, bytes], bytes]]:
    """The ciphers of 2,048 bits of the draft's appendix B: comment, arguments and message."""
    # Not by `text_of`: files that it reads count as read by the tests of other libraries' answers.
    path = PYCRYPTODOME / "Cipher/PKCS1_v1_5/implicit_rejection.txt"
    text = path.read_text(encoding="utf-8")
    section = text.split("[2048]")[1].split("[2049]")[0]
    records = [dict(re.findall(r"(\w+) = (.*)", block)) for block in section.split("\n\n")]
    keys = [RSA.import_key(bytes.fromhex(record["Key"])) for record in records if "Key" in record]
    n, d = (int(getattr(keys[0], name)).to_bytes(256) for name in "nd")
    return [
        (record["Comment"], {"n": n, "d": d, "cipher": bytes.fromhex(record["Ct"])}, message)
        for record in records
        if "Ct" in record
        for message in [bytes.fromhex(record.get("Msg", ""))]
    ]


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_implicit_rejection_is_that_of_the_draft(implementation: str) -> None:
    (subject,) = library.named([f"rsa2048/{implementation}"])
    ciphers = rejections()
    assert len(ciphers) > 5
    checks = [opening(subject, "decrypt_pkcs1_implicit", given, text) for _, given, text in ciphers]
    outcome = Hosted(subject).run([step for check in checks for step in check.steps])
    assert failures(checks, outcome) == []
    for _, given, text in ciphers:
        n, d = (int.from_bytes(given[name]) for name in "nd")
        assert implicit.opened(n, d, given["cipher"]) == text


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_implicit_rejection_refuses_what_is_no_cipher(implementation: str) -> None:
    (subject,) = library.named([f"rsa512/{implementation}"])
    hosted = Hosted(subject)
    for others in ({"cipher": numbers()["n"]}, {"d": 1}, {"n": numbers()["n"] - 1}):
        values = {**numbers(), "cipher": 5, **others}
        given = {role: Buffer(values[role].to_bytes(SIZE)) for role in ("n", "d", "cipher")}
        length, result = Buffer(UNTOUCHED[:8]), Buffer(UNTOUCHED)
        given |= {"result": result, "result_length": length}
        step = Step("decrypt_pkcs1_implicit", given)
        outcome = hosted.run([step])
        assert outcome.results[step] == -1
        assert outcome.contents[result] == UNTOUCHED


def big_key() -> RSA.RsaKey:
    """A key of 1,024 bits, as OAEP needs them, always the same."""
    draw = random.Random("a key for refusals")
    return RSA.generate(1024, draw.randbytes)


PADDED = {
    "encrypt_pkcs1": "e",
    "encrypt_oaep": "e",
    "verify_pkcs1": "e",
    "decrypt_pkcs1": "d",
    "decrypt_pkcs1_implicit": "d",
    "decrypt_oaep": "d",
    "sign_pkcs1": "d",
}
"""The operations that pad, and the exponents that they are given."""


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("operation", PADDED)
def test_exponents_that_no_key_has_are_refused(implementation: str, operation: str) -> None:
    """RFC 8017, 3.1 and 3.2: e is odd and at least 3, and d is prime to an even number."""
    (subject,) = library.named([f"rsa1024/{implementation}"])
    hosted, private = Hosted(subject), big_key()
    n, e, d = (int(getattr(private, name)) for name in "ned")
    digest, label, role = bytes(range(32)), b"label", PADDED[operation]
    text, seed, filling = b"message", bytes(32), b"\x07" * (128 - 3 - 7)
    signature = pkcs1_15.new(private).sign(Digest(digest))
    cipher = {
        "decrypt_oaep": lambda: PKCS1_OAEP.new(private, SHA256, label=label).encrypt(text),
    }.get(operation, lambda: PKCS1_v1_5.new(private).encrypt(text))()
    given = {"message": text, "random": filling, "seed": seed, "label": label, "digest": digest}
    given |= {"cipher": cipher, "n": n.to_bytes(128), "signature": signature}
    sizes, good = {"e": 4, "d": 128}, {"e": e, "d": d}[role]
    for exponent in (0, 1, 2, good - 1, good):
        values = {**given, role: exponent.to_bytes(sizes[role])}
        arguments = {
            name: Buffer(values[name])
            for name in subject.functions[operation].arguments
            if name in values
        }
        outputs = {"result": Buffer(b"\xa5" * 128), "result_length": Buffer(b"\xa5" * 8)}
        outputs |= {"signature": Buffer(b"\xa5" * 128)} if operation == "sign_pkcs1" else {}
        step = Step(operation, {**arguments, **outputs})
        outcome = hosted.run([step])
        assert outcome.results[step] == (0 if exponent == good else -1), exponent
        if exponent != good:
            for buffer in outputs.values():
                assert outcome.contents.get(buffer, buffer.content) == buffer.content, exponent


class Digest:
    """A digest of SHA-256 as PyCryptodome takes one."""

    oid = SHA256.new().oid
    digest_size = 32

    def __init__(self, content: bytes) -> None:
        self.content = content

    def digest(self) -> bytes:
        return self.content


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_a_blinding_is_a_power_and_an_inverse_and_is_used_once(implementation: str) -> None:
    (subject,) = library.named([f"rsa512/{implementation}"])
    hosted, values = Hosted(subject), numbers()
    n, e, d = (values[role] for role in "ned")
    drawn = random.Random("blinding").randbytes(SIZE)
    room = Buffer(bytes(2 * SIZE))
    given = {
        role: Buffer(values[role].to_bytes(SIZES.get(role, HALF)))
        for role in ("p", "q", "qinv", "e")
    }
    blind = Step("blind", {**given, "random": Buffer(drawn), "blinding": room})
    outcome = hosted.run([blind])
    r = int.from_bytes(drawn[1:])
    expected = (pow(r, e, n), pow(r, -1, n))
    assert outcome.results[blind] == 0
    assert outcome.contents[room] == b"".join(number.to_bytes(SIZE) for number in expected)
    for wrong in ({"random": Buffer(drawn[:1] + bytes(SIZE - 1))}, {"e": Buffer(bytes(4))}):
        refused = Step("blind", {**given, "random": Buffer(drawn), "blinding": room, **wrong})
        assert hosted.run([refused]).results[refused] == -1
    # Each call squares the blinding, so that no two multiply a message by the same number.
    seen = {expected}
    blinding = outcome.contents[room]
    for _ in range(3):
        step, result = call_with(subject, "private_crt", blinding=int.from_bytes(blinding))
        outcome = hosted.run([step])
        assert outcome.results[step] == 0
        assert outcome.contents[result] == pow(values["message"], d, n).to_bytes(SIZE)
        buffer = step.arguments["blinding"]
        assert isinstance(buffer, Buffer)
        blinding = outcome.contents[buffer]
        halves = (int.from_bytes(blinding[:SIZE]), int.from_bytes(blinding[SIZE:]))
        expected = (pow(expected[0], 2, n), pow(expected[1], 2, n))
        assert halves == expected
        seen.add(halves)
    assert len(seen) == 4


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_implicit_rejection_answers_every_cipher(implementation: str) -> None:
    """Random ciphers, and ciphers whose padding is wrong in one byte, are answered as drafted."""
    (subject,) = library.named([f"rsa512/{implementation}"])
    n, e, d = (numbers()[role] for role in "ned")
    draw = random.Random("ciphers")
    good = b"\0\2" + b"\7" * 20 + b"\0" + b"m" * (SIZE - 23)
    blocks = [good, good[:5] + b"\0" + good[6:], good.replace(b"\0m", b"\7m"), b"\0\2" + b"\7" * 62]
    blocks += [
        b"\0\1" + good[2:],
        b"\0\2" + b"\7" * 61 + b"\0",
        b"\0\2" + b"\7" * 8 + b"\0" + b"m" * 53,
    ]
    ciphers = [pow(int.from_bytes(block), e, n).to_bytes(SIZE) for block in blocks]
    ciphers += [draw.randrange(n).to_bytes(SIZE) for _ in range(16)]
    key_of = {"n": n.to_bytes(SIZE), "d": d.to_bytes(SIZE)}
    checks = [
        opening(
            subject,
            "decrypt_pkcs1_implicit",
            {**key_of, "cipher": cipher},
            implicit.opened(n, d, cipher),
        )
        for cipher in ciphers
    ]
    outcome = Hosted(subject).run([step for check in checks for step in check.steps])
    assert failures(checks, outcome) == []
