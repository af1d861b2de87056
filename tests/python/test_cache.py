"""The cache: private, whole or made again, and never in place of other files."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cocrypt import cache, paths
from cocrypt.device import Device
from cocrypt.errors import HostError, InputError
from cocrypt.explore import Store
from cocrypt.private import intruder
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = "int main(void) { return 0; }\n"


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("COCRYPT_CACHE", str(folder))
    (tmp_path / "main.c").write_text(PROGRAM, encoding="utf-8")
    return folder


def image(source: Path) -> Path:
    """Builds a program."""
    chain = Toolchain(Device.load("picorv32"))
    objects = chain.compile([Unit(chain.folder / "crt0.S"), Unit(source)])
    return chain.link(list(objects.values()), "program")


@pytest.mark.parametrize("damage", [b"", b"\x7fELF", None])
def test_what_is_broken_is_made_again(fresh: Path, tmp_path: Path, damage: bytes | None) -> None:
    first = image(tmp_path / "main.c")
    content = first.read_bytes()
    records = sorted(fresh.glob("*/*.json"))
    for path in fresh.rglob("*.[oe]*"):
        if damage is None:
            path.unlink()
        else:
            path.write_bytes(damage)
    assert image(tmp_path / "main.c").read_bytes() == content
    for record in records:
        record.write_bytes(damage or b"[]")
    assert image(tmp_path / "main.c").read_bytes() == content


@pytest.mark.usefixtures("fresh")
def test_sources_of_one_text_include_each_its_own(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name / "inside").mkdir(parents=True)
        (tmp_path / name / "inside" / "source.c").write_text('#include "../value.h"\n')
        (tmp_path / name / "value.h").write_text(f"int {name} = 1;\n")
    sources = [Unit(tmp_path / name / "inside" / "source.c") for name in ("one", "other")]
    toolchain = Toolchain(Device.load("picorv32"))
    objects = [toolchain.compile([source])[source].read_bytes() for source in sources]
    assert [b"one" in objects[0], b"other" in objects[1]] == [True, True]


@pytest.mark.usefixtures("fresh")
def test_another_program_in_its_place_is_not_taken(tmp_path: Path) -> None:
    """A record's files are found by content, so an object cannot be that of another unit."""
    first = image(tmp_path / "main.c")
    content = first.read_bytes()
    (tmp_path / "other.c").write_text(PROGRAM.replace("0", "1"), encoding="utf-8")
    first.write_bytes(image(tmp_path / "other.c").read_bytes())
    assert image(tmp_path / "main.c").read_bytes() == content


def test_a_file_that_is_made_once_is_made_again_when_it_is_broken(tmp_path: Path) -> None:
    targets = []

    def make(target: Path, _scratch: Path) -> None:
        targets.append(target)
        target.write_text("whole", encoding="utf-8")

    path = tmp_path / "room" / "file"
    for damage in (None, "who", ""):
        assert cache.obtain(path, make).read_text(encoding="utf-8") == "whole"
        assert cache.obtain(path, make) == path
        if damage is not None:
            path.write_text(damage, encoding="utf-8")
    assert len(targets) == 2


def test_generated_files_are_written_again(fresh: Path) -> None:
    path = paths.kept("unit.c", "int x;\n")
    path.write_text("int", encoding="utf-8")
    assert paths.kept("unit.c", "int x;\n").read_text(encoding="utf-8") == "int x;\n"
    assert path.is_relative_to(fresh)


def test_processes_share_a_cache(fresh: Path, tmp_path: Path) -> None:
    text = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path\n"
        "from test_cache import image\nprint(image(Path(sys.argv[2])))\n"
    )
    folder = os.path.dirname(__file__)  # noqa: PTH120 - a word for a command line.
    command = [sys.executable, "-c", text, folder, str(tmp_path / "main.c")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    printed = {process.communicate()[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(printed) == 1
    assert printed == {f"{image(tmp_path / 'main.c')}\n"}
    assert not list(fresh.rglob(".*"))


def test_the_cache_is_the_users_alone(fresh: Path, tmp_path: Path) -> None:
    image(tmp_path / "main.c")
    Store().close()
    for path in (fresh, *fresh.rglob("*")):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


@pytest.mark.parametrize(
    ("parent", "leaf", "danger"),
    [
        (0o777, 0o700, True),
        (0o1777, 0o700, False),
        (0o755, 0o777, True),
        (0o755, 0o1777, True),
        (0o755, 0o755, False),
    ],
)
def test_a_cache_that_others_can_write_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parent: int, leaf: int, danger: bool
) -> None:
    folder = tmp_path / "parent" / "cache"
    folder.mkdir(parents=True)
    folder.chmod(leaf)
    folder.parent.chmod(parent)
    monkeypatch.setenv("COCRYPT_CACHE", str(folder))
    if not danger:
        assert paths.cache() == folder
        return
    with pytest.raises(HostError, match="others can write to") as caught:
        paths.cache()
    assert "another" in str(caught.value.help)


@pytest.mark.parametrize("within", ["images", "generated/abc"])
def test_a_folder_in_the_cache_that_others_can_write_to_is_refused(
    fresh: Path, within: str
) -> None:
    folder = fresh / within
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    # The folder is out of reach if nobody else can enter the cache.
    fresh.chmod(0o700)
    assert paths.cache() == fresh
    fresh.chmod(0o755)
    paths.forget()
    with pytest.raises(HostError, match=f"others can write to .*{within}"):
        paths.cache()


def test_folders_in_the_cache_are_the_users_whatever_new_ones_are(fresh: Path) -> None:
    fresh.mkdir(mode=0o755)
    before = os.umask(0)
    try:
        paths.kept("name.h", "text")
        paths.make_known("about", ["words"])
        cache.obtain(fresh / "a/b/file", lambda file, _: file.touch())
        cache.folder("c/d")
    finally:
        os.umask(before)
    folders = [path for path in fresh.rglob("*") if path.is_dir()]
    assert len(folders) > 6
    for path in folders:
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_a_folder_of_another_user_is_not_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert intruder(tmp_path) is None
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 12345)
    danger = intruder(tmp_path)
    assert danger is not None
    assert "belongs to" in danger


def test_the_cache_of_others_checkout_is_in_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COCRYPT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    monkeypatch.setattr(paths, "root", lambda: tmp_path / "checkout")
    (tmp_path / "checkout").mkdir()
    assert paths.cache() == tmp_path / "checkout/build/cache"
    (tmp_path / "others").mkdir()
    (tmp_path / "others").chmod(0o777)
    monkeypatch.setattr(paths, "root", lambda: tmp_path / "others")
    assert paths.cache().is_relative_to(tmp_path / "mine/cocrypt")


def test_a_broken_outcome_is_not_known(fresh: Path) -> None:
    store = Store()
    for text in ("{}", "[]", "", '{"cycles": 1}'):
        store.put("key", {"cycles": 7})
        assert store.get("key") == {"cycles": 7}
        with store.database:
            store.database.execute("UPDATE simulated SET value = ?", (text,))
        assert store.get("key") is None
    store.put("key", {"cycles": 7})
    with store.database:
        store.database.execute("UPDATE simulated SET key = 'other'")
    assert store.get("other") is None
    store.close()
    assert fresh.is_dir()


@pytest.mark.parametrize("content", [b"no database" * 200, b"SQLite format 3\0" + b"x" * 4096])
def test_a_broken_store_in_the_cache_is_begun_again(fresh: Path, content: bytes) -> None:
    Store().close()
    path = fresh / "outcomes.sqlite"
    path.write_bytes(content)
    store = Store()
    store.put("key", {"cycles": 7})
    assert store.get("key") == {"cycles": 7}
    store.close()
    # The store may break while it is in use, too.
    with path.open("r+b") as file:
        file.truncate(5000)
    again = Store()
    again.put("key", {"cycles": 8})
    assert again.get("key") == {"cycles": 8}
    again.close()


def test_a_store_that_is_open_twice_survives_other_processes(fresh: Path) -> None:
    """A file's locks belong to the process: any code that closes the file releases SQLite's."""
    first, second = Store(), Store()
    first.put("first", {"cycles": 1})
    text = (
        "from cocrypt.explore import Store\n"
        "store = Store()\nstore.put('other', {'cycles': 2})\nstore.close()\n"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", text], check=True)
        third = Store()
        assert [third.get(key) for key in ("first", "other")] == [{"cycles": 1}, {"cycles": 2}]
        third.put("third", {"cycles": 3})
        # A store that is not closed explicitly is closed nevertheless.
        del third
        assert first.get("third") == second.get("third") == {"cycles": 3}
    first.close()
    second.close()
    assert fresh.is_dir()


def test_a_file_that_is_no_store_stays_as_it_is(tmp_path: Path) -> None:
    elf, foreign, directory = (tmp_path / name for name in ("my.elf", "places.sqlite", "folder"))
    elf.write_bytes(b"\x7fELF" + bytes(5000))
    with sqlite3.connect(foreign) as database:
        database.execute("CREATE TABLE places (url TEXT)")
    database.close()
    directory.mkdir()
    before = {path: path.read_bytes() for path in (elf, foreign)}
    for path in (elf, foreign, directory, tmp_path / "nowhere/store"):
        with pytest.raises((HostError, InputError)) as caught:
            Store(path)
        assert str(path) in caught.value.message or str(path.parent) in caught.value.message
        assert "delete" not in f"{caught.value.message} {caught.value.help}"
    assert {path: path.read_bytes() for path in (elf, foreign)} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "my.elf", "places.sqlite"]


def test_a_store_of_before_is_taken_on(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE outcome (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
        database.execute("INSERT INTO outcome VALUES ('key', ?)", (json.dumps({"cycles": 1}),))
    database.close()
    store = Store(path)
    assert store.get("key") is None
    store.put("key", {"cycles": 2})
    store.close()
    assert Store(path).get("key") == {"cycles": 2}
