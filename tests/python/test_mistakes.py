"""Mistakes and disturbances of a user's day: each ends with its exit status and says what to do.

Every row is a project as `cocrypt new` writes it, changed in one way, and a command that meets it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cocrypt.errors import Exit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Change = Callable[[Path], object]

CALL = [sys.executable, "-c", "from cocrypt.cli import main; main()"]
LONGEST = 120
"""Seconds after which a command is taken to hang."""


@dataclass(frozen=True)
class Mistake:
    """A mistake of a user: a change to the project, and words of the command line.

    The message must have all texts of `says`.
    """

    name: str
    words: str
    says: tuple[str, ...]
    code: Exit = Exit.INPUT
    change: Change | None = None
    environment: Mapping[str, str] = field(default_factory=dict)


def edit(name: str, old: str, new: str) -> Change:
    """Replaces a text of one of the project's files."""

    def change(folder: Path) -> None:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    return change


def write(name: str, content: bytes) -> Change:
    """Writes a file into the project."""
    return lambda folder: (folder / name).write_bytes(content)


def main_is(body: str) -> Change:
    """Gives the program another `main`, which leaves no hash behind."""
    head = "#include <stdint.h>\nvolatile uint8_t output[32];\nint main(void)\n{\n"
    return write("main.c", f"{head}    output[0] = 1;\n    {body}\n}}\n".encode())


EXPECT = 'expect = "ba7816bf'
MISTAKES = (
    # The command line.
    Mistake("a verb with a slip", "explroe study.toml", ("explore",)),
    Mistake("no study", "explore", ("STUDY",)),
    Mistake("an option with a slip", "explore study.toml --jbos 2", ("--jobs",)),
    Mistake("a word for a number", "explore study.toml --jobs many", ("--jobs", "integer")),
    Mistake("no jobs at all", "explore study.toml --jobs 0", ("--jobs",)),
    Mistake("no such workload", "explore study.toml -w mesage", ("did you mean `message`",)),
    Mistake("no such device", "explore study.toml -d picorv23", ("did you mean `picorv32`",)),
    Mistake("no such primitive", "measure sha265", ("sha265", "cocrypt primitives")),
    Mistake("no such level", "measure md5 -O 7", ("level `7`", "known: s, 2, 3")),
    Mistake("no such paper", "reproduce hau2012", ("did you mean `hau2011`",)),
    Mistake("no primitives", "measure", ("cocrypt primitives",)),
    Mistake("a budget in words", "portfolio md5 --rom much", ("much",)),
    Mistake("a run without a device", "run program.elf", ("--device",)),
    Mistake("an address in words", "run program.elf -d picorv32 --entry start", ("0x",)),
    Mistake("a debugger's address in words", "run study.toml --gdb here", ("`here`", ":3333")),
    Mistake("a range without an end", "run study.toml --stub 0x40000000", ("0x40000000-",)),
    # Files that are not there, or are something else.
    Mistake("no such study", "explore none.toml", ("none.toml",)),
    Mistake("no such image", "run none.elf -d picorv32", ("none.elf cannot be read",)),
    Mistake("no such design", "fdl check none.fdl", ("none.fdl",)),
    Mistake("a folder as an image", "run lib -d picorv32", ("lib",)),
    Mistake(
        "an empty image",
        "run empty.elf -d picorv32",
        ("empty.elf",),
        change=write("empty.elf", b""),
    ),
    Mistake(
        "half an image",
        "run half.elf -d picorv32",
        ("half.elf",),
        change=write("half.elf", b"\x7fELF\x01\x01\x01" + bytes(20)),
    ),
    Mistake(
        "a program of the host",
        "run python.elf -d picorv32",
        ("python.elf",),
        change=lambda folder: shutil.copy(Path(sys.executable).resolve(), folder / "python.elf"),
    ),
    Mistake("a file without an end", "run /dev/zero -d picorv32", ("/dev/zero",)),
    Mistake("a source as a study", "explore main.c", ("main.c",)),
    Mistake(
        "an image as a study",
        "verify image.elf",
        ("image.elf cannot be read: it is an ELF file, not TOML", "give the path of a study file"),
        change=write("image.elf", b"\x7fELF\x01\xff"),
    ),
    Mistake("a study as a device", "run study.toml -d study.toml", ("study.toml",)),
    Mistake("figures that are none", "compare study.toml study.toml", ("study.toml",)),
    Mistake("a project that is there", "new lib", ("lib",)),
    # The content of the study.
    Mistake(
        "broken TOML",
        "explore study.toml",
        ("study.toml:6",),
        change=edit("study.toml", "[study]", "[study"),
    ),
    Mistake(
        "a key with a slip",
        "explore study.toml",
        ("flasg", "flags"),
        change=edit("study.toml", "flags  ", "flasg  "),
    ),
    Mistake(
        "a number for a text",
        "explore study.toml",
        ("study.toml:12", "must be a text"),
        change=edit("study.toml", 'compiler = "zig"', "compiler = 5"),
    ),
    Mistake(
        "a source that is gone",
        "explore study.toml",
        ("lib/checksums.c",),
        change=edit("study.toml", "lib/checksum.c", "lib/checksums.c"),
    ),
    Mistake(
        "a function that is nowhere",
        "explore study.toml",
        ("sha256_blokc",),
        change=edit("study.toml", 'function    = "sha256_block"', 'function    = "sha256_blokc"'),
    ),
    Mistake(
        "half a byte",
        "explore study.toml",
        ("expect",),
        change=edit("study.toml", EXPECT, EXPECT[:-1]),
    ),
    Mistake(
        "another result",
        "explore study.toml",
        ("ba 78 16 bf", "00 00 00 00", "^^ ^^ ^^ ^^"),
        Exit.PROGRAM,
        edit("study.toml", EXPECT, 'expect = "00000000'),
    ),
    Mistake(
        "a global that is not there",
        "explore study.toml",
        ("outptu",),
        change=edit("study.toml", 'output = "output"', 'output = "outptu"'),
    ),
    # Errors of compilers and linkers.
    Mistake(
        "C that does not compile",
        "explore study.toml",
        ("main.c:6", "error:"),
        change=main_is("return 0"),
    ),
    Mistake(
        "a function of nobody",
        "explore study.toml",
        ("undefined", "encrypt"),
        change=main_is("int encrypt(void); return encrypt();"),
    ),
    Mistake(
        "more memory than there is",
        "explore study.toml",
        ("memory",),
        change=main_is("static volatile uint8_t large[1u << 30]; return large[output[0]];"),
    ),
    Mistake(
        "no such compiler",
        "measure md5 --compiler no-such-gcc",
        ("no-such-gcc", "install it"),
        Exit.HOST,
    ),
    # Errors of programs.
    Mistake(
        "an endless program",
        "run study.toml --max-cycles 100000",
        ("cycle limit", "--max-cycles"),
        Exit.PROGRAM,
        main_is("for (;;) { output[1]++; }"),
    ),
    Mistake(
        "an access to nothing",
        "run study.toml",
        ("0x7ffffff0",),
        Exit.PROGRAM,
        main_is("*(volatile uint32_t *)0x7ffffff0 = 1; return 0;"),
    ),
    Mistake("an exit code", "run study.toml", ("5",), Exit.PROGRAM, main_is("return 5;")),
    # The machine around it.
    Mistake(
        "a page in a file's place",
        "explore study.toml --report main.c/page.html",
        ("main.c",),
    ),
    Mistake(
        "a cache that is a file",
        "explore study.toml",
        ("COCRYPT_CACHE",),
        Exit.HOST,
        environment={"COCRYPT_CACHE": "/dev/null"},
    ),
    Mistake(
        "a home that is none",
        "devices",
        ("COCRYPT_HOME",),
        Exit.HOST,
        environment={"COCRYPT_HOME": "/nowhere"},
    ),
    Mistake(
        "no C++ compiler",
        "verify study.toml --all",
        ("C++ compiler",),
        Exit.HOST,
        environment={"CXX": "no-such-compiler"},
    ),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project as `cocrypt new` writes it."""
    folder = tmp_path_factory.mktemp("mistakes") / "project"
    subprocess.run([*CALL, "new", str(folder)], check=True, capture_output=True)
    return folder


@pytest.fixture
def project(template: Path, tmp_path: Path) -> Path:
    """A copy of it, which a test may break."""
    return shutil.copytree(template, tmp_path / "project")


def test_there_are_forty_and_no_two_alike() -> None:
    disturbances = 5
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)
    assert len(MISTAKES) + disturbances > 40


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_named_with_what_to_do(project: Path, mistake: Mistake) -> None:
    if mistake.change is not None:
        mistake.change(project)
    done = subprocess.run(
        [*CALL, *mistake.words.split()],
        cwd=project,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "160", **mistake.environment},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=LONGEST,
        check=False,
    )
    message = done.stderr
    assert done.returncode == mistake.code, message
    assert all(text in message for text in mistake.says), message
    assert "Traceback" not in message
    assert "panicked" not in message
    # The message fits on one screen.
    assert len(message.splitlines()) < 60


def test_a_reader_that_has_enough_ends_the_command(project: Path) -> None:
    listing = subprocess.run(
        [
            "bash",
            "-c",
            f"{' '.join(map(repr, CALL))} primitives --json | head -c 10; exit ${{PIPESTATUS[0]}}",
        ],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert listing.returncode == Exit.PIPE
    assert listing.stderr == ""


def test_a_full_disk_is_named(project: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [*CALL, "devices"],
            cwd=project,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LONGEST,
            check=False,
        )
    assert done.returncode == Exit.HOST
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_ctrl_c_says_what_is_kept(project: Path) -> None:
    main_is("for (;;) { output[1]++; }")(project)
    running = subprocess.Popen(
        [*CALL, "run", "study.toml", "--max-cycles", str(2**64 - 1)],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs tests in the background ignores Ctrl-C, and so would what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    # A line comes as soon as the program runs.
    assert running.stderr is not None
    first = running.stderr.readline()
    assert "cycles" in first
    running.send_signal(signal.SIGINT)
    _, rest = running.communicate(timeout=LONGEST)
    assert running.returncode == Exit.INTERRUPTED
    assert "interrupted" in rest
    assert "Traceback" not in rest


def test_an_empty_environment_is_enough(project: Path, need_tool: Callable[[str], str]) -> None:
    need_tool("bwrap")
    done = subprocess.run(
        [*CALL, "run", "study.toml", "--json"],
        cwd=project,
        env={"COCRYPT_CACHE": str(project / "cache"), "LC_ALL": "C"},
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == Exit.FINE, done.stderr
    assert '"cycles"' in done.stdout


@pytest.mark.long
def test_two_at_the_same_time_do_no_harm(project: Path) -> None:
    started = time.monotonic()
    environment = {**os.environ, "COCRYPT_CACHE": str(project / "cache")}
    both = [
        subprocess.Popen(
            [*CALL, "explore", "study.toml", "--json"],
            cwd=project,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=LONGEST) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    rows = [
        out[out.index('"rows"') : out.index('"software"')]
        for out, _ in outputs
        if '"software"' in out
    ]
    assert all(row == rows[0] for row in rows)
    assert time.monotonic() - started < 2 * LONGEST
