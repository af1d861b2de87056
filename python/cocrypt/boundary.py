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
"""The prefix of the name that the callers of a function call instead."""
REPLACEMENT = "cocrypt_replacement_"
"""The prefix of the name of a function that replaces another."""
KEPT = ".cocrypt.kept"

# Labels, a mnemonic or directive, and the rest.
_STATEMENT = re.compile(r"(\s*(?:[\w.$]+:\s*)*)([\w.$]*)(.*)", re.DOTALL)
# Data that holds addresses; other directives do not refer to functions.
_DATA = re.compile(r"\.(word|long|4byte|short|half|dword|quad)\b")
# A difference of labels in data; debug information has such.
_DIFFERENCE = re.compile(r"^(\s*\.(?:byte|short|word|long)\s+)([\w.$]+-[\w.$]+)")
_LABEL = re.compile(r"^[\w.$]+:")
_SECTION = re.compile(r"^\s*\.(?:section\s+([^\s,]+)|(text|data|bss)\b)")


def keeping(source: Path, functions: Sequence[str], attributes: str | None = None) -> str:
    """A unit that includes the source, and says that others may call these functions.

    With `attributes` they are declared again, as functions of which callers may know the prototype
    alone; GCC takes that behind a definition too, static or not.
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


def defined(assembly: str, functions: Sequence[str], instructions: InstructionSet) -> list[str]:
    """The functions among these that a unit's assembly defines."""
    labels = {line.split(":")[0] for line in assembly.splitlines() if _LABEL.match(line)}
    return [function for function in functions if instructions.prefix + function in labels]


def bounded(assembly: str, functions: Sequence[str], instructions: InstructionSet) -> str:
    """A unit's assembly with the calls of these functions, and their addresses, under our names.

    Functions that the unit defines can be seen from outside afterwards.
    """
    lines = list(_lines(assembly, functions, instructions))
    if instructions.parenthesised:
        lines = [_DIFFERENCE.sub(r"\1(\2)", line) for line in lines]
    inside = defined(assembly, functions, instructions)
    lines += [f"\t.globl {instructions.prefix}{function}" for function in inside]
    return "\n".join([*lines, ""])


def _lines(assembly: str, functions: Sequence[str], instructions: InstructionSet) -> Iterator[str]:
    names = "|".join(map(re.escape, functions))
    name = re.compile(rf"(?<![\w.$@]){instructions.prefix}({names})(?![\w.$@])")
    in_metadata = False
    for line in assembly.splitlines():
        section = _SECTION.match(line)
        if section:
            section_name = section[1] or section[2]
            in_metadata = section_name.startswith((".debug", KEPT))
        # The preprocessor's line markers are no code.
        plain = in_metadata or line.startswith("#")
        yield line if plain else _redirected(line, name, instructions)


def _redirected(line: str, name: re.Pattern[str], instructions: InstructionSet) -> str:
    """A line of code or data that refers to our names."""
    if '"' in line:
        # A text, or a section's flags.
        return line
    code, sign, comment = line.partition(instructions.comment)
    statements = [_statement(statement, name, instructions) for statement in code.split(";")]
    return ";".join(statements) + sign + comment


def _statement(text: str, name: re.Pattern[str], instructions: InstructionSet) -> str:
    """A statement that refers to our names; a mnemonic may be called as a function is.

    No call of them becomes shorter when the linker knows how near the target is, so that nothing
    moves when another function takes the place.
    """
    labels, mnemonic, operands = _STATEMENT.fullmatch(text).groups()  # type: ignore[union-attr]
    if mnemonic.startswith(".") and not _DATA.match(mnemonic):
        return text
    changed = name.sub(lambda match: instructions.prefix + BOUNDARY + match[1], operands)
    if changed != operands:
        mnemonic = dict(instructions.steady).get(mnemonic, mnemonic)
    return labels + mnemonic + changed


def replacing(assembly: str, function: str, instructions: InstructionSet) -> str:
    """A unit's assembly in which a function, its definition included, has a replacement's name."""
    prefix = instructions.prefix
    name = re.compile(rf"(?<![\w.$@]){prefix}{re.escape(function)}(?![\w.$@])")
    replacement = prefix + REPLACEMENT + function

    def statement(text: str) -> str:
        labels, mnemonic, operands = _STATEMENT.fullmatch(text).groups()  # type: ignore[union-attr]
        parts = operands.split('"')
        # Text stands between quotes.
        parts[::2] = [name.sub(replacement, part) for part in parts[::2]]
        return name.sub(replacement, labels) + mnemonic + '"'.join(parts)

    def line(text: str) -> str:
        code, sign, comment = text.partition(instructions.comment)
        whole = text.startswith("#") or '"' in text
        return (
            statement(text) if whole else ";".join(map(statement, code.split(";"))) + sign + comment
        )

    return "\n".join([*map(line, assembly.splitlines()), ""])


def bindings(functions: Sequence[str], replaced: Sequence[str]) -> list[str]:
    """The linker's options that bind each of our names to the function, or to what replaces it."""
    target = {
        function: REPLACEMENT + function if function in replaced else function
        for function in functions
    }
    return [f"--defsym={BOUNDARY}{function}={target[function]}" for function in functions]


def renaming(function: str) -> str:
    """The compiler's option that gives a function, and its prototype, the replacement's name."""
    return f"-D{function}={REPLACEMENT}{function}"
