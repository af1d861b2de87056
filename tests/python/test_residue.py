"""That secrets are wiped: no call of a primitive leaves any of them in dead stack or in registers.

Sizes of one algorithm share their code: of each implementation one runs, another one compiled by
-Os than by -O2. Modes and keyed hashes add the same code to every cipher and hash: some stand for
all. Of each family one runs on a Cortex-M4 by -O2, and of a few on a Cortex-M0+ by -Os.
`COCRYPT_RESIDUE=all` asks for everything on all three boards.
"""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.primitives import library
from cocrypt.primitives.measuring import Build, Task
from cocrypt.study import Device
from residue import residue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cocrypt.primitives.subject import Subject

EVERYTHING = os.environ.get("COCRYPT_RESIDUE") == "all"
# Studies are made of these files, or begin with them and compare with them: their cycles and bytes
# are figures that stand, and no function around them knows how deep their stack went.
STUDIED = frozenset(
    {
        "aes128/ref",
        "aes128/tables",
        "aes128/zkne",
        "sha1/ref",
        "sha256/ref",
        "sha256/unrolled",
        "sha256/zknh",
    }
)
# At -Os a Cortex-M0+ calls functions within a round, which return words and so do not tell how
# deep the stack went.
SPILLED = {"rp2040": frozenset({"aria128/fast", "aria192/fast", "aria256/fast", "clefia128/lean"})}
# These wipe what has a name, but their arithmetic has not been followed into registers and the
# nameless places of the stack. Studies are made of `rsa/fast` and of `ecdsa-secp160r1/ref`.
NUMBERS = ("ecdsa", "ecdsa-secp160r1", "rsa", "rsa-toy")


def base(one: Subject) -> str:
    """What a primitive is built over, in its implementation."""
    return f"{one.over or one.primitive}/{one.implementation}"


WIPED = [one for one in library.ours() if one.family not in NUMBERS and base(one) not in STUDIED]
PLAIN = [one for one in WIPED if one.over is None]
OVER = [one for one in WIPED if one.over in ("aes128", "speck64_128", "sha256", "sha3_256")]
FEW = 8
"""Families of which an implementation runs on the smallest core."""


def one_of_each(
    of: Sequence[Subject], group: Callable[[Subject], object], word: str
) -> list[Subject]:
    """One of each group, always the same."""
    draw = Random(word)
    groups: dict[object, list[Subject]] = {}
    for one in of:
        groups.setdefault(group(one), []).append(one)
    return [draw.choice(some) for some in groups.values()]


def chosen(board: str, level: str) -> Sequence[Subject]:
    """What runs on a board, compiled so."""
    spilled = SPILLED.get(board, frozenset())
    if EVERYTHING:
        return [one for one in WIPED if base(one) not in spilled]
    if board == "picorv32":
        each = one_of_each(PLAIN, lambda one: (one.family, one.implementation), level)
        return [*each, *one_of_each(OVER, lambda one: (one.family, one.over), level)]
    plain = [one for one in PLAIN if base(one) not in spilled]
    drawn = one_of_each(plain, lambda one: one.family, board)
    return Random(board).sample(drawn, FEW) if board == "rp2040" else drawn


# Board, optimisation, and how many bytes behind a word messages begin.
BUILDS = [
    ("picorv32", "-O2", 0),
    ("picorv32", "-Os", 1),
    ("stm32f4-24mhz", "-O2", 0),
    ("rp2040", "-Os", 1),
]
CASES = [
    pytest.param(board, level, moved, one, id=f"{board}{level}-{one.name}")
    for board, level, moved in BUILDS
    for one in chosen(board, level)
]


@pytest.mark.parametrize(("board", "level", "moved", "subject"), CASES)
def test_nothing_of_secrets_is_left(board: str, level: str, moved: int, subject: Subject) -> None:
    task = Task(subject, Device.load(board), Build((level,)))
    assert [str(one) for one in residue(task, moved)] == []


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
    """What the cipher above leaves, without some of its lines."""
    text = FORGETFUL
    for line in without:
        assert line in text
        text = text.replace(line, "(void)0;" if line != "wipe_stack(depth);" else "(void)depth;")
    (folder / "forgetful.c").write_text(text)
    (folder / "forgetful.h").write_text(HEADER)
    (folder / "primitive.toml").write_text(DESCRIPTION)
    (subject,) = library.of_file(folder / "primitive.toml")
    return {str(one) for one in residue(Task(subject, Device.load(board), Build(("-O2",))))}


@pytest.mark.parametrize("board", ["picorv32", "stm32f4-24mhz", "rp2040"])
def test_what_is_not_wiped_is_found(board: str, tmp_path: Path) -> None:
    assert left_by(tmp_path, board) == set()
    stack = left_by(tmp_path, board, "wipe_stack(depth);")
    assert any("words of stack" in one and "expand" in one for one in stack)
    registers = left_by(tmp_path, board, "wipe_registers();")
    assert any(" = 0x" in one for one in registers)
    assert not any("stack" in one for one in registers)


def test_what_is_exempt_is_there() -> None:
    names = {one.name for one in library.ours()}
    assert names >= STUDIED.union(*SPILLED.values())
    assert set(NUMBERS) <= {one.family for one in library.ours()}
