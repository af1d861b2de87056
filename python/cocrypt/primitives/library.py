"""The primitives that come with the workbench, and those in folders of others, as subjects."""

from __future__ import annotations

import difflib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import _native, paths
from cocrypt.errors import InputError
from cocrypt.primitives.subject import Function, Subject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FILE = "primitive.toml"


@cache
def ours() -> tuple[Subject, ...]:
    """All primitives of the workbench in all implementations, modes over ciphers included."""
    files = [_native.load_primitive(path) for path in sorted(paths.primitives().glob(f"*/{FILE}"))]
    plain = [subject for values in files if values["over"] is None for subject in _subjects(values)]
    composed = [
        _composed(values, member, implementation, inner)
        for values in files
        if values["over"] is not None
        for member in values["members"]
        for implementation in values["implementations"]
        for inner in plain
        if inner.kind == values["over"]
        and member["name"] in implementation["members"]
        and _fits(member, inner)
    ]
    return (*plain, *composed)


def of_file(path: Path) -> list[Subject]:
    """The subjects of one primitive's file; raises `DiagnosticError` for its mistakes."""
    values = _native.load_primitive(path)
    if values["over"] is not None:
        raise InputError(
            f"{path}: what is built over other primitives must stand in the workbench's folder",
            "leave `over` out",
        )
    return _subjects(values)


def named(words: Sequence[str]) -> list[Subject]:
    """The subjects that words on a command line name.

    A word is a primitive, a primitive and an implementation with a slash between them, or a
    family's folder. Raises `InputError` for others, with the closest name.
    """
    subjects: dict[str, Subject] = {}
    for word in words:
        fits = [
            subject
            for subject in ours()
            if word in (subject.primitive, subject.name, subject.family)
        ]
        if not fits:
            names = sorted(
                {name for subject in ours() for name in (subject.primitive, subject.name)}
            )
            raise InputError(f"there is no primitive `{word}`", suggestion(word, names))
        subjects |= {subject.name: subject for subject in fits}
    return list(subjects.values())


def member(name: str) -> Subject:
    """The first implementation of a primitive, which may share its name with a family.

    Raises `LookupError` if there is none.
    """
    for subject in ours():
        if subject.primitive == name:
            return subject
    raise LookupError(f"no primitive is named {name}")


def suggestion(wrong: str, names: Sequence[str]) -> str:
    """A hint what to type instead of a name: the closest one, if any is close."""
    close = difflib.get_close_matches(wrong, names, n=1)
    near = f"did you mean `{close[0]}`? " if close else ""
    return f"{near}`cocrypt primitives --all` lists them all"


def _subjects(values: Mapping[str, Any]) -> list[Subject]:
    return [
        _subject(values, member, implementation)
        for member in values["members"]
        for implementation in values["implementations"]
        if member["name"] in implementation["members"]
    ]


def _subject(
    values: Mapping[str, Any], member: Mapping[str, Any], implementation: Mapping[str, Any]
) -> Subject:
    folder = Path(values["path"]).parent
    return Subject(
        primitive=member["name"],
        implementation=implementation["name"],
        title=member["title"],
        about=implementation["about"],
        kind=values["kind"],
        family=folder.name,
        source=values["source"],
        sizes=member["sizes"],
        functions=_functions(values, member, implementation["provides"]),
        sources=_paths(implementation["sources"]),
        include=(*_paths(implementation["include"]), folder),
        header=values["header"],
        context=values["context"],
        flags=(*member["flags"], *implementation["flags"]),
        extensions=tuple(implementation["extensions"]),
        constant_time=implementation["constant_time"],
        vectors=_paths([member["vectors"]] if member["vectors"] else []),
        folder=folder,
    )


def _functions(
    values: Mapping[str, Any], member: Mapping[str, Any], provides: Sequence[str]
) -> dict[str, Function]:
    return {
        operation["name"]: Function(
            operation["function"] or f"{member['name']}_{operation['name']}",
            _arguments(values["kind"], operation["arguments"], member["sizes"]),
        )
        for operation in values["operations"]
        if operation["name"] in provides
    }


def _arguments(kind: str, arguments: Sequence[str], sizes: Mapping[str, int]) -> tuple[str, ...]:
    """The roles of a function; a stream cipher has a nonce, or a key of any size."""
    absent = "key_size" if "nonce" in sizes else "nonce"
    return tuple(role for role in arguments if kind != "stream_cipher" or role != absent)


def _paths(paths: Sequence[str]) -> tuple[Path, ...]:
    return tuple(Path(path) for path in paths)


def _fits(member: Mapping[str, Any], inner: Subject) -> bool:
    """Returns true if a mode can be built over a cipher: sizes that both have are equal.

    HMAC is defined for hashes whose block has room for a digest (FIPS 198-1, section 3).
    """
    has_room = inner.sizes.get("block", 0) >= inner.sizes.get("digest", 0)
    agrees = all(inner.sizes.get(role, size) == size for role, size in member["sizes"].items())
    return has_room and agrees


def _composed(
    values: Mapping[str, Any],
    member: Mapping[str, Any],
    implementation: Mapping[str, Any],
    inner: Subject,
) -> Subject:
    """The subject of a mode over a cipher, or of a keyed hash over a hash."""
    is_mac = values["kind"] == "mac"
    parts = (member["name"], inner.primitive)
    name = "_".join(parts if is_mac else reversed(parts))
    outer = _subject(values, member, implementation)
    functions = {
        operation["name"]: Function(f"{name}_{operation['name']}", tuple(operation["arguments"]))
        for operation in values["operations"]
        if operation["name"] in implementation["provides"]
    }
    # A mode uses the cipher's own key schedules.
    schedules = {key: inner.functions.get(key) for key in functions if key.startswith("expand")}
    functions |= {key: function for key, function in schedules.items() if function}
    lacking = [key for key, function in schedules.items() if not function]
    if "decrypt" not in inner.functions and "expand_decrypt" in schedules:
        lacking.append("decrypt")
    functions = {key: function for key, function in functions.items() if key not in lacking}
    sizes = {**inner.sizes, **member["sizes"]}
    sizes |= {"tag": inner.sizes["digest"]} if is_mac else {}
    return Subject(
        primitive=name,
        implementation=inner.implementation,
        title=f"{member['title']} with {inner.title}",
        about=inner.about,
        kind=values["kind"],
        family=outer.family,
        source=outer.source,
        sizes=sizes,
        functions=functions,
        sources=(*outer.sources, *inner.sources),
        include=(*outer.include, *inner.include),
        header=outer.header,
        context=outer.context or inner.context,
        flags=(*inner.flags, *outer.flags, *_inner_flags(inner, name)),
        extensions=inner.extensions,
        constant_time=inner.constant_time and outer.constant_time,
        vectors=_composed_vectors(outer.folder, name),
        over=inner.primitive,
        inner=inner,
        folder=outer.folder,
    )


def _inner_flags(inner: Subject, name: str) -> tuple[str, ...]:
    """Options that define the cipher for a mode's source."""
    sizes = [f"-DINNER_{role.upper()}={size}" for role, size in inner.sizes.items()]
    named = [f"-DOUTER={name}", f"-DINNER={inner.primitive}"]
    named += ["-DINNER_DECRYPTS"] if "decrypt" in inner.functions else []
    return (*named, f'-DINNER_HEADER="{inner.header}"', f"-DINNER_CONTEXT={inner.context}", *sizes)


def _composed_vectors(folder: Path | None, name: str) -> tuple[Path, ...]:
    path = folder / "vectors" / f"{name}.toml" if folder else None
    return (path,) if path and path.is_file() else ()
