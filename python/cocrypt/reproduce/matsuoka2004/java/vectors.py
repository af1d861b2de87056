"""The values that the programs in Java read: vectors, in a table in C behind native methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.primitives.vectors import Vector, read_toml, unhex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

LONGEST = 1 << 10
"""Bytes of a message at most: no example takes the million letters of FIPS 180."""
TABLES = ("encrypt", "crypt", "hash", "mac")
PARTS = ("key", "text", "message", "result", "digest", "tag")
RSA = ("n", "e", "d", "p", "q", "dp", "dq", "qinv")

NATIVES = """/* The values that `matsuoka2004.Vectors` reads, one behind another. */

#include <string.h>

#include "java.h"

static const uint8_t  bytes[]  = {{{bytes}}};
static const uint32_t starts[] = {{{starts}}};

jint Java_matsuoka2004_Vectors_length(jint index);
jint Java_matsuoka2004_Vectors_length(jint index)
{{
    return index < {count} ? (jint)(starts[index + 1] - starts[index]) : -1;
}}

void Java_matsuoka2004_Vectors_copy(jint index, jobject target);
void Java_matsuoka2004_Vectors_copy(jint index, jobject target)
{{
    memcpy(java_bytes(target), bytes + starts[index], (size_t)java_length(target));
}}
"""


def natives(values: Sequence[bytes]) -> str:
    """The native methods in C over a table of these values."""
    starts = [0]
    for value in values:
        starts.append(starts[-1] + len(value))
    content = ", ".join(map(str, b"".join(values))) or "0"
    return NATIVES.format(bytes=content, starts=", ".join(map(str, starts)), count=len(values))


def official(files: Iterable[str]) -> list[bytes]:
    """The values of official vectors, of files relative to the folder of the primitives."""
    return [value for file in files for value in _values(paths.primitives() / file)]


def _values(path: Path) -> list[bytes]:
    tables = read_toml(path)
    if "private_crt" in tables:
        return _numbers(tables)
    vectors = [vector for table in TABLES for vector in tables.get(table, ())]
    return [value for vector in vectors if _is_short(vector) for value in _parts(vector)]


def _is_short(vector: Vector) -> bool:
    return not vector.get("skip") and vector.get("repeat", 1) <= LONGEST


def _parts(vector: Vector) -> list[bytes]:
    """Key, data and result of a vector, as far as it has them."""
    parts = [unhex(vector, name) for name in PARTS if name in vector]
    if "message" in vector:
        parts[-2] *= vector.get("repeat", 1)
    return parts


def _numbers(tables: dict[str, list[Vector]]) -> list[bytes]:
    """A key of RSA with a plain text and its cipher text, which the first vectors are about."""
    open_key, secret, crt = (tables[name][0] for name in ("public", "private", "private_crt"))
    values = {**crt, **secret, **open_key}
    return [unhex(Vector(values), name) for name in (*RSA, "message", "result")]
