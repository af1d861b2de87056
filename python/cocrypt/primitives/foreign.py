"""Folders with others' code: those with a primitive's file, and those of SUPERCOP and PQClean.

The latter need no file of ours: the sizes that their `api.h` defines show which interface they
have, and all of their C is compiled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.primitives import library
from cocrypt.primitives.subject import Function, Subject
from cocrypt.toolchain import Unit
from cocrypt.trust import Project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Sources that such folders share: hashes, ciphers and the like, beside the schemes.
COMMON = "common"
TITLES = 3
MOST = 1 << 24
"""The largest size in bytes; a public key of Classic McEliece has a million."""
CONTEXT = "_ctx"
PROGRAM = re.compile(r"\bint\s+main\s*\([^;{]*\)\s*\{")


@dataclass(frozen=True)
class Interface:
    """An interface of SUPERCOP: the sizes that `api.h` defines, and its functions.

    `sizes` are by role; `functions` are by operation, with the roles of their arguments.
    """

    kind: str
    call: str
    sizes: dict[str, str]
    functions: dict[str, tuple[str, tuple[str, ...]]]


# Interfaces with more sizes come first: each has all sizes of some that follow.
INTERFACES = (
    Interface(
        "kem",
        "crypto_kem",
        {
            "public": "PUBLICKEYBYTES",
            "secret": "SECRETKEYBYTES",
            "ciphertext": "CIPHERTEXTBYTES",
            "shared": "BYTES",
        },
        {
            "keypair": ("crypto_kem_keypair", ("public", "secret")),
            "encapsulate": ("crypto_kem_enc", ("ciphertext", "shared", "public")),
            "decapsulate": ("crypto_kem_dec", ("shared", "ciphertext", "secret")),
        },
    ),
    Interface(
        "signing",
        "crypto_sign",
        {"public": "PUBLICKEYBYTES", "secret": "SECRETKEYBYTES", "signature": "BYTES"},
        {
            "keypair": ("crypto_sign_keypair", ("public", "secret")),
            "sign": (
                "crypto_sign_signature",
                ("signature", "result_length", "message", "message_size", "secret"),
            ),
            "verify": (
                "crypto_sign_verify",
                ("signature", "signature_size", "message", "message_size", "public"),
            ),
        },
    ),
    Interface(
        "aead",
        "crypto_aead",
        {"key": "KEYBYTES", "nonce": "NPUBBYTES", "tag": "ABYTES"},
        {
            "seal": (
                "crypto_aead_encrypt",
                (
                    *("result", "result_length", "text", "text_size64", "ad", "ad_size64"),
                    *("zero", "nonce", "key"),
                ),
            ),
            "open": (
                "crypto_aead_decrypt",
                (
                    *("result", "result_length", "zero", "text", "text_size64", "ad"),
                    *("ad_size64", "nonce", "key"),
                ),
            ),
        },
    ),
    Interface(
        "hash",
        "crypto_hash",
        {"digest": "BYTES"},
        {"hash": ("crypto_hash", ("digest", "message", "message_size64"))},
    ),
)


def folder(path: Path) -> list[Subject]:
    """All subjects in a folder and below it.

    Raises `InputError` where there are none, `DiagnosticError` for a primitive's file with
    mistakes.
    """
    if path.is_file():
        return _of_project(library.of_file(path), path.parent)
    if not path.is_dir():
        names = sorted({subject.primitive for subject in library.ours()})
        raise InputError(
            f"{path} is neither a folder nor a primitive", library.suggestion(path.name, names)
        )
    files = sorted(path.rglob(library.FILE))
    subjects = [subject for file in files for subject in library.of_file(file)]
    described = {subject.folder for subject in subjects}
    subjects += [
        _supercop(header, path)
        for header in sorted(path.rglob("api.h"))
        if not any(folder in header.parents for folder in described if folder)
    ]
    if not subjects:
        raise InputError(
            f"there is nothing to measure in {path}",
            "write a primitive.toml (docs/primitives.md), or name a folder that has an api.h",
        )
    return _of_project(subjects, path)


def _of_project(subjects: list[Subject], folder: Path) -> list[Subject]:
    """The same subjects, as those of a project that may not be trusted."""
    top = folder.resolve()
    return [
        replace(subject, project=Project(top, _shared(subject.folder, top))) for subject in subjects
    ]


def _shared(folder: Path | None, top: Path) -> tuple[Path, ...]:
    """The folder of shared sources, if that is above the project; never behind a link."""
    common = _common_folder(folder) if folder else None
    if common is None or common.is_relative_to(top) or common.resolve() != common:
        return ()
    return (common,)


def _supercop(header: Path, top: Path) -> Subject:
    """The subject of a folder with an `api.h`."""
    sizes, folder = _defined(header), header.parent.resolve()
    interface, prefix = _interface(header, sizes)
    names = _declared(folder)
    functions = {
        operation: _function(prefix, name, arguments, names)
        for operation, (name, arguments) in interface.functions.items()
    }
    role_sizes = {role: sizes[prefix + name] for role, name in interface.sizes.items()}
    for role, size in role_sizes.items():
        # A scheme without a nonce derives one from its input.
        if not (role != "nonce") <= size <= MOST:
            name = prefix + interface.sizes[role]
            raise InputError(f"{header}: {name} is {size}", f"a size is from 1 to {MOST:,} bytes")
    # The size of a hash's block is not stated, and none of its figures needs it.
    scheme = folder.parent.name if folder.parent != top.resolve() else folder.name
    relative = folder.relative_to(top.resolve())
    primitive = "_".join(relative.parts[:-1]) or folder.parent.name
    common, include = _common(folder)
    return Subject(
        primitive=primitive,
        implementation=folder.name,
        title=_title(header, scheme),
        about=f"{interface.call} of {folder.name}",
        kind=interface.kind,
        family=primitive,
        source=None,
        sizes=role_sizes,
        functions=functions,
        sources=_sources(folder),
        include=(folder, *include),
        discovered=True,
        vectors=known_answers(folder),
        folder=folder,
        further=(*common, *_support()),
    )


def _defined(header: Path) -> dict[str, int]:
    """The numbers that a header defines."""
    text = _text(header)
    pattern = r"^[ \t]*#[ \t]*define[ \t]+(\w*CRYPTO_\w+)[ \t]+\(?(\d{1,12})[uUlL]*\)?"
    return {name: int(value) for name, value in re.findall(pattern, text, re.MULTILINE)}


def _interface(header: Path, sizes: dict[str, int]) -> tuple[Interface, str]:
    """The interface whose sizes are all defined, and the prefix of their names."""
    for interface in INTERFACES:
        names = list(interface.sizes.values())
        for defined in sizes:
            prefix = defined.removesuffix(names[0])
            is_fit = defined.endswith(names[0]) and prefix.endswith("CRYPTO_")
            if is_fit and all(prefix + name in sizes for name in names):
                return interface, prefix
    raise InputError(
        f"{header} defines the sizes of no interface that is known",
        "known: crypto_kem, crypto_sign, crypto_aead, crypto_hash; or write a primitive.toml",
    )


def _declared(folder: Path) -> set[str]:
    """The names in a folder's headers and sources."""
    files = [*folder.glob("*.h"), *folder.glob("*.c")]
    texts = map(_text, files)
    return {name for text in texts for name in re.findall(r"\b\w*crypto_\w+\b", text)}


def _function(prefix: str, name: str, arguments: tuple[str, ...], names: set[str]) -> Function:
    """A function as the folder names it: plain or with its namespace, and with a context.

    Signatures with a context (FIPS 204) get an empty one behind the message.
    """
    space = prefix.removesuffix("CRYPTO_")
    full = space + name if any(declared.startswith(space + name) for declared in names) else name
    if full + CONTEXT not in names:
        return Function(full, arguments)
    index = arguments.index("message_size") + 1
    roles = (*arguments[:index], "zero", "zero", *arguments[index:])
    return Function(full + CONTEXT, roles)


def _common(folder: Path) -> tuple[list[Unit], tuple[Path, ...]]:
    """Sources that a tree's schemes share, in a folder `common` beside or above them."""
    shared = _common_folder(folder)
    if shared is None:
        return [], (paths.runtime() / "foreign",)
    skipped = ("randombytes.c", "sp800-185.c")
    sources = [source for source in sorted(shared.glob("*.c")) if source.name not in skipped]
    include = (paths.runtime() / "foreign", shared)
    return [Unit(source, ("-O2",), include) for source in sources], include


def _common_folder(folder: Path) -> Path | None:
    folders = (above / COMMON for above in folder.parents[:TITLES])
    return next((common for common in folders if common.is_dir()), None)


def _support() -> Iterator[Unit]:
    """The units that others' code needs: random bytes, the same in every run, and a heap."""
    folder = paths.runtime() / "foreign"
    for source in sorted(folder.glob("*.c")):
        yield Unit(source, ("-O2",), (folder,))


def _sources(folder: Path) -> tuple[Path, ...]:
    """The scheme's own sources, without programs that test it or make vectors."""
    sources = (
        *sorted(folder.glob("*.c")),
        *sorted(folder.glob("*.S")),
        *sorted(folder.glob("*.s")),
    )
    return tuple(source for source in sources if not PROGRAM.search(_text(source)))


def _text(path: Path) -> str:
    return paths.read_bytes(path).decode("utf-8", "replace")


def _title(header: Path, scheme: str) -> str:
    """The name of the algorithm as the header gives it, or else the folder's."""
    text = _text(header)
    defined = re.search(r'CRYPTO_ALGNAME\s+"([^"]+)"', text)
    return defined.group(1) if defined else scheme


def known_answers(folder: Path) -> tuple[Path, ...]:
    """The files of known answers in a folder."""
    return tuple(sorted((*folder.glob("*.rsp"), *folder.glob("*KAT*.txt"))))
