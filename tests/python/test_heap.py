"""The heap of a study does what a model on the host does, to the byte."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from cocrypt import paths
from cocrypt.builder import Builder
from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.measurement import require_clean, run
from cocrypt.partition import partition
from cocrypt.study import Study

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAP, SLOTS, STEPS = 512, 8, 200
WORDS = {"picorv32": 4, "serv": 4, "stm32f0": 4, "sa1110": 4, "atmega2560": 2}
MALLOC, CALLOC, REALLOC, FREE = range(4)
NONE = 0xFFFF

STUDY = """[study]
name = "heap"
title = "Heap"
device = "{device}"
{heap}
[toolchain]
compiler = "{compiler}"
flags = ["-Os"]
[[workload]]
name = "w"
title = "W"
source = "main.c"
output = "output"
expect = "{expect}"
"""
# After each step it stores the memory's offset from the first allocation, and the bytes in use.
MAIN = """#include <cocrypt/heap.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static const uint16_t steps[][3] = {{ {steps} }};
enum {{ STEPS = sizeof steps / sizeof *steps, SLOTS = {slots} }};
uint16_t output[2 * STEPS + 1];
static uint8_t *memory[SLOTS];
static uint16_t sizes[SLOTS];

static int differs(const uint8_t *from, uint8_t byte, uint16_t size)
{{
    for (uint16_t i = 0; i < size; i++) {{
        if (from[i] != byte) {{
            return 1;
        }}
    }}
    return 0;
}}

int main(void)
{{
    uint8_t *start = malloc(1);
    free(start);
    for (uint16_t at = 0; at < STEPS; at++) {{
        uint16_t kind = steps[at][0], slot = steps[at][1], size = steps[at][2];
        uint8_t mine = (uint8_t)(slot + 1), *found = NULL;
        if (differs(memory[slot], mine, sizes[slot])) {{
            return 1;
        }}
        switch (kind) {{
        case 0: found = malloc(size); break;
        case 1: found = calloc(size, 3); break;
        case 2: found = realloc(memory[slot], size); break;
        default: free(memory[slot]); break;
        }}
        uint16_t whole = kind == 1 ? 3 * size : size;
        uint16_t kept = size < sizes[slot] ? size : sizes[slot];
        if (found != NULL && kind == 1 && differs(found, 0, whole)) {{
            return 2;
        }}
        if (found != NULL && kind == 2 && differs(found, mine, kept)) {{
            return 3;
        }}
        if (found != NULL || kind == 3) {{
            memory[slot] = found;
            sizes[slot] = found == NULL ? 0 : whole;
        }}
        if (found != NULL) {{
            memset(found, mine, whole);
        }}
        output[2 * at]     = found == NULL ? 0xffff : (uint16_t)(found - start);
        output[2 * at + 1] = (uint16_t)cocrypt_heap_used();
    }}
    output[2 * STEPS] = (uint16_t)cocrypt_heap_peak();
    return 0;
}}
"""


@dataclass
class Model:
    """A model of the heap: intervals, each placed in the first gap that is large enough."""

    word: int
    taken: dict[int, int] = field(default_factory=dict)
    peak: int = 0

    def __post_init__(self) -> None:
        self.end = (HEAP - self.word) // (2 * self.word) * (2 * self.word)

    def whole(self, size: int) -> int:
        """The bytes that an allocation of this size takes with its header."""
        return -(-(size + self.word) // (2 * self.word)) * (2 * self.word)

    def gap(self, address: int) -> int:
        """The bytes that are free from an address on."""
        return min([start for start in self.taken if start >= address], default=self.end) - address

    def take(self, size: int) -> int | None:
        """Allocates memory; returns its address, or None."""
        ends = sorted(start + length for start, length in self.taken.items())
        for address in [0, *ends]:
            if address not in self.taken and self.gap(address) >= self.whole(size):
                self.set(address, size)
                return address
        return None

    def set(self, address: int, size: int) -> None:
        """Marks memory of this size at an address as taken."""
        self.taken[address] = self.whole(size)
        self.peak = max(self.peak, self.used)

    def grow(self, address: int, size: int) -> int | None:
        """Resizes memory; returns its new address, or None."""
        before = self.taken.pop(address)
        if self.gap(address) >= self.whole(size):
            self.set(address, size)
            return address
        self.taken[address] = before
        moved = self.take(size)
        if moved is not None:
            del self.taken[address]
        return moved

    @property
    def used(self) -> int:
        """Bytes that are taken."""
        return sum(self.taken.values())


def steps(draw: random.Random, model: Model) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Random calls, and the results that they leave."""
    slots: dict[int, int] = {}
    calls, answers = [], []
    for _ in range(STEPS):
        slot, size = draw.randrange(SLOTS), draw.choice([0, 1, 7, 8, 9, 20, 60, 170])
        kind = draw.choice([REALLOC, REALLOC, FREE]) if slot in slots else draw.randrange(4)
        address: int | None = None
        if kind == FREE:
            model.taken.pop(slots.pop(slot, -1), None)
        elif kind == REALLOC and slot in slots:
            address = model.grow(slots[slot], size)
        else:
            address = model.take(3 * size if kind == CALLOC else size)
        if address is not None:
            slots[slot] = address
        calls.append((kind, slot, size))
        answers += [NONE if address is None else address, model.used]
    return calls, answers


def built(folder: Path, device: str, main: str, expect: str, heap: str) -> Study:
    """A study with a heap."""
    compiler = "avr-gcc" if device == "atmega2560" else "zig"
    heap = f'heap = "{heap}"' if heap else ""
    text = STUDY.format(device=paths.device(device), compiler=compiler, expect=expect, heap=heap)
    (folder / "study.toml").write_text(text)
    (folder / "main.c").write_text(main)
    return Study.load(folder / "study.toml")


@pytest.mark.parametrize("device", WORDS)
def test_it_does_what_the_model_does(
    tmp_path: Path, device: str, need_tool: Callable[[str], str]
) -> None:
    if device == "atmega2560":
        need_tool("avr-gcc")
    for seed in range(3):
        draw, model = random.Random(seed), Model(WORDS[device])
        model.peak = model.whole(1)
        calls, answers = steps(draw, model)
        assert answers.count(NONE) > 10, "the heap is exhausted now and then"
        expect = b"".join(word.to_bytes(2, "little") for word in [*answers, model.peak])
        rows = ", ".join(f"{{ {kind}, {slot}, {size} }}" for kind, slot, size in calls)
        main = MAIN.format(steps=rows, slots=SLOTS)
        study = built(tmp_path, device, main, expect.hex(), f"{HEAP} B")
        (image,) = Builder(study).build([(study.workload(), partition(study, ()))])
        ended = run(study.device, image.image, "heap")
        require_clean(ended)
        output = ended.output("output", len(expect))
        assert output == expect


SMALL = """#include <stdlib.h>
unsigned char output[1];
int main(void)
{
    if (malloc((size_t)-1) || calloc((size_t)-1 / 2, 4) || calloc(4, (size_t)-1 / 2)) {
        return 1;
    }
    char *piece = malloc(4);
    if (piece == NULL || malloc(1) != NULL || realloc(piece, (size_t)-1) != NULL) {
        return 2;
    }
    free(NULL);
    free(piece);
    output[0] = malloc(1) == piece;
    return 0;
}
"""


@pytest.mark.parametrize("device", ["picorv32", "stm32f0"])
def test_its_bytes_are_those_that_the_study_says(tmp_path: Path, device: str) -> None:
    """A heap adds only itself and two counting words to writable memory."""
    sizes = []
    for size in (16, 1016):
        study = built(tmp_path, device, SMALL, "01", f"{size} B")
        (image,) = Builder(study).build([(study.workload(), partition(study, ()))])
        ended = run(study.device, image.image, "small")
        if size == 16:
            require_clean(ended)
            assert ended.output("output", 1) == b"\x01"
        segments = [segment for segment in ended.info["segments"] if segment["writable"]]
        symbols = {symbol["name"]: symbol["size"] for symbol in ended.info["symbols"]}
        assert symbols["heap"] == size
        assert symbols["used"] + symbols["peak"] == 8
        sizes.append(sum(segment["size"] for segment in segments))
    assert sizes[1] - sizes[0] == 1000


def test_a_heap_that_has_no_room_is_named(tmp_path: Path) -> None:
    study = built(tmp_path, "picorv32", SMALL, "01", "1 MiB")
    with pytest.raises(DoesNotFitError) as caught:
        Builder(study).build([(study.workload(), partition(study, ()))])
    assert "`heap` of heap.c (1,048,576 bytes)" in str(caught.value.help)


def test_without_a_heap_the_field_is_named(tmp_path: Path) -> None:
    main = "void *malloc(unsigned);\nint output;\nint main(void) { return malloc(4) != 0; }\n"
    study = built(tmp_path, "picorv32", main, "01", "")
    with pytest.raises(InputError) as caught:
        Builder(study).build([(study.workload(), partition(study, ()))])
    assert 'heap = "4 KiB"' in str(caught.value.help)
