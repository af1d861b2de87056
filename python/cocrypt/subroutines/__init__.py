"""Primitives as single subroutines in assembly, which get the address of a parameter block.

They are in folders `rl78` of the primitives, with their assembled images.
"""

from cocrypt.subroutines.calling import Call, Caller
from cocrypt.subroutines.catalogue import Cipher, Hash, Subroutine, subroutines
from cocrypt.subroutines.ciphers import CipherCaller
from cocrypt.subroutines.hashes import HashCaller
from cocrypt.subroutines.images import code
from cocrypt.subroutines.measuring import Measured, caller_of, measure
from cocrypt.subroutines.secrecy import followed, secret_timing

__all__ = [
    "Call",
    "Caller",
    "Cipher",
    "CipherCaller",
    "Hash",
    "HashCaller",
    "Measured",
    "Subroutine",
    "caller_of",
    "code",
    "followed",
    "measure",
    "secret_timing",
    "subroutines",
]
