"""Functions that return nothing where others return 0 or -1: measured where no result is needed.

Candidates and entries of a study may be such functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt import paths
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.measurement import require_clean, run
from cocrypt.partition import partitions
from cocrypt.primitives import foreign
from cocrypt.primitives.benchmark import benchmark
from cocrypt.primitives.measuring import Build, Task
from cocrypt.study import Study
from toys import KEY, NONCE, TOYS_BY_KIND, counted, total

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# The register of the result holds the last value of the loop.
EXCHANGE = """typedef unsigned char byte;
{result} x_shared(const byte *secret, const byte *peer, byte *shared)
{{
    byte sum = 1, other = 1;
    for (int i = 0; i < 8; i++) sum = (byte)(3 * sum + secret[i]);
    for (int i = 0; i < 8; i++) other = (byte)(3 * other + peer[i]);
    for (int i = 0; i < 8; i++) shared[i] = (byte)(sum + other + 7 * i);
    {end}
}}
int x_verify(const byte *public, const byte *message, unsigned size, const byte *signature);
"""
DESCRIBED = """[primitive]
title = "x"
kind = "key_exchange"
source = "a test"
[members.x]
secret = 8
public = 8
shared = 8
[implementations.c]
sources = ["x.c"]
provides = ["shared"]
"""
SHARED = f'''[[shared]]
secret = "{KEY.hex()}"
peer = "{NONCE.hex()}"
shared = "{counted(total(KEY) + total(NONCE)).hex()}"
'''


def exchange(folder: Path, result: str, end: str, vectors: str) -> Task:
    """A key exchange that is `shared` alone."""
    folder.mkdir()
    (folder / "x.c").write_text(EXCHANGE.format(result=result, end=end))
    (folder / "primitive.toml").write_text(DESCRIBED)
    (folder / "vectors").mkdir()
    (folder / "vectors/x.toml").write_text(vectors)
    (subject,) = foreign.folder(folder)
    return Task(subject, Device.load("picorv32"), Build(("-O2",)))


def test_void_is_fine_where_nothing_is_refused(tmp_path: Path) -> None:
    """Both methods of measuring agree, and `shared` is timed with the vector's peer."""
    for name, result, end in (("void", "void", ""), ("int", "int", "return 0;")):
        task = exchange(tmp_path / name, result, end, SHARED)
        (row,) = task.measure()
        assert (row.operation, row.verified, row.vectors) == ("shared", True, 1)
        ((table,), _) = benchmark([task], 2)
        assert (table.mean, table.verified) == (row.cycles, True)


def test_void_cannot_refuse(tmp_path: Path) -> None:
    refused = f'[[shared]]\nsecret = "{KEY.hex()}"\npeer = "{bytes(8).hex()}"\nrefused = true\n'
    task = exchange(tmp_path / "x", "void", "", SHARED + refused)
    for measured in (task.measure, lambda: benchmark([task], 2)):
        with pytest.raises(InputError, match=r"x\.c:3: `x_shared` .* returns nothing \(void\)"):
            measured()


def test_a_refusal_of_what_is_right_is_told_by_both(tmp_path: Path) -> None:
    task = exchange(tmp_path / "x", "int", "return 64;", SHARED)
    for measured in (task.measure, lambda: benchmark([task], 2)):
        with pytest.raises(Exception, match="shared returned 64, not 0"):
            measured()


API = "#define CRYPTO_SECRETKEYBYTES 8\n#define CRYPTO_PUBLICKEYBYTES 8\n#define CRYPTO_BYTES 8\n"
SIGN = """typedef unsigned char byte;
int crypto_sign_keypair(byte *pk, byte *sk);
int crypto_sign_keypair(byte *pk, byte *sk)
{ for (int i = 0; i < 8; i++) pk[i] = sk[i] = 1; return 0; }
int crypto_sign_signature(byte *sig, unsigned *len, const byte *m, unsigned n, const byte *sk);
int crypto_sign_signature(byte *sig, unsigned *len, const byte *m, unsigned n, const byte *sk)
{ for (int i = 0; i < 8; i++) sig[i] = sk[i] ^ m[0]; *len = 8; return (int)(n - n); }
void crypto_sign_verify(const byte *sig, unsigned len, const byte *m, unsigned n, const byte *pk);
void crypto_sign_verify(const byte *sig, unsigned len, const byte *m, unsigned n, const byte *pk)
{ (void)sig, (void)len, (void)m, (void)n, (void)pk; }
"""
HASH = """void crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long size);
void crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long size)
{ for (int i = 0; i < 8; i++) out[i] = (unsigned char)(size ? in[0] + i : i); }
"""


def test_supercop_s_void_functions(tmp_path: Path) -> None:
    """A hash needs no return value; a verification consists of it."""
    device, build = Device.load("picorv32"), Build(("-O2",))
    for name, api, source in (
        ("hash", "#define CRYPTO_BYTES 8\n", HASH),
        ("sign", API, SIGN),
    ):
        (tmp_path / name / "ref").mkdir(parents=True)
        (tmp_path / name / "ref/api.h").write_text(api)
        (tmp_path / name / "ref/x.c").write_text(source)
    (tmp_path / "hash/ref/x.rsp").write_text("Msg = 05\nMD = 05060708090a0b0c\n")
    (subject,) = foreign.folder(tmp_path / "hash")
    task = Task(subject, device, build, (64,))
    (row,) = task.measure()
    assert (row.verified, row.vectors) == (True, 1)
    assert benchmark([task], 1)[0]
    (subject,) = foreign.folder(tmp_path / "sign")
    with pytest.raises(InputError, match=r"x\.c:\d+: `crypto_sign_verify` of .* returns nothing"):
        Task(subject, device, build).measure()


def test_a_kind_without_what_it_needs_says_so(tmp_path: Path) -> None:
    """An operation whose result the others take is not provided."""
    toy = TOYS_BY_KIND["kem"]
    (tmp_path / "x").mkdir()
    (tmp_path / "x/x.c").write_text(
        "int x_decapsulate(void);\nint x_decapsulate(void) { return 0; }\n"
    )
    sizes = "".join(f"{name} = 8\n" for name in toy.sizes)
    text = '[primitive]\ntitle = "x"\nkind = "kem"\nsource = "a test"\n[members.x]\n' + sizes
    text += '[implementations.c]\nsources = ["x.c"]\nprovides = ["decapsulate"]\n'
    (tmp_path / "x/primitive.toml").write_text(text)
    (subject,) = foreign.folder(tmp_path / "x")
    with pytest.raises(InputError, match=r"x/c provides no `keypair`"):
        Task(subject, Device.load("picorv32"), Build(("-O2",))).measure()


STUDY = """[study]
name = "void"
title = "Void"
device = "{device}"
[toolchain]
compiler = "zig"
flags = ["-O2", "-Wno-main-return-type"]
[[workload]]
name = "w"
title = "W"
source = "main.c"
entry = "{entry}"
output = "output"
expect = "f401"
[[candidate]]
function = "add"
[[candidate.option]]
name = "again"
source = "again.c"
"""
# The register of the result holds the last value of the loop. An instruction has the function's
# name.
MAIN = """volatile short output;
static void add(short by) { output = (short)(output + by); }
void entry(void);
void entry(void) { for (short i = 1; i <= 124; i++) add(i % 4 + 1), output += 1 - i % 4 / 2; }
"""
AGAIN = """extern volatile short output;
void add(short by);
void add(short by) { output = (short)(by + output); output += 0; }
"""


def total_of() -> int:
    """The program's output."""
    return sum(i % 4 + 1 + 1 - i % 4 // 2 for i in range(1, 125))


@pytest.mark.parametrize("device", ["picorv32", "stm32f0", "atmega328p"])
@pytest.mark.parametrize("entry", ["main", "begin"])
def test_candidates_and_entries_may_return_nothing(
    tmp_path: Path, device: str, entry: str, need_tool: Callable[[str], str]
) -> None:
    if device == "atmega328p":
        need_tool("avr-gcc")
    text = STUDY.format(device=paths.device(device), entry=entry)
    expect = total_of().to_bytes(2, "little")
    (tmp_path / "study.toml").write_text(text.replace("f401", expect.hex()))
    (tmp_path / "main.c").write_text(MAIN.replace("entry", entry))
    (tmp_path / "again.c").write_text(AGAIN)
    study = Study.load(tmp_path / "study.toml")
    builder = Builder(study)
    built = builder.build([(study.workload(), partition) for partition in partitions(study)])
    images = {build.image for build in (*built, builder.natural(study.workload()))}
    assert len(images) > 1
    for image in images:
        ended = run(study.device, image, "void")
        require_clean(ended)
        assert ended.output("output", 2) == expect
