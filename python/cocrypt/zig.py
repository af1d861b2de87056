"""zig's compiler for C, called without the driver in front of it.

`zig cc` translates its options and starts clang with them as a process of its own, which for a
small file takes a third of the time. For the same options the translation is the same, so it is
asked for once, by `ZIG_VERBOSE_CC`, and kept; later files are given to clang directly.

The translation names each feature that a processor does not have, up to two hundred, which take
clang a sixth of its time. zig and clang have their processors from the same tables of LLVM, so that
these features are off without it, unless clang's driver turns one on for other reasons. All but
those are left out where clang then says that the same features are on.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import cache
from cocrypt.errors import HostError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

VERBOSE = "ZIG_VERBOSE_CC"
"""The variable that makes `zig cc` print its call of clang, on a line before all others."""
SUBTRACTS = re.compile("-mcpu=.*-")
"""The choice of a processor without some of its features."""
PATHS = ("-MF", "-c", "-o")
"""The options of a compilation behind which the path of a file stands."""
NAMING = (*PATHS, "-MD")
"""All options that are about files."""
FEATURE = ["-Xclang", "-target-feature", "-Xclang"]
"""The words before a feature with the sign that turns it on or off."""
PROBE = "int probe(void) { return 0; }\n"
"""A file of C, whose code for LLVM says which features are on."""
ENABLED = re.compile(r'"target-features"="([^"]*)"')

_known: dict[Path, list[str | int]] = {}
"""Translations that this process has read or made, by their records."""


@once
def zig() -> Path:
    """The zig program of the Python package `ziglang`."""
    module = importlib.util.find_spec("ziglang")
    folder = Path(module.origin).parent if module and module.origin else None
    program = shutil.which("zig", path=folder) if folder else None
    if program is None:
        raise HostError(
            "the C cross-compiler is missing", "install it: python -m pip install ziglang"
        )
    return Path(program)


@dataclass(frozen=True)
class Compilation:
    """A call of `zig cc` that compiles or assembles one file.

    `options` are its words with None for what varies between files, which `varying` has in the same
    order: folders of headers with definitions of macros, and the paths of the files.
    """

    program: str
    options: tuple[str | None, ...]
    varying: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, words: Sequence[str]) -> Compilation | None:
        """The compilation that a command is; None for any other command.

        Words with white space are left to `zig cc`, whose output does not tell where one ends.
        """
        if list(words[1:2]) != ["cc"] or "-c" not in words or words[0] != str(zig()):
            return None
        if any(word.split() != [word] for word in words):
            return None
        options, varying = list[str | None](), list[tuple[str, ...]]()
        for group, varies in _groups(words[2:]):
            options += [None] if varies else group
            varying += [tuple(group)] if varies else []
        # Each must be found again among the words that clang is called with.
        if len(set(varying)) != len(varying):
            return None
        return cls(words[0], tuple(options), tuple(varying))

    def direct(self) -> list[str] | None:
        """The call of clang that compiles the file; None if it is not known yet."""
        record = self._record()
        if record not in _known:
            kept = cache.read_record(record).get("words")
            if not isinstance(kept, list) or not all(isinstance(w, str | int) for w in kept):
                return None
            _known[record] = kept
        words = list[str]()
        for word in _known[record]:
            if isinstance(word, str):
                words.append(word)
            elif word < len(self.varying):
                words += self.varying[word]
        return words if words[:2] == _clang() else None

    def learn(self, output: str) -> str:
        """Keeps the call of clang that `zig cc` printed; returns what it printed behind that."""
        first, _, others = output.partition("\n")
        called = first.split(" ")
        if called[:2] != _clang():
            return output
        words = list[str | int]()
        while called:
            number = self._beginning(called)
            words.append(called[0] if number is None else number)
            del called[: 1 if number is None else len(self.varying[number])]
        if sorted(word for word in words if isinstance(word, int)) == [*range(len(self.varying))]:
            _known[self._record()] = words
            cache.write_record(self._record(), {"words": words})
        return others

    def turns_off(self) -> bool:
        """True if the translation turns features off that the options leave as they are."""
        words = _known.get(self._record(), [])
        subtracts = any(option and SUBTRACTS.match(option) for option in self.options)
        return not subtracts and _without_features(words, frozenset()) != words

    def printing(self, source: Path, kept: frozenset[str] | None = None) -> list[str]:
        """The call of clang that prints a file's code for LLVM.

        It turns off what the translation does, or of that only these features.
        """
        words = _known[self._record()]
        words = words if kept is None else _without_features(words, kept)
        # `-c` is a feature, too.
        pairs = zip(words, ["", *words], strict=False)
        given = [word for word, before in pairs if word not in NAMING or before == FEATURE[0]]
        options = [word for word in given if isinstance(word, str)]
        return [*options, "-S", "-emit-llvm", "-o", "-", str(source)]

    def leave_out(self, kept: frozenset[str]) -> None:
        """Leaves all features out of the translation that it turns off, but these."""
        record = self._record()
        _known[record] = _without_features(_known[record], kept)
        cache.write_record(record, {"words": _known[record]})

    def features(self) -> Path:
        """The file that keeps what `leave_out` is called with, for all with these features."""
        # Levels of optimisation, warnings and debug information turn none on.
        options = (word for word in _known[self._record()] if isinstance(word, str))
        about = [word for word in options if not word.startswith(("-O", "-W", "-g"))]
        return cache.folder("features") / f"{cache.digest([_program(), *about])}.json"

    def _beginning(self, called: Sequence[str]) -> int | None:
        """The number of what varies that these words begin with."""
        for number, group in enumerate(self.varying):
            if tuple(called[: len(group)]) == group:
                return number
        return None

    def _record(self) -> Path:
        """The file that keeps the translation of these options."""
        options = [word or "" for word in self.options]
        suffixes = [Path(group[0]).suffix for group in self.varying if len(group) == 1]
        key = cache.digest([_program(), self.program, *options, "\n", *suffixes])
        return cache.folder("compilers") / f"{key}.json"


def enabled(code: str) -> frozenset[str]:
    """The features that are on in code for LLVM; none if it does not say."""
    found = ENABLED.search(code)
    features = found[1].split(",") if found else []
    return frozenset(feature[1:] for feature in features if feature.startswith("+"))


def _without_features(words: Sequence[str | int], kept: frozenset[str]) -> list[str | int]:
    """Words of clang without the features that they turn off, but these."""
    left, at = list[str | int](), 0
    while at < len(words):
        feature = str(*words[at + 3 : at + 4])
        is_off = words[at : at + 3] == FEATURE and feature.startswith("-")
        if is_off and feature[1:] not in kept:
            at += 4
            continue
        left.append(words[at])
        at += 1
    return left


def _groups(words: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
    """The words of a compilation in groups, each with whether it varies between files."""
    varying, rest = list[str](), iter(words)
    for word in rest:
        if word == "-I" or word.startswith("-D"):
            varying += [word, next(rest, "")] if word == "-I" else [word]
            continue
        if varying:
            yield varying, True
            varying = []
        yield [word], False
        if word in PATHS:
            yield [next(rest, "")], True
    if varying:
        yield varying, True


def _clang() -> list[str]:
    """The first words of each call of clang: zig names itself by its path without links."""
    return [str(zig().resolve()), "clang"]


@once
def _program() -> str:
    """What tells this zig from others at the same path."""
    status = zig().stat()
    return f"{status.st_size} {status.st_mtime_ns}"
