"""Writes the software bill of materials, as CycloneDX JSON: all packages built in or needed to run.

`make sbom` calls it. Versions and hashes are those of `Cargo.lock` and `requirements/`; licences of
Rust packages are those that the packages state (`cargo metadata`).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = Path(__file__).resolve().parents[1]
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)==([^ ;\\]+)(.*(?:\n    --hash.*)*)", re.MULTILINE)


def main(path: Path) -> None:
    """Writes the file and checks it against CycloneDX's schema."""
    packages = [*rust_packages(), *python_packages()]
    product = Component(name="cocrypt", type=ComponentType.APPLICATION, bom_ref="cocrypt")
    bom = Bom(components=packages)
    bom.metadata.component = product
    bom.register_dependency(product, packages)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong:
        sys.exit(f"the bill of materials breaks its schema: {wrong}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"{path}: {len(bom.components)} packages")


def rust_packages() -> Iterator[Component]:
    """The packages of `Cargo.lock` that come from the registry."""
    lock = tomllib.loads((HOME / "Cargo.lock").read_text(encoding="utf-8"))
    licences = rust_licences()
    for package in lock["package"]:
        if "checksum" in package:
            name, version = package["name"], package["version"]
            licence = licences.get((name, version))
            yield component("cargo", name, version, [package["checksum"]], licence)


def rust_licences() -> dict[tuple[str, str], str]:
    """The licence of each package, by name and version."""
    command = ["cargo", "metadata", "--locked", "--format-version=1"]
    metadata = subprocess.run(command, cwd=HOME, check=True, capture_output=True, text=True)
    packages = json.loads(metadata.stdout)["packages"]
    return {
        (package["name"], package["version"]): package["license"]
        for package in packages
        if package["license"]
    }


def python_packages() -> Iterator[Component]:
    """The packages of `requirements/` without those of the audit itself."""
    for lock in ("main", "nodeps"):
        text = (HOME / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
        for name, version, rest in PINNED.findall(text):
            yield component("pypi", name, version, re.findall(r"sha256:(\w{64})", rest), None)


def component(
    kind: str, name: str, version: str, sha256: list[str], licence: str | None
) -> Component:
    """A package, with the hash of each file of its release."""
    url = PackageURL(type=kind, name=name, version=version)
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=version,
        purl=url,
        bom_ref=str(url),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in sha256],
        licenses=[LicenseFactory().make_from_string(licence)] if licence else [],
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
