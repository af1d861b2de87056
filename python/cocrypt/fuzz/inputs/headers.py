"""The header that describes a folder in SUPERCOP's form."""

from __future__ import annotations

from pathlib import Path

from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.primitives import foreign


def _read(path: Path) -> None:
    foreign.folder(path.parent)


KIND = Kind("headers", lambda: [Path(__file__).parent / "seeds/crypto_aead/api.h"], _read)
