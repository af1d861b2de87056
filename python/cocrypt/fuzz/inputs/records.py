"""Known answers in NIST's and SUPERCOP's forms; a seed has the name of its subject."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt.fuzz.inputs.checked import check
from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.primitives import foreign, library
from cocrypt.primitives.subject import Function

if TYPE_CHECKING:
    from cocrypt.primitives.subject import Subject

SEEDS = Path(__file__).with_name("seeds")
SIZE = 8
"""Bytes of each random value of SUPERCOP's schemes."""


def _read(path: Path) -> None:
    check(replace(_subject(path.stem), vectors=(path,)))


@cache
def _subject(name: str) -> Subject:
    """A primitive of ours, or a scheme of SUPERCOP by its kind."""
    for interface in foreign.INTERFACES:
        if interface.kind == name:
            (ours, *_) = library.ours()
            functions = {name: Function(*words) for name, words in interface.functions.items()}
            sizes = dict.fromkeys(interface.sizes, SIZE)
            return replace(ours, kind=name, sizes=sizes, functions=functions, discovered=True)
    return library.named([name])[0]


KIND = Kind("records", lambda: sorted(SEEDS.glob("*.rsp")), _read)
