"""Object files that are kept: which of them compiling a unit would make again.

A record is found by all that an object file depends on but the folders of headers: it lists what
was compiled with some of them, and which files were read. Another list of folders leads to the same
object file if a search through it ends at the same headers. So an implementation's own folder, in
front of those that it shares with others, costs no compilation of what they share.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import cache, paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MOST = 16
"""Compilations that a record lists at most, the last one first."""
# Nanoseconds behind a change of a file after which a further one shows in its time.
SETTLED_NS = 100_000_000
LOOKS_AROUND = re.compile(rb"__has_include|__has_embed|include_next|\bembed\b|\.inc(?:bin|lude)")
"""What reads a file, or asks for one, that need not be among those that the compiler lists."""
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
Search = tuple[str, str, str]
"""A folder, empty for none, in which a name is looked for before the others, the name, and the path
that is found; empty where only the compiler's own folders have it."""


@dataclass(frozen=True)
class Objects:
    """The object files of a source with some options, each with what was read for it.

    `folders` are searched for headers, in their order, behind the source's own folder; they are
    empty where nothing is known of the search.
    """

    record: Path
    source: Path
    folders: tuple[str, ...]

    @classmethod
    def of(cls, words: Sequence[str], source: Path, folders: Sequence[str | Path]) -> Objects:
        """Those of a source; `words` are all that decides them, but the folders and the source."""
        # Two sources with the same text may include different files, which stand beside them.
        key = digest([*words, str(source.parent), content(source)])
        return cls(cache.folder("objects") / f"{key}.json", source, tuple(map(str, folders)))

    def find(self) -> Path | None:
        """The object file that compiling would make; None if it was not made, or is broken."""
        for made in self._made():
            path = self.record.with_name(made["object"])
            if self._is_made_of(made) and cache.is_kept(path):
                return path
        return None

    def keep(self, object_file: Path, read: Mapping[str, str]) -> Path:
        """Keeps an object file, for which these files with these contents were read."""
        stored = cache.keep(object_file, "objects")
        made = {
            "object": stored.name,
            "read": dict(read),
            "folders": list(self.folders),
            "searches": self._searches(read),
        }
        others = [other for other in self._made() if other["folders"] != made["folders"]]
        cache.write_record(self.record, {"made": [made, *others][:MOST]})
        return stored

    def _made(self) -> list[dict[str, Any]]:
        """What the record lists; nothing of it that is broken."""
        made = cache.read_record(self.record).get("made")
        return [entry for entry in made if _is_whole(entry)] if isinstance(made, list) else []

    def _is_made_of(self, made: Mapping[str, Any]) -> bool:
        """Returns whether compiling would read the same files with the same contents."""
        searches = made["searches"]
        same = made["folders"] == list(self.folders) if searches is None else self._end(searches)
        return same and is_current(made["read"])

    def _end(self, searches: Iterable[Search]) -> bool:
        """Returns whether searches through these folders end as they did."""
        return all(self._found(folder, name) == path for folder, name, path in searches)

    def _searches(self, read: Iterable[str]) -> list[Search] | None:
        """The searches that led to these files; None where the texts do not tell."""
        if not self.folders:
            return None
        own = (*self.folders, str(self.source.parent))
        texts = {path: paths.read_bytes(Path(path)) for path in read if _is_below(path, own)}
        if any(LOOKS_AROUND.search(text) for text in texts.values()):
            return None
        searches = dict.fromkeys(self._included(texts, tuple(read)))
        explained = {path for _, _, path in searches}
        others = [path for path in read if path not in explained and path != str(self.source)]
        every = [*searches, *(search for path in others for search in self._possible(path))]
        # A header was found in a way that its name does not tell.
        return every if self._end(every) else None

    def _included(self, texts: Mapping[str, bytes], read: Sequence[str]) -> Iterator[Search]:
        """The searches for what texts include by name; what is not read is not compiled."""
        for including, text in texts.items():
            for beside, elsewhere in INCLUDE.findall(text):
                folder = including.rpartition("/")[0] if beside else ""
                name = (beside or elsewhere).decode("utf-8", "replace")
                path = self._found(folder, name)
                if path in read or (not path and any(each.endswith(f"/{name}") for each in read)):
                    yield folder, name, path

    def _possible(self, path: str) -> Iterator[Search]:
        """The searches that can have led to a file, which a macro names or a compiler's header."""
        names = [path[len(folder) + 1 :] for folder in self.folders if _is_below(path, [folder])]
        parts = path.split("/")
        # It stands beside what includes it, or among the compiler's own headers.
        outside = [("", parts[-1], ""), ("", "/".join(parts[-2:]), "")]
        yield from [("", name, path) for name in names] or outside

    def _found(self, folder: str, name: str) -> str:
        """The first file of that name in a folder and those for headers; empty without one."""
        candidates = (f"{each}/{name}" for each in (folder, *self.folders) if each)
        return next((path for path in candidates if os.path.exists(path)), "")  # noqa: PTH110


def _is_whole(entry: object) -> bool:
    """Returns whether a record's entry has what `Objects.keep` writes."""
    if not isinstance(entry, dict):
        return False
    kinds = {"object": str, "read": dict, "folders": list, "searches": list | None}
    if not all(isinstance(entry.get(name, 0), kind) for name, kind in kinds.items()):
        return False
    searches = entry["searches"] or []
    fields = ([*map(type, search)] if isinstance(search, list) else [] for search in searches)
    hashes = (isinstance(kept, str) for kept in entry["read"].values())
    return all(hashes) and all(types == [str, str, str] for types in fields)


def is_current(read: Mapping[str, str]) -> bool:
    """Returns whether files are there with the contents that they had, by their hashes."""
    files = ((Path(path), kept) for path, kept in read.items())
    return all(path.is_file() and content(path) == kept for path, kept in files)


def listed(listing: Path) -> dict[str, str]:
    """The files that a compiler lists as read, for make, with the hashes of their contents."""
    text = listing.read_text(encoding="utf-8").replace("\\\n", " ").split(": ", 1)[1]
    # A blank in a path is escaped by a backslash.
    names = text.replace("\\ ", "\0").split()
    return {name.replace("\0", " "): content(Path(name.replace("\0", " "))) for name in names}


def content(path: Path) -> str:
    """The hash of a file, which is read again only after a change."""
    try:
        status = path.stat()
    except OSError:
        return _hash(path)
    # A second change within the same tick of the file system's clock shows nowhere.
    if time.time_ns() - status.st_ctime_ns < SETTLED_NS:
        return _hash(path)
    return _hash_of_state(path, status.st_ino, status.st_size, status.st_ctime_ns)


def digest(words: Sequence[str]) -> str:
    """The name of a record that is found by these words."""
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


@lru_cache(1 << 14)
def _hash_of_state(path: Path, _inode: int, _size: int, _changed: int) -> str:
    """The hash of a file in one state."""
    return _hash(path)


def _hash(path: Path) -> str:
    return hashlib.sha256(paths.read_bytes(path)).hexdigest()


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path.startswith(f"{folder}/") for folder in folders)
