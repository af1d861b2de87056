"""`cocrypt doctor`: which tools are there, and how to get the others."""

from __future__ import annotations

from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.cli.tables import key, text
from cocrypt.doctor import Finding, examine
from cocrypt.errors import HostError


def command(as_json: JsonOption = False) -> None:
    """Name every tool with its version, or what it is for and how to get it."""
    findings = examine()
    if as_json:
        output.print_json({"tools": [_record(one) for one in findings]})
    else:
        made = output.table("Tools", key("tool"), text("version"), text("what for"))
        for one in findings:
            made.add_row(one.tool.name, one.version or "MISSING", _remark(one))
        output.print_table(made)
    missing = [one.tool.name for one in findings if one.tool.needed and one.version is None]
    if missing:
        raise HostError(f"cocrypt lacks {', '.join(missing)}", "the table says how to get them")


def _remark(one: Finding) -> str:
    if one.version is not None:
        return one.tool.purpose
    return f"{one.tool.purpose}; get it: {one.tool.how}"


def _record(one: Finding) -> dict[str, object]:
    return {
        "name": one.tool.name,
        "version": one.version,
        "purpose": one.tool.purpose,
        "how": one.tool.how,
        "needed": one.tool.needed,
    }
