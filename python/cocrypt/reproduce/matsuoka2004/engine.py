"""The application of studies/java-aes.toml with Bouncy Castle's engine as its cipher.

Its class `Aes` is another one, which calls the engine; the other classes are the same bytes, and so
are the library's.
"""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

from cocrypt import cache, paths

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.study import Candidate, Study

CIPHER = ("Aes.class", "SBox.class")
"""The classes of the application's own cipher."""
COMPILED = ("Aes", "org.bouncycastle.crypto.engines.AESEngine")
"""What the option compiles ahead of time that is called so."""
HEAP = 8 << 10
"""Bytes for the objects of two engines, which nothing frees."""


def jar() -> Path:
    """The jar with the class that calls the engine, whose source is in a folder beside it."""
    return paths.root() / "studies" / "matsuoka2004" / "engine.jar"


def exchanged(study: Study, library: Path) -> Study:
    """The study of an application whose cipher is the library's engine."""
    assert study.java is not None, "the study is of a program in Java"
    (application,) = study.java.classes
    classes = (_without_cipher(application), jar(), library)
    java = replace(study.java, classes=classes, heap=HEAP)
    return replace(study, java=java, candidates=tuple(map(_compiled, study.candidates)))


def _compiled(candidate: Candidate) -> Candidate:
    options = (replace(each, aot=COMPILED) if each.aot else each for each in candidate.options)
    return replace(candidate, options=tuple(options))


def _without_cipher(application: Path) -> Path:
    """The application's classes without those of its cipher."""
    content = paths.read_bytes(application)
    kept = cache.folder("java") / f"{hashlib.sha256(content).hexdigest()}-without-cipher.jar"

    def make(target: Path, _scratch: Path) -> None:
        with zipfile.ZipFile(application) as whole, zipfile.ZipFile(target, "w") as part:
            for name in whole.namelist():
                if name not in CIPHER:
                    part.writestr(zipfile.ZipInfo(name), whole.read(name))

    return cache.obtain(kept, make)
