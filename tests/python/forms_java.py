"""Readers of vectors in the text of Bouncy Castle's tests, which are written alike."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forms import unhex
from placing import Answer, Values

if TYPE_CHECKING:
    from collections.abc import Iterator

STRING = r'"((?:[^"\\]|\\.)*)"'
ENGINES = {
    "RC2": "rc2",
    "RC4": "rc4",
    "RC532": "rc5",
    "RC564": "rc5 in words of 64 bits",
    "RC6": "rc6",
    "DES": "des",
    "DESede": "3des",
    "AES": "aes",
    "AESFast": "aes",
    "AESLight": "aes",
    "Camellia": "camellia",
    "CamelliaLight": "camellia",
}


def java_ciphers(text: str) -> Iterator[Answer]:
    """`new BlockCipherVectorTest(0, new AESEngine(), new KeyParameter(..), "..", "..")`."""
    named = dict(re.findall(rf"String\s+(\w+)\s*=\s*{STRING}", text))
    for kind, call in _calls(text, r"new (Block|Stream)Cipher(?:Vector|MonteCarlo)Test\("):
        _, *classes = re.findall(r"new (\w+)\(", f"new {kind}({call}")
        engine = next(
            class_name for class_name in classes if class_name.endswith("Engine")
        ).removesuffix("Engine")
        strings = re.findall(rf"{STRING}|\b({'|'.join(named) or '-'})\b", call)
        decoded = [unhex(named[name] if name else literal) for literal, name in strings]
        wrappers = [class_name for class_name in classes if class_name.endswith("BlockCipher")]
        mode = "/cbc" if wrappers == ["CBCBlockCipher"] else ""
        names = ("key", "iv", "text", "result") if mode else ("key", "text", "result")
        why = _java_why(call, wrappers, mode)
        values: Values = {} if why else dict(zip(names, decoded, strict=True))
        yield Answer(ENGINES[engine] + mode, values, why)


def _java_why(call: str, wrappers: list[str], mode: str) -> str:
    """The reason to leave out a call, by its other arguments."""
    number = re.search(r"RC[25]Parameters\(Hex.decode\(\"\w*\"\), (\d+)\)", call)
    if re.match(r"\s*\d+,\s*\d+,", call):
        return "ten thousand calls, each with what the last one made"
    if wrappers and not mode:
        return "a mode that is none of ours"
    if number and "RC2" in call and number[1] != "128":
        return "other effective bits of a key"
    return "another number of rounds" if number and "RC5" in call and number[1] != "12" else ""


def _calls(text: str, begin: str) -> Iterator[tuple[str, str]]:
    """The name and the arguments' text of calls."""
    for match in re.finditer(begin, text):
        at, depth = match.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        yield match[1], text[match.end() : at - 1]


def java_arrays(text: str) -> dict[str, list[str]]:
    """Arrays of strings by name; a string that is concatenated over lines is one."""
    arrays = {}
    for name, body in re.findall(r"(\w+)\s*(?:\[\])?\s*=\s*\{([^{}]*)\}", text):
        joined = re.sub(r'"\s*\+\s*"', "", re.sub(r"//.*", "", body))
        arrays[name] = re.findall(STRING, joined)
    return arrays


def java_hashes(text: str, algorithm: str) -> Iterator[Answer]:
    """Two arrays, of messages as they are, and of digests."""
    arrays = java_arrays(text)
    for message, digest in zip(arrays["messages"], arrays["digests"], strict=True):
        yield Answer(algorithm, {"message": message.encode(), "digest": unhex(digest)})


def java_keccak(text: str) -> Iterator[Answer]:
    """Keccak and HMAC over it: an array of messages, one of results for each size."""
    arrays = java_arrays(text)
    keys = re.search(r"macKeys\s*=\s*\{(.*?)\};", text, re.DOTALL)
    assert keys
    joined = re.sub(r'"\s*\+\s*"', "", keys[1])
    mac_keys = re.findall(STRING, joined)
    for bits in (224, 256, 384, 512):
        for message, digest in zip(arrays["messages"], arrays[f"digests{bits}"], strict=False):
            values: Values = {"message": unhex(message), "digest": unhex(digest)}
            yield Answer(f"Keccak-{bits}", values)
        # Line ends stand in the data as escapes of Java.
        data = [literal.replace("\\n", "") for literal in arrays["macData"]]
        for key, message, tag in zip(mac_keys, data, arrays[f"mac{bits}"], strict=True):
            inputs: Values = {"key": unhex(key), "message": unhex(message), "tag": unhex(tag)}
            yield Answer(f"HMAC(Keccak-{bits})", inputs)


def java_macs(text: str, algorithm: str) -> Iterator[Answer]:
    """Three arrays: keys, messages as they are or in hexadecimal, tags."""
    arrays = java_arrays(text)
    rows = (arrays[name] for name in ("keys", "messages", "digests"))
    for key, message, tag in zip(*rows, strict=True):
        content = unhex(message) if message.startswith("0x") else message.encode()
        yield Answer(algorithm, {"key": unhex(key), "message": content, "tag": unhex(tag)})


def java_sha3_macs(text: str) -> Iterator[Answer]:
    """Rows of key, message and tag for each size; some tags are cut."""
    joined = re.sub(r'"\s*\+\s*"', "", text)
    for bits, body in re.findall(r"sha3_(\d+)\s*=\s*\{(.*?)\};", joined, re.DOTALL):
        for row in re.findall(r"\{([^{}]*)\}", body):
            key, message, tag = (unhex(literal) for literal in re.findall(STRING, row)[:3])
            why = "" if 8 * len(tag) == int(bits) else "cut"
            yield Answer(f"HMAC(SHA3-{bits})", {"key": key, "message": message, "tag": tag}, why)


def java_skein(text: str) -> Iterator[Answer]:
    """`new Case(256, 256, "..", "..")`: bits of the state and of the digest."""
    cases = re.search(r"Case\[\] TEST_CASES = \{(.*?)\};", text, re.DOTALL)
    assert cases
    for _, call in _calls(cases[1], r"new (Case)\("):
        state, digest = re.findall(r"\d+", call)[:2]
        strings = re.findall(STRING, re.sub(r'"\s*\+\s*"', "", call))
        message, result = (unhex(literal) for literal in strings)
        yield Answer(f"Skein-{state}({digest})", {"message": message, "digest": result})


def java_aria(text: str) -> Iterator[Answer]:
    """Rows of a title, key, text and result."""
    for row in re.findall(r"\{([^{}]*-Bit Key[^{}]*)\}", text):
        _, key, plain, result = re.findall(STRING, row)
        yield Answer("aria", {"key": unhex(key), "text": unhex(plain), "result": unhex(result)})


def java_lea(text: str) -> Iterator[Answer]:
    """Constants KEY, TESTDATA and EXPECTED for each size of key."""
    constants = re.findall(rf"String (?:KEY|TESTDATA|EXPECTED) = {STRING}", text)
    for at in range(0, len(constants), 3):
        names = ("key", "text", "result")
        values: Values = dict(zip(names, map(unhex, constants[at : at + 3]), strict=True))
        yield Answer("lea", values)


def java_ccm(text: str) -> Iterator[Answer]:
    """Constants K1, N1, A1, P1, C1, and so on; the fourth associated data is repeated."""
    constants = re.findall(rf"(\w\d) = Hex.decode\({STRING}\)", text)
    bytes_by_name = {name: unhex(literal) for name, literal in constants}
    names = {"K": "key", "N": "nonce", "A": "ad", "P": "text", "C": "result"}
    for index in range(1, 5):
        values = {ours: bytes_by_name[f"{letter}{index}"] for letter, ours in names.items()}
        if index == 4:
            values["ad"] *= 65536 // len(values["ad"])
        yield Answer("aes/ccm", {**values})
    again = {
        "key": bytes_by_name["K4"],
        "nonce": bytes_by_name["N4"],
        "ad": bytes_by_name["A4"],
        "text": bytes_by_name["A4"],
    }
    yield Answer("aes/ccm", {**again, "result": bytes_by_name["C5"]})
