"""Compares the output of verbs with the schemas in `docs/schemas/output/`, every key included.

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
    content: dict[str, Any] = json.loads(text)
    return content


def check(name: str, values: object, part: str | None = None) -> None:
    """Fails unless values are as the schema says, and have no further keys.

    With `part` they are the value of that key alone.
    """
    strict = _strict(name, part)
    errors = [f"{error.json_path}: {error.message}" for error in strict.iter_errors(values)]
    assert errors == [], "\n".join(errors)


@cache
def _strict(name: str, part: str | None) -> jsonschema.Draft202012Validator:
    whole = schema(name)
    return jsonschema.Draft202012Validator(closed(whole["properties"][part] if part else whole))


def closed(part: Any) -> Any:  # noqa: ANN401 - any part of a schema.
    """A schema in which objects with named keys have no others."""
    if isinstance(part, list):
        return [closed(element) for element in part]
    if not isinstance(part, dict):
        return part
    inner = {key: closed(element) for key, element in part.items()}
    if isinstance(part.get("properties"), dict) and part.get("type") == "object":
        inner.setdefault("additionalProperties", False)
    return inner
