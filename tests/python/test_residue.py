"""Secrets are wiped: no call of a primitive leaves any of them in dead stack or in registers.

The sizes of an algorithm share their code: one size of each implementation runs, another one at
-Os than at -O2, and the least size of algorithms that compute with large numbers. Modes and keyed
hashes add the same code to every cipher and hash: some stand for all. One implementation of each
family runs on a Cortex-M4 at -O2, and of a few families on a Cortex-M0+ at -Os; modes and keyed
hashes do so too.
`COCRYPT_RESIDUE=all` asks for everything on all three boards.
"""

from __future__ import annotations

import os
import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.machine import Machine
from cocrypt.primitives import library
from cocrypt.primitives.measuring import Build, Task
from residue import residue, residue_of_operations, residue_of_refusal
from test_primitives import RUNNING, fitting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cocrypt.primitives.subject import Subject

RISCV = "ibex-maxperf"
"""The RISC-V board, for which test_primitives.py compiles the same code."""
EVERYTHING = os.environ.get("COCRYPT_RESIDUE") == "all"
# Keys of 32 bits protect nothing; this family exists for a paper's measurement alone.
TOY = "rsa-toy"
NUMBERS = {"rsa": "rsa512", "ecdsa": "ecdsa_secp192r1"}
"""Families that compute with large numbers, and the least size of each."""
ALIKE = "ecdsa-secp160r1"
"""A family whose slow implementations differ in one product: one of them stands for both."""


def runs(subject: Subject) -> bool:
    """Returns whether a subject runs even if not everything does."""
    return subject.family != TOY and subject.primitive == NUMBERS.get(
        subject.family, subject.primitive
    )


def code_of(subject: Subject) -> tuple[str, str]:
    """The family and, unless its implementations are alike, the implementation: code of its own."""
    return subject.family, "" if subject.family == ALIKE else subject.implementation


OURS = [subject for subject in library.ours() if subject.family != TOY]
PLAIN = [subject for subject in OURS if subject.over is None and runs(subject)]
OVER = [
    subject for subject in OURS if subject.over in ("aes128", "speck64_128", "sha256", "sha3_256")
]
FEW = 8
"""Families of which an implementation runs on the smallest core; as many modes and keyed hashes."""


def one_of_each(
    of: Sequence[Subject], group: Callable[[Subject], object], word: str
) -> list[Subject]:
    """A subject of each group, always the same."""
    draw = Random(word)
    groups: dict[object, list[Subject]] = {}
    for subject in of:
        groups.setdefault(group(subject), []).append(subject)
    return [draw.choice(some) for some in groups.values()]


def device_of(board: str, subject: Subject) -> Device | None:
    """The device that a subject runs on; None where the board cannot have what it needs."""
    if board == RISCV:
        return fitting(subject) if subject in RUNNING else None
    device = Device.load(board)
    return device.extended(subject.extensions) if device.can_have(subject.extensions) else None


def chosen(board: str, level: str) -> Sequence[Subject]:
    """The subjects that run on a board at an optimisation."""
    able = [subject for subject in OURS if device_of(board, subject) is not None]
    if EVERYTHING:
        return able
    plain = [subject for subject in PLAIN if subject in able]
    over = [subject for subject in OVER if subject in able]
    if board == RISCV:
        each = one_of_each(plain, code_of, level)
        return [*each, *one_of_each(over, lambda subject: (subject.family, subject.over), level)]
    drawn = one_of_each(plain, lambda subject: subject.family, board)
    modes = one_of_each(over, lambda subject: subject.family, board)
    return [*(Random(board).sample(drawn, FEW) if board == "rp2040" else drawn), *modes]


# Board, optimisation, and the number of bytes behind a word at which messages begin.
BUILDS = [
    (RISCV, "-O2", 0),
    (RISCV, "-Os", 1),
    ("stm32f4-24mhz", "-O2", 0),
    ("rp2040", "-Os", 1),
]
CASES = [
    pytest.param(board, level, moved, subject, id=f"{board}{level}-{subject.name}")
    for board, level, moved in BUILDS
    for subject in chosen(board, level)
]


@pytest.mark.parametrize(("board", "level", "moved", "subject"), CASES)
def test_nothing_of_secrets_is_left(board: str, level: str, moved: int, subject: Subject) -> None:
    device = device_of(board, subject)
    assert device is not None
    task = Task(subject, device, Build((level,)))
    assert [str(finding) for finding in residue(task, moved)] == []


PORTABLE = [subject for subject in (*PLAIN, *OVER) if not subject.extensions]
SEALING = one_of_each(
    [
        subject
        for subject in PORTABLE
        if subject.kind == "aead" and subject.over in (None, "aes128")
    ],
    lambda subject: (subject.family, subject.implementation if subject.over is None else ""),
    "sealing",
)


@pytest.mark.parametrize(("board", "level"), [(RISCV, "-O2"), ("rp2040", "-Os")])
@pytest.mark.parametrize("subject", SEALING, ids=lambda subject: subject.name)
def test_nothing_is_left_of_a_text_that_is_refused(
    board: str, level: str, subject: Subject
) -> None:
    task = Task(subject, Device.load(board).extended(subject.extensions), Build((level,)))
    assert [str(finding) for finding in residue_of_refusal(task)] == []


@pytest.mark.parametrize("implementation", ["fast", "lean", "small"])
def test_nothing_of_oaep_is_left(implementation: str) -> None:
    """OAEP needs a larger modulus than the one that stands for RSA above."""
    (subject,) = library.named([f"rsa1024/{implementation}"])
    task = Task(subject, Device.load(RISCV), Build(("-O2",)))
    assert [str(finding) for finding in residue_of_operations(task, "oaep")] == []


FORGETFUL = """#include "forgetful.h"
#include "wiping.h"
static void spread(uint32_t words[8], const uint8_t *key)
{
    for (unsigned i = 0; i < 8; i++)
        words[i] = load32_le(key + 4 * (i % 4)) * (2 * i + 1);
}
static NOINLINE uintptr_t sum(KEYS *keys, const uint8_t *key)
{
    volatile uint32_t words[8];
    spread((uint32_t *)words, key);
    keys->sum = 0;
    for (unsigned i = 0; i < 8; i++)
        keys->sum ^= words[i];
    return stack_depth();
}
void forgetful_expand(KEYS *keys, const uint8_t key[16])
{
    uintptr_t depth = sum(keys, key);
    wipe_stack(depth);
    wipe_registers();
}
void forgetful_encrypt(const KEYS *keys, const uint8_t text[4], uint8_t result[4])
{
    store32_le(result, load32_le(text) ^ keys->sum);
    wipe_registers();
}
"""
HEADER = """#include <stdint.h>
typedef struct { uint32_t sum; } KEYS;
void forgetful_expand(KEYS *keys, const uint8_t key[16]);
void forgetful_encrypt(const KEYS *keys, const uint8_t text[4], uint8_t result[4]);
"""
DESCRIPTION = """[primitive]
title = "Forgetful"
kind = "block_cipher"
header = "forgetful.h"
context = "KEYS"
[members.forgetful]
key = 16
block = 4
[implementations.c]
sources = ["forgetful.c"]
include = ["."]
provides = ["expand", "encrypt"]
"""


def left_by(folder: Path, board: str, *without: str) -> set[str]:
    """The findings of the cipher above, without some of its lines."""
    text = FORGETFUL
    for line in without:
        assert line in text
        text = text.replace(line, "(void)0;" if line != "wipe_stack(depth);" else "(void)depth;")
    (folder / "forgetful.c").write_text(text)
    (folder / "forgetful.h").write_text(HEADER)
    (folder / "primitive.toml").write_text(DESCRIPTION)
    (subject,) = library.of_file(folder / "primitive.toml")
    return {str(finding) for finding in residue(Task(subject, Device.load(board), Build(("-O2",))))}


@pytest.mark.parametrize("board", ["picorv32", "stm32f4-24mhz", "rp2040"])
def test_what_is_not_wiped_is_found(board: str, tmp_path: Path) -> None:
    assert left_by(tmp_path, board) == set()
    stack = left_by(tmp_path, board, "wipe_stack(depth);")
    assert any("words of stack" in finding and "expand" in finding for finding in stack)
    registers = left_by(tmp_path, board, "wipe_registers();")
    assert any(" = 0x" in finding for finding in registers)
    assert not any("stack" in finding for finding in registers)


# Functions that claim the stack that others take, and patterns of the names of the latter.
ROOMS: dict[str, dict[str, tuple[str, ...]]] = {
    "sha1/ref": {"room": ("studied.*",)},
    "rsa512": {
        "room_public": ("rsa512_raw_public",),
        "room_private": ("rsa512_raw_private",),
        "room_crt": ("blinded", "rsa512_raw_private_crt"),
        "room_implicit": ("derive", "expand", "hmac", "make_up", "made_length", "rsa512_sha256"),
    },
    "rsa1024": {"room_oaep": ("mask", "rsa1024_sha256")},
    "ecdsa_secp192r1/small": {"room": ("multiply", "ecdsa_secp192r1_.*")},
    "ecdsa_secp192r1/lean": {"room": ("ecdsa_secp192r1_.*",)},
    "ecdsa_secp192r1/fast": {
        "room_base": ("commitment", "ecdsa_secp192r1_base_multiply"),
        "room_any": ("ecdsa_secp192r1_point.*",),
    },
    **{
        f"ecdsa_secp160r1/{implementation}": {
            f"room_{operation}": (f"ecdsa_secp160r1_raw_{operation}",) for operation in operations
        }
        for implementation, operations in (
            ("ref", ("public", "sign", "shared")),
            ("fold", ("public", "sign", "shared")),
            ("blinded", ("public", "shared")),
        )
    },
    "clefia128/lean": {"clefia_room": ("clefia_f",)},
}
# Builds that take most stack: few registers, and compilers that inline much.
DEEPEST = [
    ("rp2040", "zig", "-O2"),
    ("rp2040", "arm-none-eabi-gcc", "-Os"),
    ("stm32f4-24mhz", "arm-none-eabi-gcc", "-O2"),
    ("picorv32", "riscv64-unknown-elf-gcc", "-O2"),
]


@pytest.mark.long
@pytest.mark.parametrize(("board", "compiler", "level"), DEEPEST)
def test_rooms_are_as_deep_as_what_they_are_for(
    board: str, compiler: str, level: str, need_tool: Callable[[str], str]
) -> None:
    """The stack that is claimed and cleared suffices for all that can be taken, without a run."""
    name = compiler if compiler == "zig" else need_tool(compiler)
    compared = 0
    for word, rooms in ROOMS.items():
        for subject in library.named([word]):
            claimed = depths(subject, "stm32f4-24mhz", Build(("-O2",)))
            taken = depths(subject, board, Build((level,), name))
            for room, patterns in rooms.items():
                matching = {
                    function: taken[function]
                    for function in taken
                    if re.fullmatch("|".join(patterns), function)
                }
                assert max(matching.values(), default=0) <= claimed[room], (
                    subject.name,
                    room,
                    matching,
                )
                compared += len(matching)
    assert compared > len(ROOMS)


def depths(subject: Subject, board: str, build: Build) -> dict[str, int]:
    """The stack bounds in bytes of functions, except those that are called from outside and wipe.

    A frame that a Cortex-M0+ allocates by a register has no known bound and is left out.
    """
    device = Device.load(board)
    machine = Machine(device, Task(subject, device, build).images.callable())
    outside = {function.name for function in subject.functions.values()}
    bounds = {
        symbol["name"]: machine.native.stack_bound(symbol["address"])
        for symbol in machine.info["symbols"]
        if symbol["kind"] == "function" and symbol["name"] not in outside
    }
    return {name: depth for name, depth in bounds.items() if depth is not None}
