"""The toolchains that can be built: targets, their parts, and the sources with their hashes.

How they are configured, and why sources are edited: GCC's and binutils' installation manuals, and
what a build without these options or edits fails of.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.paths import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Package:
    """A Debian package of sources: the archive in it, and what of that is unpacked and patched."""

    name: str
    version: str
    sha256: str
    archive: str
    patches: tuple[tuple[str, int], ...] = ()
    """Debian's patches by their paths in the package, and the strip level of each."""
    omitted: tuple[str, ...] = ()
    """Patterns of paths that are not needed."""
    installed: int = 0
    """Bytes that unpacked sources and a build take at most."""

    @property
    def file(self) -> str:
        """The name of the package's file."""
        return f"{self.name}_{self.version}_all.deb"


@dataclass(frozen=True)
class Edit:
    """A change of a source, whose `old` text must be there."""

    part: str
    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Stage:
    """A call of make; `seconds` of a core's time and `lines` of output that it takes, about.

    Only lines count that begin with `mark`. Both figures are of one variant of GCC's library if the
    stage compiles all of them.
    """

    name: str
    goals: tuple[str, ...]
    seconds: int
    lines: int
    parallel: bool = True
    mark: str = ""
    compiles_variants: bool = False


@dataclass(frozen=True)
class Part:
    """A part of a toolchain, made of one package's sources after the parts that it `needs`.

    `programs` are names behind the target's prefix, of which the first states the version.
    `libraries` are patterns of files of the build that are kept in `lib`, where `{machine}` is the
    target's name without what follows the first hyphen.
    """

    name: str
    title: str
    package: Package
    options: tuple[str, ...]
    stages: tuple[Stage, ...]
    programs: tuple[str, ...]
    tools: tuple[str, ...]
    headers: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True)
class CrossTarget:
    """A target of the GNU tools, with what its compiler is configured with beside the usual.

    GCC's library is compiled in so many `variants`, of which a program gets the one of its options.
    """

    name: str
    title: str
    options: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = field(default=())
    variants: int = 2

    def stages(self, part: Part) -> list[Stage]:
        """The calls of make that build a part, with what they take for this target."""
        return [
            replace(stage, seconds=stage.seconds * self.variants, lines=stage.lines * self.variants)
            if stage.compiles_variants
            else stage
            for stage in part.stages
        ]

    def seconds(self, parts: Iterable[Part]) -> int:
        """Seconds of a core's time that it takes to build parts, about."""
        fixed = UNPACKING + CONFIGURING
        return sum(fixed + sum(stage.seconds for stage in self.stages(part)) for part in parts)

    def edited(self, part: Part) -> tuple[Edit, ...]:
        """The edits of a part's sources."""
        return tuple(edit for edit in self.edits if edit.part == part.name)

    def libraries(self, part: Part) -> list[str]:
        """The patterns of files of a part's build that are kept."""
        machine = self.name.partition("-")[0]
        return [pattern.format(machine=machine) for pattern in part.libraries]

    def configured(self, part: Part) -> tuple[str, ...]:
        """The options of a part's configure script, without its prefix."""
        own = self.options if part.name == "compiler" else ()
        return (f"--target={self.name}", *part.options, *own)

    def recipe(self, part: Part) -> str:
        """A hash of what decides how a part is built."""
        needed = [self.recipe(PARTS[name]) for name in part.needs]
        goals = [stage.goals for stage in part.stages]
        edits = [asdict(edit) for edit in self.edited(part)]
        package = asdict(part.package) | {"installed": None}
        values = [package, self.configured(part), goals, edits, FLAGS, needed]
        values.append(self.libraries(part))
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:12]


UNPACKING, CONFIGURING = 15, 5
"""Seconds that are reckoned for the steps before make."""
FLAGS = "-O1 -g0 -pipe"
"""The host's options: -O0 is hardly quicker to build and makes a compiler that is much slower."""


def _without(*features: str) -> tuple[str, ...]:
    return tuple(f"--disable-{feature}" for feature in features)


BINUTILS_SOURCE = Package(
    name="binutils-source",
    version="2.40-2",
    sha256="4c03b0d0508f8134200ec083e4dbb81b906efbfa0d7a2bdb7aa0c120aabda246",
    archive="usr/src/binutils/binutils-*.tar.xz",
    installed=600 << 20,
)
GCC_SOURCE = Package(
    name="gcc-12-source",
    version="12.2.0-14+deb12u1",
    sha256="8f2a5411028dfe216aeb6346b926df0cc7471f375c6a375bf180fbf279af02a1",
    archive="usr/src/gcc-12/gcc-*-dfsg.tar.xz",
    # The archive has stubs of the documentation, which the build compares with its own.
    patches=(("usr/src/gcc-12/debian/patches/gcc-gfdl-build.diff", 2),),
    omitted=(
        *("*/libstdc++-v3", "*/libgo", "*/libphobos", "*/libsanitizer", "*/gcc/ada"),
        *("*/gcc/testsuite/g*", "*/gcc/testsuite/c-c++-common"),
    ),
    installed=1700 << 20,
)
GDB_SOURCE = Package(
    name="gdb-source",
    version="13.1-3",
    sha256="337bff2adcf544f59c01d1f4119aa1b15074d4470b298ddfadfc92972bddc4cb",
    archive="usr/src/gdb.tar.xz",
    installed=800 << 20,
)

_BUILD_TOOLS = ("gcc", "g++", "make", "ar", "tar", "xz", "perl", "flex", "bison", "m4")

PARTS = {
    part.name: part
    for part in (
        Part(
            name="binutils",
            title="assembler, linker and the other binary utilities",
            package=BINUTILS_SOURCE,
            options=(
                *_without("gdb", "gprof", "gprofng", "gold", "libctf", "shared", "plugins"),
                *(*_without("nls", "werror"), "--without-zstd"),
            ),
            stages=(
                Stage("compiling binutils", ("all",), 90, 2500),
                Stage("installing binutils", ("install-strip",), 5, 300, parallel=False),
            ),
            programs=("as", "ld", "ar", "nm", "objcopy", "objdump", "ranlib", "readelf", "strip"),
            tools=_BUILD_TOOLS,
        ),
        Part(
            name="simulator",
            title="the GNU simulator, which tests compare with",
            package=GDB_SOURCE,
            options=_without("gdb", "gdbserver", "shared", "nls", "werror"),
            stages=(
                Stage(
                    "compiling the simulator's libraries",
                    ("all-bfd", "all-opcodes", "all-libiberty", "all-gnulib"),
                    57,
                    1800,
                ),
                Stage("compiling the simulator", ("all-sim",), 20, 400),
                Stage("installing the simulator", ("install-sim",), 2, 60, parallel=False),
            ),
            programs=("run",),
            tools=_BUILD_TOOLS,
            headers=("readline/readline.h",),
            # Programs can be linked to the simulator.
            libraries=(
                *("sim/{machine}/*.o", "opcodes/.libs/libopcodes.a", "bfd/.libs/libbfd.a"),
                "libiberty/libiberty.a",
            ),
        ),
        Part(
            name="debugger",
            title="the GNU debugger, for `cocrypt run --gdb`",
            package=GDB_SOURCE,
            options=(
                *_without("sim", "gdbserver", "shared", "nls", "werror", "source-highlight", "tui"),
                *("--with-expat", "--without-python", "--without-guile", "--without-debuginfod"),
                *("--without-babeltrace", "--without-lzma", "--without-zstd", "--without-xxhash"),
                "--without-intel-pt",
            ),
            stages=(
                Stage("compiling the debugger", ("all-gdb",), 520, 1200),
                Stage("installing the debugger", ("install-gdb",), 5, 100, parallel=False),
            ),
            programs=("gdb",),
            tools=_BUILD_TOOLS,
            headers=("gmp.h", "expat.h", "readline/readline.h"),
        ),
        Part(
            name="compiler",
            title="GCC for C, with its library",
            package=GCC_SOURCE,
            options=(
                *("--enable-languages=c", "--without-headers", "--with-newlib"),
                *("--enable-checking=release", "--without-isl", "--without-zstd"),
                *_without("shared", "threads", "lto", "plugin", "libssp", "libquadmath", "libgomp"),
                *_without("libatomic", "decimal-float", "gcov", "libcc1", "analyzer"),
                *(*_without("nls", "werror"), "--with-gnu-as", "--with-gnu-ld"),
            ),
            stages=(
                Stage("compiling GCC", ("all-gcc",), 615, 573, mark="g++ "),
                Stage(
                    "compiling GCC's library",
                    ("all-target-libgcc",),
                    14,
                    750,
                    compiles_variants=True,
                ),
                Stage(
                    "installing GCC",
                    ("install-strip-gcc", "install-strip-target-libgcc"),
                    5,
                    300,
                    parallel=False,
                ),
            ),
            programs=("gcc", "cpp"),
            tools=(*_BUILD_TOOLS, "patch"),
            headers=("gmp.h", "mpfr.h", "mpc.h"),
            needs=("binutils",),
        ),
    )
}
"""The parts, each behind those that it needs."""

TARGETS = {
    target.name: target
    for target in (
        CrossTarget(
            "rl78-elf",
            "RL78",
            edits=(
                # The simulator reads the third byte of a word twice, and its sum overflows.
                Edit(
                    "simulator",
                    "sim/rl78/mem.c",
                    "    | mem_get_byte (address + 2) * 65536\n"
                    "    | mem_get_byte (address + 2) * 16777216;",
                    "    | mem_get_byte (address + 2) * 65536\n"
                    "    | mem_get_byte (address + 3) * 16777216u;",
                ),
                # A word of 32 bits is loaded half by half, the first one into the register that
                # has the address of both.
                Edit(
                    "compiler",
                    "gcc/config/rl78/rl78.cc",
                    "  else if (rtx_equal_p (op00, op12))\n    {\n      operands[2] = op02;",
                    "  else if (reg_overlap_mentioned_p (op00, op12))\n"
                    "    {\n      operands[2] = op02;",
                ),
                # A word of 32 bits that is shifted by a variable amount is computed in BC with the
                # count in D, although DE may have the address of the result: it goes to a register.
                Edit(
                    "compiler",
                    "gcc/config/rl78/rl78-virt.md",
                    'U,   v,   U,   vWab,vU,  vU")\n\t(ashift:SI',
                    'U,   v,   U,   v,   v,   v")\n\t(ashift:SI',
                ),
                # What HL has is forgotten when the stack pointer is moved there.
                Edit(
                    "compiler",
                    "gcc/config/rl78/rl78.cc",
                    "emit_insn_before (gen_movhi (HL, gen_rtx_REG (HImode, SP_REG)), insn);\n",
                    "emit_insn_before (gen_movhi (HL, gen_rtx_REG (HImode, SP_REG)), insn);\n"
                    "\t\t  record_content (HL, NULL_RTX);\n",
                ),
            ),
        ),
        # For each order of bytes without a multiplier, with one, and with one of 64 bits; all of
        # them with a barrel shifter and without one.
        CrossTarget(
            "microblaze-elf",
            "MicroBlaze, in both orders of bytes",
            variants=12,
        ),
        CrossTarget(
            "sh-elf",
            "SH-1 to SH-3, in both orders of bytes",
            options=("--with-cpu=m3", "--with-multilib-list=m3", "--with-endian=big,little"),
            # A pass declares predicates as functions of type int, and they are of type bool: what
            # the register has beside its lowest byte decides, and comparisons with 0 disappear.
            edits=(
                *(
                    Edit(
                        "compiler",
                        "gcc/config/sh/sh_treg_combine.cc",
                        f"extern int {predicate} (rtx, machine_mode);",
                        f"extern bool {predicate} (rtx, machine_mode);",
                    )
                    for predicate in ("t_reg_operand", "negt_reg_operand")
                ),
                # Code for SH-1 and SH-2 is compiled too, but not GCC's library, whose start-up
                # files need an SH-2: programs for SuperH are not linked with it.
                Edit(
                    "compiler",
                    "gcc/config/sh/sh.h",
                    "#if SUPPORT_SH1\n",
                    "#undef SUPPORT_SH1\n#define SUPPORT_SH1 1\n#if SUPPORT_SH1\n",
                ),
            ),
        ),
    )
}
"""The targets by name."""


def target(name: str) -> CrossTarget:
    """The target of a name, which may be short of `-elf`; raises `InputError` for what is none."""
    found = TARGETS.get(name) or TARGETS.get(f"{name}-elf")
    if found is None:
        raise InputError(f"there is no toolchain `{name}`", suggestion(name, list(TARGETS)))
    return found


def with_needed(names: Iterable[str]) -> list[Part]:
    """These parts and those that they need, in the order in which they are built.

    Raises `InputError` for a name that is none.
    """
    chosen: set[str] = set()
    for name in names:
        if name not in PARTS:
            raise InputError(f"a toolchain has no part `{name}`", suggestion(name, list(PARTS)))
        chosen |= {name, *PARTS[name].needs}
    return [part for part in PARTS.values() if part.name in chosen]
