"""Patterns in `[sources]` match what Python's `glob` finds, on trees drawn at random."""

from __future__ import annotations

import glob
import random
import shutil
from pathlib import Path

import pytest

from cocrypt import paths
from cocrypt.builder import Builder
from cocrypt.errors import InputError
from cocrypt.partition import partition
from cocrypt.study import Study

STUDY = """[study]
name = "s"
title = "S"
device = "{device}"
[toolchain]
compiler = "zig"
flags = ["-O2"]
[[workload]]
name = "w"
title = "W"
source = "src/main.c"
output = "output"
expect = "0a000000"
[sources]
"""
NAMES = ("a", "b", "ab", "a.c", "b.c", "ab.c", "c.h", ".a.c", ".b")
PIECES = ("*", "?", "a", "b", ".c", "[ab]", "[!a]", "[a-c]", "*.c", ".*")


def study(folder: Path, sources: str, text: str = STUDY) -> Study:
    """A study of this folder with these sources."""
    path = folder / "study.toml"
    path.write_text(text.format(device=paths.device("picorv32")) + sources)
    return Study.load(path)


def grow(folder: Path, draw: random.Random, depth: int) -> None:
    """Writes files and folders with names that are like each other."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in draw.sample(NAMES, 5):
        if depth and draw.random() < 0.5:
            grow(folder / name, draw, depth - 1)
        else:
            (folder / name).write_text("")


def drawn(draw: random.Random) -> str:
    """A pattern."""
    names = ["".join(draw.choices(PIECES, k=draw.randint(1, 3))) for _ in range(draw.randint(1, 3))]
    for at in range(len(names)):
        if draw.random() < 0.3:
            names[at] = "**"
    return "/".join(["tree", *names])


def test_patterns_match_what_python_s_glob_finds(tmp_path: Path) -> None:
    draw, matched = random.Random(4), 0
    (tmp_path / "src").mkdir()
    (tmp_path / "src/main.c").write_text("")
    for _ in range(12):
        shutil.rmtree(tmp_path / "tree", ignore_errors=True)
        grow(tmp_path / "tree", draw, 3)
        for pattern in (drawn(draw) for _ in range(25)):
            if not any(letter in pattern for letter in "*?["):
                continue
            names = glob.glob(str(tmp_path / pattern), recursive=True)  # noqa: PTH207 - the oracle.
            # For `a/**` glob finds `a/` too, where `a` is a file.
            files = {Path(name) for name in names if not name.endswith("/")}
            expected = sorted(path for path in files if path.is_file())
            if expected:
                matched += 1
                common = study(tmp_path, f'common = ["{pattern}"]\n').common
                assert list(common) == expected, pattern
            else:
                with pytest.raises(Exception, match="no source matches the pattern"):
                    study(tmp_path, f'common = ["{pattern}"]\n')
    assert matched > 60


def test_a_study_is_built_of_what_its_patterns_match(tmp_path: Path) -> None:
    """The workload's own source is not linked twice, and excluded sources not at all."""
    (tmp_path / "src/deep").mkdir(parents=True)
    main = "int three(void), seven(void);\nint output;\nint main(void)\n{\n"
    main += "    output = three() + seven();\n    return 0;\n}\n"
    (tmp_path / "src/main.c").write_text(main)
    (tmp_path / "src/three.c").write_text("int three(void) { return 3; }\n")
    (tmp_path / "src/deep/seven.c").write_text("int seven(void) { return 7; }\n")
    (tmp_path / "src/deep/broken_test.c").write_text("this is no C\n")
    excluding = 'common = ["src/**/*.c"]\nexclude = ["**/*_test.c"]\n'
    loaded = study(tmp_path, excluding)
    assert [path.name for path in loaded.common] == ["seven.c", "three.c"]
    (built,) = Builder(loaded).build([(loaded.workload(), partition(loaded, ()))])
    assert built.image.startswith(b"\x7fELF")
    loaded = study(tmp_path, 'common = ["src/**/*.c"]\n')
    with pytest.raises(InputError, match=r"broken_test\.c cannot be compiled"):
        Builder(loaded).build([(loaded.workload(), partition(loaded, ()))])


def test_links_are_not_followed_for_ever(tmp_path: Path) -> None:
    (tmp_path / "src/deep").mkdir(parents=True)
    (tmp_path / "src/main.c").write_text("")
    (tmp_path / "src/deep/a.c").write_text("")
    (tmp_path / "src/deep/up").symlink_to(tmp_path / "src")
    assert len(study(tmp_path, 'common = ["src/**/a.c"]\n').common) == 1
    # A link that a pattern names leads to the same file again.
    assert len(study(tmp_path, 'common = ["src/deep/*/deep/a.c", "src/deep/a.c"]\n').common) == 1


def test_a_pattern_that_leads_to_too_much_is_refused(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/main.c").write_text("")
    for number in range(26):
        (tmp_path / f"many/{number}").mkdir(parents=True)
        for index in range(2000):
            (tmp_path / f"many/{number}/{index}").touch()
    with pytest.raises(Exception, match=r"leads to more than 50000 files"):
        study(tmp_path, 'common = ["many/**/*.c"]\n')
