"""Tasks in several processes, and how they end."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cocrypt.errors import Exit

SCRIPT = """
import os, subprocess, sys
from pathlib import Path

sys.path[:0] = {path!r}
from cocrypt.errors import guard
from cocrypt.primitives import running

def work(task):
    tool = subprocess.Popen(["sleep", "300"])
    Path(f"{{task}}.writing").write_text(str(tool.pid))
    Path(f"{{task}}.writing").rename(f"{{task}}.tool")
    tool.wait()

if __name__ == "__main__":
    sys.exit(guard(lambda: running.run_all(list(range(running.FEW + 1)), work, 2) and 0))
"""


def is_asleep(number: str) -> bool:
    """Returns whether the process with this number is a tool of the script."""
    try:
        return b"sleep" in (Path("/proc") / number / "cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_processes_end_with_what_they_started(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(path=sys.path))
    process = subprocess.Popen(
        [sys.executable, script.name], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    for _ in range(600):
        if len(tools := list(tmp_path.glob("*.tool"))) == 2 or process.poll() is not None:
            break
        time.sleep(0.1)
    numbers = [tool.read_text() for tool in tools]
    assert len(numbers) == 2
    assert all(is_asleep(number) for number in numbers)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == Exit.INTERRUPTED, said
    assert not any(is_asleep(number) for number in numbers)
