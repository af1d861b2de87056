"""Fixtures that the tests share: external tools that may be missing, and the command."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import pytest

import distributions
from cocrypt import cache
from cocrypt.crosstools import kept, targets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOT = Path(__file__).resolve().parents[2]
STUDY = ROOT / "studies" / "hau2011.toml"


# Tests build what they write themselves, and must not add to what the user trusts.
os.environ["COCRYPT_TRUST"] = os.pathsep.join((str(ROOT), tempfile.gettempdir()))
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="cocrypt-tests-")


class Cocrypt(Protocol):
    """Calls the command with these words, in a folder of its own."""

    def __call__(self, *words: str | Path, columns: int = ...) -> subprocess.CompletedProcess[str]:
        """Returns exit code, stdout and stderr."""


class Completed(NamedTuple):
    """The exit code of a verb, and its output."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """Standard output and standard error together."""
        return self.out + self.err


class Verb(Protocol):
    """Calls the command with these words in this process, where it is now; that is quicker."""

    def __call__(self, *words: str | Path) -> Completed:
        """Returns exit code, stdout and stderr."""


MISSING: dict[str, list[str]] = {}
"""The tests that each missing tool kept from running."""


@pytest.fixture
def need_tool(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Finds an external tool; without it a test is skipped, or fails if nothing may be missing.

    `COCRYPT_REQUIRE_TOOLS=1` says that nothing may be missing.
    """

    def need(name: str) -> str:
        path = shutil.which(name)
        if path is None and os.environ.get("COCRYPT_REQUIRE_TOOLS"):
            pytest.fail(f"{name} is missing, and COCRYPT_REQUIRE_TOOLS is set")
        if path is None:
            MISSING.setdefault(name, []).append(request.node.nodeid)
            pytest.skip(f"{name} is missing (`cocrypt doctor` says how to get it)")
        return path

    return need


@pytest.fixture(scope="session")
def need_part() -> Callable[[str, str], Path]:
    """Finds the folder of a part that `cocrypt toolchain` has built; otherwise as `need_tool`.

    It waits while another process builds for the target, as CI does beside the first tests. A
    compiler takes minutes to build, and may be missing also where nothing else may.
    """

    def need(target: str, name: str) -> Path:
        part = targets.PARTS[name]
        with cache.locked(cache.folder(kept.KIND) / f"{target}.lock"):
            pass
        if not kept.record(targets.target(target), part):
            missing = f"`cocrypt toolchain {target} --only {name}` was not run here"
            if os.environ.get("COCRYPT_REQUIRE_TOOLS") and name in ("binutils", "simulator"):
                pytest.fail(missing)
            pytest.skip(missing)
        return kept.folder(targets.target(target), part)

    return need


@pytest.fixture(scope="session")
def rl78_binutils(need_part: Callable[[str, str], Path]) -> None:
    """Keeps a test from running without the GNU binutils for RL78, as `need_part` does."""
    if kept.which("rl78-elf-ld") is None:
        need_part("rl78-elf", "binutils")


MANY = 60
"""The most cases of a test that `--share` leaves as they are."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of `make test`, which runs a sample, and of CI; without them everything runs."""
    group = parser.getgroup("cocrypt")
    group.addoption(
        "--sample",
        type=int,
        metavar="N",
        help="run N cases of each test at most, drawn by --seed, and no test that is marked long",
    )
    group.addoption(
        "--share",
        type=int,
        default=1,
        metavar="N",
        help=f"of each test with more than {MANY} cases run one case of N, drawn by --seed",
    )
    group.addoption("--seed", default="1", help="draws the cases of --sample and --share")


LONG_TESTS = 20
"""How many of the other tests take as long as one that is marked long, roughly."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves a sample of each test's cases, and sorts the files; every worker does the same.

    A file runs on one processor. The longest come first, so that none runs alone at the end.
    """
    most, share = config.getoption("--sample"), config.getoption("--share")
    if most is not None:
        _leave(config, items, lambda cases: _sample(cases, most))
    elif share > 1:
        _leave(config, items, lambda cases: _share(cases, share))
    lengths: Counter[Path] = Counter()
    for item in items:
        lengths[item.path] += LONG_TESTS if item.get_closest_marker("long") else 1
    items.sort(key=lambda item: (-lengths[item.path], item.path))


def pytest_collection_finish() -> None:
    """Keeps the garbage collector off what lasts as long as all tests.

    There are twelve thousand tests and what they were made of, which each full collection would
    visit: an eighth of the time of tests that make many objects.
    """
    gc.collect()
    gc.freeze()


def _leave(
    config: pytest.Config,
    items: list[pytest.Item],
    chosen: Callable[[list[pytest.Item]], tuple[list[pytest.Item], int]],
) -> None:
    """Leaves some of each test's cases: so many of those that are chosen, drawn by the seed."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left: set[pytest.Item] = set()
    for name, cases in tests.items():
        draw = Random(f"{config.getoption('--seed')} {name}")
        left.update(draw.sample(*chosen(cases)))
    config.hook.pytest_deselected(items=[item for item in items if item not in left])
    items[:] = [item for item in items if item in left]


def _sample(cases: list[pytest.Item], most: int) -> tuple[list[pytest.Item], int]:
    """At most so many cases, and none that is marked long."""
    running = [case for case in cases if not case.get_closest_marker("long")]
    return running, min(most, len(running))


def _share(cases: list[pytest.Item], share: int) -> tuple[list[pytest.Item], int]:
    """One of so many cases where there are many, and never less than of a test with fewer."""
    count = len(cases)
    return cases, count if count <= MANY else max(MANY, -(-count // share))


def some_long(values: Iterable[str], *long: str) -> list[Any]:
    """Cases for `parametrize`, of which these are marked long."""
    return [
        pytest.param(value, marks=[pytest.mark.long] if value in long else []) for value in values
    ]


def pytest_unconfigure() -> None:
    """Removes the folder of configuration."""
    shutil.rmtree(os.environ["XDG_CONFIG_HOME"], ignore_errors=True)


@pytest.fixture
def need_library(
    request: pytest.FixtureRequest, need_tool: Callable[[str], str]
) -> Callable[[str, str, str], str]:
    """Finds a compiler that has a library, known by one of its files; as `need_tool` without it."""

    def need(compiler: str, file: str, package: str) -> str:
        path = need_tool(compiler)
        command = [path, f"-print-file-name={file}"]
        location = subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.strip()
        if location != file:
            return path
        if os.environ.get("COCRYPT_REQUIRE_TOOLS"):
            pytest.fail(f"{package} is missing, and COCRYPT_REQUIRE_TOOLS is set")
        MISSING.setdefault(package, []).append(request.node.nodeid)
        pytest.skip(f"{package} is missing: a package of the distribution")

    return need


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Names each missing tool and the tests that did not run without it."""
    for name, tests in sorted(MISSING.items()):
        terminalreporter.section(f"missing: {name} (`cocrypt doctor` says how to get it)")
        for test in tests:
            terminalreporter.line(f"did not run: {test}")


@pytest.fixture
def process(tmp_path: Path) -> Cocrypt:
    """The command as a process of its own, in an empty folder."""

    def call(*words: str | Path, columns: int = 160) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from cocrypt.cli import main; main()"]
        environment = {**os.environ, "COLUMNS": str(columns), "NO_COLOR": "1"}
        return subprocess.run(
            [*command, *map(str, words)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


@pytest.fixture
def verb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Verb:
    """The command within this process, in an empty folder."""
    from cocrypt import cli, errors, log, visible
    from cocrypt.trust import store

    monkeypatch.chdir(tmp_path)

    def call(*words: str | Path) -> Completed:
        store.forget()
        log.set_level(log.Level.NORMAL)
        monkeypatch.setattr(sys, "argv", ["cocrypt", *map(str, words)])
        capfd.readouterr()
        with visible.streams():
            code = errors.guard(cli.call)
        return Completed(code, *capfd.readouterr())

    return call


@pytest.fixture
def cocrypt(verb: Verb, monkeypatch: pytest.MonkeyPatch) -> Cocrypt:
    """The command as `process` runs it, without the start of a process."""

    def call(*words: str | Path, columns: int = 160) -> subprocess.CompletedProcess[str]:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("NO_COLOR", "1")
        done = verb(*words)
        return subprocess.CompletedProcess(["cocrypt", *words], done.code, done.out, done.err)

    return call


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Builds a program for `picorv32` from the text of a `main`, with start-up code and libc."""
    from cocrypt.device import Device
    from cocrypt.paths import device
    from cocrypt.toolchain import Toolchain, Unit

    def build(text: str) -> Path:
        source = tmp_path_factory.mktemp("firmware") / "main.c"
        source.write_text(text, encoding="utf-8")
        toolchain = Toolchain(Device.load(device("picorv32")))
        units = [*toolchain.runtime(("-O1",)), Unit(source, ("-O1", "-g"))]
        return toolchain.link(list(toolchain.compile_needed(units).values()), source.name)

    return build


@pytest.fixture
def debian_sources(request: pytest.FixtureRequest) -> None:
    """Skips a test if Debian is out of reach, or fails it if nothing may be missing."""
    try:
        distributions.ensure()
    except distributions.UnreachableError as error:
        if os.environ.get("COCRYPT_REQUIRE_TOOLS"):
            pytest.fail(f"Debian is out of reach: {error}")
        MISSING.setdefault("network (Debian)", []).append(request.node.nodeid)
        pytest.skip(f"Debian is out of reach: {error}")
