"""What was simulated, kept in one file, so that nothing is simulated twice."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

from cocrypt import house
from cocrypt.errors import HostError

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.explore.simulation import Outcome

SCHEMA = "CREATE TABLE IF NOT EXISTS outcome (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
PATIENCE = 60.0
"""Seconds that one exploration waits for another that is writing."""


class Store:
    """Outcomes by their jobs' keys, in an SQLite file; each is safe on disk once it is put there.

    Raises `HostError` where the file cannot be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or house.cache().resolve() / "outcomes.sqlite"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.database = sqlite3.connect(self.path, timeout=PATIENCE)
            # A write-ahead log needs no file made and deleted for each outcome.
            self.database.execute("PRAGMA journal_mode = WAL")
            self.database.execute(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise self._broken(error) from error

    def get(self, key: str) -> Outcome | None:
        """An outcome; None where it is not known."""
        try:
            found = self.database.execute("SELECT value FROM outcome WHERE key = ?", (key,))
            row = found.fetchone()
            outcome: Outcome | None = json.loads(row[0]) if row else None
        except (sqlite3.Error, ValueError) as error:
            raise self._broken(error) from error
        return outcome

    def put(self, key: str, outcome: Outcome) -> None:
        """Keeps an outcome."""
        try:
            with self.database:
                self.database.execute(
                    "INSERT OR REPLACE INTO outcome VALUES (?, ?)", (key, json.dumps(outcome))
                )
        except sqlite3.Error as error:
            raise self._broken(error) from error

    def close(self) -> None:
        """Closes the file."""
        self.database.close()

    def _broken(self, error: Exception) -> HostError:
        return HostError(
            f"{self.path}, which keeps what was simulated, cannot be used: {error}",
            "delete it, or name another by --store",
        )
