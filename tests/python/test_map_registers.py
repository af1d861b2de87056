"""The driver's header agrees with the register map."""

import re
from pathlib import Path

from cocrypt import _native

MAP = Path(__file__).resolve().parents[2] / "coprocessors/map"


def test_the_header_agrees_with_the_map() -> None:
    header = (MAP / "driver/map_registers.h").read_text()
    defined = {name: int(value, 0) for name, value in re.findall(r"MAP_(\w+)\s*= (\w+)", header)}
    registers = _native.load_coprocessor(str(MAP / "registers.toml"))["registers"]
    offsets = {register["name"].upper(): register["offset"] for register in registers}
    for register in registers:
        for part in register["fields"]:
            offsets[f"{register['name']}_{part['name']}".upper()] = part["bits"][0]
    assert len(defined) >= 10
    for name, value in defined.items():
        assert offsets[name] == value, name
