"""The compilers and the options that a project may name without being trusted.

An option is here if it can neither run a program, nor load code into the compiler, nor name a file
to be written. Sources: GCC 14's manual, "Option Summary"; clang 20's command line reference.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

COMPILER = re.compile(r"zig|([a-z0-9_]+-)*(gcc|clang)(-[0-9]+(\.[0-9]+)*)?")
"""Names of compilers, to be found on the PATH."""

# Names of `-f` options, or of their opposites with `no-`. Left out are those that dump, trace,
# profile or record (they name files), plugins and modules, and those that choose other programs.
FEATURES = r"""
 aggressive-loop-optimizations align-(functions|jumps|labels|loops)(=[0-9:]+)?
allow-store-data-races associative-math asynchronous-unwind-tables auto-inc-dec branch-count-reg
builtin(-[a-zA-Z0-9_]+)? caller-saves code-hoisting combine-stack-adjustments common
conserve-stack cprop-registers crossjumping cse-follow-jumps cx-fortran-rules cx-limited-range
data-sections dce debug-prefix-map=.* defer-pop delayed-branch delete-null-pointer-checks
diagnostics-color(=[a-z]+)? dollars-in-identifiers dse early-inlining exceptions
excess-precision=[a-z0-9]+ expensive-optimizations fast-math file-prefix-map=.* finite-loops
finite-math-only float-store forward-propagate fp-contract=[a-z]+ freestanding function-cse
function-sections gcse(-[a-z]+)? gnu-keywords gnu89-inline guess-branch-probability
hoist-adjacent-loads hosted ident if-conversion2? indirect-inlining inline(-[a-z-]+(=[0-9]+)?)?
ipa-[a-z-]+ ira-[a-z-]+(=[a-zA-Z]+)? isolate-erroneous-paths-[a-z]+ ivopts jump-tables
keep-(inline|static)-functions keep-static-consts lax-vector-conversions leading-underscore
live-range-shrinkage loop-[a-z-]+ macro-prefix-map=.* math-errno max-errors=[0-9]+
merge-(all-)?constants modulo-sched move-loop-(invariants|stores) ms-extensions
non-call-exceptions omit-frame-pointer optimize-sibling-calls pack-struct(=[0-9]+)?
partial-inlining peel-loops peephole2? permissive pic PIC PIE pie plan9-extensions plt
predictive-commoning prefetch-loop-arrays printf-return-value reciprocal-math reg-struct-return
rename-registers reorder-(blocks(-and-partition|-algorithm=[a-z]+)?|functions)
rerun-cse-after-loop rounding-math rtti sanitize(-trap)?=[a-z,-]+ sched-[a-z-]+ schedule-insns2?
section-anchors semantic-interposition short-(enums|wchar) shrink-wrap(-separate)?
signaling-nans single-precision-constant signed-(bitfields|char|zeros) simd-cost-model=[a-z-]+
slp-vectorize split-[a-z-]+ ssa-[a-z-]+ stack-clash-protection stack-protector(-[a-z]+)?
stdarg-opt store-merging
strict-(aliasing|enums|flex-arrays(=[0-3])?|overflow|volatile-bitfields) thread-jumps
threadsafe-statics toplevel-reorder trampolines trapping-math trapv tree-[a-z-]+ unit-at-a-time
unroll-(all-)?loops unsafe-math-optimizations unsigned-(bitfields|char) unswitch-loops
unwind-tables variable-expansion-in-unroller vect-cost-model=[a-z-]+ vectorize visibility=[a-z]+
web wrapv(-pointer)? zero-call-used-regs=[a-z-]+ zero-initialized-in-bss
"""

OPTIONS = (
    r"-O([0-3sgz]|fast)?",
    r"-(std|-std)=[a-z0-9:+]+",
    r"-g([0-3]|gdb[0-3]?|dwarf(-[2-5])?|line-tables-only|mlt)?",
    r"-[wvH]|-pedantic(-errors)?|-ansi|-pipe|-undef|-trigraphs",
    r"-nostdinc|-nostdlib|-nodefaultlibs|-nostartfiles|-nolibc",
    # No comma: -Wp, -Wa, and -Wl, hand words to other programs.
    r"-W[a-zA-Z0-9+-]*(=[a-zA-Z0-9-]+)?",
    # Everything about the target but -mllvm, which reaches all of LLVM's own options.
    r"-m(?!llvm)[a-z0-9_-]+(=[A-Za-z0-9_.+,-]+)?",
    r"-D[A-Za-z_]\w*(\([\w, .]*\))?(=.*)?",
    r"-U[A-Za-z_]\w*",
    r"--param=[a-z0-9-]+=[0-9]+",
    r"-fno-lto",
    rf"-f(no-)?({'|'.join(FEATURES.split())})",
)
_OPTION = re.compile("|".join(f"(?:{pattern})" for pattern in OPTIONS), re.DOTALL)

PLACES = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")
"""Options with a path to read; it may be a separate word."""
APART = {
    "-D": re.compile(r"[A-Za-z_]\w*(\([\w, .]*\))?(=.*)?", re.DOTALL),
    "-U": re.compile(r"[A-Za-z_]\w*"),
    "--param": re.compile(r"[a-z0-9-]+=[0-9]+"),
}
"""Other options whose value may be a separate word, and its pattern."""


def refused(flags: Sequence[str]) -> list[str]:
    """The options among these that only a trusted project may use."""
    options, words = [], list(flags)
    while words:
        flag = words.pop(0)
        if flag in PLACES or flag in APART:
            word = words.pop(0) if words else ""
            pattern = APART.get(flag)
            fits = _is_inside(word) if pattern is None else bool(pattern.fullmatch(word))
            if not fits:
                options.append(f"{flag} {word}".rstrip())
        elif not (_OPTION.fullmatch(flag) or _is_place(flag)):
            options.append(flag)
    return options


def _is_place(flag: str) -> bool:
    return flag.startswith("-I") and _is_inside(flag[len("-I") :])


def _is_inside(word: str) -> bool:
    """Returns true if a path stays below the folder in which the compiler runs."""
    path = PurePath(word)
    return bool(word) and word[0] not in "-@=" and not path.is_absolute() and ".." not in path.parts
