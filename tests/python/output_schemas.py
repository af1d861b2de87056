"""Holds what verbs print against the schemas in `docs/schemas/output/`, every key included.

The schemas let further keys in, since outputs may grow; here a key that no schema names is a
mistake.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema

from conftest import ROOT

FOLDER = ROOT / "docs/schemas/output"
NAMES = sorted(path.name.removesuffix(".schema.json") for path in FOLDER.glob("*.schema.json"))


def schema(name: str) -> dict[str, Any]:
    """A schema as it is published."""
    text = (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def check(name: str, values: object) -> None:
    """Fails unless values are as the schema says, and have no further keys."""
    errors = [f"{one.json_path}: {one.message}" for one in _strict(name).iter_errors(values)]
    assert errors == [], "\n".join(errors)


@cache
def _strict(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(closed(schema(name)))


def closed(found: Any) -> Any:  # noqa: ANN401 - any part of a schema.
    """A schema in which objects with named keys have no others."""
    if isinstance(found, list):
        return [closed(one) for one in found]
    if not isinstance(found, dict):
        return found
    inner = {key: closed(one) for key, one in found.items()}
    if isinstance(found.get("properties"), dict) and found.get("type") == "object":
        inner.setdefault("additionalProperties", False)
    return inner
