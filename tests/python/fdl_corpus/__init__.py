"""Designs in the style of what people write in FDL, made by parameters, with independent results.

A design has no inputs, so that it runs by itself; `results` are values that its outputs have in a
cycle, computed here, by other libraries, or published as test vectors.
"""

from __future__ import annotations

from fdl_corpus import arrays, blocks, chips, ciphers, courses, numbers, pipelines, systems
from fdl_corpus.design import Design

__all__ = ["DESIGNS", "Design"]

DESIGNS: list[Design] = [
    *numbers.designs(),
    *ciphers.designs(),
    *courses.designs(),
    *pipelines.designs(),
    *systems.designs(),
    *blocks.designs(),
    *arrays.designs(),
    *chips.designs(),
]
