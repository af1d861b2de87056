"""Object files that are kept: what compiles again, and what does not."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from cocrypt import cache, toolchain
from cocrypt.compiler import run_tool
from cocrypt.device import Device
from cocrypt.objects import MOST
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SOURCE = '#include "size.h"\nint size(void);\nint size(void) { return SIZE; }\n'


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that a compiler was called for."""
    called = list[str]()

    def counted(command: list[str | Path], *others: object) -> object:
        called.extend(str(word) for word in command if str(word).endswith((".c", ".s", ".S")))
        return run_tool(command, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(toolchain, "run_tool", counted)
    return called


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Compiles a source of the test with these folders of headers; nothing is kept at first."""
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "cache"))
    made = Toolchain(Device.load("picorv32"))

    def compiled(source: str, *folders: str, flags: tuple[str, ...] = ("-O1",)) -> Path:
        unit = Unit(tmp_path / source, flags, tuple(tmp_path / folder for folder in folders))
        return made.compile([unit])[unit]

    return compiled


def written(folder: Path, **texts: str) -> None:
    """Writes files, whose names have two underscores for a slash and one for a dot."""
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_a_folder_without_these_headers_costs_no_compilation(
    calls: list[str], build: Callable[..., Path], tmp_path: Path
) -> None:
    written(tmp_path, all__size_h="#define SIZE 1\n", one__x_h="", two__y_h="", s_c=SOURCE)
    first = build("s.c", "one", "all")
    assert build("s.c", "two", "all") == first
    assert build("s.c", "all") == first
    assert calls == [str(tmp_path / "s.c")]


def test_the_header_of_another_folder_is_compiled(
    calls: list[str], build: Callable[..., Path], tmp_path: Path
) -> None:
    written(tmp_path, all__size_h="#define SIZE 1\n", one__size_h="#define SIZE 2\n", s_c=SOURCE)
    both = {build("s.c", "all"), build("s.c", "one", "all")}
    assert len(both) == len(calls) == 2
    assert {build("s.c", "all", "one"), build("s.c", "one")} == both
    assert len(calls) == 2


def test_a_header_that_comes_in_front_of_another_is_read(
    build: Callable[..., Path], tmp_path: Path
) -> None:
    written(tmp_path, all__size_h="#define SIZE 1\n", one__x_h="", s_c=SOURCE)
    first = build("s.c", "one", "all")
    written(tmp_path, one__size_h="#define SIZE 2\n")
    second = build("s.c", "one", "all")
    assert second != first
    (tmp_path / "one" / "size.h").unlink()
    assert build("s.c", "one", "all") == first


def test_a_changed_header_is_read_again(
    calls: list[str], build: Callable[..., Path], tmp_path: Path
) -> None:
    written(tmp_path, all__size_h="#define SIZE 1\n", s_c=SOURCE)
    first = build("s.c", "all")
    written(tmp_path, all__size_h="#define SIZE 3\n")
    assert build("s.c", "all") != first
    assert len(calls) == 2


def test_what_asks_for_files_is_compiled_for_each_list_of_folders(
    calls: list[str], build: Callable[..., Path], tmp_path: Path
) -> None:
    asking = '#if __has_include("size.h")\nint there;\n#else\nint missing;\n#endif\n'
    written(tmp_path, all__size_h="", one__x_h="", s_c=asking)
    assert build("s.c", "one") != build("s.c", "one", "all")
    assert build("s.c", "one") != build("s.c", "all")
    assert len(calls) == 3


def test_what_is_included_by_assembly_in_c_is_found_anew(
    build: Callable[..., Path], tmp_path: Path
) -> None:
    within = '__asm__(".data\\n.incbin \\"bytes.bin\\"\\n");\n'
    written(tmp_path, one__bytes_bin="a", two__bytes_bin="b", s_c=within)
    assert build("s.c", "one") != build("s.c", "two")


def test_a_header_beside_the_source_hides_those_in_folders(
    calls: list[str], build: Callable[..., Path], tmp_path: Path
) -> None:
    written(tmp_path, own__size_h="#define SIZE 1\n", all__size_h="#define SIZE 2\n")
    written(tmp_path, own__s_c=SOURCE)
    first = build("own/s.c", "all")
    assert build("own/s.c", "all") == first
    assert len(calls) == 1
    assert build("own/s.c", "own", "all") == build("own/s.c") == first
    assert len(calls) == 1
    (tmp_path / "own" / "size.h").unlink()
    assert build("own/s.c", "all") != first


def test_the_header_that_a_macro_names_is_searched_for(
    calls: list[str], build: Callable[..., Path], tmp_path: Path
) -> None:
    written(tmp_path, all__size_h="#define SIZE 1\n", one__size_h="#define SIZE 2\n", two__x_h="")
    written(tmp_path, s_c=SOURCE.replace('"size.h"', "HEADER"))
    flags = ("-O1", '-DHEADER="size.h"')
    first = build("s.c", "all", flags=flags)
    assert build("s.c", "two", "all", flags=flags) == first
    assert len(calls) == 1
    assert build("s.c", "one", "all", flags=flags) != first


def test_a_header_that_is_found_otherwise_is_not_compiled_each_time(
    calls: list[str], build: Callable[..., Path], tmp_path: Path
) -> None:
    written(tmp_path, own__size_h="#define SIZE 1\n", all__size_h="#define SIZE 2\n")
    written(tmp_path, own__s_c=SOURCE.replace('"size.h"', "HEADER"))
    flags = ("-O1", '-DHEADER="size.h"')
    assert build("own/s.c", "all", flags=flags) == build("own/s.c", "all", flags=flags)
    assert len(calls) == 1


def test_a_header_of_the_compilers_can_be_hidden(
    calls: list[str], build: Callable[..., Path], tmp_path: Path
) -> None:
    written(tmp_path, all__x_h="", own__stddef_h="#define SIZE 2\ntypedef int size_t;\n")
    text = SOURCE.replace('"size.h"', "<stddef.h>").replace("SIZE", "sizeof(size_t) + SIZE")
    written(tmp_path, s_c=text)
    flags = ("-O1", "-DSIZE=1")
    first = build("s.c", "all", flags=flags)
    assert build("s.c", flags=flags) == first
    assert len(calls) == 1
    assert build("s.c", "own", flags=flags) != first


def test_options_are_part_of_what_is_compiled(
    calls: list[str], build: Callable[..., Path], tmp_path: Path
) -> None:
    written(tmp_path, all__size_h="#define SIZE WIDTH\n", s_c=SOURCE)
    ones = build("s.c", "all", flags=("-O1", "-DWIDTH=1"))
    assert build("s.c", "all", flags=("-O1", "-DWIDTH=2")) != ones
    assert len(calls) == 2


def test_a_record_has_a_limit(build: Callable[..., Path], tmp_path: Path) -> None:
    asking = '#if __has_include("x.h")\n#endif\nint nothing;\n'
    written(tmp_path, s_c=asking)
    for number in range(MOST + 3):
        written(tmp_path, **{f"f{number}__x_h": ""})
        build("s.c", f"f{number}")
    (record,) = cache.folder("objects").glob("*.json")
    made = json.loads(record.read_text(encoding="utf-8"))["made"]
    assert len(made) == MOST
    assert made[0]["folders"][0] == os.fspath(tmp_path / f"f{MOST + 2}")


BROKEN = [
    *("", "[]", '{"made": 7}', '{"made": [7, {"object": 1}]}'),
    '{"made": [{"object": 1, "read": [], "folders": 3, "searches": []}]}',
    '{"made": [{"object": "x", "read": {"y": 1}, "folders": [3], "searches": [[1, 2]]}]}',
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_record_is_made_again(
    calls: list[str], build: Callable[..., Path], tmp_path: Path, text: str
) -> None:
    written(tmp_path, all__size_h="#define SIZE 1\n", s_c=SOURCE)
    first = build("s.c", "all")
    (record,) = cache.folder("objects").glob("*.json")
    record.write_text(text, encoding="utf-8")
    assert build("s.c", "all") == first
    assert len(calls) == 2
