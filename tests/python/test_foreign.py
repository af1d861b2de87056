"""Other people's code: folders in the forms of SUPERCOP and PQClean, and known answers."""

from __future__ import annotations

import hashlib
import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.primitives import answers, foreign, library
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from conftest import Cocrypt

MANIFEST = ROOT / "tests/pqclean/Cargo.toml"


@pytest.fixture(scope="session")
def schemes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The PQClean trees that the crates carry, by scheme."""
    target = tmp_path_factory.mktemp("schemes")
    command = ["cargo", "vendor", "--locked", "--quiet", "--manifest-path", str(MANIFEST)]
    subprocess.run([*command, str(target)], check=True, capture_output=True)
    kem = target / "pqcrypto-mlkem/pqclean/crypto_kem"
    sign = target / "pqcrypto-mldsa/pqclean/crypto_sign"
    return {
        "ml-kem-512": kem / "ml-kem-512",
        "ml-kem-768": kem / "ml-kem-768",
        "ml-dsa-44": sign / "ml-dsa-44",
    }


def measured(result: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert result.returncode == 0, result.stderr
    rows: list[dict[str, Any]] = json.loads(result.stdout)["rows"]
    return rows


@pytest.mark.long
def test_post_quantum_schemes_are_measured_as_they_are(
    cocrypt: Cocrypt, schemes: Mapping[str, Path]
) -> None:
    folders = schemes.values()
    result = cocrypt("measure", "--table", "--iterations", "2", *folders, "--json")
    rows = {(row["scheme"], row["operation"]): row for row in measured(result)}
    operations = {
        "ml-kem-512": ("keypair", "encapsulate", "decapsulate"),
        "ml-kem-768": ("keypair", "encapsulate", "decapsulate"),
        "ml-dsa-44": ("keypair", "sign", "verify"),
    }
    assert set(rows) == {
        (f"{name}/clean", operation) for name in operations for operation in operations[name]
    }
    for row in rows.values():
        cycles = row["cycles"]
        assert 0 < cycles["min"] <= cycles["mean"] <= cycles["max"]
        assert row["stack"] > 0
        assert row["size"]["text"] > 0
    # Random values differ from run to run, so that signing takes another time.
    signing = rows["ml-dsa-44/clean", "sign"]["cycles"]
    assert signing["min"] < signing["max"]
    small, large = (rows[f"ml-kem-{size}/clean", "keypair"]["stack"] for size in (512, 768))
    assert small < large
    for variant in ("aarch64", "avx2"):
        assert f"left out: ml-kem-512/{variant}: " in result.stderr


@pytest.mark.long
def test_one_scheme_has_rows_like_any_primitive(
    cocrypt: Cocrypt, schemes: Mapping[str, Path]
) -> None:
    rows = measured(cocrypt("measure", schemes["ml-kem-512"] / "clean", "--json"))
    assert [row["operation"] for row in rows] == ["keypair", "encapsulate", "decapsulate"]
    # Both sides agree, or there would be no figure; but no oracle gives the secret.
    assert all((row["verified"], row["vectors"]) == (None, 0) for row in rows)


@pytest.mark.long
def test_a_broken_scheme_is_refused(
    cocrypt: Cocrypt, schemes: Mapping[str, Path], tmp_path: Path
) -> None:
    scheme = schemes["ml-kem-512"]
    top = tmp_path / "tree/crypto_kem/ml-kem-512/clean"
    top.mkdir(parents=True)
    (tmp_path / "tree/common").symlink_to(scheme.parents[1] / "common")
    for path in (scheme / "clean").iterdir():
        (top / path.name).write_bytes(path.read_bytes())
    source = top / "kem.c"
    text = source.read_text()
    assert "PQCLEAN_MLKEM512_CLEAN_cmov(ss, kr, KYBER_SYMBYTES, (uint8_t) (1 - fail));" in text
    source.write_text(text.replace("(uint8_t) (1 - fail)", "(uint8_t) fail"))
    result = cocrypt("measure", "tree/crypto_kem")
    assert (result.returncode, result.stdout) == (3, "")
    assert "agreement" in result.stderr


# A sham sponge that returns its input, which is enough to check calls and arguments.
AEAD = """#include "api.h"
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
    unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
    const unsigned char *nsec, const unsigned char *npub, const unsigned char *k)
{
    unsigned char sum = 0;
    for (unsigned long long i = 0; i < adlen; i++) sum ^= ad[i];
    for (unsigned i = 0; i < mlen; i++) { sum ^= m[i]; c[i] = m[i] ^ k[i % 16] ^ npub[0]; }
    for (int i = 0; i < 16; i++) c[mlen + i] = sum ^ k[i];
    *clen = mlen + 16;
    return nsec ? 7 : 0;
}
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
    const unsigned char *c, unsigned long long clen, const unsigned char *ad,
    unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    unsigned char sum = 0, wrong = 0;
    *mlen = clen - 16;
    for (unsigned long long i = 0; i < adlen; i++) sum ^= ad[i];
    for (unsigned i = 0; i < *mlen; i++) { m[i] = c[i] ^ k[i % 16] ^ npub[0]; sum ^= m[i]; }
    for (int i = 0; i < 16; i++) wrong |= c[*mlen + i] ^ sum ^ k[i];
    return wrong || nsec ? -1 : 0;
}
int main(void);
"""
AEAD_API = """#define CRYPTO_KEYBYTES 16
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES 12
#define CRYPTO_ABYTES 16
#define CRYPTO_NOOVERLAP 1
int crypto_aead_encrypt(unsigned char *, unsigned long long *, const unsigned char *,
    unsigned long long, const unsigned char *, unsigned long long, const unsigned char *,
    const unsigned char *, const unsigned char *);
int crypto_aead_decrypt(unsigned char *, unsigned long long *, unsigned char *,
    const unsigned char *, unsigned long long, const unsigned char *, unsigned long long,
    const unsigned char *, const unsigned char *);
"""


def toy_aead(folder: Path) -> None:
    """Write an authenticated cipher in SUPERCOP's form, with a file of its known answers."""
    folder.mkdir(parents=True)
    (folder / "api.h").write_text(AEAD_API)
    (folder / "encrypt.c").write_text(AEAD)
    (folder / "genkat.c").write_text("int main(void)\n{\n    return 1;\n}\n")
    records = []
    for count, size in enumerate((0, 1, 16, 33)):
        key, nonce, ad = bytes(range(16)), bytes([count]) * 12, bytes(range(count))
        text = bytes(range(100, 100 + size))
        mask = 0
        for byte in ad + text:
            mask ^= byte
        sealed = bytes(octet ^ key[i % 16] ^ nonce[0] for i, octet in enumerate(text))
        sealed += bytes(mask ^ octet for octet in key)
        fields = {"Key": key, "Nonce": nonce, "PT": text, "AD": ad, "CT": sealed}
        lines = [f"{name} = {value.hex().upper()}" for name, value in fields.items()]
        records.append("\n".join([f"Count = {count + 1}", *lines]))
    (folder / "LWC_AEAD_KAT_128_96.txt").write_text("\n\n".join(records) + "\n")


def test_supercop_s_authenticated_ciphers(cocrypt: Cocrypt, tmp_path: Path) -> None:
    toy_aead(tmp_path / "crypto_aead/toy/ref")
    rows = measured(cocrypt("measure", "crypto_aead", "--lengths", "8,64", "--json"))
    assert {(row["operation"], row["length"]) for row in rows} == {
        (operation, length) for operation in ("seal", "open") for length in (8, 64)
    }
    # Sealed, opened and turned, for each of four answers.
    assert all(row["vectors"] == 12 for row in rows)
    kat = tmp_path / "crypto_aead/toy/ref/LWC_AEAD_KAT_128_96.txt"
    kat.write_text(kat.read_text().replace("Nonce = 01", "Nonce = 02"))
    wrong = cocrypt("measure", "crypto_aead")
    assert (wrong.returncode, wrong.stdout) == (3, "")


HASH = """#include "api.h"
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen);
void sha256_init(void *); void sha256_update(void *, const unsigned char *, unsigned);
void sha256_final(void *, unsigned char *);
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    unsigned long long state[32];
    sha256_init(state); sha256_update(state, in, (unsigned)inlen); sha256_final(state, out);
    return 0;
}
"""


def test_supercop_s_hashes_and_nist_s_answers(cocrypt: Cocrypt, tmp_path: Path) -> None:
    folder = tmp_path / "crypto_hash/sha256/ours"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text("#define CRYPTO_BYTES 32\n")
    (folder / "hash.c").write_text(HASH)
    (subject,) = library.named(["sha256/lean"])
    for path in (*subject.sources, *(ROOT / "primitives/sha256/lean").glob("*.h")):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "bytes.h").write_bytes((ROOT / "primitives/common/bytes.h").read_bytes())
    sizes = (0, 3, 64, 200)
    records = ["[L = 32]"]
    for size in sizes:
        message = bytes(range(size))
        # An empty message is written as a byte whose bits do not count.
        text = message.hex() or "00"
        digest = hashlib.sha256(message).hexdigest()
        records.append(f"Len = {8 * size}\nMsg = {text}\nMD = {digest}")
    (folder / "SHA256ShortMsg.rsp").write_text("\r\n\r\n".join(records))
    rows = measured(cocrypt("measure", "crypto_hash", "--lengths", "64", "--json"))
    assert [(row["operation"], row["vectors"]) for row in rows] == [("hash", len(sizes))]


def test_folders_without_anything_to_measure_say_so(cocrypt: Cocrypt, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    empty = cocrypt("measure", "./empty")
    assert (empty.returncode, empty.stdout) == (1, "")
    assert "there is nothing to measure in empty" in empty.stderr
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd/api.h").write_text("#define CRYPTO_BITS 3\n")
    odd = cocrypt("measure", "./odd")
    assert odd.returncode == 1
    assert "api.h defines the sizes of no interface that is known" in odd.stderr
    toy_aead(tmp_path / "broken")
    (tmp_path / "broken/encrypt.c").write_text('#include "api.h"\nint nonsense(\n')
    broken = cocrypt("measure", "./broken")
    assert broken.returncode == 1
    assert "encrypt.c cannot be compiled" in broken.stderr
    (tmp_path / "broken/encrypt.c").write_text('#include "api.h"\n')
    missing = cocrypt("measure", "./broken")
    assert missing.returncode == 1
    assert "define no function `crypto_aead_encrypt`" in missing.stderr


def test_what_never_ends_or_wants_too_much_is_said(cocrypt: Cocrypt, tmp_path: Path) -> None:
    toy_aead(tmp_path / "deep")
    source = tmp_path / "deep/encrypt.c"
    text = source.read_text()
    source.write_text(
        text.replace(
            "    unsigned char sum = 0;\n",
            "    unsigned char sum = 0;\n    volatile unsigned char big[150000];\n"
            "    for (unsigned i = 0; i < sizeof big; i++) big[i] = 1;\n",
            1,
        )
    )
    result = cocrypt("measure", "./deep")
    assert result.returncode in (1, 3)
    assert result.stdout == ""
    assert "deep" in result.stderr


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (
            "block_cipher",
            "[DECRYPT]\nCOUNT = 0\nKEY = 00\nCIPHERTEXT = 01\nPLAINTEXT = 02\n",
            {"encrypt": [{"key": "00", "text": "02", "result": "01"}]},
        ),
        (
            "mac",
            "[L=20]\nKlen = 1\nTlen = 2\nKey = aa\nMsg = bb\nMac = ccdd\n",
            {"mac": [{"key": "aa", "message": "bb", "tag": "ccdd"}]},
        ),
        ("hash", "Len = 5\nMsg = 48\nMD = 00\n\nLen = 8\nMsg = 49\nMD = 01\n", None),
    ],
)
def test_answers_are_read(
    tmp_path: Path, kind: str, text: str, expected: dict[str, Any] | None
) -> None:
    path = tmp_path / "x.rsp"
    path.write_text(text)
    tables = answers.read(path, kind)
    if expected is None:
        # A message that ends within a byte is left out.
        assert [row["message"] for row in tables["hash"]] == ["49"]
        return
    (table,) = expected
    assert {key: tables[table][0][key] for key in expected[table][0]} == expected[table][0]


def test_interfaces_are_told_apart(tmp_path: Path) -> None:
    toy_aead(tmp_path / "a")
    (subject,) = foreign.folder(tmp_path / "a")
    assert (subject.kind, dict(subject.sizes)) == ("aead", {"key": 16, "nonce": 12, "tag": 16})
    assert [path.name for path in subject.sources] == ["encrypt.c"]
