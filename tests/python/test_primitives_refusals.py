"""Primitives refuse what they must, and write nothing then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.primitives import library
from cocrypt.primitives.kinds.blocks import expansion
from cocrypt.primitives.script import Buffer, Step
from hosted import Hosted

if TYPE_CHECKING:
    from cocrypt.primitives.subject import Subject

UNTOUCHED = 0xA5
# A mode is the same code over each implementation of a cipher.
WHOLE_BLOCKS = {
    subject.primitive: subject
    for subject in library.ours()
    if subject.family in ("cbc", "ecb") and not subject.extensions
}.values()


def test_every_block_cipher_has_modes_of_whole_blocks() -> None:
    ciphers = {subject.primitive for subject in library.ours() if subject.kind == "block_cipher"}
    names = {subject.primitive for subject in WHOLE_BLOCKS}
    assert {f"{cipher}_{mode}" for cipher in ciphers for mode in ("cbc", "ecb")} <= names


@pytest.mark.parametrize(
    "subject", [pytest.param(subject, id=subject.name) for subject in WHOLE_BLOCKS]
)
def test_modes_of_whole_blocks_refuse_others(subject: Subject) -> None:
    hosted, block = Hosted(subject), subject.sizes["block"]
    operations = [name for name in ("encrypt", "decrypt") if name in subject.functions]
    for operation in operations:
        for size in (1, block - 1, block + 1, 3 * block - 1, 2 * block, 0):
            keys, key = Buffer(size=hosted.context_size), Buffer(bytes(subject.sizes["key"]))
            first = Step(expansion(subject, operation), {"keys": keys, "key": key})
            iv, text = Buffer(bytes([UNTOUCHED]) * block), Buffer(bytes(size))
            result = Buffer(bytes([UNTOUCHED]) * size)
            second = Step(operation, {"keys": keys, "iv": iv, "text": text, "result": result})
            outcome = hosted.run([first, second])
            is_whole = size % block == 0
            assert outcome.results[second] == (0 if is_whole else -1), (operation, size)
            if not is_whole:
                assert outcome.contents[result] == result.content, (operation, size)
                assert outcome.contents[iv] == iv.content, (operation, size)
