"""The runtime's memory functions and compiler helpers on the host, against Python."""

import ctypes
import random
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-ffreestanding")


@pytest.fixture(scope="module")
def libc(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Build the functions under names of their own, so that the host's are not called instead."""
    compiler = shutil.which("cc") or "cc"
    target = tmp_path_factory.mktemp("libc") / "libc.so"
    sources = sorted((ROOT / "runtime/libc").glob("*.c"))
    names = ("memcpy", "memmove", "memset", "memcmp", "strlen")
    renamed = [f"-D{name}=our_{name}" for name in names]
    include = f"-I{ROOT / 'runtime/include'}"
    command = [compiler, *FLAGS, *renamed, include, "-fno-builtin", "-shared", "-fPIC", "-o"]
    subprocess.run([*command, target, *sources], check=True)
    return ctypes.CDLL(str(target))


def test_memory_functions(libc: ctypes.CDLL) -> None:
    source = random.Random(1)
    for _ in range(500):
        size, to, start = source.randrange(40), source.randrange(40), source.randrange(40)
        before = source.randbytes(100)
        buffer = ctypes.create_string_buffer(before, 100)
        base = ctypes.addressof(buffer)
        pointer, length = ctypes.c_void_p, ctypes.c_size_t(size)
        libc.our_memmove(pointer(base + to), pointer(base + start), length)
        moved = before[:to] + before[start : start + size] + before[to + size :]
        assert buffer.raw == moved
        libc.our_memset(pointer(base + to), ctypes.c_int(0x1A5), length)
        filled = moved[:to] + b"\xa5" * size + moved[to + size :]
        assert buffer.raw == filled
        libc.our_memcpy(pointer(base), pointer(base + 60), ctypes.c_size_t(min(size, 40)))
        assert buffer.raw == filled[60 : 60 + min(size, 40)] + filled[min(size, 40) :]
    for a, b in ((b"abc", b"abd"), (b"\xff", b"\x01"), (b"same", b"same")):
        sign = libc.our_memcmp(a, b, ctypes.c_size_t(len(a)))
        assert (sign > 0) - (sign < 0) == (a > b) - (a < b)
    assert libc.our_strlen(b"four") == 4


def wrap(value: int, bits: int, signed: bool) -> int:
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def truncated(a: int, b: int) -> tuple[int, int]:
    """Quotient towards zero, and remainder."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


@pytest.mark.parametrize(("bits", "suffix"), [(32, "si3"), (64, "di3")])
@pytest.mark.parametrize("signed", [False, True])
def test_products_and_quotients(libc: ctypes.CDLL, bits: int, suffix: str, signed: bool) -> None:
    kind = {
        (32, False): ctypes.c_uint32, (32, True): ctypes.c_int32,
        (64, False): ctypes.c_uint64, (64, True): ctypes.c_int64,
    }[bits, signed]  # fmt: skip
    prefix = "" if signed else "u"
    source = random.Random(bits)
    special = [0, 1, 2, -1, 1 << (bits - 1), (1 << (bits - 1)) - 1, 1 << (bits // 2)]
    values = special + [source.getrandbits(source.randrange(1, bits + 1)) for _ in range(60)]
    for a in (wrap(value, bits, signed) for value in values):
        for b in (wrap(value, bits, signed) for value in values):
            if b == 0:
                continue
            quotient, rest = truncated(a, b)
            for name, right in (("div", quotient), ("mod", rest)):
                function = getattr(libc, f"__{prefix}{name}{suffix}")
                function.restype = kind
                assert function(kind(a), kind(b)) == wrap(right, bits, signed), (name, a, b)
    multiply = getattr(libc, f"__mul{suffix}")
    multiply.restype = kind
    for a, b in zip(values, reversed(values), strict=True):
        assert multiply(kind(a), kind(b)) == wrap(a * b, bits, signed)


@pytest.mark.parametrize(("bits", "suffix"), [(32, "si3"), (64, "di3")])
@pytest.mark.parametrize("prefix", ["", "u"])
def test_division_by_zero(libc: ctypes.CDLL, bits: int, suffix: str, prefix: str) -> None:
    """All ones and the dividend, as the RISC-V manual has it for the instructions."""
    kind = {32: ctypes.c_uint32, 64: ctypes.c_uint64}[bits]
    for a in (0, 1, 2**bits - 1, 2 ** (bits - 1), 0x1234567):
        for name, right in (("div", 2**bits - 1), ("mod", a)):
            function = getattr(libc, f"__{prefix}{name}{suffix}")
            function.restype = kind
            assert function(kind(a), kind(0)) == right, (name, a)


def test_shifts(libc: ctypes.CDLL) -> None:
    source = random.Random(64)
    for count in range(64):
        value = source.getrandbits(64) | 1 << 63
        for name, right in (
            ("__ashldi3", value << count),
            ("__lshrdi3", value >> count),
            ("__ashrdi3", wrap(value, 64, signed=True) >> count),
        ):
            function = getattr(libc, name)
            function.restype = ctypes.c_uint64
            assert function(ctypes.c_uint64(value), count) == right % 2**64, (name, count)
