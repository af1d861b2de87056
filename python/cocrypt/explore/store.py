"""The store of simulated outcomes in one file, so that nothing is simulated twice."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakSet

from cocrypt import paths
from cocrypt.cache import locked
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.explore.simulation import Outcome

Result = TypeVar("Result")
SCHEMA = "CREATE TABLE IF NOT EXISTS simulated (key TEXT PRIMARY KEY, value TEXT, sha256 TEXT)"
OURS = 0x436F4372
"""SQLite's `application_id` in our files: "CoCr"."""
MAGIC = b"SQLite format 3\0"
HEAD = 72
"""Bytes up to the end of `application_id` (SQLite's "Database File Format", section 1.3)."""
FORMER = {"outcome", "simulated"}
"""The tables of files from before there was an `application_id`."""
PATIENCE = 60.0
"""Seconds that one exploration waits for another that is writing."""
OPEN: WeakSet[Store] = WeakSet()
"""The stores that this process has open."""


class Store:
    """Outcomes by their jobs' keys, in an SQLite file; each is safe on disk once it is stored.

    An outcome with a wrong checksum counts as absent. A broken file in the cache is replaced; a
    file that the user names never is, and is written to only if it is a store. Raises `HostError`
    if the file cannot be used, `InputError` if it is no store.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.is_cache = path is None
        self.path = path or paths.cache() / "outcomes.sqlite"
        self.database = self._healed(self._open)
        OPEN.add(self)

    def __del__(self) -> None:
        """Closes the file at once; a connection alone would stay until garbage is collected."""
        self._drop()

    def get(self, key: str) -> Outcome | None:
        """An outcome; None if it is not stored."""

        def find() -> tuple[str, str] | None:
            words = "SELECT value, sha256 FROM simulated WHERE key = ?"
            row: tuple[str, str] | None = self.database.execute(words, (key,)).fetchone()
            return row

        row = self._healed(find)
        if row is None or row[1] != _sum(key, row[0]):
            return None
        outcome: Outcome = json.loads(row[0])
        return outcome

    def put(self, key: str, outcome: Outcome) -> None:
        """Stores an outcome."""
        text = json.dumps(outcome)

        def keep() -> None:
            with self.database:
                words = "INSERT OR REPLACE INTO simulated VALUES (?, ?, ?)"
                self.database.execute(words, (key, text, _sum(key, text)))

        self._healed(keep)

    def close(self) -> None:
        """Closes the file."""
        self.database.close()
        OPEN.discard(self)

    def _open(self) -> sqlite3.Connection:
        self._require_store()
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL, 0o600))
        # Any thread may close the store, as the one that collects garbage.
        database = sqlite3.connect(self.path, timeout=PATIENCE, check_same_thread=False)
        # This is written before the log is used, so that it is in the file itself.
        if database.execute("PRAGMA application_id").fetchone()[0] != OURS:
            database.execute(f"PRAGMA application_id = {OURS}")
        # A write-ahead log needs no file made and deleted for each outcome.
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(SCHEMA)
        return database

    def _require_store(self) -> None:
        """Checks, without writing, that an existing file is one of ours or empty."""
        if not self.path.exists():
            if not self.is_cache and not self.path.parent.is_dir():
                raise HostError(f"there is no folder {self.path.parent}", "make it first")
            return
        if not self.path.is_file():
            raise InputError(f"{self.path} is no file", "name another by --store")
        if any(store.path.samefile(self.path) for store in OPEN if store.path.exists()):
            # Closing a file removes the locks that SQLite holds on it elsewhere in the process
            # ("How To Corrupt An SQLite Database File", section 2.2); and it is checked already.
            return
        if _is_store(self.path):
            return
        if self.is_cache:
            raise sqlite3.DatabaseError("it is no store")
        raise InputError(
            f"{self.path} is no store of outcomes, and is left as it is",
            "name another file by --store; one that is not there is made",
        )

    def _healed(self, work: Callable[[], Result]) -> Result:
        """Does work on the file; does it again with a new file if ours is broken."""
        try:
            return work()
        except (OSError, sqlite3.Error) as error:
            is_busy = isinstance(error, OSError | sqlite3.OperationalError)
            if is_busy or not self.is_cache:
                raise self._broken(error) from error
        try:
            self._recreate()
            return work()
        except (OSError, sqlite3.Error) as error:
            raise self._broken(error) from error

    def _drop(self) -> None:
        """Closes the connection, if there is one, in any state of the file."""
        with suppress(AttributeError, sqlite3.Error):
            self.database.close()

    def _recreate(self) -> None:
        self._drop()
        with locked(self.path.with_suffix(".lock")):
            for suffix in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            self.database = self._open()

    def _broken(self, error: Exception) -> HostError:
        return HostError(
            f"{self.path}, which keeps what was simulated, cannot be used: {error}",
            "name another file by --store",
        )


def _is_store(path: Path) -> bool:
    """Returns true if a file is empty or a store, by its first bytes or its tables.

    Nothing is written, in the file or beside it.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    if not head:
        return True
    if len(head) < HEAD or not head.startswith(MAGIC):
        return False
    if int.from_bytes(head[-4:], "big") == OURS:
        return True
    try:
        reading = sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)
        names = reading.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        tables = {name for (name,) in names}
        reading.close()
    except sqlite3.Error:
        return False
    return tables <= FORMER


def _sum(key: str, text: str) -> str:
    return hashlib.sha256(f"{key} {text}".encode()).hexdigest()
