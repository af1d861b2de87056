"""Secrets of a subroutine, followed through a call, for `cocrypt leak ct`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.following import Secret, Start, follow
from cocrypt.subroutines.calling import BLOCK

if TYPE_CHECKING:
    from cocrypt.following import FollowedRun
    from cocrypt.primitives.secrecy import Finding
    from cocrypt.subroutines.calling import Caller

TIMING = ("branch", "jump", "time")
"""Kinds of findings that change the time. Addresses do not: these cores have no cache."""


def followed(caller: Caller, operation: str) -> FollowedRun:
    """An operation from its call to its return, with the parameter block's secrets followed.

    The call is that of the caller's example.
    """
    parts = caller.secrets(operation)
    secrets = [Secret(name, BLOCK + place, size) for name, (place, size) in parts.items()]
    return follow(caller.before(caller.example(operation)), secrets, Start())


def secret_timing(caller: Caller, operation: str) -> tuple[Finding, ...]:
    """The instructions of an operation whose time depends on the parameter block's secrets.

    Behind a branch that secrets decide, only those on its path are found, and not what it decides;
    so the tuple may lack some, but is empty only if there are none.
    """
    findings = followed(caller, operation).findings
    return tuple(finding for finding in findings if finding.kind in TIMING)
