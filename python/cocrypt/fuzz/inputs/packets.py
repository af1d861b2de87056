"""Malformed packets of a debugger, one session for each file of them."""

from __future__ import annotations

import contextlib
import socket
import threading
from functools import cache
from pathlib import Path

from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.machine import Machine

SEEDS = Path(__file__).with_name("seeds")
PATIENCE = 3.0
"""Seconds within which the server must end after its client has gone."""


@cache
def _fresh() -> Machine:
    """A machine with an endless loop in its memory."""
    return Machine("picorv32", bytes.fromhex("6f000000"), name="loop", load_address=0)


def _read(path: Path) -> None:
    machine, faults = _fresh().copy(), list[BaseException]()
    ports, listening = list[int](), threading.Event()

    def listens(_host: str, port: int) -> None:
        ports.append(port)
        listening.set()

    def serve() -> None:
        try:
            machine.debug("127.0.0.1", 0, listens)
        except BaseException as error:  # noqa: BLE001 - it is raised where the campaign sees it.
            faults.append(error)
            listening.set()

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    listening.wait()
    if ports:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", ports[0])) as own:
            own.sendall(path.read_bytes())
    server.join(PATIENCE)
    if server.is_alive():
        raise TimeoutError("the server still runs, and its client is gone")
    for fault in faults:
        raise fault


KIND = Kind("packets", lambda: sorted(SEEDS.glob("*.packets")), _read)
