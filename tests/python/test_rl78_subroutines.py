"""Subroutines for RL78: results against another library, sizes and stack, recorded images."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

import rl78_campaign
from cocrypt.errors import InputError, ProgramError
from cocrypt.primitives.vectors import unhex
from cocrypt.subroutines import (
    Caller,
    Cipher,
    CipherCaller,
    Hash,
    HashCaller,
    Subroutine,
    images,
    subroutines,
)
from cocrypt.subroutines.calling import PAINTS, RAM, STACK, START
from cocrypt.subroutines.images import assembled, code, read_record, source_hash, tool
from oracles import RECORDED, Oracles, built, recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ALL = {subroutine.title: subroutine for subroutine in subroutines()}
CIPHERS = {title: found for title, found in ALL.items() if isinstance(found, Cipher)}
HASHES = {title: found for title, found in ALL.items() if isinstance(found, Hash)}
BUDGETS = {
    "aes128/encrypt_least": (486, 128),
    "aes128/both_least": (970, 128),
    "aes128/both_least_64": (883, 64),
    "aes128/encrypt_computed": (232, 64),
    "aes128/both_computed": (319, 64),
    "aes128/both_512": (512, 64),
    "present80/encrypt_least": (210, 64),
    "present80/both_512": (512, 64),
    "present80/encrypt_512": (512, 64),
    "present80/encrypt_1024": (1024, 64),
    "present80/both_1024": (1024, 64),
    "present80/both_2048": (2048, 64),
    "aes128/encrypt_512": (512, 128),
    "aes128/encrypt_512_64": (512, 64),
    "aes128/encrypt_1024": (1024, 64),
    "aes128/both_1024": (1024, 128),
    "aes128/both_1024_64": (1024, 64),
    "aes128/both_2048": (2048, 64),
    "camellia128/encrypt_1024": (1024, 128),
    "camellia128/encrypt_512": (512, 128),
    "camellia128/encrypt_least": (451, 128),
    "camellia128/both_512": (512, 128),
    "camellia128/both_1024": (1024, 128),
    "camellia128/both_2048": (2048, 128),
    "camellia128/encrypt_2048": (2048, 64),
    "clefia128/encrypt_1024": (1024, 128),
    "clefia128/encrypt_512": (512, 128),
    "clefia128/both_512": (512, 128),
    "clefia128/both_1024": (1024, 128),
    "clefia128/both_2048": (2048, 128),
    "clefia128/encrypt_2048": (2048, 64),
    "keccak256/hash256_least": (453, 512),
    "keccak256/hash256_512": (512, 512),
    "keccak256/hash256_1024": (1024, 512),
    "keccak256/hash256_2048": (2048, 512),
    "keccak256/hash256_fast": (2214, 512),
    "keccak512/hash512_least": (453, 512),
    "keccak512/hash512_512": (512, 512),
    "keccak512/hash512_1024": (1024, 512),
    "keccak512/hash512_2048": (2048, 512),
    "sha256/hash_1024": (1024, 256),
    "sha256/hash_2048": (2048, 256),
    "sha512/hash_2048": (2048, 512),
    "sha512/hash_2048_256": (2048, 256),
    "sha256/hash_512": (512, 256),
    "sha512/hash_512": (512, 512),
    "sha512/hash_1024": (1024, 512),
    "groestl256/hash256_least": (315, 256),
    "groestl256/hash256_512_256": (512, 256),
    "groestl256/hash256_512": (512, 512),
    "groestl256/hash256_1024": (1024, 256),
    "groestl256/hash256_2048": (2048, 256),
    "groestl512/hash512_least": (320, 512),
    "groestl512/hash512_512": (512, 512),
    "groestl512/hash512_1024": (1024, 512),
    "groestl512/hash512_2048": (2048, 512),
    "skein256/hash256_least": (351, 128),
    "skein256/hash256_512": (512, 256),
    "skein256/hash256_1024": (1024, 256),
    "skein256/hash256_2048": (2048, 256),
    "skein512/hash512_least": (375, 256),
    "skein512/hash512_512": (512, 256),
    "skein512/hash512_1024": (1024, 256),
    "skein512/hash512_2048": (2048, 256),
}
"""Bytes of ROM and RAM that each is written for."""
BLOCKS = int(os.environ.get("COCRYPT_RL78_BLOCKS", "12"))
"""Random blocks of each subroutine; 1,000 take some minutes."""
MANY = 1000
"""As many take vectors of a million bytes along, and as many messages of slow hash functions."""
SLOW = {
    "sha256/hash_512",
    "sha512/hash_512",
    "groestl256/hash256_least",
    "groestl512/hash512_least",
}
"""These take millions of cycles for a block."""
OUTPUT_SECTION = re.compile(r"^(\.\S+)\s+0x[0-9a-f]+\s+(0x[0-9a-f]+)", re.MULTILINE)
"""Name and size of a section of the program in a map of GNU ld."""


@cache
def cipher_caller(title: str) -> CipherCaller:
    return CipherCaller(CIPHERS[title])


@cache
def hash_caller(title: str) -> HashCaller:
    return HashCaller(HASHES[title])


def caller(title: str) -> Caller:
    return cipher_caller(title) if title in CIPHERS else hash_caller(title)


def last_key(subroutine: Cipher, block: bytes) -> bytes:
    assert subroutine.last_key is not None
    return block[subroutine.last_key : subroutine.last_key + sizes(subroutine)[0]]


def sizes(subroutine: Cipher) -> tuple[int, int]:
    """Bytes of key and text."""
    vector = subroutine.vectors()["encrypt"][0]
    return len(unhex(vector, "key")), len(unhex(vector, "text"))


@pytest.fixture(scope="module")
def oracles() -> Iterator[Oracles]:
    opened = Oracles(built(), lambda name: pytest.fail(f"no package has {name}"))
    yield opened
    opened.close()


def check(title: str, key: bytes, text: bytes, result: bytes) -> None:
    """Encrypts, and decrypts by each way that the subroutine has."""
    found, call = cipher_caller(title).crypt("encrypt", key, text)
    assert found == result
    operations = CIPHERS[title].operations
    if "decrypt" in operations:
        assert cipher_caller(title).crypt("decrypt", key, result)[0] == text
    if "decrypt_last" in operations:
        last = last_key(CIPHERS[title], call.block)
        assert cipher_caller(title).crypt("decrypt_last", last, result)[0] == text
    if "decrypt_again" in operations:
        assert cipher_caller(title).crypt("decrypt_again", key, result)[0] == text


@pytest.mark.parametrize("title", CIPHERS)
def test_official_vectors(title: str) -> None:
    vectors = CIPHERS[title].vectors()["encrypt"]
    assert vectors
    for vector in vectors:
        check(title, unhex(vector, "key"), unhex(vector, "text"), unhex(vector, "result"))


@pytest.mark.parametrize("title", HASHES)
def test_official_vectors_of_hash_functions(title: str) -> None:
    answers = HASHES[title].answers(repeated=BLOCKS >= MANY)
    assert answers
    for message, digest in answers:
        assert hash_caller(title).digest(message)[0] == digest


@pytest.mark.parametrize("title", CIPHERS)
def test_random_blocks_against_another_library(title: str, oracles: Oracles) -> None:
    for key, text, result in random_blocks(CIPHERS[title], oracles):
        check(title, key, text, result)


def random_blocks(subroutine: Cipher, oracles: Oracles) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Keys, texts and results of another library, or those that one made earlier."""
    if subroutine.member in RECORDED:
        yield from recorded(subroutine.member)[:BLOCKS]
        return
    draw = Random(subroutine.title)
    key_bytes, text_bytes = sizes(subroutine)
    encrypt = oracles.blocks(subroutine.member)
    for _ in range(BLOCKS):
        key, text = draw.randbytes(key_bytes), draw.randbytes(text_bytes)
        yield key, text, encrypt(key, text)


@pytest.mark.parametrize("title", HASHES)
def test_random_messages_against_another_library(title: str, oracles: Oracles) -> None:
    draw = Random(title)
    digest = oracles.hash(HASHES[title].member)
    block = hash_caller(title).padding.block
    for _ in range(1 if title in SLOW and BLOCKS < MANY else BLOCKS):
        message = draw.randbytes(draw.randrange(2 * block))
        assert hash_caller(title).digest(message)[0] == digest(message)


@pytest.mark.parametrize(
    "title", [title for title in HASHES if title.startswith(("sha", "keccak", "skein"))]
)
def test_the_time_of_all_but_groestl_does_not_depend_on_data(title: str) -> None:
    draw = Random(title)
    called = hash_caller(title)
    for operation in HASHES[title].operations:
        parts = [draw.randbytes(called.padding.block) for _ in range(2)]
        value = draw.randbytes(len(called.padding.initial))
        blocks = [called.parameters(operation, value, part, 0) for part in parts]
        assert len({called.call(block).cycles for block in blocks}) == 1


@pytest.mark.parametrize("bits", [256, 512])
def test_keccak_with_another_padding_is_sha3(bits: int, oracles: Oracles) -> None:
    called = HashCaller(HASHES[f"keccak{bits}/hash{bits}_2048"])
    keccak = called.padding

    def pad(message: bytes) -> bytes:
        padded = bytearray(keccak.pad(message))
        padded[len(message)] ^= 0x01 ^ 0x06
        return bytes(padded)

    called.padding = replace(keccak, pad=pad)
    assert called.digest(b"abc")[0] == oracles.hash(f"sha3_{bits}")(b"abc")


@pytest.mark.parametrize("title", ALL)
def test_sizes_are_within_the_budgets(title: str) -> None:
    rom, ram = BUDGETS[title]
    assert caller(title).rom <= rom
    assert caller(title).ram <= ram
    # A return address of four bytes, and HL, unless it is in another bank.
    assert caller(title).stack >= (4 if ALL[title].banks else 6)


@pytest.fixture(scope="module")
def simulator(
    need_part: Callable[[str, str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The program that calls subroutines in the GNU simulator."""
    folder = need_part("rl78-elf", "simulator")
    return rl78_campaign.harness("call", folder, tmp_path_factory.mktemp("harness"))


@pytest.mark.parametrize("title", ALL)
def test_a_call_changes_the_bytes_of_ram_that_it_does_in_the_simulator(
    title: str, simulator: Path
) -> None:
    """The stack is that of memory painted there."""
    called, operations = caller(title), list(ALL[title].operations)
    cases = [(operation, paint) for operation in operations for paint in PAINTS]
    pairs = [called.painted(*case) for case in (cases[:2] if title in SLOW else cases)]
    lines = [called.image.hex(), *(before.hex() for before, _ in pairs)]
    words = [str(place) for place in (START, called.behind, RAM, STACK)]
    printed = subprocess.run(
        [simulator, *words], input="\n".join(lines), text=True, capture_output=True, check=True
    ).stdout.split()
    theirs = [bytes.fromhex(line) for line in printed]
    assert theirs == [after for _, after in pairs]
    depths = [
        called.deepest(before, after) for (before, _), after in zip(pairs, theirs, strict=True)
    ]
    assert max(depths) == called.stack


@pytest.mark.usefixtures("rl78_binutils")
@pytest.mark.parametrize("title", ALL)
def test_rom_is_that_of_the_linkers_map(title: str, tmp_path: Path) -> None:
    """The map has no variables, so that all RAM is the parameter block and the stack.

    With --relax the linker returns the room for stubs of far calls, of which there are none. Its
    own script marks the end of the stack by four bytes.
    """
    names = ("a.o", "a.map", "a.elf")
    objects, written_map, program = (tmp_path / name for name in names)
    subroutine = ALL[title]
    source = subroutine.folder / subroutine.source
    for words in (
        (tool("as"), *images.AS, "-I", subroutine.folder, "-o", objects, source),
        (tool("ld"), *images.LD, "--relax", "-Map", written_map, "-o", program, objects),
    ):
        subprocess.run([str(word) for word in words], check=True)
    rows = OUTPUT_SECTION.findall(written_map.read_text("utf-8"))
    taken = {name: int(size, 16) for name, size in rows if int(size, 16)}
    assert taken == {".text": caller(title).rom, ".stack": 4}


def test_a_subroutine_that_writes_behind_its_block_is_refused() -> None:
    whole = CIPHERS["aes128/encrypt_1024"]
    with pytest.raises(ProgramError, match="changes memory outside of its block"):
        _ = CipherCaller(replace(whole, block=whole.block - 2)).stack


def test_a_subroutine_that_changes_another_bank_is_refused() -> None:
    whole = HASHES["sha512/hash_2048_256"]
    with pytest.raises(ProgramError, match="changes register bank 1"):
        HashCaller(replace(whole, banks=())).digest(b"abc")


def written(folder: Path, text: str) -> Subroutine:
    """A subroutine whose source has this text."""
    whole = ALL["aes128/encrypt_1024"]
    (folder / "code.S").write_text(text, encoding="utf-8")
    (folder / "table.inc").write_text(" .byte 1\n", encoding="utf-8")
    return replace(whole, folder=folder, name="code", source="code.S")


@pytest.mark.parametrize("name", ["AS", "LD", "OBJCOPY"])
def test_the_hash_covers_the_arguments_of_the_tools(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    subroutine = ALL["aes128/encrypt_1024"]
    before = source_hash(subroutine)
    monkeypatch.setattr(images, name, (*getattr(images, name), "-v"))
    assert source_hash(subroutine) != before


def test_the_origin_is_among_the_arguments() -> None:
    assert f"-Ttext={images.ORIGIN:#x}" in images.LD


@pytest.mark.parametrize("line", [' .include "table.inc"', 'table: .INCLUDE "table.inc"'])
def test_the_hash_covers_included_files(line: str, tmp_path: Path) -> None:
    subroutine = written(tmp_path, f" ret\n{line}\n")
    before = source_hash(subroutine)
    (tmp_path / "table.inc").write_text(" .byte 2\n", encoding="utf-8")
    assert source_hash(subroutine) != before


@pytest.mark.parametrize("line", [' .incbin "table.bin"', 'table: .INCBIN "table.bin"'])
def test_a_source_with_incbin_is_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has \.incbin"):
        source_hash(written(tmp_path, f" ret\n{line}\n"))
    source_hash(written(tmp_path, " ret ; no .incbin here\n"))


@pytest.mark.parametrize("title", ALL)
def test_the_recorded_image_is_that_of_the_sources(title: str) -> None:
    assert read_record(ALL[title])["sources"] == source_hash(ALL[title])


@pytest.mark.usefixtures("rl78_binutils")
@pytest.mark.parametrize("title", ALL)
def test_the_assembler_makes_the_recorded_image(title: str) -> None:
    assert assembled(ALL[title]) == code(ALL[title])
