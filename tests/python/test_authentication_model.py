"""The model of the authentication protocol: parts against other libraries, rules by cases."""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

import pytest
from Crypto.Cipher import AES
from Crypto.Hash import HMAC, SHA1
from Crypto.Util import Counter
from ecdsa import SigningKey, VerifyingKey
from ecdsa.curves import SECP160r1
from ecdsa.ecdh import ECDH

from authentication_host import begin, exchange, parameters
from cocrypt.authenticate import ciphers, curve
from cocrypt.authenticate.layout import Reason, Role, State, Suite
from cocrypt.authenticate.model import Authority, Server, Terminal
from cocrypt.authenticate.sealing import seal, unseal
from host import vectors
from oracles import Oracles, built

if TYPE_CHECKING:
    from collections.abc import Iterator

GEC2 = vectors("primitives/ecdsa-secp160r1/vectors/gec2.toml")
SIZES = (0, 1, 15, 16, 17, 33, 70, 200)


@pytest.fixture(scope="module")
def oracles() -> Iterator[Oracles]:
    oracles_ = Oracles(built(), lambda name: pytest.fail(f"nobody has {name}"))
    yield oracles_
    oracles_.close()


@pytest.fixture
def draw() -> random.Random:
    return random.Random(1)  # The same draws each time.


def test_aes_and_its_counter_mode(draw: random.Random) -> None:
    for size in SIZES:
        key, first, text = draw.randbytes(16), draw.randbytes(16), draw.randbytes(size)
        counter = Counter.new(128, initial_value=int.from_bytes(first))
        oracle = AES.new(key, AES.MODE_CTR, counter=counter)
        assert ciphers.aes128_ctr(key, first, text) == oracle.encrypt(text)
        assert ciphers.aes128(key, first) == AES.new(key, AES.MODE_ECB).encrypt(first)


def test_counter_runs_over() -> None:
    key = bytes(range(16))
    ends, starts = (AES.new(key, AES.MODE_ECB).encrypt(bytes([b]) * 16) for b in (255, 0))
    assert ciphers.aes128_ctr(key, b"\xff" * 16, bytes(32)) == ends + starts


def test_ascon(draw: random.Random, oracles: Oracles) -> None:
    for size in SIZES:
        key, nonce, text = draw.randbytes(16), draw.randbytes(16), draw.randbytes(size)
        ad = draw.randbytes(size * 7 % 50)
        sealed = ciphers.ascon_seal(key, nonce, ad, text)
        assert sealed == oracles.seal("ascon_aead128", key, nonce, ad, text)
        assert ciphers.ascon_open(key, nonce, ad, sealed) == text
        wrong = bytes([sealed[0] ^ 1]) + sealed[1:]
        assert ciphers.ascon_open(key, nonce, ad, wrong) is None


def test_hmac_and_generator(draw: random.Random) -> None:
    key, text = draw.randbytes(20), draw.randbytes(200)
    assert ciphers.hmac_sha1(key, text) == HMAC.new(key, text, SHA1).digest()
    blocks = [hashlib.sha1(key + i.to_bytes(4)).digest() for i in range(11)]
    generator = ciphers.Random(key)
    output = b"".join(generator.bytes(size) for size in (0, 1, 19, 20, 21, 40, 5, 99))
    assert output == b"".join(blocks)[: len(output)]
    assert ciphers.xor_stream(key, bytes(50)) == b"".join(blocks)[:50]


def signing_key(d: int) -> SigningKey:
    return SigningKey.from_secret_exponent(d, SECP160r1, hashlib.sha1)


def test_curve(draw: random.Random) -> None:
    for _ in range(5):
        d, peer, e, k = (draw.randrange(1, 2**160) for _ in range(4))
        key, q = signing_key(d), curve.public(d)
        assert curve.to_bytes(q) == key.verifying_key.to_string()
        signature = curve.sign(d, e, k)
        expected = key.sign_digest(e.to_bytes(20), k=k, sigencode=lambda r, s, _order: (r, s))
        assert signature == expected
        assert signature
        assert curve.verify(q, e, *signature)
        assert not curve.verify(q, e ^ 1, *signature)
        shared = curve.multiply(d, curve.public(peer))
        assert shared
        assert (
            shared[0]
            == ECDH(SECP160r1, key, signing_key(peer).verifying_key).generate_sharedsecret()
        )


def test_curve_by_its_standard() -> None:
    d, k = int(GEC2["ecdsa"]["private_key"], 16), int(GEC2["ecdsa"]["nonce"], 16)
    r, s = (int(GEC2["ecdsa"][name], 16) for name in "rs")
    e = int.from_bytes(hashlib.sha1(b"abc").digest())
    assert curve.sign(d, e, k) == (r, s)


def test_edges_of_the_curve() -> None:
    x, y = curve.G
    assert curve.multiply(curve.N, curve.G) is None
    assert curve.add(curve.G, (x, curve.P - y)) is None
    assert curve.multiply(curve.N - 1, curve.G) == (x, curve.P - y)
    assert not curve.is_on_curve((x + curve.P, y))
    assert not curve.is_on_curve((x, y + 1))
    assert not curve.is_on_curve((0, 0))
    with pytest.raises(ValueError, match="multiple of the order"):
        curve.public(curve.N)


@pytest.mark.parametrize("suite", Suite)
def test_seals_are_bound_to_their_place(suite: Suite, draw: random.Random) -> None:
    key, head, text = draw.randbytes(20), draw.randbytes(58), draw.randbytes(70)
    sealed = seal(suite, key, 0, 0, head, text)
    assert len(sealed) == len(text) + 16
    assert unseal(suite, key, 0, 0, head, sealed) == text
    for elsewhere in ((key, 1, 0, head), (key, 0, 1, head), (key, 0, 0, head[:-1])):
        assert unseal(suite, *elsewhere, sealed) is None
    assert unseal(suite, draw.randbytes(20), 0, 0, head, sealed) is None
    assert sealed[:70] != seal(suite, key, 1, 0, head, text)[:70]


class Network:
    """All three roles."""

    def __init__(self, suite: Suite = Suite.XOR) -> None:
        self.ca = Authority(0, parameters(Role.CA, suite, sessions=2))
        self.server = Server(1, parameters(Role.SERVER, suite))
        self.terminal = Terminal(2, parameters(Role.TERMINAL, suite))
        self.parties = {0: self.ca, 1: self.server, 2: self.terminal}
        self.packets = [*begin(self.parties, 1), *begin(self.parties, 2)]


@pytest.mark.parametrize("suite", Suite)
def test_handshake(suite: Suite) -> None:
    network = Network(suite)
    (served,), (opened,) = network.server.outcomes, network.terminal.outcomes
    assert served.state is opened.state is State.OPEN
    assert served.key == opened.key == network.server.sessions[0].k_m != bytes(20)
    assert [packet[2][0] for packet in network.packets[4:]] == [0x11, 0x12, 0x13, 0x14, 0x15, 0x16]
    assert [outcome.name for outcome in network.ca.outcomes] == [opened.name, served.name]
    assert all(party.done for party in network.parties.values())


def test_values_by_other_people() -> None:
    """A session's key, from its packets and private keys, by hashlib and ecdsa alone."""
    network = Network(Suite.AES)
    session, terminal = network.server.sessions[0], network.terminal
    hello, challenge, response = (packet[2] for packet in network.packets[4:7])
    server_key = signing_key(network.server.d)
    peer = VerifyingKey.from_string(hello[18:], SECP160r1, hashlib.sha1)
    z = ECDH(SECP160r1, server_key, peer).generate_sharedsecret_bytes()
    k_0 = hashlib.sha1(b"\0" + z + hello[2:18] + challenge[2:18]).digest()
    assert (session.z, session.k_0) == (z, k_0)
    key = hashlib.sha1(b"\2" + k_0).digest()[:16]
    counter = Counter.new(128, initial_value=1 << 120)
    proof = AES.new(key, AES.MODE_CTR, counter=counter).decrypt(response[2:72])
    prefix = b"\1" + bytes(4) + (2).to_bytes(2)
    tag_key = hashlib.sha1(b"\3" + k_0).digest()
    assert response[72:] == HMAC.new(tag_key, prefix + response[:72], SHA1).digest()[:16]
    signed = b"\2" + hello[18:] + proof[:12]
    ca = VerifyingKey.from_string(network.ca.q, SECP160r1, hashlib.sha1)
    signature = tuple(int.from_bytes(proof[at : at + 21]) for at in (12, 33))
    assert ca.verify(signature, signed, sigdecode=lambda pair, _order: pair)
    h = hashlib.sha1(hello + challenge + response).digest()
    k_m = hashlib.sha1(b"\1" + z + session.g_s + proof[54:] + h).digest()
    assert session.k_m == terminal.session.k_m == k_m


def test_late_packets_change_nothing() -> None:
    network = Network()
    before = network.server.outcomes, network.terminal.outcomes
    for sender, to, content in network.packets[5:]:
        assert network.parties[to].receive(content, sender, 1.0) == []
    assert (network.server.outcomes, network.terminal.outcomes) == before


def test_empty_packets_are_none() -> None:
    assert Network().server.receive(b"", 7, 0.0) == []


def test_certificates_expire_by_the_clock() -> None:
    ca = Authority(0, parameters(Role.CA, sessions=2, expiry=1_300_000_010))
    server = Server(1, parameters(Role.SERVER))
    terminal = Terminal(2, parameters(Role.TERMINAL))
    parties = {0: ca, 1: server, 2: terminal}
    begin(parties, 1)
    begin({0: ca, 2: terminal}, 2)
    hello = [(2, 1, terminal.session.transcript)]
    exchange(parties, hello, seconds=11.0)
    assert terminal.outcomes[0].reason is Reason.EXPIRED
    assert server.outcomes[0].reason is Reason.PEER
