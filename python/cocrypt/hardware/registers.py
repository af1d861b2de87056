"""Texts made of a register map: SystemRDL for tools, a C header and driver for firmware.

Source of the form: Accellera, "SystemRDL 2.0 Register Description Language" (2018).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from cocrypt.errors import InputError
from cocrypt.hardware import links
from cocrypt.hardware.c_text import comment, of_role, signature

WORD = 4
"""Bytes of a register's word."""

Register = dict[str, Any]


class Form(StrEnum):
    """The forms in which a register map is written."""

    RDL = "rdl"
    HEADER = "header"
    DRIVER = "driver"


def written(register_map: dict[str, Any], form: Form) -> str:
    """The register map as text; raises `InputError` for a form that a link does not have."""
    if register_map["face"] == "stream":
        if form is Form.RDL:
            raise InputError(
                f"`{register_map['name']}` has the stream face: its words have no addresses",
                "write its C header or its driver: --as header, --as driver",
            )
        return {Form.HEADER: links.header, Form.DRIVER: links.driver}[form](register_map)
    return {Form.RDL: rdl, Form.HEADER: header, Form.DRIVER: driver}[form](register_map)


def rdl(register_map: dict[str, Any]) -> str:
    """The register map in SystemRDL 2.0, an address map of this name."""
    title = _quoted(register_map["title"])
    lines = [f"addrmap {register_map['name']} {{", f'    name = "{title}";']
    lines += ["    default regwidth = 32;", "    default accesswidth = 32;"]
    for register in register_map["registers"]:
        lines += ["", *_rdl_register(register)]
    return "\n".join([*lines, "};", ""])


def _rdl_register(register: Register) -> list[str]:
    software, hardware = {"read": ("r", "w"), "write": ("w", "r")}.get(
        register["access"], ("rw", "rw")
    )
    lines = ["    reg {", f'        desc = "{_quoted(register["doc"])}";']
    lines += [f"        default sw = {software};", f"        default hw = {hardware};"]
    whole = {"name": "value", "bits": [0, 31], "doc": ""}
    for field in register["fields"] or [whole]:
        low, high = field["bits"]
        desc = f' desc = "{_quoted(field["doc"])}"; ' if field["doc"] else " "
        lines.append(f"        field {{{desc}}} {field['name']}[{high}:{low}];")
    words, offset = register["words"], register["offset"]
    many = f"[{words}] @ {offset:#x} += {WORD:#x}" if words > 1 else f" @ {offset:#x}"
    return [*lines, f"    }} {register['name']}{many};"]


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def header(register_map: dict[str, Any]) -> str:
    """A C header: offsets, fields, a function for each register, and the driver's declaration."""
    prefix, name = register_map["name"].upper(), register_map["name"]
    registers = register_map["registers"]
    width = max(len(register["name"]) for register in registers) + len(prefix) + 1
    offsets = [
        f"    {prefix + '_' + register['name'].upper():<{width}} = {register['offset']:#05x}"
        for register in registers
    ]
    lines = [
        f"/* {comment(register_map['title'])}.",
        " * Registers: offsets in its window, in bytes. */",
    ]
    lines += ["", f"#ifndef {prefix}_REGISTERS_H", f"#define {prefix}_REGISTERS_H", ""]
    lines += ["#include <stdint.h>", "", "enum {", ",\n".join(offsets), "};", ""]
    for register in registers:
        lines += _fields(prefix, register)
    for register in registers:
        lines += _accessors(prefix, name, register)
    run = "writes the operands and the command, polls the status, reads the result"
    lines += [f"/* Runs an operation: {run}. */"]
    lines += [signature(f"void {name}_run(", _parameters(register_map)) + ";", ""]
    return "\n".join([*lines, "#endif", ""])


def _fields(prefix: str, register: Register) -> list[str]:
    if not register["fields"]:
        return []
    names = [f"{prefix}_{register['name']}_{field['name']}".upper() for field in register["fields"]]
    width = max(map(len, names))
    lines = [f"/* {comment(register['doc'])} */"]
    for name, field in zip(names, register["fields"], strict=True):
        low, high = field["bits"]
        mask = (1 << (high + 1)) - (1 << low)
        lines.append(f"#define {name:<{width}} {mask:#010x}u /* {comment(field['doc'])} */")
        if high > low:
            lines.append(f"#define {name}_SHIFT {low}")
    return [*lines, ""]


def _accessors(prefix: str, name: str, register: Register) -> list[str]:
    own, macro = register["name"], f"{prefix}_{register['name'].upper()}"
    indexed = register["words"] > 1
    parameter = ", unsigned word" if indexed else ""
    offset = f"{macro} + {WORD} * word" if indexed else macro
    lines = []
    if register["access"] != "write":
        lines += [
            f"static inline uint32_t {name}_read_{own}(uintptr_t base{parameter})",
            "{",
            f"    return *(volatile uint32_t *)(base + {offset});",
            "}",
            "",
        ]
    if register["access"] != "read":
        lines += [
            f"static inline void {name}_write_{own}(uintptr_t base{parameter}, uint32_t value)",
            "{",
            f"    *(volatile uint32_t *)(base + {offset}) = value;",
            "}",
            "",
        ]
    return lines


def driver(register_map: dict[str, Any]) -> str:
    """A driver's skeleton in C: operands in, control, wait for the status, result out."""
    name, prefix = register_map["name"], register_map["name"].upper()
    lines = [
        f"/* Driver of: {comment(register_map['title'])}. */",
        "",
        f'#include "{name}_registers.h"',
        "",
    ]
    lines += [signature(f"void {name}_run(", _parameters(register_map)), "{"]
    for register in of_role(register_map, "input"):
        lines += _copied(name, register, write=True)
    for register in of_role(register_map, "control")[:1]:
        lines.append(f"    {name}_write_{register['name']}(base, command);")
    for register in of_role(register_map, "status")[:1]:
        lines += _waited(name, prefix, register)
    for register in of_role(register_map, "output"):
        lines += _copied(name, register, write=False)
    return "\n".join([*lines, "}", ""])


def _parameters(register_map: dict[str, Any]) -> list[str]:
    """The driver's parameters: the registers' address, operands, results, the command."""
    inputs, outputs = (of_role(register_map, role) for role in ("input", "output"))
    parameters = ["uintptr_t base", *(f"const uint32_t *{register['name']}" for register in inputs)]
    parameters += [f"uint32_t *{register['name']}" for register in outputs]
    return parameters + (["uint32_t command"] if of_role(register_map, "control") else [])


def _copied(name: str, register: Register, *, write: bool) -> list[str]:
    own, words = register["name"], register["words"]
    index, word = ("word", ", word") if words > 1 else ("0", "")
    if write:
        move = f"{name}_write_{own}(base{word}, {own}[{index}]);"
    else:
        move = f"{own}[{index}] = {name}_read_{own}(base{word});"
    if words == 1:
        return [f"    {move}"]
    return [f"    for (unsigned word = 0; word < {words}; word++)", f"        {move}"]


def _waited(name: str, prefix: str, register: Register) -> list[str]:
    """A loop that polls the field that tells the end, or the whole register."""
    fields = [field["name"] for field in register["fields"]]
    ready = next((field for field in fields if field in {"done", "ready", "valid"}), None)
    busy = next((field for field in fields if field == "busy"), None)
    read, own = f"{name}_read_{register['name']}(base)", register["name"].upper()
    if ready:
        return [f"    while (!({read} & {prefix}_{own}_{ready.upper()}))", "        ;"]
    if busy:
        return [f"    while ({read} & {prefix}_{own}_{busy.upper()})", "        ;"]
    return [f"    while (!{read})", "        ;"]
