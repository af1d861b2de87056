"""Ends tools of the host together with all that they have started."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress

GRACE = 5.0
"""Seconds between the request to end and the end by force."""


def end_session(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> None:
    """Ends a process that began a session of its own, and all processes of that session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
            break
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
