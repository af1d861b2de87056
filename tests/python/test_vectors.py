"""Wrong answers are never taken for right ones: of every kind, in every form, by any change."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.errors import InputError, ProgramError
from cocrypt.primitives import foreign, library
from cocrypt.primitives.benchmark import benchmark
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images
from cocrypt.primitives.kinds import KINDS, kind
from cocrypt.primitives.measuring import Build, Task, read_vectors, verify
from cocrypt.primitives.portfolio import points
from cocrypt.primitives.script import Outcome, failures
from hosted import Hosted
from toys import TOYS_BY_KIND, Toy, folder, written

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.primitives.subject import Subject

ZEROS = "00" * 8
DEVICE = "ibex-maxperf"
FORMS = [
    (name, form)
    for name, toy in TOYS_BY_KIND.items()
    for form in ("toml", "rsp")
    if form == "toml" or toy.records is not None
]
CHANGES = ("flipped", "cut", "one byte", "empty", "longer")


def changed(text: str, how: str) -> str:
    match how:
        case "flipped":
            return f"{int(text[:2], 16) ^ 1:02x}{text[2:]}"
        case "cut":
            return text[:-2]
        case "one byte":
            return text[:2]
        case "empty":
            return ""
        case _:
            return f"{text}00"


def calling(subject: Subject) -> Calling:
    device = Device.load(DEVICE)
    return Calling(device, subject, Images(device, subject).callable())


def good_of(toy: Toy, path: Path, rows: dict[int, dict[str, str]], form: str) -> Subject:
    subjects = foreign.folder(folder(toy, path, written(toy, rows, form), form))
    assert len(subjects) == 4
    return subjects[0]


def test_every_kind_has_a_toy() -> None:
    assert set(TOYS_BY_KIND) == set(KINDS)


def wrong(subject: Subject, hosted: Hosted) -> list[str]:
    """The failures of a subject against its vectors, on the host."""
    checks = kind(subject).checks(subject, read_vectors(subject), hosted.context_size)
    assert any(check.known for check in checks)
    return failures(checks, hosted.run([step for check in checks for step in check.steps]))


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_wrong_answers_fail(tmp_path: Path, name: str, form: str) -> None:
    """Wrong answers in a user's folder: the good implementation passes with right ones alone."""
    toy = TOYS_BY_KIND[name]
    right = good_of(toy, tmp_path / "right", {}, form)
    hosted = Hosted(right)
    assert wrong(right, hosted) == []
    for index, (_, answer, values) in enumerate(toy.rows):
        for how in CHANGES:
            row = {answer: changed(values[answer].hex(), how)}
            subject = good_of(toy, tmp_path / f"{index} {how}", {index: row}, form)
            # Only the function knows the length of a text before its padding.
            if how == "flipped" or toy.rows[index][0] == "decrypt_pkcs1":
                assert wrong(subject, hosted), how
                continue
            with pytest.raises(InputError) as error:
                wrong(subject, hosted)
            (path,) = subject.vectors
            location = re.match(rf"{re.escape(str(path))}:(\d+): ", error.value.message)
            assert location, error.value.message
            line = path.read_text().splitlines()[int(location[1]) - 1]
            names = (toy.records or {}) if form == "rsp" else {}
            assert re.match(rf"{names.get(answer, answer)} *=", line), error.value.message


@pytest.mark.parametrize("name", TOYS_BY_KIND)
def test_broken_implementations_fail(tmp_path: Path, name: str) -> None:
    """Implementations that write too much, too little or nothing."""
    toy = TOYS_BY_KIND[name]
    subjects = foreign.folder(folder(toy, tmp_path, written(toy, {}, "toml")))
    for subject in subjects[2:]:
        assert wrong(subject, Hosted(subject)), subject.name
    with pytest.raises(AssertionError, match="writes behind a buffer"):
        wrong(subjects[1], Hosted(subjects[1]))


@pytest.mark.parametrize("name", ["hash", "aead"])
def test_broken_implementations_fail_on_a_device(tmp_path: Path, name: str) -> None:
    """The same in the memory of a device, and wrong answers, zeros among them."""
    toy, path = TOYS_BY_KIND[name], tmp_path / "vectors.toml"
    subjects = foreign.folder(folder(toy, tmp_path, written(toy, {}, "toml")))
    _, answer, values = toy.rows[0]
    called = calling(subjects[0])
    assert verify(called, read_vectors(subjects[0]))
    for how in CHANGES:
        row = {answer: changed(values[answer].hex(), how)}
        path.write_text(written(toy, {0: row}, "toml"))
        with pytest.raises((InputError, ProgramError), match=re.escape(str(path))):
            verify(called, read_vectors(subjects[0]))
    zeros = {answer: bytes(len(values[answer])).hex()}
    for subject, row, message in (
        (subjects[1], {}, "is written"),
        (subjects[2], {}, "instead of"),
        (subjects[3], {}, "instead of"),
        (subjects[3], zeros, "instead of"),
    ):
        path.write_text(written(toy, {0: row}, "toml"))
        with pytest.raises(ProgramError, match=message) as error:
            verify(calling(subject), read_vectors(subject))
        assert str(path) in error.value.message


@pytest.mark.parametrize("name", ["aead", "signature", "ecdsa", "signing", "rsa"])
def test_who_takes_everything_for_right_fails(tmp_path: Path, name: str) -> None:
    """If all vectors are good, some that must be refused are derived from them."""
    toy = TOYS_BY_KIND[name]
    subject = OURS["rsa"] if name == "rsa" else good_of(toy, tmp_path, {}, "toml")
    hosted = Hosted(subject)
    checks = kind(subject).checks(subject, read_vectors(subject), hosted.context_size)
    outcome = hosted.run([step for check in checks for step in check.steps])
    assert failures(checks, outcome) == []
    yes = Outcome(outcome.contents, dict.fromkeys(outcome.results, 0))
    judges = {"verify", "verify_pkcs1", "open"}
    failed = [failure for failure in failures(checks, yes) if "returned 0" in failure]
    assert any(judge in failure for judge in judges for failure in failed)


OURS = {
    subject.kind: subject
    for subject in library.ours()
    if subject.vectors
    and not subject.extensions
    and subject.implementation in ("small", "lean", "ref", "c")
}


@pytest.mark.parametrize("name", OURS)
def test_wrong_answers_of_ours_fail(tmp_path: Path, name: str) -> None:
    """Each table of our own vectors, the first of each changed in every way."""
    subject = OURS[name]
    hosted, vectors = Hosted(subject), read_vectors(subject)
    answers = {"hash": "digest", "mac": "tag", "shared": "shared", "public": "public"}
    answers |= {"sign": "signature", "verify": "signature", "sign_pkcs1": "signature"}
    answers |= {"verify_pkcs1": "signature", "sign_deterministic": "signature"}
    answers |= {"blind": "blinding", "keys": "d"}
    tables = [
        table for table in vectors if kind(subject).checks(subject, {table: vectors[table][:1]}, 0)
    ]
    assert tables
    for table in tables:
        first = next(vector for vector in vectors[table] if not vector.get("refused"))
        answer = answers.get(table, "result")
        if name == "rsa" and table == "public":
            answer = "result"
        for how in CHANGES:
            row = {**first, answer: changed(first[answer], how)}
            path = tmp_path / f"{table} {how}.toml"
            lines = [f"{key} = {value!r}" for key, value in row.items()]
            path.write_text("\n".join([f"[[{table}]]", *lines]))
            given = replace(subject, vectors=(path,))
            assert _fails(given, hosted), f"{table} {how}"


def _fails(subject: Subject, hosted: Hosted) -> bool:
    try:
        checks = kind(subject).checks(subject, read_vectors(subject), hosted.context_size)
    except InputError as error:
        # The message says where the mistake is.
        return bool(re.search(r"vectors\.rsp:\d|\.toml:\d", error.message))
    assert checks
    outcome = hosted.run([step for check in checks for step in check.steps])
    return bool(failures(checks, outcome))


def test_lengths_that_are_stated_are_compared(tmp_path: Path) -> None:
    """The beginning of a tag that was cut on purpose is compared, in the bytes that are stated."""
    toy = TOYS_BY_KIND["mac"]
    tag = toy.rows[0][2]["tag"].hex()
    values = toy.rows[0][2]
    hosted = None
    for number, (lines, good) in enumerate(
        (
            (f"Tlen = 4\nMac = {tag[:8]}", True),
            (f"Tlen = 4\nMac = {tag[:6]}", False),
            (f"Tlen = 4\nMac = {tag}", False),
            (f"Tlen = 4\nMac = {tag[:6]}00", False),
            ("Tlen = 0\nMac = ", False),
            (f"Tlen = 9\nMac = {tag}00", False),
            (f"Mac = {tag[:8]}", False),
        )
    ):
        text = f"Key = {values['key'].hex()}\nMsg = {values['message'].hex()}\n{lines}\n"
        subject = foreign.folder(folder(toy, tmp_path / str(number), text, "rsp"))[0]
        hosted = hosted or Hosted(subject)
        assert _fails(subject, hosted) != good, lines


RECORDS = {
    "Len beyond Msg": ("hash", "Len = 64\nMsg = 00\nMD = 0011223344556677\n", 2),
    "Len no number": ("hash", "Len = 8 bits\nMsg = 00\nMD = 0011223344556677\n", 1),
    "Len negative": ("hash", "Len = -8\nMsg = 00\nMD = 0011223344556677\n", 1),
    "no empty line": ("hash", "Msg = 00\nMD = 00\nMsg = 01\nMD = 00\n", 4),
    "no answer": (
        "hash",
        "Msg = 00\nMD = 0011223344556677\n\nLen = 8\nMsg = 01\n\nMsg = 02\nMD = 0011223344556677\n",
        5,
    ),
    "an answer on its own": ("hash", "Msg = 00\n\nMD = 0011223344556677\n", 1),
    "no ciphertext": ("block_cipher", f"KEY = {ZEROS}\nPLAINTEXT = {ZEROS}\n", 2),
    "no message": ("hash", "Len = 8\nMD = 0011223344556677\n", 1),
    "no hexadecimal": ("hash", "\nMsg = 0x\nMD = 0011223344556677\n", 2),
    "KEY1 alone": ("block_cipher", "KEY1 = 00\nPLAINTEXT = 00\nCIPHERTEXT = 00\n", 1),
    "short key": (
        "block_cipher",
        f"\nKEY = 00\nPLAINTEXT = {ZEROS}\nCIPHERTEXT = {ZEROS}\n",
        2,
    ),
    "odd text": ("mode", f"KEY = {ZEROS}\nIV = 00\nPLAINTEXT = 0000\nCIPHERTEXT = 00\n", 4),
    "no text": (
        "stream_cipher",
        f"KEY = {ZEROS}\nIV = {ZEROS}\nPLAINTEXT =\nCIPHERTEXT =\n",
        3,
    ),
    "empty AEAD": ("aead", f"Key = {ZEROS}\nNonce = {ZEROS}\nPT = \nAD = \nCT = \n", 5),
    "Plen": ("aead", f"[Plen = 2]\nKey = {ZEROS}\nIV = {ZEROS}\nPT = 00\nCT = 00\n", 4),
    "refused without tag": ("aead", f"Key = {ZEROS}\nIV = {ZEROS}\nCT = 00\nFAIL\n", 3),
    "smlen": ("signing", "pk = 00\nmsg = 00\nsmlen = 9\nsm = 0000\n", 4),
}


@pytest.mark.parametrize("name", RECORDS)
def test_records_that_are_not_whole_are_refused(tmp_path: Path, name: str) -> None:
    kind_of, text, line = RECORDS[name]
    toy = TOYS_BY_KIND[kind_of]
    subject = foreign.folder(folder(toy, tmp_path, text, "rsp"))[0]
    with pytest.raises(InputError, match=rf"vectors\.rsp:{line}: ") as error:
        kind(subject).checks(subject, read_vectors(subject), 4)
    assert error.value.help


TABLES = {
    "unknown table": ("hash", '[[hsah]]\nmessage = ""\n', 1),
    "no list": ("hash", 'source = "x"\n\n[hash]\nmessage = ""\n', 3),
    "a number": ("hash", "hash = 3\n", 1),
    "a digest that is a number": ("hash", '[[hash]]\nmessage = ""\ndigest = 3\n', 3),
    "no digest": ("hash", '\n[[hash]]\nmessage = ""\n', 2),
    "repeat": ("hash", '[[hash]]\nmessage = "00"\nrepeat = "2"\ndigest = "0011223344556677"\n', 3),
    "too often": (
        "hash",
        '[[hash]]\nmessage = "0000"\nrepeat = 16777216\ndigest = "0011223344556677"\n',
        3,
    ),
    "skip": (
        "stream_cipher",
        f'[[crypt]]\nkey = "{ZEROS}"\nnonce = "{ZEROS}"\ntext = "00"\nskip = -1\nresult = "00"\n',
        5,
    ),
    "refused": ("aead", f'[[seal]]\nkey = "{ZEROS}"\nnonce = "{ZEROS}"\nrefused = "no"\n', 4),
    "another digest": ("hash", '[[hash]]\nmessage = ""\ndigest_size = 4\ndigest = "00112233"\n', 3),
    "no peer": ("key_exchange", f'[[shared]]\nsecret = "{ZEROS}"\nshared = "{ZEROS}"\n', 1),
    "toy number": ("rsa_toy", '[[prime]]\nfrom = "00000001"\nresult = ""\n', 3),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_that_are_not_whole_are_refused(tmp_path: Path, name: str) -> None:
    kind_of, text, line = TABLES[name]
    subject = foreign.folder(folder(TOYS_BY_KIND[kind_of], tmp_path, text))[0]
    with pytest.raises(InputError, match=rf"vectors\.toml:{line}: "):
        kind(subject).checks(subject, read_vectors(subject), 4)


@pytest.mark.long
def test_figures_are_verified_where_a_vector_is_of_their_operation(tmp_path: Path) -> None:
    """Two sides that agree are no vector, and a vector of one operation says nothing of others."""
    toy = TOYS_BY_KIND["kem"]
    subject = good_of(toy, tmp_path / "kem", {}, "toml")
    device, build = Device.load(DEVICE), Build(("-O2",))
    rows = {row.operation: row for row in Task(subject, device, build).measure()}
    assert {name: row.verified for name, row in rows.items()} == {
        "keypair": None,
        "encapsulate": None,
        "decapsulate": True,
    }
    assert {row.vectors for row in rows.values()} == {1}
    alone = Task(replace(subject, vectors=()), device, build).measure()
    assert {(row.verified, row.vectors) for row in alone} == {(None, 0)}
    tables, _ = benchmark([Task(subject, device, build)], 1)
    assert {table.operation: table.record()["verified"] for table in tables} == {
        name: row.verified for name, row in rows.items()
    }
    jobs = [
        points(Task(replace(subject, vectors=some), device, build))
        for some in (subject.vectors, ())
    ]
    assert [point.verified for front in jobs for point in front] == [True, None]
    curve = good_of(TOYS_BY_KIND["key_exchange"], tmp_path / "curve", {}, "toml")
    (tmp_path / "curve/vectors.toml").write_text(
        '[[public]]\nsecret = "{}"\npublic = "{}"\n'.format(
            *(TOYS_BY_KIND["key_exchange"].rows[0][2][name].hex() for name in ("secret", "public"))
        )
    )
    verified = {row.operation: row.verified for row in Task(curve, device, build).measure()}
    assert verified == {"public": True, "shared": None}
