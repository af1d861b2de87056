"""Stock firmware runs as it is: its start, and the calls of its C library to the host.

The same ELF files run on QEMU's boards where it has them, and print the same.
"""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import Machine
from cocrypt.cli import simulation
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.measurement import run as run_image
from stock import BOARDS, FIRMWARE, GCC, Layout, built, forms, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

NEWLIB = (GCC, "rdimon.specs", "libnewlib-arm-none-eabi")
PRINTED = """\
hello 42 0 5
{arguments}heap 1 x
too much 1
27 bytes
then second line
renamed 0
gone 1
removed 0
features 0 SHFB 3
length 5
terminal 0
closed 0, again -1
errors 1 0
temporary 0 1
ticks 1
rate 1
memory 1
{outside}read Ada
time passes 1
done
"""
"""The program's output, as C and the specification have it, and as it is under QEMU."""
KEPT = b"FIRST 42\nsecond line\nthird\n"
ARGUMENTS = "argument 1 is <one>\nargument 2 is <two words>\nargument 3 is <outside>\n"
WHOLE = PRINTED.format(arguments=ARGUMENTS, outside="outside 1\ncommand -1\n")
BARE = PRINTED.format(arguments="", outside="")
QEMU = {
    "netduinoplus2": ("stm32f4-168mhz", BOARDS["stm32f4-168mhz"]),
    "stm32vldiscovery": ("stm32f1", Layout(0x0800_0000, 0x2_0000, 0x2000_0000, 0x2000)),
}


@pytest.fixture
def need_newlib(need_library: Callable[[str, str, str], str]) -> str:
    return need_library(*NEWLIB)


def run_with_files(
    folder: Path,
    device: str,
    image: Path,
    at: int | None = None,
    words: tuple[str, ...] = ("program", "one", "two words", "outside"),
) -> tuple[str, dict[str, object]]:
    """The output of a program that may use a folder, and its stop."""
    files = folder / "files"
    files.mkdir(exist_ok=True)
    machine = Machine(
        device, image, load_address=at, host_calls=True, host_files=files, command_line=words
    )
    machine.type_in("Ada\n")
    values = machine.run(100_000_000).values
    return values["console"].decode(), values["stop"]


def addresses(image: Path) -> dict[str, int]:
    """The addresses of an image's symbols."""
    lines = [line.split() for line in run("arm-none-eabi-nm", image).splitlines()]
    return {line[-1]: int(line[0], 16) for line in lines if len(line) == 3}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("library", ["newlib", "nano"])
@pytest.mark.usefixtures("need_newlib")
def test_newlib_with_a_start_as_of_cmsis(tmp_path: Path, board: str, library: str) -> None:
    image = built(tmp_path, board, library=library)
    for form, (path, at) in forms(image, BOARDS[board].flash).items():
        printed, stop = run_with_files(tmp_path, board, path, at)
        assert (printed, stop["kind"], stop["exit_code"]) == (WHOLE, "exit", 7), form
        assert (tmp_path / "files/kept.txt").read_bytes() == KEPT
        assert sorted(tmp_path.glob("**/*.txt")) == [tmp_path / "files/kept.txt"]
        (tmp_path / "files/kept.txt").unlink()


@pytest.mark.usefixtures("need_newlib")
def test_code_in_flash_is_no_ram_whatever_the_linker_says(tmp_path: Path) -> None:
    image = built(tmp_path, "stm32f1")
    result = Machine("stm32f1", image, host_calls=True).run()
    at = addresses(image)
    used = at["__bss_end__"] - at["__data_start__"]
    text, data, _ = map(int, run("arm-none-eabi-size", image).splitlines()[1].split()[:3])
    assert (result.rom, result.ram) == (text + data, used)
    limited = run_image(Device.load("stm32f1"), image.read_bytes(), "program", max_cycles=1)
    assert limited.ram == used


@pytest.mark.usefixtures("need_newlib")
def test_a_start_that_calls_main_itself(tmp_path: Path) -> None:
    image = built(tmp_path, "stm32f1", "-DMAIN")
    printed, stop = run_with_files(tmp_path, "stm32f1", image)
    assert (printed, stop["exit_code"]) == (BARE, 7)


@pytest.mark.parametrize("machine", QEMU)
@pytest.mark.usefixtures("need_newlib")
def test_it_does_what_it_does_under_qemu(
    need_tool: Callable[[str], str], tmp_path: Path, machine: str
) -> None:
    qemu, (board, layout) = need_tool("qemu-system-arm"), QEMU[machine]
    image = built(tmp_path, board, layout=layout)
    words = ("program", "one", "two")
    given = ",".join(f"arg={word}" for word in words)
    command = [qemu, "-M", machine, "-nographic", "-monitor", "none", "-serial", "none"]
    command += ["-semihosting-config", f"enable=on,target=native,{given}", "-kernel", str(image)]
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    done = subprocess.run(
        command, cwd=theirs, input="Ada\n", capture_output=True, text=True, check=False, timeout=60
    )
    printed, stop = run_with_files(tmp_path, board, image, words=words)
    # QEMU writes the program's stream for errors to its own.
    assert (printed, stop["exit_code"]) == (done.stdout + done.stderr, done.returncode)
    contents = [(side / "kept.txt").read_bytes() for side in (theirs, tmp_path / "files")]
    assert contents == [KEPT, KEPT]


@pytest.mark.parametrize(("device", "flags", "at"), [
    ("arm7tdmi", ("-mcpu=arm7tdmi", "-marm"), 0x0020_0000),
    ("arm7tdmi", ("-mcpu=arm7tdmi", "-mthumb"), 0x0020_0000),
    ("at91sam9", ("-mcpu=arm926ej-s", "-marm"), 0x2000_0000),
    ("at91sam9", ("-mcpu=arm926ej-s", "-mthumb"), 0x2000_0000),
])  # fmt: skip
@pytest.mark.usefixtures("need_newlib")
def test_newlib_on_other_cores_of_arm(
    tmp_path: Path, device: str, flags: tuple[str, ...], at: int
) -> None:
    image = tmp_path / "program.elf"
    specs = ("--specs=nano.specs", "--specs=rdimon.specs")
    link_flag = f"-Wl,-Ttext-segment={at:#x},--no-warn-rwx-segments"
    run(GCC, *flags, "-Os", *specs, FIRMWARE / "program.c", link_flag, "-o", image)
    printed, stop = run_with_files(tmp_path, device, image)
    assert (printed, stop["exit_code"]) == (WHOLE, 7)


@pytest.mark.parametrize(("device", "compiler", "flags", "package", "layout"), [
    ("stm32f0", GCC, ("-mcpu=cortex-m0", "-mthumb"), "picolibc-arm-none-eabi", BOARDS["stm32f0"]),
    ("nrf52840", GCC, ("-mcpu=cortex-m4", "-mthumb"), "picolibc-arm-none-eabi", BOARDS["nrf52840"]),
    ("picorv32", "riscv64-unknown-elf-gcc", ("-march=rv32im", "-mabi=ilp32"),
     "picolibc-riscv64-unknown-elf", Layout(0, 0x1_0000, 0x1_0000, 0x1_0000)),
    ("ibex-small", "riscv64-unknown-elf-gcc", ("-march=rv32imc", "-mabi=ilp32"),
     "picolibc-riscv64-unknown-elf", Layout(0, 0x1_0000, 0x1_0000, 0x1_0000)),
])  # fmt: skip
def test_picolibc(
    need_library: Callable[[str, str, str], str],
    tmp_path: Path,
    device: str,
    compiler: str,
    flags: tuple[str, ...],
    package: str,
    layout: Layout,
) -> None:
    gcc, image = need_library(compiler, "picolibc.specs", package), tmp_path / "program.elf"
    specs = ("--specs=picolibc.specs", "--oslib=semihost", "--crt0=hosted", "-T", "picolibc.ld")
    symbols = dict(zip(("flash", "flash_size", "ram", "ram_size"), layout, strict=True))
    symbols["stack_size"] = 0x800
    link_flags = [f"-Wl,--defsym=__{name}={value:#x}" for name, value in symbols.items()]
    link_flags.append("-Wl,--no-warn-rwx-segments")
    run(gcc, *flags, "-Os", *specs, FIRMWARE / "program.c", *link_flags, "-o", image)
    printed, stop = run_with_files(tmp_path, device, image)
    assert (printed, stop["exit_code"]) == (BARE, 7)


@pytest.mark.usefixtures("need_newlib")
def test_flash_that_is_seen_at_0_too(tmp_path: Path) -> None:
    layout = BOARDS["stm32f0"]._replace(flash=0)
    image = built(tmp_path, "stm32f0", layout=layout)
    for path, at in forms(image, 0).values():
        printed, stop = run_with_files(tmp_path, "stm32f0", path, at)
        assert (printed, stop["exit_code"]) == (WHOLE, 7)
    machine = Machine("stm32f0", image)
    assert machine.read(0, 64) == machine.read(0x0800_0000, 64) != bytes(64)


@pytest.mark.parametrize("at", [0x0800_4000, 0x2000_0000])
@pytest.mark.usefixtures("need_newlib")
def test_an_application_behind_a_boot_loader(tmp_path: Path, at: int) -> None:
    ram = 0x2001_0000
    layout = Layout(at, 0x1_0000, ram, 0x1_0000)
    image = built(tmp_path, "stm32f4-168mhz", layout=layout)
    for path, load in forms(image, at).values():
        printed, stop = run_with_files(tmp_path, "stm32f4-168mhz", path, load)
        assert (printed, stop["exit_code"]) == (WHOLE, 7)


@pytest.mark.usefixtures("need_newlib")
def test_what_is_no_image_for_the_core_is_refused(cocrypt: Cocrypt, tmp_path: Path) -> None:
    image = built(tmp_path, "stm32f1")
    raw, _ = forms(image, 0)["raw"]
    options = ("--device", "stm32f1", "--load-address", "0x08010000")
    for verb in ("run", "profile"):
        done = cocrypt(verb, raw, *options)
        assert done.returncode == 1, done.stderr
        assert "image.no-vectors" in done.stderr
        assert "0x08000000" in done.stderr


def test_code_without_a_table_starts_where_somebody_says(
    need_tool: Callable[[str], str], cocrypt: Cocrypt, tmp_path: Path
) -> None:
    need_tool("arm-none-eabi-as")
    # Ends the run by the device's exit register, with the value of r1.
    text = "nop\nmovs r1, #0\nldr r0, =0xc0000020\nmovs r1, #5\nstr r1, [r0]\n.pool\n"
    (tmp_path / "a.s").write_text(f".syntax unified\n.thumb\n{text}", encoding="utf-8")
    run("arm-none-eabi-as", "-mcpu=cortex-m0", tmp_path / "a.s", "-o", tmp_path / "a.o")
    run("arm-none-eabi-objcopy", "-O", "binary", tmp_path / "a.o", tmp_path / "a.bin")
    words = ("run", "a.bin", "--device", "stm32f0", "--load-address", "0x08000000")
    assert cocrypt(*words).returncode == 1
    done = cocrypt(*words, "--entry", "0x08000002", "--json")
    assert (json.loads(done.stdout)["exit_code"], done.returncode) == (5, 3)
    elf = tmp_path / "a.elf"
    command = ("arm-none-eabi-ld", "-Ttext", "0x08000000", "-e", "0x08000003")
    run(*command, tmp_path / "a.o", "-o", elf)
    stop = Machine("stm32f0", elf).run().values["stop"]
    assert stop["exit_code"] == 5
    assert "stack pointer of 0" in stop["notes"][0]


@pytest.mark.usefixtures("need_newlib")
def test_files_need_a_folder(cocrypt: Cocrypt, tmp_path: Path) -> None:
    image = built(tmp_path, "stm32f1")
    done = cocrypt("run", image, "--device", "stm32f1", "--semihosting")
    assert "no files, errno 13" in done.stdout
    assert done.stderr.count("--semihosting-files") == 1
    assert not list(tmp_path.glob("*.txt"))
    done = cocrypt("run", image, "--device", "stm32f1", "--semihosting-files", "none")
    assert (done.returncode, "none is no folder" in done.stderr) == (1, True)
    done = cocrypt("run", image, "--device", "stm32f1", "--argument", "one")
    assert (done.returncode, "--semihosting" in done.stderr) == (1, True)
    (tmp_path / "files").mkdir()
    (tmp_path / "typed").write_text("Ada\n", encoding="utf-8")
    host = ("--semihosting-files", "files", "--input", "typed")
    words = ("--argument", "one", "-a", "two words", "-a", "outside")
    done = cocrypt("profile", image, "--device", "stm32f1", *host, *words, "--json")
    assert (done.returncode, json.loads(done.stdout)["stop"]["exit_code"]) == (3, 7)
    assert done.stderr.count("was refused a file") == 1
    done = cocrypt("run", image, "--device", "stm32f1", *host, *words)
    assert done.stdout.startswith(WHOLE)


@pytest.mark.usefixtures("need_newlib")
def test_calls_that_nobody_answers_are_named(cocrypt: Cocrypt, tmp_path: Path) -> None:
    source = tmp_path / "unknown.c"
    source.write_text(
        "int main(void)\n{\n"
        '    register int call __asm__("r0") = 0x99;\n'
        '    __asm__ volatile("bkpt 0xab" : "+r"(call));\n    return call;\n}\n',
        encoding="utf-8",
    )
    image = built(tmp_path, "stm32f1", source=source)
    done = cocrypt("run", image, "--device", "stm32f1", "--semihosting")
    assert done.returncode == 3
    assert "the operation 0x99, which the semihosting specification does not have" in done.stderr
    done = cocrypt("run", image, "--device", "stm32f1")
    assert "--semihosting is not given" in done.stderr
    assert "(SYS_HEAPINFO)" in done.stderr


@pytest.mark.usefixtures("need_newlib")
def test_registers_that_are_not_modelled(cocrypt: Cocrypt, tmp_path: Path) -> None:
    image = built(tmp_path, "stm32f4-168mhz", "-DREGISTER=0x40023800")
    words = ("run", image, "--device", "stm32f4-168mhz", "--semihosting")
    done = cocrypt(*words)
    assert done.returncode == 3
    assert "nothing answers at 0x40023800" in done.stderr
    assert "in `SystemInit`" in done.stderr
    done = cocrypt(*words, "--stub", "0x40000000-0x5fffffff", "--json")
    values = json.loads(done.stdout)
    assert (values["stop"]["kind"], values["exit_code"]) == ("exit", 7)
    assert values["stubs"] == [{"address": 0x4002_3800, "reads": 1, "writes": 1}]
    assert "0x40023800 (read 1, written 1 times)" in done.stderr
    for wrong in ("0x40000000", "2-1", "0x0-0xffffffff", "-", "0x40000000-0x40000003-"):
        with pytest.raises(InputError):
            simulation.ranged(wrong)


@pytest.mark.usefixtures("need_newlib")
def test_the_first_fault_is_named_behind_a_handler_that_loops(
    cocrypt: Cocrypt, tmp_path: Path
) -> None:
    source = tmp_path / "float.c"
    source.write_text(
        "volatile float a = 1.5f, b = 2.25f;\n"
        "__attribute__((noinline)) void add(void)\n{\n"
        '    __asm__ volatile("vadd.f32 s0, s1, s2");\n}\n'
        "int main(void)\n{\n    add();\n    return 0;\n}\n",
        encoding="utf-8",
    )
    flags = ("-mfloat-abi=softfp", "-mfpu=fpv4-sp-d16")
    image = built(tmp_path, "stm32f4-168mhz", *flags, source=source)
    done = cocrypt("run", image, "--device", "stm32f4-168mhz", "--semihosting", "--json")
    assert done.returncode == 3
    assert "vadd.f32 s0, s1, s2" in done.stderr
    assert "in `add`" in done.stderr
    stop = json.loads(done.stdout)["stop"]
    first = stop["first_fault"]
    # The loop is recognised in spite of the flash memory's cache.
    assert (stop["kind"], stop["symbol"]) == ("deadlock", "hang")
    assert (first["kind"], first["symbol"]) == ("illegal_instruction", "add")
    expected = {"encoding": "ee30 0a81", "text": "vadd.f32 s0, s1, s2"}
    assert first["instruction"] == expected
    # Where a core has the extension, the chip would go on.
    device = tmp_path / "devices" / "f4.toml"
    device.parent.mkdir()
    (device.parent / "cores").symlink_to(FIRMWARE.parents[2] / "devices/cores")
    text = (FIRMWARE.parents[2] / "devices/stm32f4-24mhz.toml").read_text(encoding="utf-8")
    text = text.replace("[[memory]]", "[parameters]\nFPU = true\n\n[[memory]]", 1)
    device.write_text(text.replace('"stm32f4-24mhz"', '"f4"'), encoding="utf-8")
    stop = Machine(device, image, host_calls=True).run().values["stop"]
    assert (stop["kind"], stop["symbol"]) == ("unmodelled", "add")
    assert stop["instruction"] == expected


@pytest.mark.usefixtures("need_newlib")
def test_an_access_that_leads_to_the_hard_fault_is_named(tmp_path: Path) -> None:
    source = tmp_path / "unaligned.c"
    source.write_text(
        "int main(int count, char **words)\n{\n    (void)words;\n"
        '    __asm__ volatile("ldr r0, [%0]" : : "r"(0x20000001 + count * 0) : "r0");\n'
        "    return 0;\n}\n",
        encoding="utf-8",
    )
    image = built(tmp_path, "stm32f0", source=source)
    stop = Machine("stm32f0", image, host_calls=True).run().values["stop"]
    assert stop["symbol"] == "hang"
    first = stop["first_fault"]
    fault = (first["kind"], first["symbol"], first["address"])
    assert fault == ("unaligned", "main", 0x2000_0001)


VECTORS = """
#include <stdint.h>
#define ICSR (*(volatile uint32_t *)0xe000ed04)
#define VTOR (*(volatile uint32_t *)0xe000ed08)
#define ISER (*(volatile uint32_t *)0xe000e100)
#define ISPR (*(volatile uint32_t *)0xe000e200)
extern const uint32_t vectors[48];
uint32_t table[48] __attribute__((aligned(256)));
void handler(void) {{ }}
__attribute__((noinline)) void occur(void) {{ {occur}; __asm__ volatile("dsb; isb; nop; nop"); }}
int main(void)
{{
    for (int i = 0; i < 48; i++) table[i] = vectors[i];
    {change};
    VTOR = (uint32_t)table;
    {then};
    occur();
    return 0;
}}
"""
"""A program that raises an exception, with a table of vectors of its own."""
PENDSV, INTERRUPT = "ICSR = 1u << 28", "ISER = 1u << 5, ISPR = 1u << 5"


def stop_at_vector(folder: Path, cocrypt: Cocrypt, board: str, **parts: str) -> tuple[str, Any]:
    """The message on stderr of a run that ends at an exception, and its stop."""
    source = folder / "vectors.c"
    texts = {"change": "", "then": "", **parts}
    source.write_text(VECTORS.format_map(texts), encoding="utf-8")
    image = built(folder, board, source=source)
    done = cocrypt("run", image, "--device", board, "--semihosting", "--json")
    assert done.returncode == 3
    return " ".join(done.stderr.split()), json.loads(done.stdout)["stop"]


@pytest.mark.parametrize("board", ["stm32f0", "stm32f1", "rp2040"])
@pytest.mark.usefixtures("need_newlib")
def test_an_exception_without_a_handler_names_its_vector(
    cocrypt: Cocrypt, tmp_path: Path, board: str
) -> None:
    # A Cortex-M0 has no VTOR, and reads the image's own table.
    message, stop = stop_at_vector(tmp_path, cocrypt, board, occur=INTERRUPT)
    assert (stop["kind"], stop["symbol"]) == ("no_handler", "occur")
    at = addresses(tmp_path / f"{board}.elf")
    vector = at["vectors" if board == "stm32f0" else "table"] + 4 * 21
    holds = f"its vector at {vector:#010x} holds 0x00000000"
    assert f"the interrupt 5 (exception 21) has no handler: {holds}" in message
    assert "does not know" not in message


@pytest.mark.usefixtures("need_newlib")
def test_a_vector_that_no_memory_has_is_named(cocrypt: Cocrypt, tmp_path: Path) -> None:
    then = "VTOR = 0x30000000"
    message, stop = stop_at_vector(tmp_path, cocrypt, "stm32f1", then=then, occur=PENDSV)
    assert (stop["kind"], stop["symbol"]) == ("no_handler", "occur")
    assert "PendSV (exception 14) has no handler: no memory answers at 0x30000038" in message
    assert "VTOR" in message


@pytest.mark.parametrize("hard_fault", ["hang", "none"])
@pytest.mark.usefixtures("need_newlib")
def test_a_vector_without_its_thumb_bit_is_named(
    cocrypt: Cocrypt, tmp_path: Path, hard_fault: str
) -> None:
    change = "table[14] = (uint32_t)handler & ~1u"
    change += "; table[3] = 0" if hard_fault == "none" else ""
    message, stop = stop_at_vector(tmp_path, cocrypt, "stm32f1", change=change, occur=PENDSV)
    # An invalid state leads to the hard fault (DDI 0403, B1.5.14), where that has a handler.
    fault = stop if hard_fault == "none" else stop["first_fault"]
    assert (fault["kind"], fault["symbol"]) == ("invalid_state", "handler")
    assert hard_fault == "none" or (stop["kind"], stop["symbol"]) == ("deadlock", "hang")
    at = addresses(tmp_path / "stm32f1.elf")
    location = f"at {at['table'] + 4 * 14:#010x} holds {at['handler']:#010x}"
    assert (
        f"the vector of PendSV (exception 14) {location}, whose bit 0, the Thumb bit, is clear"
        in message
    )
    assert "does not know this instruction" not in message


@pytest.mark.usefixtures("need_newlib")
def test_a_jump_without_the_thumb_bit_is_named(cocrypt: Cocrypt, tmp_path: Path) -> None:
    jump = "((void (*)(void))((uint32_t)handler & ~1u))()"
    message, stop = stop_at_vector(tmp_path, cocrypt, "stm32f1", occur=jump)
    fault = stop["first_fault"]
    assert (fault["kind"], fault["symbol"]) == ("invalid_state", "handler")
    assert f"the core is to go on at {fault['pc']:#010x} with the Thumb bit clear" in message


@pytest.mark.usefixtures("need_newlib")
def test_a_reset_vector_without_its_thumb_bit_is_named(cocrypt: Cocrypt, tmp_path: Path) -> None:
    raw, at = forms(built(tmp_path, "stm32f1"), 0x0800_0000)["raw"]
    words = raw.read_bytes()
    raw.write_bytes(words[:4] + bytes([words[4] & 0xFE]) + words[5:])
    done = cocrypt("run", raw, "--device", "stm32f1", "--load-address", hex(at or 0))
    message = " ".join(done.stderr.replace("│", "").split())
    assert (done.returncode, "image.no-vectors" in message) == (1, True)
    entry = int.from_bytes(words[4:8], "little") & ~1
    assert f"{entry:#010x}, the reset vector, whose bit 0, the Thumb bit, is clear" in message


@pytest.mark.parametrize(("device", "word", "text"), [
    # By `riscv64-unknown-elf-as` of `fadd.s ft0, ft0, ft0`, `amoadd.w a0, a1, (a2)`, `clz a0, a0`.
    ("picorv32", 0x0000_7053, "arithmetic of extension F"),
    ("picorv32", 0x00B6_252F, "an instruction of extension A"),
    ("picorv32", 0x6005_1513, "clz a0, a0"),
    ("picorv32", 0xFFFF_FFFF, None),
])  # fmt: skip
def test_an_instruction_of_another_core_is_named_on_risc_v(
    firmware: Callable[[str], Path], device: str, word: int, text: str | None
) -> None:
    image = firmware(f'int main(void) {{ __asm__ volatile(".word {word:#x}"); return 0; }}\n')
    stop = Machine(device, image).run().values["stop"]
    encoding = f"{word & 0xFFFF:04x} {word >> 16:04x}"
    assert (stop["kind"], stop["symbol"]) == ("illegal_instruction", "main")
    assert stop["instruction"] == {"encoding": encoding, "text": text}
    assert encoding in stop["cause"]


def test_a_limit_beyond_the_clock_is_told(
    cocrypt: Cocrypt, firmware: Callable[[str], Path]
) -> None:
    image = firmware("int main(void) { return 0; }\n")
    done = cocrypt("run", image, "--device", "picorv32", "--max-cycles", str(1 << 64))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "18446744073709551615" in done.stderr.replace("\n", "")
    assert Machine("picorv32", image).run((1 << 64) - 1).values["stop"]["exit_code"] == 0
    for wrong in (-1, 1 << 64):
        with pytest.raises(InputError):
            Machine("picorv32", image).run(wrong)
