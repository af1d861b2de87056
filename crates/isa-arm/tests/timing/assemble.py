"""Fills in the lines `code` of the sequences in this folder from their lines `asm`.

The GNU assembler gives the code.

Usage: python assemble.py [FILE ...]; all files of this folder unless given.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

CPUS = {
    "arm7tdmi": ("arm7tdmi", False),
    "arm926ej-s": ("arm926ej-s", False),
    "sa1110": ("strongarm1110", False),
    "cortex-m0": ("cortex-m0", True),
    "cortex-m0plus": ("cortex-m0plus", True),
    "cortex-m0-and-m0plus": ("cortex-m0", True),
    "cortex-m3": ("cortex-m3", True),
    "cortex-m3-and-m4": ("cortex-m3", True),
    "cortex-m4": ("cortex-m4", True),
}


def assemble(lines: list[str], cpu: str, thumb: bool) -> list[str]:
    """The 16-bit units of a sequence, in hexadecimal."""
    text = "\n".join([".syntax unified", ".thumb" if thumb else ".arm", *lines, "behind:", ""])
    options = [f"-mcpu={cpu}"] + (["-mfpu=fpv4-sp-d16"] if cpu == "cortex-m4" else [])
    with tempfile.TemporaryDirectory() as folder:
        source, object_file, binary = (f"{folder}/a.{suffix}" for suffix in ("s", "o", "bin"))
        Path(source).write_text(text)
        subprocess.run(["arm-none-eabi-as", *options, "-o", object_file, source], check=True)
        copy = ["arm-none-eabi-objcopy", "-O", "binary", "-j", ".text", object_file, binary]
        subprocess.run(copy, check=True)
        # The assembler fills the section up to its alignment.
        names = subprocess.run(
            ["arm-none-eabi-nm", object_file], check=True, capture_output=True, text=True
        )
        (end,) = (line.split()[0] for line in names.stdout.splitlines() if "behind" in line)
        data = Path(binary).read_bytes()[: int(end, 16)]
    return [f"{data[at] | data[at + 1] << 8:04x}" for at in range(0, len(data), 2)]


def fill(path: Path) -> None:
    """Writes the lines `code` of a file again, each behind the last line `asm` of its case."""
    cpu, always_thumb = CPUS[path.stem]
    cases: list[list[str]] = [[]]
    for line in path.read_text().splitlines():
        if line.startswith("case "):
            cases.append([])
        if not line.startswith("  code "):
            cases[-1].append(line)
    for case in cases[1:]:
        asm = [line.removeprefix("  asm ") for line in case if line.startswith("  asm ")]
        thumb = always_thumb or "  thumb" in case
        last = max(at for at, line in enumerate(case) if line.startswith("  asm "))
        case.insert(last + 1, "  code " + " ".join(assemble(asm, cpu, thumb)))
    path.write_text("\n".join(line for case in cases for line in case) + "\n")


def main() -> None:
    """Fills in the files that are named, or all."""
    here = Path(__file__).parent
    for path in [Path(name) for name in sys.argv[1:]] or sorted(here.glob("*.txt")):
        fill(path)


if __name__ == "__main__":
    main()
