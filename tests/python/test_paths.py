"""Files that come with cocrypt are found by name from any folder, the user's files by path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native, paths
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.machine import Machine
from cocrypt.study import Study

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Verb


def test_a_study_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, path in paths.studies().items():
        assert Study.load(name).path == path, name
    (tmp_path / "sha256").mkdir()
    assert paths.study("sha256") == paths.studies()["sha256"]


def test_a_file_of_the_users_is_taken_before_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("sha256", "study", "mine.toml"):
        (tmp_path / name).write_text("", encoding="utf-8")
        assert paths.study(name) == Path(name)


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ("sha257", "did you mean `sha256`"),
        ("studies/sha256.toml", "`sha256` alone"),
        ("x", "known"),
    ],
)
def test_a_study_that_is_not_there_is_told(
    given: str, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as refused:
        paths.study(given)
    assert advice in str(refused.value.help)


def test_verbs_take_names_of_studies(verb: Verb) -> None:
    assert "sha256" in verb("explore", "sha257").err
    assert verb("verify", "sha256", "--core", "none").code == 1


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A device of the user's, with no core beside it."""
    text = paths.device("picorv32").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace('"picorv32"', '"mine"', 1), encoding="utf-8")
    return path


def test_a_device_may_have_a_core_that_comes_with_cocrypt(
    mine: Path, firmware: Callable[[str], Path]
) -> None:
    image = firmware("int main(void) { return 0; }")
    ours, theirs = Device.load("picorv32"), Device.load(mine).having(bus_wait=2)
    assert theirs.core == ours.core
    runs = [Machine(device, image).run() for device in (ours.having(bus_wait=2), theirs)]
    assert runs[0].cycles == runs[1].cycles


def test_a_core_beside_the_device_is_taken_first(mine: Path) -> None:
    (mine.parent / "cores").mkdir()
    text = (paths.root() / "devices/cores/picorv32.toml").read_text(encoding="utf-8")
    core = mine.parent / "cores/picorv32.toml"
    core.write_text(text.replace('title  = "', 'title  = "My ', 1), encoding="utf-8")
    assert Device.load(mine).core.title.startswith("My ")


def test_a_core_that_is_not_there_is_told_with_the_nearest(mine: Path) -> None:
    text = mine.read_text(encoding="utf-8").replace('= "picorv32"', '= "picorv23"')
    mine.write_text(text, encoding="utf-8")
    with pytest.raises(_native.DiagnosticError) as refused:
        Device.load(mine)
    assert "did you mean `picorv32`?" in refused.value.rendered
