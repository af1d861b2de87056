"""Readers of other libraries' files of vectors: records of names and values in text."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from placing import CURVES, Answer, Values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Record = dict[str, str]
LONG = 1 << 24
"""Messages of this many bytes take minutes on a device, and seconds here."""


def unhex(text: str) -> bytes:
    """Bytes of hexadecimal digits, also with an odd digit, with spaces, or as in C."""
    digits = re.sub(r"0x|[\s,{}]", "", text)
    return bytes.fromhex(digits.rjust(len(digits) + len(digits) % 2, "0"))


def quoted(text: str) -> bytes:
    """Bytes of a text in quotes, or of hexadecimal digits."""
    match = re.match('"([^"]*)"', text)
    return match[1].encode() if match else unhex(text)


def _renamed(record: Mapping[str, str], names: Mapping[str, str]) -> Values:
    return {ours: quoted(record[theirs]) for theirs, ours in names.items() if theirs in record}


def repeated(message: bytes, times: int, digest: bytes) -> Answer:
    """The hash of a repeated message."""
    if len(message) * times > LONG:
        return Answer("", why="a message of a gigabyte")
    return Answer("", {"message": message, "repeat": times, "digest": digest})


# OpenSSL: blocks of `Name = value`; the name of the test tells the kind.
CIPHER_NAMES = {
    "key": "key",
    "iv": "iv",
    "aad": "ad",
    "tag": "tag",
    "plaintext": "text",
    "ciphertext": "result",
}
EVP_TESTS = ("cipher", "digest", "mac")
# Fields that make another cipher of it, and those for that library's functions alone.
EVP_OTHER = {"keybits": "other effective bits of a key", "rounds": "another number of rounds"}
EVP_REFUSED = ("CIPHERUPDATE_ERROR", "CIPHERFINAL_ERROR", "TAG_VALUE_MISMATCH")


def openssl(text: str) -> Iterator[Answer]:
    """OpenSSL's `evp*.txt`."""
    for block in re.split(r"\n\s*\n", text):
        lines = (line for line in block.splitlines() if "=" in line and not line.startswith("#"))
        pairs = [[part.strip() for part in line.split("=", 1)] for line in lines]
        record = {name.lower(): value for name, value in pairs}
        name = next((test for test in EVP_TESTS if test in record), None)
        if name == "cipher":
            yield _evp_cipher(record)
        elif name == "digest":
            yield _evp_digest(pairs)
        elif name == "mac":
            names = {"key": "key", "input": "message", "output": "tag"}
            algorithm = f"{record['mac']}({record.get('algorithm', '')})"
            yield Answer(algorithm, _renamed(record, names), _evp_why(record))


def _evp_digest(pairs: list[list[str]]) -> Answer:
    """Joins the parts of a message, each with its copies and repetitions; names may recur."""
    record, piece, times = dict[str, str](), b"", 0
    for name, value in [*pairs, ["Input", '""']]:
        if name == "Input":
            times += int(record.pop("Ncopy", 1)) * int(record.pop("Count", 1)) if piece else 0
            assert quoted(value) in (piece, b"") or not piece
            piece = piece or quoted(value)
        record[name] = value
    answer = repeated(piece, max(times, 1), unhex(record["Output"]))
    return Answer(record["Digest"], answer.values, answer.why)


def _evp_cipher(record: Record) -> Answer:
    algorithm = record["cipher"]
    values = _renamed(record, CIPHER_NAMES)
    if re.match("(?i)chacha20", algorithm):
        values["nonce"] = values.pop("iv")
        nonce = quoted(record["iv"])
        if len(nonce) == 16:
            # The counter stands before the nonce.
            values |= {"nonce": nonce[4:], "skip": 64 * int.from_bytes(nonce[:4], "little")}
    elif algorithm.lower().endswith("-ccm"):
        values["nonce"] = values.pop("iv", b"")
    elif algorithm.lower().endswith("-ecb"):
        values.pop("iv", None)
    refused = record.get("result") in EVP_REFUSED
    return Answer(algorithm, values, _evp_why(record, refused=refused), refused)


def _evp_why(record: Record, *, refused: bool = False) -> str:
    if "result" in record and not refused:
        return "an error of that library's own functions"
    return next((why for name, why in EVP_OTHER.items() if name in record), "")


# Botan: sections in brackets; an answer ends its record, which otherwise goes on.
BOTAN_ENDS = ("out", "output", "digest", "k", "signature", "invalidsignature", "y")
BOTAN = {"key": "key", "nonce": "iv", "in": "text", "out": "result", "ad": "ad", "seek": "skip"}


def botan_records(text: str) -> Iterator[tuple[str, Record]]:
    """The section and the record of each answer."""
    section, settings = "", Record()
    record: Record = {}
    for raw in [*text.splitlines(), ""]:
        line = raw.split("#")[0].strip()
        if match := re.fullmatch(r"\[(.*)\]", line):
            section, settings, record = match[1], {}, {}
        elif "=" in line:
            name, value = (part.strip() for part in line.split("=", 1))
            record[name.lower()] = value
            if name.lower() in BOTAN_ENDS:
                yield section, {**settings, **record}
                record = {}
        elif not raw.strip():
            settings |= record
            record = {}


def botan_ciphers(text: str) -> Iterator[Answer]:
    """Botan's block and stream ciphers, modes and authenticated ciphers."""
    for section, record in botan_records(text):
        values = _renamed({name: value for name, value in record.items() if name != "seek"}, BOTAN)
        result = values["result"]
        assert isinstance(result, bytes)
        values.setdefault("text", bytes(len(result)))
        if re.match("(?i)chacha|.*ccm", section):
            values["nonce"] = values.pop("iv", b"")
        if section.startswith("CTR-BE(ARIA"):
            yield Answer("CTR-BE(ARIA-128)", values)
        elif re.fullmatch(r"CTR-BE\(.*,\d\)", section):
            yield Answer(section.split(",")[0] + ")", why="a counter in a part of the block")
        else:
            values |= {"skip": int(record["seek"])} if "seek" in record else {}
            yield Answer(section, values)


def botan_hashes(text: str) -> Iterator[Answer]:
    """Botan's hashes of messages."""
    for section, record in botan_records(text):
        yield Answer(section, _renamed({"in": "", **record}, {"in": "message", "out": "digest"}))


def botan_repeated(text: str) -> Iterator[Answer]:
    """Botan's hashes of long messages, which repeat one piece."""
    for section, record in botan_records(text):
        piece = unhex(record["input"])
        times = int(record["totallength"]) // len(piece)
        answer = repeated(piece, times, unhex(record["digest"]))
        yield Answer(section, answer.values, answer.why)


def botan_macs(text: str) -> Iterator[Answer]:
    """Botan's keyed hashes."""
    for section, record in botan_records(text):
        yield Answer(section, _renamed(record, {"key": "key", "in": "message", "out": "tag"}))


def botan_keys(text: str) -> Iterator[Answer]:
    """Botan's X25519 and Ed25519; a signature without a key takes the fields before it."""
    names = {"secret": "secret", "counterkey": "peer", "k": "shared"}
    names |= {"privkey": "secret", "pubkey": "public", "msg": "message", "signature": "signature"}
    before: Record = {}
    for section, fields in botan_records(text):
        goes_on = "signature" in fields and not {"pubkey", "privkey"} & fields.keys()
        before = record = {**before, **fields} if goes_on else fields
        algorithm = "x25519" if "k" in record else f"Ed25519{section.removeprefix('Pure')}"
        values = _renamed(record, names)
        signature = values.get("signature", bytes(64))
        refused = record.get("valid") == "0"
        if isinstance(signature, bytes) and len(signature) != 64:
            yield Answer(algorithm, why="a signature of another size")
        else:
            yield Answer(algorithm, values | ({"refused": True} if refused else {}))


def botan_ecdsa(text: str) -> Iterator[Answer]:
    """Botan's signatures with their k, and its multiples of the base point."""
    for section, record in botan_records(text):
        curve = record.get("group", section)
        if curve not in CURVES:
            yield Answer(curve)
            continue
        size = CURVES[curve][1]
        if "m" in record:
            point = _number(record["x"], size) + _number(record["y"], size)
            yield Answer(curve, {"secret": int(record["m"], 0).to_bytes(size), "public": point})
        elif "hash" in record:
            function = record["hash"].lower().replace("sha-", "sha").encode()
            secret, nonce = _number(record["x"], size), _number(record["nonce"], size)
            values = {"secret": secret, "nonce": nonce, "hash": function}
            message, signature = unhex(record["msg"]), unhex(record["signature"])
            yield Answer(curve, {**values, "message": message, "signature": signature})


def _number(text: str, size: int) -> bytes:
    return int(text, 0 if text.startswith("0x") else 16).to_bytes(size)


def botan_rsa(text: str) -> Iterator[Answer]:
    """Botan's good RSA signatures, and those in the file of bad ones that are marked valid."""
    for section, record in botan_records(text):
        if section != "EMSA_PKCS1(SHA-256)":
            yield Answer(section)
            continue
        n, e = int(record["n"], 0), int(record["e"], 0)
        size = -(-n.bit_length() // 8)
        values: Values = {"n": n.to_bytes(size), "e": e.to_bytes(4)}
        values["digest"] = hashlib.sha256(unhex(record["msg"])).digest()
        is_bad = "invalidsignature" in record
        values["signature"] = unhex(record["invalidsignature" if is_bad else "signature"])
        yield Answer(f"RSA-{8 * size}", values | ({"refused": True} if is_bad else {}))


def botan_ecdh(text: str) -> Iterator[Answer]:
    """Botan's shared secrets, of peers' points without compression."""
    for curve, record in botan_records(text):
        if curve not in CURVES:
            yield Answer(curve)
            continue
        secret = _number(record["secret"], CURVES[curve][1])
        peer = unhex(record["counterkey"])
        values: Values = {"secret": secret, "peer": peer[1:], "shared": unhex(record["k"])}
        yield Answer(curve, values) if peer[0] == 4 else Answer(curve, why="a point cut short")


# Crypto++: fields hold until others of their name come, and each `Test` is an answer.
CRYPTOPP = {
    "key": "key",
    "iv": "iv",
    "header": "ad",
    "mac": "tag",
    "plaintext": "text",
    "ciphertext": "result",
    "message": "message",
    "digest": "digest",
}
ONCE = ("seek", "seek64", "initialblock")


def cryptopp(text: str) -> Iterator[Answer]:
    """Crypto++'s TestVectors."""
    record: Record = {}
    for line in _joined(text):
        name, _, value = (part.strip() for part in line.partition(":"))
        if name == "AlgorithmType":
            record = {}
        record[name.lower()] = value
        if name == "Test":
            yield _cryptopp(record)
            record = {field: content for field, content in record.items() if field not in ONCE}


def _joined(text: str) -> Iterator[str]:
    """Fields that go over several lines, without comments."""
    bare = "\n".join(line.split("#")[0].rstrip() for line in text.splitlines())
    return (line for line in re.sub(r"\\\n\s*", "", bare).splitlines() if ":" in line)


def _cryptopp(record: Record) -> Answer:
    algorithm = record["name"]
    why = {"VerifyTruncated": "cut"}.get(record["test"], "")
    why = "another number of rounds" if record.get("rounds", "20") != "20" else why
    fields = {name: value for name, value in record.items() if name in CRYPTOPP}
    if algorithm.startswith("HIGHT"):
        return _turned(algorithm, fields)
    if record.get("algorithmtype") in ("MessageDigest", "MAC"):
        return _digest(algorithm, fields, why)
    values: Values = {CRYPTOPP[name]: _encoded(value) for name, value in fields.items()}
    if re.search("(?i)chacha|ccm", algorithm):
        values["nonce"] = values.pop("iv")
    if any(name in record for name in ONCE):
        block = int(record.get("initialblock", "0"), 0)
        values["skip"] = int(record.get("seek", record.get("seek64", "0")), 0) + 64 * block
    for name in ("digest", "message"):
        values.pop(name, None)
    return Answer(algorithm, values, why, record["test"] == "NotVerify")


def _digest(algorithm: str, fields: Record, why: str) -> Answer:
    times, message = _repeat(fields["message"])
    values: Values = {"message": message * times if times < 1000 else message}
    values |= {"repeat": times} if times >= 1000 else {}
    names = {"key": "key", "mac": "tag"} if "(" in algorithm else {"digest": "digest"}
    values |= {ours: _encoded(fields[theirs]) for theirs, ours in names.items() if theirs in fields}
    return Answer(algorithm, values, why)


def _turned(algorithm: str, fields: Record) -> Answer:
    """HIGHT in KISA's order of bytes, which is the reverse."""
    if algorithm.endswith("CTR"):
        return Answer(algorithm, why="counted at the other end, in the other order of bytes")
    values: Values = {
        CRYPTOPP[name]: _reversed(_encoded(value), 16 if name == "key" else 8)
        for name, value in fields.items()
    }
    return Answer(algorithm, values)


def _reversed(text: bytes, size: int) -> bytes:
    return b"".join(text[at : at + size][::-1] for at in range(0, len(text), size))


def _repeat(value: str) -> tuple[int, bytes]:
    """The number of repetitions and the value: `r25 0x00`."""
    match = re.fullmatch(r"r(\d+)\s+(.*)", value)
    return (int(match[1]), quoted(match[2])) if match else (1, quoted(value))


def _encoded(value: str) -> bytes:
    times, piece = _repeat(value)
    return piece * times
