"""Secrets of a subroutine, followed through a call as `cocrypt leak ct` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.following import Secret, Start, follow
from cocrypt.primitives.vectors import unhex
from cocrypt.subroutines.calling import BLOCK

if TYPE_CHECKING:
    from cocrypt.primitives.secrecy import Finding
    from cocrypt.subroutines.calling import Caller

TIMING = ("branch", "jump", "time")
"""Kinds of findings that change the time. Addresses do not: these cores have no cache."""


def secret_timing(caller: Caller, operation: str) -> tuple[Finding, ...]:
    """The instructions of an operation whose time depends on key or text.

    The call is that of the first official vector. Behind a branch that secrets decide, only those
    on its path are found, and not what it decides; so the tuple may lack some, but is empty only if
    there are none.
    """
    subroutine = caller.subroutine
    vector = subroutine.vectors()["encrypt"][0]
    key, text = unhex(vector, "key"), unhex(vector, "text")
    machine = caller.before(caller.block(operation, key, text))
    secrets = [
        Secret("key", BLOCK + subroutine.key, len(key)),
        Secret("text", BLOCK, len(text)),
    ]
    followed = follow(machine, secrets, Start())
    return tuple(finding for finding in followed.findings if finding.kind in TIMING)
