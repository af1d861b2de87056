"""Modes, HMAC and COFB in a few lines, over another library's block cipher or hash function."""

from __future__ import annotations

from collections.abc import Callable, Iterator

Encrypt = Callable[[bytes], bytes]
"""Encrypts each block of a text by itself, with a key that is settled."""


def xor(left: bytes, right: bytes) -> bytes:
    """The sum of two texts, as long as the shorter one."""
    return bytes(a ^ b for a, b in zip(left, right, strict=False))


def blocks_of(text: bytes, size: int) -> Iterator[bytes]:
    """A text in pieces, of which the last one may be shorter."""
    return (text[at : at + size] for at in range(0, len(text), size))


def cbc(encrypt: Encrypt, iv: bytes, text: bytes) -> bytes:
    """Cipher block chaining (NIST SP 800-38A, section 6.2), of whole blocks."""
    chain = [iv]
    for block in blocks_of(text, len(iv)):
        chain.append(encrypt(xor(chain[-1], block)))
    return b"".join(chain[1:])


def counters(iv: bytes, count: int) -> Iterator[bytes]:
    """Counter blocks; the whole block is the number (NIST SP 800-38A, appendix B)."""
    size, first = len(iv), int.from_bytes(iv)
    return (((first + index) % 256**size).to_bytes(size) for index in range(count))


def ctr(encrypt: Encrypt, iv: bytes, text: bytes) -> bytes:
    """Counter mode (NIST SP 800-38A, section 6.5)."""
    return xor(text, encrypt(b"".join(counters(iv, -(-len(text) // len(iv))))))


def ccm(encrypt: Encrypt, nonce: bytes, ad: bytes, text: bytes, tag_size: int) -> bytes:
    """CCM (NIST SP 800-38C, with the formatting of its appendix A), the tag behind the text."""
    width = 15 - len(nonce)
    flags = (64 if ad else 0) + (tag_size - 2) // 2 * 8 + width - 1
    first = bytes([flags]) + nonce + len(text).to_bytes(width)
    prefix = len(ad).to_bytes(2) if len(ad) < 0xFF00 else b"\xff\xfe" + len(ad).to_bytes(4)
    prefix = prefix if ad else b""
    mac = cbc(encrypt, bytes(16), first + _filled(prefix + ad) + _filled(text))[-16:]
    counter = bytes([width - 1]) + nonce + bytes(width)
    stream = ctr(encrypt, counter, mac + text)
    return stream[16:] + stream[:tag_size]


def _filled(text: bytes) -> bytes:
    return text + bytes(-len(text) % 16)


def hmac(digest: Encrypt, block: int, key: bytes, message: bytes) -> bytes:
    """HMAC (FIPS 198-1, section 4) over a hash function with a block size in bytes."""
    key = (digest(key) if len(key) > block else key).ljust(block, b"\0")
    inner = digest(xor(key, b"\x36" * block) + message)
    return digest(xor(key, b"\x5c" * block) + inner)


def cofb(encrypt: Encrypt, nonce: bytes, ad: bytes, text: bytes) -> bytes:
    """COFB over a cipher with blocks of 16 bytes (GIFT-COFB v1.1, section 2), the tag last."""
    last = encrypt(nonce)
    mask = int.from_bytes(last[:8])
    result = b""
    for part, is_text in ((ad, False), (text, True)):
        blocks = list(blocks_of(part, 16)) or ([] if is_text else [b""])
        for index, block in enumerate(blocks):
            result += xor(block, last) if is_text else b""
            ends = index == len(blocks) - 1
            times = (1 if len(block) == 16 else 2) if ends else 0
            times += 2 if ends and not is_text and not text else 0
            mask = _tripled(mask, times) if ends else _doubled(mask)
            full = block if len(block) == 16 else (block + b"\x80").ljust(16, b"\0")
            last = encrypt(xor(xor(full, _turned(last)), mask.to_bytes(8) + bytes(8)))
    return result + last


def _turned(block: bytes) -> bytes:
    """Swaps the halves and rotates the first one by a bit (the function G)."""
    first = int.from_bytes(block[:8])
    return block[8:] + ((first << 1 | first >> 63) % 2**64).to_bytes(8)


def _doubled(mask: int) -> int:
    """Twice an element of GF(2^64), with x^64 + x^4 + x^3 + x + 1."""
    return (mask << 1) % 2**64 ^ (0x1B if mask >> 63 else 0)


def _tripled(mask: int, times: int) -> int:
    for _ in range(times):
        mask ^= _doubled(mask)
    return mask
