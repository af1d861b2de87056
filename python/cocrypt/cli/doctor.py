"""`cocrypt doctor`: the tools that are installed, and how to get the others."""

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
        output.print_json({"tools": [_record(finding) for finding in findings]})
    else:
        table = output.table("Tools", key("tool"), text("version"), text("what for"))
        for finding in findings:
            table.add_row(finding.tool.name, finding.version or "MISSING", _remark(finding))
        output.print_table(table)
    missing = [
        finding.tool.name for finding in findings if finding.tool.needed and finding.version is None
    ]
    if missing:
        raise HostError(f"cocrypt lacks {', '.join(missing)}", "the table says how to get them")


def _remark(finding: Finding) -> str:
    if finding.version is not None:
        return finding.tool.purpose
    return f"{finding.tool.purpose}; get it: {finding.tool.how}"


def _record(finding: Finding) -> dict[str, object]:
    return {
        "name": finding.tool.name,
        "version": finding.version,
        "purpose": finding.tool.purpose,
        "how": finding.tool.how,
        "needed": finding.tool.needed,
    }
