"""Bouncy Castle on the device against the host's `java`, and the reproduction of matsuoka2004."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import threading
import tomllib
from dataclasses import replace
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import TYPE_CHECKING

import pytest

import output_schemas
from cocrypt import paths
from cocrypt.device import Device
from cocrypt.errors import HostError, InputError
from cocrypt.java import classfile, jars, maven
from cocrypt.java.maven import Artifact, obtain
from cocrypt.reproduce.matsuoka2004.java import Reproduction, reproduce
from cocrypt.reproduce.matsuoka2004.java.footprint import Footprint
from cocrypt.reproduce.matsuoka2004.java.measured import (
    ALGORITHMS,
    BOUNCY_CASTLE,
    OWN,
    Algorithm,
    Measured,
    Result,
    programs,
    run,
)
from cocrypt.reproduce.matsuoka2004.java.programs import jars as program_jars
from cocrypt.reproduce.matsuoka2004.java.programs import write
from cocrypt.reproduce.matsuoka2004.java.vectors import official
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from conftest import Verb


HOST = ROOT / "tests" / "cases" / "java_host"
# A share runs in CI; COCRYPT_JAVA_INPUTS names a larger campaign, of all algorithms.
INPUTS = int(os.environ.get("COCRYPT_JAVA_INPUTS", "0"))
SHARE = ("Rc5", "Sha512")
LONG = ("arm7tdmi", 25)
"""The device, and the inputs of a run, of an algorithm that takes long: no cache is simulated."""
BLOCKS = {"Aes": 16, "AesFast": 16, "AesLight": 16, "OwnAes": 16, "Rc6": 16}
KEYS = {"Des": (8,), "Rc2": range(1, 129), "Rc4": range(1, 257), "Rc5": range(1, 256)}
USUAL_KEYS = (16, 24, 32)
# Programs with tables that static initialisers make.
WITH_TABLES = ("Aes", "AesFast", "AesLight", "Des", "Rc2", "Md2", "Sha256", "Sha512", "OwnAes")
CHOSEN = [each for each in (*ALGORITHMS, OWN) if INPUTS or each.program in SHARE]
TABLES = [each for each in (*ALGORITHMS, OWN) if each.program in WITH_TABLES]
CHOSEN_TABLES = TABLES if INPUTS else TABLES[-1:]


@pytest.fixture(scope="session")
def library() -> Path:
    try:
        return obtain(BOUNCY_CASTLE)
    except HostError as error:
        pytest.skip(error.message)


@cache
def host_classes(javac: str, folder: Path) -> Path:
    """Compiles what programs find on the host in the place of the device."""
    sources = [str(path) for path in sorted(HOST.rglob("*.java"))]
    subprocess.run([javac, "-d", str(folder), *sources], check=True)
    return folder


@pytest.fixture
def on_host(
    need_tool: Callable[[str], str], library: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, Sequence[bytes]], tuple[int, ...]]:
    """Runs a program on the host; returns its runs, wrong results, and hash over all results."""
    folder = host_classes(need_tool("javac"), tmp_path_factory.getbasetemp() / "host")
    java, classes = need_tool("java"), f"{folder}:{programs()}:{library}"

    def call(program: str, values: Sequence[bytes]) -> tuple[int, ...]:
        table = folder / f"{program}.txt"
        table.write_text("".join(f"{value.hex()}\n" for value in values), encoding="ascii")
        options = ["-XX:TieredStopAtLevel=1", f"-Dvectors={table}", "-cp", classes]
        command = [java, *options, f"matsuoka2004.{program}"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = re.match(r"runs (\d+) wrong (\d+) hash (-?\d+)\n", text)
        assert found, text
        return tuple(map(int, found.groups()))

    return call


def random_values(algorithm: Algorithm, count: int, begin: int = 0) -> list[bytes]:
    """Random inputs of an algorithm from one on, whose results are not known."""
    random = Random(f"{algorithm.program}{begin or ''}")
    return [value for _ in range(count) for value in _input(algorithm, random)]


def _input(algorithm: Algorithm, random: Random) -> list[bytes]:
    name = algorithm.program
    if name == "Rsa":
        # The key stays, as primes are not made here; its top bits bound the message.
        *numbers, message, _ = algorithm.values()
        return [*numbers, b"\0" + random.randbytes(len(message) - 1), b""]
    if name.startswith(("Md", "Sha")):
        return [random.randbytes(random.randrange(300)), b""]
    key = random.randbytes(random.choice(KEYS.get(name, USUAL_KEYS)))
    if name == "HmacSha1":
        return [random.randbytes(random.randrange(1, 200)), random.randbytes(50), b""]
    size = random.randrange(1, 99) if name == "Rc4" else BLOCKS.get(name, 8)
    return [key, random.randbytes(size), b""]


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, OWN], ids=lambda each: each.program)
def test_the_programs_give_the_official_results_on_the_host(
    algorithm: Algorithm, on_host: Callable[[str, Sequence[bytes]], tuple[int, ...]]
) -> None:
    runs, wrong, _ = on_host(algorithm.program, algorithm.values())
    assert runs > 0
    assert wrong == 0
    values = algorithm.values()
    values[-1] = bytes([values[-1][0] ^ 1]) + values[-1][1:]
    assert on_host(algorithm.program, values)[1] == 1


@pytest.mark.long
@pytest.mark.parametrize("algorithm", CHOSEN, ids=lambda each: each.program)
def test_results_on_the_device_are_those_on_the_host(
    algorithm: Algorithm,
    library: Path,
    on_host: Callable[[str, Sequence[bytes]], tuple[int, ...]],
) -> None:
    """Official vectors and random inputs, interpreted and compiled ahead of time."""
    name, most = LONG if algorithm.program == "Rsa" else ("sa1110", 1000)
    device = Device.load(paths.device(name))
    for begin in range(0, INPUTS or 8, most):
        count = min(most, (INPUTS or 8) - begin)
        values = [*algorithm.values(), *random_values(algorithm, count, begin)]
        expected = on_host(algorithm.program, values)
        for aot in ((), ("all",)):
            result = run(algorithm.program, library, device, values, aot=aot)
            assert (result.runs, result.wrong, result.hash) == expected, (begin, aot)


@pytest.mark.long
@pytest.mark.parametrize("algorithm", CHOSEN_TABLES, ids=lambda each: each.program)
def test_the_page_has_what_static_initialisers_cost(algorithm: Algorithm, library: Path) -> None:
    """ROM and cycles of a whole program, with initialisers on the device and on the host."""
    device = Device.load(paths.device("sa1110"))
    cells = [algorithm.title]
    for aot, level in (((), "-Os"), (("all",), "-O2")):
        before, after = (
            run(
                algorithm.program, library, device, algorithm.values(),
                aot=aot, level=level, host_initializers=host,
            )
            for host in (False, True)
        )  # fmt: skip
        assert before.hash == after.hash
        assert before.wrong == after.wrong == 0
        cells += map("{:,}".format, (before.rom, after.rom, before.total, after.total))
    row = f"| {' | '.join(cells)} |"
    assert row in (ROOT / "docs" / "matsuoka2004.md").read_text("utf-8"), row


@pytest.mark.skipif(
    not INPUTS, reason="COCRYPT_JAVA_INPUTS is not set: it is a part of the campaign"
)
def test_the_engine_of_aes_takes_few_cycles_and_compiled_at_most_four_times_those_of_c(
    library: Path, verb: Verb
) -> None:
    """A block without its key; `turned` is the same algorithm in C."""
    device, values = Device.load(paths.device("sa1110")), official(("aes/vectors/aes128.toml",))
    once, often = (
        run("Aes", library, device, values * times, aot=("all",), level="-O2") for times in (1, 16)
    )
    block = (often.cycles[1] - once.cycles[1]) / (often.runs - once.runs)
    measured = verb("measure", "aes128/turned", "-d", "sa1110", "-O", "2", "--json")
    rows = json.loads(measured.out)["rows"]
    (in_c,) = (each["cycles"] for each in rows if each["operation"] == "encrypt")
    assert block <= 4 * in_c
    interpreted, counted = (
        run("Aes", library, device, values, count=count) for count in (False, True)
    )
    assert counted.executed
    per_bytecode = interpreted.total / counted.executed
    assert per_bytecode <= 25
    page = " ".join((ROOT / "docs" / "matsuoka2004.md").read_text("utf-8").split())
    assert f"takes {block:,.0f} cycles compiled, {block / in_c:.1f} times the {in_c}" in page
    assert f"{per_bytecode:.1f} cycles for a bytecode" in page


@pytest.mark.usefixtures("library")
def test_the_programs_are_what_their_sources_compile_to(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    javac = need_tool("javac")
    version = subprocess.run([javac, "-version"], capture_output=True, text=True, check=True)
    for jar, sources in program_jars().items():
        write(sources, tmp_path / jar.name)
        now, kept = (
            {each.name: each for each in jars.classes([path])}
            for path in (tmp_path / jar.name, jar)
        )
        assert list(now) == list(kept)
        if version.stdout.startswith("javac 17"):
            codes = [{name: _codes(each) for name, each in found.items()} for found in (now, kept)]
            assert codes[0] == codes[1]


def _codes(each: classfile.ClassFile) -> list[tuple[str, str, bytes | None]]:
    return [
        (method.name, method.descriptor, method.code.code if method.code else None)
        for method in each.methods
    ]


# The jar of an artifact.


def _artifact(content: bytes) -> Artifact:
    return Artifact("a.group", "name", "1.0", hashlib.sha256(content).hexdigest())


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one jar, and neither a cache nor a local repository of Maven's."""
    jar = tmp_path / "repository" / "a/group/name/1.0/name-1.0.jar"
    jar.parent.mkdir(parents=True)
    jar.write_bytes(b"content")
    monkeypatch.setenv("COCRYPT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv(maven.VARIABLE, str(tmp_path / "repository"))
    paths.forget()
    return tmp_path / "repository"


@pytest.fixture
def server(repository: Path) -> Iterator[str]:
    handler = partial(SimpleHTTPRequestHandler, directory=str(repository))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as found:
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{found.server_address[1]}"
        found.shutdown()


def test_a_jar_is_taken_from_a_folder_and_kept(repository: Path) -> None:
    first = obtain(_artifact(b"content"))
    assert first.read_bytes() == b"content"
    next(repository.rglob("*.jar")).unlink()
    assert obtain(_artifact(b"content")) == first


def test_a_jar_is_fetched_from_an_address(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(maven.VARIABLE, server + "/")
    assert obtain(_artifact(b"content")).read_bytes() == b"content"
    with pytest.raises(HostError, match="its SHA-256 is"):
        obtain(_artifact(b"another"))
    with pytest.raises(HostError, match="cannot be fetched"):
        obtain(replace(_artifact(b"further"), version="2.0"))


def test_a_repository_without_the_jar_is_named(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(HostError, match=f"{repository} has no a/group/name/1.0/name-1.0.jar"):
        obtain(_artifact(b"another"))
    monkeypatch.setenv(maven.VARIABLE, "ftp://127.0.0.1")
    with pytest.raises(InputError, match="no address of a repository"):
        obtain(_artifact(b"another"))


def maven_that(does: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a program in the place of Maven, and no other repository."""
    program = tmp_path / "bin" / "mvn"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.delenv(maven.VARIABLE)


@pytest.mark.usefixtures("repository")
def test_maven_fetches_into_its_own_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "home/.m2/repository/a/group/name/1.0"
    does = f"echo $* > {tmp_path}/words; mkdir -p {folder}; printf bytes > {folder}/name-1.0.jar"
    maven_that(does, tmp_path, monkeypatch)
    assert obtain(_artifact(b"bytes")).read_bytes() == b"bytes"
    words = (tmp_path / "words").read_text(encoding="utf-8").split()
    assert words[-3:] == [
        "dependency:get", "-Dartifact=a.group:name:1.0", "-Dtransitive=false",
    ]  # fmt: skip


@pytest.mark.usefixtures("repository")
def test_what_maven_says_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maven_that("echo '[ERROR] it is offline'; exit 1", tmp_path, monkeypatch)
    with pytest.raises(HostError, match=r"does not fetch a.group:name:1.0: .* it is offline"):
        obtain(_artifact(b"bytes"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostError, match="Maven, which fetches it, is not installed"):
        obtain(_artifact(b"bytes"))


# The experiment.


def measured(algorithm: Algorithm, *cycles: int) -> Measured:
    """An algorithm with these cycles of its operations, interpreted and compiled."""
    ways = (0, cycles[0], 0, cycles[1] if len(cycles) > 1 else 0)
    result = Result(1, 0, 7, ways, 1000, 20_000, 30_000, 40_000)
    return Measured(algorithm, result, result, result)


def reproduction(*rows: Measured) -> Reproduction:
    published = tomllib.loads((ROOT / "studies/published/matsuoka2004.toml").read_text("utf-8"))
    sizes = (Footprint("original", 80, 60_000, 16_000, 38_000),
             Footprint("bouncy_castle", 230, 300_000, 90_000, 39_000))  # fmt: skip
    return Reproduction(published, 206_400_000, str(BOUNCY_CASTLE), "", rows, sizes)


def test_findings_are_computed_from_the_figures() -> None:
    by_program = {each.program: each for each in ALGORITHMS}
    aes, rsa, md5 = (by_program[name] for name in ("Aes", "Rsa", "Md5"))
    paper = [measured(aes, 361_200, 670_800), measured(rsa, 82_560_000, 1_444_800_000)]
    held = reproduction(*paper, measured(md5, 154_800)).findings
    assert [each.holds for each in held] == [True, True, True, True, False, True]
    other = [measured(aes, 206_400_000, 361_200), measured(rsa, 800_000, 700_000)]
    assert [each.holds for each in reproduction(*other).findings][:4] == [False] * 4


def test_tables_put_the_figures_beside_each_other() -> None:
    aes, rsa = (each for each in ALGORITHMS if each.program in ("Aes", "Rsa"))
    result = reproduction(measured(aes, 206_400, 412_800), measured(rsa, 41_280_000, 722_400_000))
    sizes, times = result.tables
    assert sizes.rows[1][:7] == ("with Bouncy Castle", "508", "230", "589", "300", "1,200", "90.0")
    assert times.rows[0] == ("AES", "encrypt", "1.75", "1.00", "1.00", "20.0", "30.0")
    assert times.rows[1][:4] == ("AES", "decrypt", "3.25", "2.00")
    assert "faster than the paper's in 4 of 4 rows, by 1.6 to 2.0 times, 2.0 in" in times.sentence
    output_schemas.check("reproduce-matsuoka2004", result.record(), "java")


def test_wrong_results_are_named() -> None:
    fine = measured(OWN, 1, 1)
    for java, aot in (
        (replace(fine.java, wrong=1), fine.aot),
        (fine.java, replace(fine.aot, hash=8)),
        (replace(fine.java, runs=0), fine.aot),
    ):
        changed = replace(fine, java=java, aot=aot)
        assert reproduction(fine, changed).wrong == ("AES, our own",)


@pytest.mark.long
def test_without_the_library_our_own_aes_is_measured(repository: Path) -> None:
    assert repository.is_dir()
    result = reproduce()
    assert result.tables[0].title == "What is missing"
    values = json.loads(json.dumps(result.record()))
    output_schemas.check("reproduce-matsuoka2004", values, "java")
    assert values["library"] is None
    assert "has no bouncycastle/bcprov-jdk14/124/bcprov-jdk14-124.jar" in values["missing"]
    (own,) = values["algorithms"]
    assert (own["variant"], own["runs"], own["verified"]) == ("our own", 4, True)
    assert own["compiled"]["cycles"] < own["interpreted"]["cycles"] / 2
