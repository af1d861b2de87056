"""Functions that can be replaced without a change to the source that they stand in.

A unit is compiled to assembly, with the functions in question kept out of line and as their callers
know them; there their calls are pointed at a name of ours, which the linker binds to the function
itself or to what replaces it. That works for `static` functions and for calls within a unit, it
costs no cycle, and a unit is compiled once for all partitions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cocrypt.target import InstructionSet

BOUNDARY = "cocrypt_boundary_"
"""What the callers of a function call instead, in front of its name."""
REPLACEMENT = "cocrypt_replacement_"
"""What a function is called that replaces another, in front of its name."""
KEPT = ".cocrypt.kept"

# A label, and directives that describe what is defined under a name.
_DEFINITION = re.compile(r"^\s*\.(type|size|globl|weak|local|hidden|protected|addrsig_sym)\b")
# Data that holds addresses; other directives do not refer to functions.
_DATA = re.compile(r"^\s*\.(word|long|4byte|short|half|dword|quad)\b")
# A difference of labels in data; debug information has such.
_DIFFERENCE = re.compile(r"^(\s*\.(?:byte|short|word|long)\s+)([\w.$]+-[\w.$]+)")
_LABEL = re.compile(r"^[\w.$]+:")
_SECTION = re.compile(r"^\s*\.(?:section\s+([^\s,]+)|(text|data|bss)\b)")


def keeping(source: Path, functions: Sequence[str], attributes: str | None = None) -> str:
    """A unit that is the source, and says that somebody else may call these functions.

    With `attributes` they are declared again, as functions of which callers must know nothing but
    the prototype; GCC takes that behind a definition too, static or not.
    """
    path = str(source).replace("\\", "\\\\").replace('"', '\\"')
    table = ", ".join(f"(const void *)&{function}" for function in functions)
    if not functions:
        return f'#include "{path}"\n'
    again = [f"__typeof__({name}) {name} __attribute__(({attributes}));\n" for name in functions]
    return (
        f'#include "{path}"\n'
        f"{''.join(again) if attributes else ''}"
        f'__attribute__((used, section("{KEPT}")))\n'
        f"static const void *const cocrypt_kept[] = {{ {table} }};\n"
    )


def out_of_line(functions: Sequence[str]) -> list[str]:
    """The compiler's options that keep calls of these functions calls."""
    forced = (("-mllvm", f"-force-attribute={function}:noinline") for function in functions)
    return [word for pair in forced for word in pair]


def defined(assembly: str, functions: Sequence[str]) -> list[str]:
    """Those of the functions that a unit's assembly defines."""
    labels = {line.split(":")[0] for line in assembly.splitlines() if _LABEL.match(line)}
    return [function for function in functions if function in labels]


def bounded(assembly: str, functions: Sequence[str], instructions: InstructionSet) -> str:
    """A unit's assembly with the calls of these functions, and their addresses, under our names.

    Functions that the unit defines can be seen from outside afterwards.
    """
    lines = list(_lines(assembly, functions, instructions))
    if instructions.parenthesised:
        lines = [_DIFFERENCE.sub(r"\1(\2)", line) for line in lines]
    lines += [f"\t.globl {function}" for function in defined(assembly, functions)]
    return "\n".join([*lines, ""])


def _lines(assembly: str, functions: Sequence[str], instructions: InstructionSet) -> Iterator[str]:
    names = "|".join(map(re.escape, functions))
    name = re.compile(rf"(?<![\w.$@])(?:{names})(?![\w.$@])")
    described = False
    for line in assembly.splitlines():
        section = _SECTION.match(line)
        if section:
            where = section[1] or section[2]
            described = where.startswith((".debug", KEPT))
        is_directive = line.lstrip().startswith(".") and not _DATA.match(line)
        plain = described or is_directive or _DEFINITION.match(line) or _LABEL.match(line)
        # What the preprocessor says of a line's origin is no code.
        yield line if plain or line.startswith("#") else _pointed(line, name, instructions)


def _pointed(line: str, name: re.Pattern[str], instructions: InstructionSet) -> str:
    """A line of code or data that refers to our names.

    No call of them becomes shorter when the linker knows how near the target is, so that nothing
    moves when another function takes the place.
    """
    code, sign, comment = line.partition(instructions.comment)
    changed = name.sub(lambda found: BOUNDARY + found[0], code)
    if changed != code:
        for said, instead in instructions.steady:
            changed = re.sub(rf"^(\s*){said}(\s+)", rf"\1{instead}\2", changed)
    return changed + sign + comment


def bindings(functions: Sequence[str], replaced: Sequence[str]) -> list[str]:
    """The linker's options that bind each of our names to the function, or to what replaces it."""
    target = {one: REPLACEMENT + one if one in replaced else one for one in functions}
    return [f"--defsym={BOUNDARY}{function}={target[function]}" for function in functions]


def renaming(function: str) -> str:
    """The compiler's option that gives a function, and its prototype, the replacement's name."""
    return f"-D{function}={REPLACEMENT}{function}"
