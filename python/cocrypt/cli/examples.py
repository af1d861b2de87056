"""Examples of each verb, shown at the end of its `--help` and on its manual page."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Example = tuple[str, str]
"""A command line without `cocrypt`, and what it does."""

EXAMPLES: Mapping[str, tuple[Example, ...]] = MappingProxyType(
    {
        "new": (
            ("new blinker", "A project for the usual device."),
            ("new blinker --device stm32f4-168mhz", "A project for a Cortex-M4."),
        ),
        "explore": (
            ("explore studies/hau2011.toml", "Every partition, as a table and a page."),
            ("explore study.toml --area", "The Pareto front of time against area."),
            ("explore study.toml -w sign -d ibex --json", "One workload on one device, as JSON."),
        ),
        "build": (
            ("build studies/hau2011.toml -o images", "An ELF file for each partition."),
            ("build study.toml --workload sign --partition software", "One image alone."),
        ),
        "java": (
            ("java classes --main Hello -d sa1110 -o hello.elf", "A folder of class files."),
            ("java app.jar --main app.Main --heap 8192 --json", "A jar, with a heap of 8 KiB."),
            ("java app.jar --main app.Main --native fast.c", "With native methods in C."),
            ("java classes --main Aes --aot Aes.encrypt", "With a method compiled ahead of time."),
        ),
        "compare": (
            ("compare before.json after.json --bound 2", "Fail if a figure grew by more than 2 %."),
            ("compare before after", "Measurements that `measure --save` kept."),
        ),
        "verify": (
            ("verify studies/hau2011.toml", "What the study lists, on the model and at RTL."),
            ("verify studies/hau2011.toml --all", "Every workload and every named partition."),
            ("verify --fuzz 1000 --core ibex", "A thousand generated programs."),
        ),
        "reproduce": (("reproduce hau2011", "The paper's tables beside ours."),),
        "authenticate": (
            ("authenticate studies/authentication.toml", "One authentication, step by step."),
            (
                "authenticate studies/authentication.toml --attacks",
                "Every attack at every message.",
            ),
            (
                "authenticate studies/authentication.toml --terminals 100 --arrivals 20",
                "A hundred terminals, 20 a second, at one server.",
            ),
        ),
        "run": (
            ("run firmware.elf -d stm32f4-168mhz", "Cycles, memory and energy of a program."),
            ("run studies/hau2011.toml -w ecdsa_verify", "A workload of a study."),
            ("run firmware.bin -d picorv32 --load-address 0x0", "A raw binary."),
            ("run firmware.elf -d atmega2560 --gdb :3333", "Wait for the GNU debugger."),
        ),
        "profile": (
            ("profile firmware.elf -d picorv32 --tree", "Hot functions and the call tree."),
            ("profile firmware.elf -d ibex --annotate hottest", "Source, assembly and cycles."),
            ("profile firmware.elf -d ibex --callgrind out.prof", "A file for KCachegrind."),
        ),
        "measure": (
            ("measure sha256 aes128 -d picorv32", "Two primitives with all implementations."),
            ("measure ascon_aead128/ref -Os -O3 --lengths 16,1024", "Two levels and two lengths."),
            ("measure ./mine -d stm32f4-24mhz --compiler arm-none-eabi-gcc", "Others' code."),
        ),
        "portfolio": (
            ("portfolio -d ibex", "What fits common budgets of ROM and RAM."),
            ("portfolio aes128 sha256 --rom 2048,4096 --ram 256", "Budgets of one's own."),
        ),
        "fdl check": (("fdl check design.fdl", "Errors and warnings, as a compiler prints them."),),
        "fdl verilog": (
            ("fdl verilog design.fdl -o design.v", "The design in Verilog."),
            ("fdl verilog design.fdl --testbench -o bench.v", "A test bench that checks itself."),
        ),
        "fdl vhdl": (("fdl vhdl design.fdl -o design.vhd", "The design in VHDL."),),
        "fdl export": (
            ("fdl export design.fdl package", "Verilog, VHDL, benches and a FuseSoC core file."),
        ),
        "fdl sim": (
            ("fdl sim design.fdl", "What the design displays, until nothing changes."),
            ("fdl sim design.fdl --cycles 1000 --waves out.fst", "Waves for GTKWave."),
        ),
        "fdl diagram": (
            ("fdl diagram design.fdl -o design.svg", "The state machine as a picture."),
            ("fdl diagram design.fdl -o design.html", "A page that zooms: states and datapaths."),
        ),
        "fdl test": (("fdl test registers.toml", "The vectors beside the map, on the model."),),
        "fdl fuzz": (("fdl fuzz --designs 100", "A hundred designs under three simulators."),),
        "fdl wrap": (
            (
                "fdl wrap design.fdl --map registers.toml --bus apb -o wrapper.v",
                "A wrapper for the APB.",
            ),
        ),
        "fdl registers": (
            ("fdl registers registers.toml --as header -o registers.h", "Registers as a C header."),
            ("fdl registers registers.toml --as driver -o driver.c", "A driver to fill in."),
        ),
        "synth": (
            ("synth design.fdl", "Area in µm² and GE, cells and longest path."),
            ("synth design.v --top core -l cells.lib -o netlist.v", "With a library of yours."),
        ),
        "harden": (
            ("harden design.fdl", "Two rails beside one: area, delay, energy and its variation."),
            ("harden design.v --cells -o hard.v", "The netlist, with cells for simulators."),
        ),
        "leak trace": (
            (
                "leak trace aes128/ref --random text --runs 5000 -o traces",
                "Simulated power of a block, with random plaintexts.",
            ),
            (
                "leak trace app.elf --from check --fixed-vs-random pin:4=31323334 -o traces",
                "Two groups for a t-test, of a program of one's own.",
            ),
            (
                "leak trace study.toml -p seal --from seal --random @1:16 --gates generic180 -o s",
                "A core, and the coprocessor that it drives as gates.",
            ),
        ),
        "leak calibrate": (
            ("leak calibrate picorv32 -o calibrated", "A model and a device, of assumed gates."),
            (
                "leak calibrate -l cells.lib --check present80/small --check sha256/small",
                "With a library of yours, and other programs to predict.",
            ),
        ),
        "leak ct": (
            ("leak ct aes128 --device ibex", "Instructions that depend on the key or the text."),
            ("leak ct --all --claimed", "All that claim to take constant time."),
            ("leak ct firmware.elf -d ibex --secret key:16", "Memory of a program of one's own."),
        ),
        "leak tvla": (
            ("leak tvla traces --orders 2", "Two groups of traces, to second order."),
            ("leak tvla traces --split 1", "Random halves, which should not differ."),
        ),
        "leak attack": (
            ("leak attack traces --model aes-last", "The last round of AES-128."),
            ("leak attack traces --repeat 10 --report attack.html", "Ranks over ten attacks."),
        ),
        "leak snr": (
            ("leak snr traces --column ciphertext", "Samples that depend on the ciphertext."),
            ("leak snr traces --parts 0 --csv snr.csv", "All samples of one byte."),
        ),
        "leak report": (
            ("leak report traces", "All that the set tells, on one page."),
            ("leak report traces --model aes-last --report aes.html", "The last round."),
            ("leak report study.toml --report rails.html", "Gates with one rail beside two."),
        ),
        "leak import": (
            ("leak import capture.cwp traces", "A project of ChipWhisperer."),
            ("leak import power.npy traces --column plaintext=texts.npy", "Arrays."),
            ("leak import ascad.h5 traces --array Attack_traces/traces", "A dataset of HDF5."),
        ),
        "leak export": (
            ("leak export traces power.trs", "For Inspector."),
            ("leak export traces capture.cwp", "For ChipWhisperer."),
        ),
        "devices": (("devices", "Names for `--device`."),),
        "primitives": (("primitives", "Names for `measure`."),),
        "trust": (
            ("trust ~/project", "Let the compilers that a project names run."),
            ("trust --list", "The trusted folders."),
        ),
        "cache": (
            ("cache", "What is kept between runs, with its size."),
            ("cache images objects --clear", "Remove compiled programs."),
        ),
        "toolchain": (
            ("toolchain", "The cross compilers that are there, and how to build the others."),
            ("toolchain rl78-elf", "Binutils and GCC, from Debian's packages of sources."),
            ("toolchain rl78-elf --only simulator -j 2", "The GNU simulator, with two processes."),
        ),
        "doctor": (("doctor", "The tools that are there, and how to get the others."),),
    }
)
"""The examples by the words of their verb."""


def text(verb: str) -> str | None:
    """The examples of a verb as the end of its help, each on lines of its own."""
    lines = [f"  cocrypt {words}\n      {meaning}" for words, meaning in EXAMPLES.get(verb, ())]
    # The mark keeps line ends as they are.
    return "\b\nExamples:\n" + "\n".join(lines) if lines else None
