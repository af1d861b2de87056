"""SDCC's assembly: functions that can be replaced, and names for those of one file.

A call of a function names it, and its static parameters by `_NAME_PARM_2` and so on. Within the
function these are its own; everywhere else they are those of whatever is called.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from cocrypt.boundary import BOUNDARY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MAIN = "cocrypt_main"
"""The name that `main` is compiled under: with its own, SDCC adds start-up code."""
CODE = "CSEG"
NOTHING = "nothing$"
"""The beginning of symbols for functions without a result."""
AREA = re.compile(r"^\s*\.area\s+(\w+)")
SIZE = "size$"
"""The beginning of symbols for the bytes of variables."""
OBJECT, RESERVED = re.compile(r"^_(\w+)::"), re.compile(r"^\s*\.ds\s+(\d+)")
"""A variable that other files know, and behind it the bytes that it takes."""
LABEL = re.compile(r"^_(\w+):")
GLOBAL = re.compile(r"^\s*\.globl\s+_(\w+)", re.MULTILINE)
WITHOUT_RESULT = re.compile(r"\bvoid\s+(\w+)\s*\(")
DEFINED = re.compile(r"^S (\S+) Def", re.MULTILINE)
"""A symbol that an object file defines."""
OF_FILE = re.compile(r"F\w+\$(\w+)\$")
SYMBOL = re.compile(r"^(S )_(\S+)( (?:Def|Ref))", re.MULTILINE)


def prepared(assembly: str, source: str, bounds: Sequence[str], unit: str) -> str:
    """A unit's assembly with calls of `bounds` under the names that boundaries have.

    Functions of the file alone get a global symbol beside their own, with `unit` in its name, and
    others one that says so if they have no result in `source`; variables have one of their size.
    """
    nothing = frozenset(WITHOUT_RESULT.findall(source))
    text = assembly.replace(f"_{MAIN}", "_main")
    module = hashlib.sha256(unit.encode()).hexdigest()[:12]
    nothing = nothing | ({"main"} if MAIN in nothing else set())
    known = frozenset(GLOBAL.findall(text))
    return "\n".join([*_lines(text, bounds, known, nothing, module), ""])


def _lines(
    text: str,
    bounds: Sequence[str],
    known: frozenset[str],
    nothing: frozenset[str],
    module: str,
) -> Iterator[str]:
    names = "|".join(map(re.escape, bounds))
    used = re.compile(rf"(?<![\w.$])_({names})(_PARM_\d+)?(?![\w.$])")
    area, function, variable = "", "", None
    for line in text.splitlines():
        if variable and (reserved := RESERVED.match(line)):
            yield f"{SIZE}{variable[1]} == {reserved[1]}"
        variable = OBJECT.match(line)
        begins, label = AREA.match(line), LABEL.match(line)
        area = begins[1] if begins else area
        if label and area == CODE:
            function = label[1]
            yield from _symbols(function, function in known, function in nothing, module)
        if label and used.fullmatch(f"_{label[1]}"):
            yield f"\t.globl _{label[1]}"
        is_plain = not bounds or label or GLOBAL.match(line)
        yield line if is_plain else _redirected(line, used, function)


def _symbols(function: str, is_global: bool, is_nothing: bool, module: str) -> Iterator[str]:
    """The further symbols of a function."""
    if not is_global:
        yield f"F{module}${function}$0_0$0::"
    elif is_nothing:
        yield f"{NOTHING}{function}::"


def _redirected(line: str, used: re.Pattern[str], function: str) -> str:
    """A line of code or data that refers to the names of boundaries."""
    code, sign, comment = line.partition(";")

    def named(found: re.Match[str]) -> str:
        is_own = found[2] is not None and found[1] == function
        return found[0] if is_own else f"_{BOUNDARY}{found[1]}{found[2] or ''}"

    return used.sub(named, code) + sign + comment


def functions(code: str) -> frozenset[str]:
    """The functions that an object file defines, those of the file alone included."""
    area, found = "", set[str]()
    for line in code.splitlines():
        area = line.split()[1] if line.startswith("A ") else area
        name = DEFINED.match(line) if area == CODE else None
        if name and name[1].startswith("_"):
            found.add(name[1][1:])
        elif name and (own := OF_FILE.match(name[1])):
            found.add(own[1])
    return frozenset(found)


def returns_nothing(code: str, function: str) -> bool:
    """Returns whether an object file defines this function, and it has no result."""
    return f"S {NOTHING}{function} Def" in code


def bound(code: str, targets: Mapping[str, str]) -> str:
    """An object file in which symbols have the names of what they are bound to."""

    def named(found: re.Match[str]) -> str:
        name, sign, rest = found[2].partition("_PARM_")
        return f"{found[1]}_{targets.get(name, name)}{sign}{rest}{found[3]}"

    return SYMBOL.sub(named, code)
