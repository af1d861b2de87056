"""The directive `schema-reference`: a JSON schema as tables, one for each object in it.

    ```{schema-reference} schemas/device.schema.json
    :form: toml
    ```

The path starts at `docs/`. In the form `toml` objects are named as tables of a TOML file, `[bus]`
and `[[memory]]`; in the form `json` by their path, `rows[].host`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils.parsers.rst import directives
from sections import section
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils import nodes
    from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parents[1]
Schema = dict[str, Any]
# A step on the way to an object: a key's name, and whether it holds a list of such objects.
Step = tuple[str, bool]


class SchemaReference(SphinxDirective):
    """The tables of one schema."""

    required_arguments = 1
    option_spec: ClassVar = {"form": lambda word: directives.choice(word, ("toml", "json"))}

    def run(self) -> list[nodes.Node]:
        """Parses the tables as Markdown."""
        path = DOCS / self.arguments[0]
        self.env.note_dependency(str(path))
        schema = json.loads(path.read_text(encoding="utf-8"))
        heading = as_toml if self.options.get("form", "toml") == "toml" else as_json
        made: list[nodes.Node] = []
        for steps, found in objects(schema, schema, ()):
            text = table(found, schema)
            title = heading(steps)
            made += [section(self, title, text)] if title else self.parse_text_to_nodes(text)
        return made


def objects(
    found: Schema, root: Schema, steps: tuple[Step, ...]
) -> Iterator[tuple[tuple[Step, ...], Schema]]:
    """An object and all within it, each with the steps that lead there."""
    if len(steps) > 8:
        return
    found, is_list = unlisted(found, root)
    if steps:
        steps = (*steps[:-1], (steps[-1][0], is_list))
    if "properties" in found:
        yield steps, found
    for name, inner in found.get("properties", {}).items():
        yield from objects(inner, root, (*steps, (name, False)))
    if isinstance(found.get("additionalProperties"), dict):
        yield from objects(found["additionalProperties"], root, (*steps, ("NAME", False)))


def unlisted(found: Schema, root: Schema) -> tuple[Schema, bool]:
    """What a schema describes, or what a list of it holds; and whether it is a list."""
    found = nonnull(resolved(found, root), root)
    if isinstance(found.get("items"), dict):
        return nonnull(resolved(found["items"], root), root), True
    return found, False


def resolved(found: Schema, root: Schema) -> Schema:
    """A schema with the definition that it names, which its own words overrule."""
    name = found.get("$ref", "").removeprefix("#/$defs/")
    return {**root["$defs"][name], **found} if name else found


def nonnull(found: Schema, root: Schema) -> Schema:
    """The one choice of a schema that is not null, if it is written as a choice."""
    choices = [one for one in found.get("anyOf", ()) if one.get("type") != "null"]
    if len(choices) != 1:
        return found
    return {**resolved(choices[0], root), **{k: v for k, v in found.items() if k != "anyOf"}}


def as_toml(steps: tuple[Step, ...]) -> str:
    """How a TOML file opens the table."""
    name = ".".join(name for name, _ in steps)
    if not steps:
        return ""
    return f"`[[{name}]]`" if steps[-1][1] else f"`[{name}]`"


def as_json(steps: tuple[Step, ...]) -> str:
    """The path to the object from the top of what is printed."""
    path = ".".join(name + ("[]" if is_list else "") for name, is_list in steps)
    return f"`{path}`" if steps else ""


def table(found: Schema, root: Schema) -> str:
    """An object's description, and a row for each of its keys."""
    needed = found.get("required", ())
    rows = [
        row(name, inner, root, needed=name in needed) for name, inner in found["properties"].items()
    ]
    lines = ["| key | holds | meaning |", "|---|---|---|", *rows]
    return "\n\n".join([found.get("description", ""), "\n".join(lines)])


def row(name: str, schema: Schema, root: Schema, *, needed: bool) -> str:
    """A key with what it holds; bold where it must be there."""
    inner = resolved(schema, root)
    shown = f"**`{name}`**" if needed else f"`{name}`"
    meaning = inner.get("description", "").replace("|", "\\|").replace("<", "&lt;")
    return f"| {shown} | {holds(inner, root)} | {meaning} |"


def holds(found: Schema, root: Schema) -> str:
    """The kind of value, in a few words."""
    found = resolved(found, root)
    if "enum" in found:
        return ", ".join(f"`{json.dumps(one)}`" for one in found["enum"])
    if "const" in found:
        return f"`{json.dumps(found['const'])}`"
    for choice in ("anyOf", "oneOf"):
        if choice in found:
            return " or ".join(dict.fromkeys(holds(one, root) for one in found[choice]))
    kinds = found.get("type", "any value")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return " or ".join(kind(one, found, root) for one in kinds)


def kind(name: str, found: Schema, root: Schema) -> str:
    """One type of JSON with its bounds."""
    if name == "array" and isinstance(found.get("items"), dict):
        return f"list of {plural(holds(found['items'], root))}"
    if name in ("integer", "number"):
        return name + bounds(found)
    return {"object": "table", "array": "list"}.get(name, name)


def plural(words: str) -> str:
    """Some of a kind, as `strings`; a choice stays as it is."""
    return re.sub(r"^(string|table|integer|number)\b", r"\1s", words)


def bounds(found: Schema) -> str:
    """The least and greatest value of a number, where there are any."""
    least, most = found.get("minimum"), found.get("maximum")
    if least is None and most is None:
        return ""
    if most is None:
        return f" ≥ {least}"
    return f" ≤ {most}" if least is None else f", {least} to {most}"


def setup(app: Sphinx) -> dict[str, Any]:
    """Names the directive to Sphinx."""
    app.add_directive("schema-reference", SchemaReference)
    return {"parallel_read_safe": True, "version": "1"}
