"""The page of a function: source and assembly side by side, coloured by their cycles."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from cocrypt.report.sheet import part, sheet
from cocrypt.visible import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.annotation import Annotation, Instruction, Line, Source, Spent

AROUND = 3
"""Lines of source that are shown above and below those that the function has code of."""


def annotated(found: Annotation, device: str, image: str) -> str:
    """The page, which needs nothing but itself; pointing at a line shows its instructions."""
    spent = found.spent
    share = 100 * spent.cycles / max(1, found.run_cycles)
    headline = f"{found.function}: {spent.cycles:,} cycles, {share:.1f} % of the run"
    kind = (
        "Each cycle is the interpreter's, counted at the bytecode that it was for; what it calls "
        "is left out."
        if found.is_interpreted
        else "Each cycle is counted at the instruction that took it. Stalls are cycles beyond one "
        f"for each execution, here {spent.stalls:,}."
    )
    summary = escape(
        f"{image} on {device}. {kind} The "
        "warmer a line, the more of the function's cycles it took; point at a line, or tap it, to "
        "see its code."
    )
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in found.notes)
    numbers = {line: number for number, line in enumerate(found.lines())}
    code = "Bytecode" if found.is_interpreted else "Assembly"
    panes = (
        f"{notes}<div class='panes'>"
        f"<section><h2>Source</h2>{_sources(found, numbers)}</section>"
        f"<section><h2>{code}</h2>{_assembly(found, numbers)}</section></div>"
    )
    style = f"<style>{part('annotated.css')}</style>"
    script = f"<script>{part('annotated.js')}</script>"
    return sheet("cocrypt profile", headline, summary, [style, panes, script])


def _sources(annotation: Annotation, numbers: dict[Line, int]) -> str:
    spent = annotation.lines()
    parts = []
    for file, source in annotation.sources.items():
        lines = {line.number: spent[line] for line in numbers if line.file == file}
        ids = {line.number: numbers[line] for line in numbers if line.file == file}
        rows = "".join(
            _source_row(annotation, source, number, lines.get(number), ids.get(number))
            for number in _shown(sorted(lines), source)
        )
        parts.append(f"<h3>{escape(PurePath(file).name)}</h3>{_table(('line', 'source'), rows)}")
    return "".join(parts) or '<p class="note">None is known.</p>'


def _shown(coded: Sequence[int], source: Source) -> list[int]:
    """The lines with code, and those around them if the source is available."""
    if not source.lines:
        return list(coded)
    selected = {near for line in coded for near in range(line - AROUND, line + AROUND + 1)}
    return sorted(line for line in selected if 0 < line <= len(source.lines))


def _source_row(
    annotation: Annotation, source: Source, number: int, spent: Spent | None, index: int | None
) -> str:
    text = source.text(number) if source.lines else "(not at hand)"
    return _row(annotation, str(number), text, spent, index)


def _assembly(annotation: Annotation, numbers: dict[Line, int]) -> str:
    rows = []
    for line, instructions in annotation.blocks():
        index = None if line is None else numbers[line]
        inlined = ""
        for instruction in instructions:
            if instruction.inlined and instruction.inlined[-1] != inlined:
                inlined = instruction.inlined[-1]
                words = escape(f"inlined from {' in '.join(reversed(instruction.inlined))}")
                empty = "<td></td>" * 5
                rows.append(f'<tr class="inlined">{empty}<td class="code">{words}</td></tr>')
            rows.append(_instruction_row(annotation, instruction, index))
    return _table(("address", "instruction"), "".join(rows))


def _instruction_row(annotation: Annotation, instruction: Instruction, index: int | None) -> str:
    text = "(data)" if instruction.text is None else instruction.text
    spent = instruction if instruction.executions else None
    return _row(annotation, f"{instruction.address:x}", text, spent, index)


def _row(
    annotation: Annotation,
    name: str,
    text: str,
    spent: Spent | Instruction | None,
    index: int | None,
) -> str:
    """A row of either table; rows with the same index belong together."""
    share = 100 * spent.cycles / max(1, annotation.spent.cycles) if spent else 0.0
    figures, title = ("", "", "", ""), ""
    if spent is not None:
        figures = (
            f"{spent.cycles:,}",
            f"{share:.1f}",
            "–" if annotation.is_interpreted else f"{spent.stalls:,}",
            f"{spent.executions:,}",
        )
        words = zip(figures, ("cycles", "% of the function", "stalls", "executions"), strict=True)
        title = f' title="{", ".join(map(" ".join, words))}"'
    cells = "".join(f"<td>{cell}</td>" for cell in figures)
    linked = "" if index is None else f' data-line="{index}" tabindex="0"'
    kind = "" if spent is not None else ' class="cold"'
    return (
        f'<tr{linked}{kind}{title} style="--heat:{share:.1f}%"><td class="name">{name}</td>'
        f'{cells}<td class="code"><code>{escape(text)}</code></td></tr>'
    )


def _table(names: tuple[str, str], rows: str) -> str:
    heads = (names[0], "cycles", "%", "stalls", "executions", names[1])
    head = "".join(
        f'<th class="{"text" if name == names[1] else ""}">{name}</th>' for name in heads
    )
    return (
        f'<div class="box" tabindex="0"><table class="annotated"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
