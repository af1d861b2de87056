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
# A step of the path to an object: a key's name, and true if it holds a list of such objects.
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
        content: list[nodes.Node] = []
        for steps, schema_of_object in objects(schema, schema, ()):
            text = table(schema_of_object, schema)
            title = heading(steps)
            content += [section(self, title, text)] if title else self.parse_text_to_nodes(text)
        return content


def objects(
    schema: Schema, root: Schema, steps: tuple[Step, ...]
) -> Iterator[tuple[tuple[Step, ...], Schema]]:
    """An object and all within it, each with the steps that lead there."""
    if len(steps) > 8:
        return
    schema, is_list = unlisted(schema, root)
    if steps:
        steps = (*steps[:-1], (steps[-1][0], is_list))
    if "properties" in schema:
        yield steps, schema
    for name, inner in schema.get("properties", {}).items():
        yield from objects(inner, root, (*steps, (name, False)))
    if isinstance(schema.get("additionalProperties"), dict):
        yield from objects(schema["additionalProperties"], root, (*steps, ("NAME", False)))


def unlisted(schema: Schema, root: Schema) -> tuple[Schema, bool]:
    """The schema of a value or of a list's elements; and whether it is a list."""
    schema = nonnull(resolved(schema, root), root)
    if isinstance(schema.get("items"), dict):
        return nonnull(resolved(schema["items"], root), root), True
    return schema, False


def resolved(schema: Schema, root: Schema) -> Schema:
    """A schema with the definition that it names, which its own words overrule."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return {**root["$defs"][name], **schema} if name else schema


def nonnull(schema: Schema, root: Schema) -> Schema:
    """The one choice of a schema that is not null, if it is written as a choice."""
    choices = [choice for choice in schema.get("anyOf", ()) if choice.get("type") != "null"]
    if len(choices) != 1:
        return schema
    return {**resolved(choices[0], root), **{k: v for k, v in schema.items() if k != "anyOf"}}


def as_toml(steps: tuple[Step, ...]) -> str:
    """The heading of the table in a TOML file."""
    name = ".".join(name for name, _ in steps)
    if not steps:
        return ""
    return f"`[[{name}]]`" if steps[-1][1] else f"`[{name}]`"


def as_json(steps: tuple[Step, ...]) -> str:
    """The path to the object from the top of the output."""
    path = ".".join(name + ("[]" if is_list else "") for name, is_list in steps)
    return f"`{path}`" if steps else ""


def table(schema: Schema, root: Schema) -> str:
    """An object's description, and a row for each of its keys."""
    needed = schema.get("required", ())
    rows = [
        row(name, inner, root, needed=name in needed)
        for name, inner in schema["properties"].items()
    ]
    lines = ["| key | holds | meaning |", "|---|---|---|", *rows]
    return "\n\n".join([schema.get("description", ""), "\n".join(lines)])


def row(name: str, schema: Schema, root: Schema, *, needed: bool) -> str:
    """A key with its kind of value; bold if it is required."""
    inner = resolved(schema, root)
    shown = f"**`{name}`**" if needed else f"`{name}`"
    meaning = inner.get("description", "").replace("|", "\\|").replace("<", "&lt;")
    return f"| {shown} | {holds(inner, root)} | {meaning} |"


def holds(schema: Schema, root: Schema) -> str:
    """The kind of value, in a few words."""
    schema = resolved(schema, root)
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(holds(option, root) for option in schema[choice]))
    kinds = schema.get("type", "any value")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return " or ".join(kind(name, schema, root) for name in kinds)


def kind(name: str, schema: Schema, root: Schema) -> str:
    """A type of JSON with its bounds."""
    if name == "array" and isinstance(schema.get("items"), dict):
        return f"list of {plural(holds(schema['items'], root))}"
    if name in ("integer", "number"):
        return name + bounds(schema)
    return {"object": "table", "array": "list"}.get(name, name)


def plural(words: str) -> str:
    """The plural of a kind, as `strings`; a choice stays as it is."""
    return re.sub(r"^(string|table|integer|number)\b", r"\1s", words)


def bounds(schema: Schema) -> str:
    """The least and greatest value of a number, if there are any."""
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None and most is None:
        return ""
    if most is None:
        return f" ≥ {least}"
    return f" ≤ {most}" if least is None else f", {least} to {most}"


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directive."""
    app.add_directive("schema-reference", SchemaReference)
    return {"parallel_read_safe": True, "version": "1"}
