"""Suggests what would define a symbol that is missing: a source, a field of a study, an option."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cocrypt import _native

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

# ISO/IEC 9899:2011, section 7, and POSIX.1-2017: functions that the runtime does not have, under
# the headers that declare them.
HEADERS = {
    "math.h": """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp
exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log
log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow remainder remquo
rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc""",
    "stdlib.h": """aligned_alloc at_quick_exit atexit atof atol atoll bsearch div getenv labs ldiv
llabs lldiv mblen mbstowcs mbtowc qsort quick_exit strtod strtof strtol strtold strtoll strtoul
strtoull system wcstombs wctomb""",
    "string.h": """memmem memrchr stpcpy strcasecmp strcoll strcspn strdup strerror strlcat strlcpy
strncat strndup strnlen strpbrk strsep strspn strstr strtok strtok_r strxfrm explicit_bzero bzero
""",
    "stdio.h": """clearerr fclose feof ferror fgetc fgetpos fgets fopen fread freopen fscanf fseek
fsetpos ftell fwrite getc gets perror putc remove rename rewind scanf setbuf setvbuf sscanf
tmpfile tmpnam ungetc vfprintf vsprintf""",
    "time.h": "asctime clock clock_gettime ctime difftime gmtime localtime mktime strftime time",
    "setjmp.h": "longjmp setjmp _setjmp",
    "signal.h": "raise signal",
    "unistd.h": "close getpid lseek open read sleep usleep write",
    "pthread.h": "pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock",
    "sys/random.h": "getentropy getrandom",
}
HEAP = ("malloc", "calloc", "realloc", "free")
# What newlib leaves to a board: its manual, "System Calls".
SYSTEM_CALLS = (
    "_close",
    "_exit",
    "_fstat",
    "_getpid",
    "_isatty",
    "_kill",
    "_lseek",
    "_open",
    "_read",
    "_sbrk",
    "_write",
)
# Patterns of names, and a hint for each.
FAMILIES = {
    r"__(atomic|sync)_\w+": "the core has no such atomic instruction: define the function, which "
    "switches interrupts off say",
    r"__[a-z]+tf[a-z]*[23]?": "long double has 128 bits on this core: use double",
    r"__[a-z]+hf[a-z]*[23]?": "no half precision without hardware for it: use float",
    r"__stack_chk_(fail|guard)": "add -fno-stack-protector to `flags`, or define it",
    r"__(ubsan|asan|tsan|msan)_\w+": "take -fsanitize out of `flags`",
    r"__gcov_\w+|__llvm_prf\w*": "take the options for profiles and coverage out of `flags`",
    r"__emutls_get_address|__tls_get_addr|__aeabi_read_tp": "no variable can be thread-local",
    # LLD prints demangled names of C++.
    r"_Z\w+|.*(::|\().*|(typeinfo|vtable) .*": "a name of C++, whose library is not there",
    r"__cxa_\w+|__gxx_\w+|_Unwind_\w+": "of the library of C++, which is not there",
    r"Java_\w+": "a native method of Java: name the file in C that defines it by --native",
    r"_*mcount": "take -pg out of `flags`",
}
OF_SCRIPT = re.compile(
    r"_stack_(top|limit)|_bss_(start|end)|_data_(start|end|load)|_heap_(start|end)|_end|end"
    r"|__global_pointer\$|_etext|_sidata|_[se](data|bss)|_estack"
)
SOURCES = (".c", ".S", ".s")
MOST_FILES = 2000
MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Inputs:
    """The linker's inputs: objects, their sources, and the project's linker script."""

    objects: Sequence[Path]
    sources: Mapping[Path, Path]
    own_script: Path | None = None

    @cached_property
    def symbols(self) -> dict[str, list[tuple[Path, bool]]]:
        """The names of functions and data, with their object and whether they are global."""
        symbols: dict[str, list[tuple[Path, bool]]] = {}
        for path in self.objects:
            for symbol in _native.image_info(path.read_bytes(), path.name)["symbols"]:
                if symbol["kind"] in {"function", "object"}:
                    symbols.setdefault(symbol["name"], []).append((path, symbol["global"]))
        return symbols

    def source(self, path: Path) -> Path:
        """The source of an object."""
        return self.sources.get(path, path)

    @property
    def folders(self) -> list[Path]:
        """The folders of the project's own sources."""
        return list(dict.fromkeys(source.parent for source in self.sources.values()))


def hint(name: str, inputs: Inputs) -> str:
    """A sentence that says what would define a symbol."""
    for find in (_static, _of_heap, _of_entry, _of_script, _of_family, _beside, _declared):
        text = find(name, inputs)
        if text:
            return f"`{name}`: {text}"
    visible = [
        symbol
        for symbol, definitions in inputs.symbols.items()
        if any(shared for _, shared in definitions)
    ]
    close = difflib.get_close_matches(name, visible, n=1)
    if close:
        (path, _), *_ = inputs.symbols[close[0]]
        return f"`{name}`: did you mean `{close[0]}` of {inputs.source(path).name}?"
    return f"`{name}`: add the source that defines it to `common` of [sources]"


def _static(name: str, inputs: Inputs) -> str | None:
    for path, is_global in inputs.symbols.get(name, []):
        if not is_global:
            return f"it is static in {inputs.source(path).name}, so that other files do not see it"
    return None


def _of_heap(name: str, _: Inputs) -> str | None:
    if name not in HEAP:
        return None
    return 'of <stdlib.h>: give the program a heap, `heap = "4 KiB"` in [study]'


def _of_entry(name: str, inputs: Inputs) -> str | None:
    if name != "main":
        return None
    functions = [
        symbol for symbol in inputs.symbols if not symbol.startswith((".", "_", "cocrypt"))
    ]
    close = difflib.get_close_matches("main", functions, n=1)
    meant = f" `{close[0]}`" if close else ""
    return f"name the function that is to be called{meant} by `entry` of [[workload]]"


def _of_script(name: str, inputs: Inputs) -> str | None:
    if not OF_SCRIPT.fullmatch(name):
        return None
    if inputs.own_script is None:
        return "a linker script defines it: name yours by `script` of [toolchain]"
    return (
        f"{inputs.own_script.name} has to define it; docs/firmware.md says what start-up code needs"
    )


def _of_family(name: str, _: Inputs) -> str | None:
    if name in SYSTEM_CALLS:
        return "newlib leaves it to the board: define it, or build without newlib"
    return next((text for pattern, text in FAMILIES.items() if re.fullmatch(pattern, name)), None)


def _declared(name: str, _: Inputs) -> str | None:
    for header, names in HEADERS.items():
        listed = names.split()
        # The mathematical functions exist for float and long double too.
        if name in listed or (header == "math.h" and name[-1:] in "fl" and name[:-1] in listed):
            return (
                f"of <{header}>, which the runtime does not have: add a source of it to `common` "
                "of [sources]"
            )
    return None


def _beside(name: str, inputs: Inputs) -> str | None:
    """A file beside those that were linked that seems to define it."""
    pattern = re.compile(
        rf"^(?:(?!\s|#)[^\n;=()]*\b{re.escape(name)}\s*\([^;{{]*\)\s*\{{|{re.escape(name)}:)",
        re.MULTILINE,
    )
    linked = {source.resolve() for source in inputs.sources.values()}
    for path in _files(inputs.folders):
        if path.resolve() not in linked and pattern.search(_text(path)):
            return f"{path} seems to define it: add it to `common` of [sources]"
    return None


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    count = 0
    for folder in folders:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            count += 1
            if count > MOST_FILES:
                return
            if path.suffix in SOURCES and path.is_file():
                yield path


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
