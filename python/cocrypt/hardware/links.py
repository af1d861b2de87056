"""A C header and a driver for a coprocessor at a link of the core, by `get` and `put`.

Source: UG984 (2026.1), chapter 5, `get` and `put`; GCC's extended assembly.
"""

from __future__ import annotations

from typing import Any

from cocrypt.hardware.c_text import comment, of_role, signature

LINK = "the number of its link, if that is not the first"


def header(register_map: dict[str, Any]) -> str:
    """A C header: the number of the link, a function for each operand and result, the driver."""
    name, prefix = register_map["name"], register_map["name"].upper()
    lines = [f"/* {comment(register_map['title'])}, at a link of the core. */", ""]
    lines += [f"#ifndef {prefix}_REGISTERS_H", f"#define {prefix}_REGISTERS_H", ""]
    lines += ["#include <stdint.h>", "", f"/* -D{prefix}_LINK= gives {LINK}. */"]
    lines += [f"#ifndef {prefix}_LINK", f"#define {prefix}_LINK 0", "#endif", ""]
    lines += [f"#define {prefix}_QUOTE(link) #link"]
    lines += [f"#define {prefix}_QUOTED(link) {prefix}_QUOTE(link)"]
    lines += [f'#define {prefix}_PORT "rfsl" {prefix}_QUOTED({prefix}_LINK)', ""]
    for register in of_role(register_map, "input"):
        lines += _sender(prefix, name, register["name"])
    for register in of_role(register_map, "output"):
        lines += _taker(prefix, name, register["name"])
    lines += ["/* Runs an operation: sends the operands, waits for the result and takes it. */"]
    lines += [signature(f"void {name}_run(", _parameters(register_map)) + ";", ""]
    return "\n".join([*lines, "#endif", ""])


def driver(register_map: dict[str, Any]) -> str:
    """A driver in C: operands in, word by word in the order of their offsets, then results out."""
    name = register_map["name"]
    lines = [f"/* Driver of: {comment(register_map['title'])}. */", ""]
    lines += [f'#include "{name}_registers.h"', ""]
    lines += [signature(f"void {name}_run(", _parameters(register_map)), "{"]
    for register in of_role(register_map, "input"):
        own = register["name"]
        lines += _each(register, f"{name}_send_{own}({own}[{{word}}]);")
    for register in of_role(register_map, "output"):
        own = register["name"]
        lines += _each(register, f"{own}[{{word}}] = {name}_take_{own}();")
    return "\n".join([*lines, "}", ""])


def _sender(prefix: str, name: str, own: str) -> list[str]:
    return [
        f"static inline void {name}_send_{own}(uint32_t value)",
        "{",
        f'    __asm__ volatile ("put %0, " {prefix}_PORT : : "d"(value));',
        "}",
        "",
    ]


def _taker(prefix: str, name: str, own: str) -> list[str]:
    return [
        f"static inline uint32_t {name}_take_{own}(void)",
        "{",
        "    uint32_t value;",
        f'    __asm__ volatile ("get %0, " {prefix}_PORT : "=d"(value));',
        "    return value;",
        "}",
        "",
    ]


def _parameters(register_map: dict[str, Any]) -> list[str]:
    inputs, outputs = (of_role(register_map, role) for role in ("input", "output"))
    parameters = [f"const uint32_t *{register['name']}" for register in inputs]
    return parameters + [f"uint32_t *{register['name']}" for register in outputs]


def _each(register: dict[str, Any], move: str) -> list[str]:
    """A move of each word of an operand or result."""
    if register["words"] == 1:
        return [f"    {move.format(word=0)}"]
    loop = f"    for (unsigned word = 0; word < {register['words']}; word++)"
    return [loop, f"        {move.format(word='word')}"]
