"""NIST's forms of known answers, and the checks of RSA beside its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.errors import InputError
from cocrypt.primitives import answers, library
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import read_vectors
from cocrypt.primitives.script import Numbers, Outcome, failures

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.target import Order


@pytest.mark.parametrize(
    ("kind_of", "text", "expected"),
    [
        (
            "block_cipher",
            "KEY1 = 01\nKEY2 = 02\nKEY3 = 03\nPLAINTEXT = 04\nCIPHERTEXT = 05\n",
            {"encrypt": [{"key": "010203", "text": "04", "result": "05"}]},
        ),
        (
            "mode",
            "KEYs = 01\nIV = 02\nPLAINTEXT = 04\nCIPHERTEXT = 05\n",
            {"encrypt": [{"key": "010101", "iv": "02", "text": "04", "result": "05"}]},
        ),
        (
            "aead",
            (
                "Plen = 1\nTlen = 2\n\n[Alen = 0]\n\nKey = aa\nNonce = bb\n\n"
                "Count = 0\nAdata = 00\nPayload = 01\nCT = 020304\n"
            ),
            {"seal": [{"key": "aa", "nonce": "bb", "ad": "", "text": "01", "result": "020304"}]},
        ),
        (
            "aead",
            (
                "[Alen = 1, Plen = 0, Nlen = 1, Tlen = 1]\n\nKey = aa\n\n"
                "Count = 0\nNonce = bb\nAdata = cc\nCT = 01\nResult = Fail\n"
            ),
            {"seal": [{"ad": "cc", "text": "", "result": "01", "refused": True, "tag_size": 1}]},
        ),
        (
            "aead",
            "Key = aa\nIV = bb\nCT = 01\nAAD = \nTag = 0203\nFAIL\n",
            {"seal": [{"nonce": "bb", "result": "010203", "refused": True, "tag_size": 2}]},
        ),
    ],
)
def test_nist_s_forms_are_read(
    tmp_path: Path, kind_of: str, text: str, expected: dict[str, Any]
) -> None:
    path = tmp_path / "x.rsp"
    path.write_text(text)
    tables = answers.read(path, kind_of)
    for table, rows in expected.items():
        (row,) = tables[table]
        assert {name: row[name] for name in rows[0]} == rows[0]


MONTE = {
    "cbc.rsp": "# AESVS MCT test data for CBC\nKEY = 00\nPLAINTEXT = 01\nCIPHERTEXT = 02\n",
    "SHA1Monte.rsp": "Seed = 00\n\nCOUNT = 0\nMD = 01\n",
    "TECBMonte3.rsp": "KEYs = 00\nPLAINTEXT = 01\nCIPHERTEXT = 02\n",
}


@pytest.mark.parametrize("name", MONTE)
def test_monte_carlo_tests_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(MONTE[name])
    with pytest.raises(InputError, match=f"{name} is a Monte Carlo test"):
        answers.read(path, "hash" if name.startswith("SHA") else "mode")


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("bytes_of_length", [4, 8])
def test_a_wrong_length_of_rsa_is_found(order: Order, bytes_of_length: int) -> None:
    """The text is right, but its length is wrong, or has the other order of bytes."""
    (subject,) = (subject for subject in library.ours() if subject.name == "rsa1024/fast")
    good = read_vectors(subject)["decrypt_pkcs1"][:1]
    (check,) = kind(subject).checks(subject, {"decrypt_pkcs1": good}, 0)
    text, (length, numbers) = check.begins
    assert isinstance(text[1], bytes)
    assert isinstance(numbers, Numbers)
    other: Order = "big" if order == "little" else "little"
    contents = {text[0]: text[1].ljust(text[0].size, b"\0")}
    returned = dict.fromkeys(check.steps, 0)

    def wrong(content: bytes) -> list[str]:
        contents[length] = content.ljust(length.size, b"\0")
        return failures([check], Outcome(contents, returned, order=order))

    right = numbers.content(order, bytes_of_length)
    assert wrong(right) == []
    assert len(wrong(numbers.content(other, 4))) == 1
    one_more = Numbers((numbers.values[0] + 1,))
    assert len(wrong(one_more.content(order, bytes_of_length))) == 1
