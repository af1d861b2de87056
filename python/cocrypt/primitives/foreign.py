"""Folders with others' code: those with a primitive's file, and those of SUPERCOP and PQClean.

The latter need no file of ours: their `api.h` says which interface they have by the sizes that it
defines, and all of their C is compiled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cocrypt import house
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
"""Bytes that nothing exceeds; the public keys of Classic McEliece have a million."""
CONTEXT = "_ctx"
PROGRAM = re.compile(r"\bint\s+main\s*\([^;{]*\)\s*\{")


@dataclass(frozen=True)
class Interface:
    """An interface of SUPERCOP: what `api.h` defines for it, and its functions.

    `sizes` are by what they are sizes of; `functions` by operation, with the roles of arguments.
    """

    kind: str
    call: str
    sizes: dict[str, str]
    functions: dict[str, tuple[str, tuple[str, ...]]]


# Those with more sizes come first: each has all sizes of some that follow.
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
        names = sorted({one.primitive for one in library.ours()})
        raise InputError(
            f"{path} is neither a folder nor a primitive", library.suggestion(path.name, names)
        )
    found = [one for file in sorted(path.rglob(library.FILE)) for one in library.of_file(file)]
    described = {one.folder for one in found}
    found += [
        _supercop(header, path)
        for header in sorted(path.rglob("api.h"))
        if not any(one in header.parents for one in described if one)
    ]
    if not found:
        raise InputError(
            f"there is nothing to measure in {path}",
            "write a primitive.toml (docs/primitives.md), or name a folder that has an api.h",
        )
    return _of_project(found, path)


def _of_project(subjects: list[Subject], folder: Path) -> list[Subject]:
    """The same subjects, as those of a project that may not be trusted."""
    return [
        replace(one, project=Project(folder.resolve(), _shared(one.folder, folder.resolve())))
        for one in subjects
    ]


def _shared(place: Path | None, top: Path) -> tuple[Path, ...]:
    """The folder of shared sources, where that is above the project; never behind a link."""
    found = _common_folder(place) if place else None
    if found is None or found.is_relative_to(top) or found.resolve() != found:
        return ()
    return (found,)


def _supercop(header: Path, top: Path) -> Subject:
    """The subject of a folder with an `api.h`."""
    sizes, place = _defined(header), header.parent.resolve()
    interface, prefix = _interface(header, sizes)
    known = _declared(place)
    functions = {
        operation: _function(prefix, name, arguments, known)
        for operation, (name, arguments) in interface.functions.items()
    }
    found = {role: sizes[prefix + name] for role, name in interface.sizes.items()}
    for role, size in found.items():
        # Where there is no nonce a scheme makes one of what it is given.
        if not (role != "nonce") <= size <= MOST:
            name = prefix + interface.sizes[role]
            raise InputError(f"{header}: {name} is {size}", f"a size is from 1 to {MOST:,} bytes")
    # Where a hash's block ends is not said; none of its figures needs it.
    scheme = place.parent.name if place.parent != top.resolve() else place.name
    relative = place.relative_to(top.resolve())
    primitive = "_".join(relative.parts[:-1]) or place.parent.name
    common, include = _common(place)
    return Subject(
        primitive=primitive,
        implementation=place.name,
        title=_title(header, scheme),
        about=f"{interface.call} of {place.name}",
        kind=interface.kind,
        family=primitive,
        source=None,
        sizes=found,
        functions=functions,
        sources=_sources(place),
        include=(place, *include),
        discovered=True,
        vectors=known_answers(place),
        folder=place,
        further=(*common, *_support()),
    )


def _defined(header: Path) -> dict[str, int]:
    """The numbers that a header defines."""
    text = _text(header)
    pattern = r"^[ \t]*#[ \t]*define[ \t]+(\w*CRYPTO_\w+)[ \t]+\(?(\d{1,12})[uUlL]*\)?"
    return {name: int(value) for name, value in re.findall(pattern, text, re.MULTILINE)}


def _interface(header: Path, sizes: dict[str, int]) -> tuple[Interface, str]:
    """The interface whose sizes are all there, and how their names begin."""
    for interface in INTERFACES:
        names = list(interface.sizes.values())
        for known in sizes:
            prefix = known.removesuffix(names[0])
            is_fit = known.endswith(names[0]) and prefix.endswith("CRYPTO_")
            if is_fit and all(prefix + name in sizes for name in names):
                return interface, prefix
    raise InputError(
        f"{header} defines the sizes of no interface that is known",
        "known: crypto_kem, crypto_sign, crypto_aead, crypto_hash; or write a primitive.toml",
    )


def _declared(place: Path) -> set[str]:
    """The names that stand in a folder's headers and sources."""
    files = [*place.glob("*.h"), *place.glob("*.c")]
    texts = map(_text, files)
    return {name for text in texts for name in re.findall(r"\b\w*crypto_\w+\b", text)}


def _function(prefix: str, name: str, arguments: tuple[str, ...], known: set[str]) -> Function:
    """A function as the folder spells it: plain, or behind its namespace, and with a context.

    Signatures with a context, which FIPS 204 has, take an empty one behind the message.
    """
    space = prefix.removesuffix("CRYPTO_")
    full = space + name if any(one.startswith(space + name) for one in known) else name
    if full + CONTEXT not in known:
        return Function(full, arguments)
    behind = arguments.index("message_size") + 1
    given = (*arguments[:behind], "zero", "zero", *arguments[behind:])
    return Function(full + CONTEXT, given)


def _common(place: Path) -> tuple[list[Unit], tuple[Path, ...]]:
    """Sources that a tree's schemes share, which stand in `common` beside or above them."""
    shared = _common_folder(place)
    if shared is None:
        return [], (house.runtime() / "foreign",)
    skipped = ("randombytes.c", "sp800-185.c")
    sources = [one for one in sorted(shared.glob("*.c")) if one.name not in skipped]
    include = (house.runtime() / "foreign", shared)
    return [Unit(one, ("-O2",), include) for one in sources], include


def _common_folder(place: Path) -> Path | None:
    folders = (above / COMMON for above in place.parents[:TITLES])
    return next((one for one in folders if one.is_dir()), None)


def _support() -> Iterator[Unit]:
    """What others' code expects around it: random bytes, the same in every run, and a heap."""
    folder = house.runtime() / "foreign"
    for source in sorted(folder.glob("*.c")):
        yield Unit(source, ("-O2",), (folder,))


def _sources(place: Path) -> tuple[Path, ...]:
    """The scheme's own sources; programs that test it or make vectors are none of them."""
    found = (*sorted(place.glob("*.c")), *sorted(place.glob("*.S")), *sorted(place.glob("*.s")))
    return tuple(one for one in found if not PROGRAM.search(_text(one)))


def _text(path: Path) -> str:
    return house.read_bytes(path).decode("utf-8", "replace")


def _title(header: Path, scheme: str) -> str:
    """The name of the algorithm as the header gives it, or else the folder's."""
    text = _text(header)
    found = re.search(r'CRYPTO_ALGNAME\s+"([^"]+)"', text)
    return found.group(1) if found else scheme


def known_answers(place: Path) -> tuple[Path, ...]:
    """The files of known answers in a folder."""
    return tuple(sorted((*place.glob("*.rsp"), *place.glob("*KAT*.txt"))))
