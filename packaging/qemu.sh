#!/usr/bin/env bash
# Runs the wheel for aarch64 under qemu-user, and compares its figures with those of this host:
#
#   packaging/qemu.sh build/dist/cocrypt-*_aarch64.whl
#
# Python comes from Debian and packages from PyPI, all to build/aarch64; apt-get and qemu-aarch64 are needed.
# Under qemu-user a program starts others by the host's kernel, so zig is that of the host. What it writes is
# the same wherever it runs.
set -euo pipefail
wheel=$(realpath "$1")
cd "$(dirname "$0")/.."
python=$(realpath -s "${PYTHON:-.venv/bin/python}")
place=$PWD/build/aarch64
packages=(python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libc6 libgcc-s1 libstdc++6 zlib1g libexpat1
  libssl3 libsqlite3-0 libffi8 liblzma5 libbz2-1.0 libuuid1)

prepare() {
  rm -rf "$place"
  mkdir -p "$place"/{root,debs,lists/partial,cache/archives/partial}
  touch "$place/status"
  local apt=(-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$place/lists"
    -o Dir::Cache="$place/cache" -o Dir::State::status="$place/status" -o Debug::NoLocking=1)
  apt-get "${apt[@]}" update
  (cd "$place/debs" && apt-get "${apt[@]}" download "${packages[@]}")
  for package in "$place"/debs/*.deb; do dpkg -x "$package" "$place/root"; done
  "$python" -m pip install --quiet --target "$place/site" --only-binary :all: --implementation cp --python-version 3.11 \
    --abi cp311 --abi abi3 --abi none --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
    --platform manylinux_2_27_aarch64 --platform manylinux_2_28_aarch64 "$wheel"
  rm -r "$place/site/ziglang"
  ln -s "$("$python" -c 'import ziglang; print(next(iter(ziglang.__path__)))')" "$place/site/ziglang"
}

guest() {
  env -i HOME="$place/home" PATH=/usr/bin:/bin PYTHONHOME="$place/root/usr" PYTHONPATH="$place/site" \
    qemu-aarch64 -L "$place/root" "$place/root/usr/bin/python3.11" "$@"
}

host() { COCRYPT_CACHE="$place/cache-of-host" "$python" "$@"; }

compare() {
  (cd "$place/guest" && guest -m cocrypt "$@" --json >figures.json)
  (cd "$place/host" && host -m cocrypt "$@" --json >figures.json)
  "$python" -c '
import json, sys
rows = [json.load(open(path))["rows"] for path in sys.argv[1:3]]
for row in sum(rows, []):
    row.pop("host", None)
assert rows[0] and rows[0] == rows[1]
print("the same on aarch64:", *sys.argv[3:], "with", len(rows[0]), "rows")
' "$place/guest/figures.json" "$place/host/figures.json" "$@"
}

prepare
mkdir -p "$place"/{guest,host,home}
guest -c 'import platform, cocrypt; print(platform.machine(), cocrypt.__file__)'
compare explore sha256
compare measure aes128/small --jobs 1 --device picorv32 --device stm32f4-24mhz --device atmega2560
