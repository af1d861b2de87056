"""Primitives as single subroutines in assembly, which get the address of a parameter block.

They are in folders `rl78` of the primitives, with their assembled images.
"""

from cocrypt.subroutines.calling import Call, Caller
from cocrypt.subroutines.catalogue import Subroutine, subroutines
from cocrypt.subroutines.images import code
from cocrypt.subroutines.secrecy import secret_timing

__all__ = ["Call", "Caller", "Subroutine", "code", "secret_timing", "subroutines"]
