"""Methods in Java as candidates of a study: every option of studies/java-aes.toml, and its keys."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tomllib
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.explore.exploring import explore
from cocrypt.following import PointedSecret, Start, follow
from cocrypt.java import application, classfile, frames, jars
from cocrypt.machine import Machine
from cocrypt.partition import named, partitions
from cocrypt.paths import device as device_named
from cocrypt.reproduce.matsuoka2004 import called
from cocrypt.study import Study
from cocrypt.study.search import Sweep
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.builder import Built
    from cocrypt.java.classfile import ClassFile
    from cocrypt.study import Candidate
    from conftest import Verb

FILE = ROOT / "studies" / "java-aes.toml"
OPTIONS = ("software", "Aes.encrypt=aot", "Aes.encrypt=native", "Coprocessor", "Key inside")
SEALED = "Key inside"
# FIPS 197, appendix B: the key, the round keys 1 and 10, and the cipher text.
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
FIRST = bytes.fromhex("a0fafe1788542cb123a339392a6c7605")
LAST = bytes.fromhex("d014f9a8c9ee2589e13f0cc8b6630ca6")
CIPHER = bytes.fromhex("3925841d02dc09fbdc118597196a0b32")
# NIST's AESAVS, variable key: another key for the coprocessor.
OTHER_KEY = bytes.fromhex("80000000000000000000000000000000")
RTL = bool(os.environ.get("COCRYPT_JAVA_RTL"))
STEPS = 50
"""Times at which memory is looked at, evenly from the reset to the end."""
PUBLISHED = tomllib.loads((ROOT / "studies/published/matsuoka2004.toml").read_text("utf-8"))
PAPER_INTERFACE = PUBLISHED["aes_cycles"]["c"]["interface"]
"""Cycles of the paper's interface from Java to C."""


@pytest.fixture(scope="module")
def study() -> Study:
    return Study.load(FILE)


def _built(study: Study, partition: str) -> Built:
    (built,) = Builder(study).build([(study.workload(), named(study, partition))])
    return built


def _machine(study: Study, partition: str) -> Machine:
    built = _built(study, partition)
    coprocessors = built.coprocessors
    return Machine(
        study.device, built.image, name=built.name, coprocessors=coprocessors, contexts=True
    )


@pytest.mark.parametrize("device", ["picorv32", "sa1110"])
def test_every_partition_gives_the_cipher_text(study: Study, device: str) -> None:
    on = study.on(Device.load(device_named(device)))
    result = explore(on, on.workload(), jobs=1)
    assert len(result.rows) == len(partitions(on)) == 14
    assert all(row.measurement.output.got == CIPHER for row in result.rows)
    total = {row.measurement.partition.name: row.measurement.split.total for row in result.rows}
    order = ("Java", "Aes.encrypt: aot", "Aes.encrypt: native", "Coprocessor", "Key inside")
    cycles = [total[name] for name in order]
    assert cycles == sorted(cycles, reverse=True)
    assert not result.errors, "bytecode has no calls that predictions could be computed from"


def test_the_classes_are_the_same_bytes_in_every_partition(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {
        hashlib.sha256(jar.read(name)).hexdigest()
        for jar in [zipfile.ZipFile(application.folder() / "application.jar")]
        for name in jar.namelist()
    }
    read: set[str] = set()

    def hashing(data: bytes, origin: str) -> ClassFile:
        read.add(hashlib.sha256(data).hexdigest())
        return original(data, origin)

    original = classfile.read
    monkeypatch.setattr("cocrypt.java.jars.read", hashing)
    hashes = set()
    for name in OPTIONS:
        read.clear()
        (built,) = Builder(study).build([(study.workload(), named(study, name))])
        assert read == kept, name
        hashes.add(hashlib.sha256(built.image).hexdigest())
    assert len(hashes) == len(OPTIONS), "the images differ"


def test_the_jar_is_what_its_sources_compile_to(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    need_tool("javac")
    application.write(tmp_path / "application.jar")
    now, kept = (
        [(each.name, [(method.name, method.code) for method in each.methods]) for each in classes]
        for classes in (
            jars.classes([tmp_path / "application.jar"]),
            jars.classes([application.folder() / "application.jar"]),
        )
    )
    assert now == kept


# The key in hardware.


def _memory(machine: Machine) -> bytes:
    return b"".join(
        machine.native.read(memory.base, memory.size) for memory in machine.device.memories
    )


def _holds(content: bytes, secret: bytes) -> bool:
    """True if memory has a word of a secret, at any address."""
    return any(secret[at : at + 4] in content for at in range(0, len(secret), 4))


def _transfers(machine: Machine) -> list[tuple[int, int, bool]]:
    """Address, value and direction of all transfers to the coprocessor."""
    (window,) = machine.device.windows
    found = machine.native.first_transfers(window.base, window.size, 1 << 30, 10**9)
    return [(address, value, writes) for _, _, address, value, writes in found]


@pytest.mark.parametrize("partition", OPTIONS)
def test_key_bytes_are_in_memory_unless_the_coprocessor_has_them(
    study: Study, partition: str
) -> None:
    """At all times that are looked at; Java's stack, C's and the heap are parts of RAM."""
    total = _machine(study, partition).run().cycles
    machine = _machine(study, partition)
    contents = [_memory(machine)]
    for part in range(1, STEPS + 1):
        machine.run(total * part // STEPS)
        contents.append(_memory(machine))
    for secret in (KEY, FIRST, LAST):
        is_held = [_holds(content, secret) for content in contents]
        if partition == SEALED:
            assert not any(is_held)
    assert any(KEY in content for content in contents) is (partition != SEALED)


@pytest.mark.parametrize("partition", ["Coprocessor", SEALED])
def test_key_bytes_are_on_the_bus_unless_the_coprocessor_has_them(
    study: Study, partition: str
) -> None:
    values = {value.to_bytes(4, "little") for _, value, _ in _transfers(_machine(study, partition))}
    assert CIPHER[:4] in values, "the result is on the bus in any case"
    is_there = [KEY[at : at + 4] in values for at in range(0, 16, 4)]
    assert is_there == [partition != SEALED] * 4
    assert not any(LAST[at : at + 4] in values for at in range(0, 16, 4))


def test_taint_of_the_key_reaches_c_unless_the_coprocessor_has_it(study: Study) -> None:
    """The elements of the array that Java passes to C, which the sealed version never gets."""
    machine = _machine(study, "Aes.encrypt=native")
    start = Start(function="Java_Aes_encrypt", until_return=True)
    followed = follow(machine, [PointedSecret("key", 1, 24)], start)
    assert machine.native.read(followed.secrets[0].address + 8, 16) == KEY
    assert any(finding.kind == "load" for finding in followed.findings), "of the S-box"
    sealed = _machine(study, SEALED)
    assert "Java_Aes_encrypt" not in {each["name"] for each in sealed.info["symbols"]}


def test_another_key_inside_changes_nothing_but_the_result(study: Study, tmp_path: Path) -> None:
    """What depends on the key in the sealed version is the cipher text alone."""
    library = ROOT / "coprocessors"
    for name in ("common", "aes128", "aes128-sealed"):
        shutil.copytree(library / name, tmp_path / name)
    design = tmp_path / "aes128-sealed" / "aes128_sealed.fdl"
    text = design.read_text()
    keyed = text.replace(f"0x{KEY[::-1].hex()}", f"0x{OTHER_KEY[::-1].hex()}")
    assert keyed != text
    design.write_text(keyed)
    built = _built(study, SEALED)
    maps = [*built.coprocessors, tmp_path / "aes128-sealed" / "registers.toml"]
    ours, theirs = (Machine(study.device, built.image, coprocessors=[path]) for path in maps)
    pairs = list(zip(_transfers(ours), _transfers(theirs), strict=True))
    different = [(one, other) for one, other in pairs if one != other]
    assert len(different) == 8, "four words of two results"
    assert all(not one[2] and one[0] & 0xFFF >= 0x80 for one, _ in different)
    cycles = [Machine(study.device, built.image, coprocessors=[path]).run().cycles for path in maps]
    assert cycles[0] == cycles[1]


# What is refused.


def test_candidates_and_options_are_checked_by_their_names(study: Study) -> None:
    def building(changed: Candidate) -> str:
        other = replace(study, candidates=(changed, study.candidates[1]))
        with pytest.raises(InputError) as caught:
            Builder(other).build([(study.workload(), each) for each in partitions(other)])
        return str(caught.value)

    candidate = study.candidates[0]
    aot, native, *_ = candidate.options
    assert "no method `Aes.encrpt`" in building(replace(candidate, function="Aes.encrpt"))
    message = building(replace(candidate, options=(replace(aot, aot=("SBx",)),)))
    assert "neither a class nor a method `SBx`" in message
    message = building(replace(candidate, function="Aes.mixColumns", options=(native,)))
    assert "defines no function `Java_Aes_mixColumns`" in message


def test_a_study_in_java_is_simulated_alone(study: Study) -> None:
    swept = replace(study, sweep=Sweep(bus_wait=(1, 4)))
    with pytest.raises(InputError, match="by simulation alone"):
        explore(swept, swept.workload(), jobs=1)


def test_a_core_without_the_machine_is_refused(study: Study) -> None:
    on = study.on(Device.load(device_named("atmega328p")))
    with pytest.raises(InputError, match="runs no Java"):
        Builder(on).build([(on.workload(), partitions(on)[0])])


def _by_kni(folder: Path) -> Path:
    """The study with its options by KNI alone, which its named partitions then take."""
    tables = re.split(r"^(?=\[)", FILE.read_text("utf-8"), flags=re.MULTILINE)
    option = "[[candidate.option]]"
    kept = [each for each in tables if not each.startswith(option) or '= "kni"' in each]
    assert sum(each.startswith(option) for each in kept) == 3
    text = "".join(kept)
    text = text.replace('"java-aes/', f'"{ROOT}/studies/java-aes/').replace('"../', f'"{ROOT}/')
    (folder / "kni.toml").write_text(text, encoding="utf-8")
    return folder / "kni.toml"


@pytest.mark.skipif(not RTL, reason="COCRYPT_JAVA_RTL is not set: it builds for minutes")
def test_model_and_rtl_agree_on_every_partition_with_a_name(tmp_path: Path, verb: Verb) -> None:
    for file in (FILE, _by_kni(tmp_path)):
        verified = verb("verify", file, "--all", "--json")
        assert verified.code == 0, verified.err
        runs = json.loads(verified.out)["runs"]
        assert [each["name"] for each in runs] == ["Java", "Coprocessor", "Key inside"]
        assert [each["difference"] for each in runs] == [0, 0, 0]


# Profiles.


@pytest.mark.parametrize("device", ["picorv32", "sa1110"])
def test_a_profile_has_the_methods_in_java(study: Study, device: str) -> None:
    """Calls as FIPS 197 has them; cycles as the device's counter has them."""
    on = study.on(Device.load(device_named(device)))
    machine = _machine(on, "software")
    frames.follow(machine)
    run = machine.run()
    found = {each.name: each for each in frames.methods(machine.profile().values)}
    encryptions, rounds, columns = 2, 10, 4
    calls = {
        "Vault.encrypt(I[B[B)V": 1,
        "Aes.encrypt([B[B[B)V": 1,
        "Aes.addKey([B[BI)V": rounds + 1,
        "Aes.mixColumns([B)V": rounds - 1,
        "Aes.times2(I)I": columns * columns * (rounds - 1) + rounds,
    }
    assert {name: found[name].calls for name in calls} == {
        name: encryptions * count for name, count in calls.items()
    }
    # The host has run it, as it depends on nothing.
    assert "SBox.<clinit>()V" not in found
    content = run.output("Application.cycles")
    counted = sum(int.from_bytes(content[at : at + 8], "little") for at in (0, 8))
    assert found["Vault.encrypt(I[B[B)V"].total_cycles == pytest.approx(counted, rel=0.001)
    assert sum(each.self_cycles for each in found.values()) < run.cycles


def test_figures_6_and_13_from_java() -> None:
    result = called.reproduce(PUBLISHED)
    assert result.wrong == ()
    page = (ROOT / "docs" / "matsuoka2004.md").read_text("utf-8")
    for call in result.calls:
        interface = "" if call.interface is None else f" ({call.interface:,})"
        shown = f"| {call.total:,}{interface} |"
        assert shown in page, call
    for device in called.DEVICES:
        java, compiled, in_c, coprocessor, sealed, *by_kni = (
            result.call(device, implementation.name)
            for implementation in called.IMPLEMENTATIONS
            if not implementation.is_library
        )
        library = [each for each in result.calls if "Bouncy" in each.way and each.device == device]
        assert all(in_c.total < each.total < java.total for each in library)
        totals = [each.total for each in (java, compiled, in_c, coprocessor, sealed)]
        assert totals == sorted(totals, reverse=True)
        assert java.interface is None
        assert in_c.interface is not None
        assert 0 < in_c.interface <= PAPER_INTERFACE // 10
        assert coprocessor.interface is not None
        # The driver differs from C in the cipher alone.
        assert abs(coprocessor.interface - in_c.interface) <= in_c.interface // 20
        # KNI's functions cost more than arguments as parameters.
        for direct, other in zip((in_c, coprocessor, sealed), by_kni, strict=True):
            assert direct.interface is not None
            assert other.interface is not None
            assert direct.interface < other.interface <= PAPER_INTERFACE // 5
