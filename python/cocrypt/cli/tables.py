"""Tables for a terminal: rows are distinct at every width, and no cell has control characters.

The library holds the rows; where columns stand and where lines break is decided in `layout`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from cocrypt import visible
from cocrypt.cli import layout
from cocrypt.cli.layout import Column, Layout, Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import ConsoleOptions, RenderableType, RenderResult
    from rich.style import StyleType

# Corners and lines: around the head, above rows without a head, between rows, at the end.
LINES = {
    "head": "┏━┳┓",
    "below": "┡━╇┩",
    "begin": "┌─┬┐",
    "between": "├─┼┤",
    "end": "└─┴┘",
    "bars": "┃│",
}
ASCII_LINES = {name: "||" if name == "bars" else "+-++" for name in LINES}
WRAPPED_NOTE = 60
"""The least width of a caption, however narrow its table is."""


def key(name: str, *, right: bool = False) -> Column:
    """A column that tells rows apart, by numbers if `right`: it is never left out."""
    return Column(name, "key", right=right)


def text(name: str, spare: int = 0) -> Column:
    """A column of words; of those with a rank in `spare` the greatest is left out first."""
    return Column(name, "text", spare)


def figure(name: str, spare: int = 0) -> Column:
    """A column of figures, aligned right; `spare` is as in `text`."""
    return Column(name, "figure", spare, right=True)


class Shown(Console):
    """A console on which nothing that is shown has a control character but those of the console."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of an object without control characters in their texts."""
        for text_, style, control in super().render(renderable, options):
            yield Segment(text_ if control else visible.lines(text_), style, control)


class Plain(Table):
    """A table of texts, with a line that names the columns for which there is no space."""

    def __init__(self, title: str, columns: Sequence[Column]) -> None:
        super().__init__(title=visible.name(title))
        self.kinds = list(columns)
        self.lines: list[tuple[str, ...]] = []
        for column in columns:
            self.add_column(column.name)

    def add_row(
        self,
        *cells: RenderableType | None,
        style: StyleType | None = None,
        end_section: bool = False,
    ) -> None:
        """Adds a row of texts; those that are missing at its end are empty."""
        texts = [visible.name(str(cell)) if cell is not None else "" for cell in cells]
        texts += [""] * (len(self.kinds) - len(texts))
        self.lines.append(tuple(texts))
        super().add_row(style=style, end_section=end_section)

    def fit(self, width: int) -> Layout:
        """The layout of the columns on a terminal of `width` characters."""
        cells = list(zip(*self.lines, strict=True)) or [()] * len(self.kinds)
        sizes = [layout.size(kind, column) for kind, column in zip(self.kinds, cells, strict=True)]
        return layout.fit(self.kinds, sizes, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines of the table on a console."""
        width = options.max_width
        fitted = self.fit(width)
        lines = ASCII_LINES if options.ascii_only else LINES
        if self.title:
            yield from _paragraph(console, options, str(self.title), "bold", width)
        for part in fitted.parts:
            for line, style in self._part(part, lines):
                yield Segment(line, console.get_style(style) if style else None)
                yield Segment.line()
        across = max(layout.total(part.widths) for part in fitted.parts)
        under = min(width, max(across, WRAPPED_NOTE))
        for note in (str(self.caption or ""), self._left_out(fitted, width)):
            if note:
                yield from _paragraph(console, options, note, "dim italic", under)

    def _left_out(self, fitted: Layout, width: int) -> str:
        """A note that names the columns that are left out, and how to see them."""
        names = ", ".join(self.kinds[n].name.replace("\n", " ") for n in fitted.left_out)
        if not names:
            return ""
        return f"left out at {width} columns: {names}; {fitted.whole} columns or --json show them"

    def _part(self, part: Part, lines: dict[str, str]) -> Iterator[tuple[str, StyleType | None]]:
        """Each line with its style, the head first."""
        kinds, bars = [self.kinds[n] for n in part.columns], lines["bars"]
        if self.show_header:
            yield _rule(lines["head"], part.widths), None
            for line in _row([column.name for column in kinds], kinds, part.widths, bars[0]):
                yield line, "bold"
            yield _rule(lines["below"], part.widths), None
        else:
            yield _rule(lines["begin"], part.widths), None
        for number, (cells, row) in enumerate(zip(self.lines, self.rows, strict=True), start=1):
            for line in _row([cells[n] for n in part.columns], kinds, part.widths, bars[1]):
                yield line, row.style
            if row.end_section and number < len(self.lines):
                yield _rule(lines["between"], part.widths), None
        yield _rule(lines["end"], part.widths), None


def _row(
    cells: Sequence[str], kinds: Sequence[Column], widths: Sequence[int], bar: str
) -> Iterator[str]:
    """The lines of a row; most have one."""
    wrapped = [layout.wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for number in range(max(map(len, wrapped))):
        parts = []
        for column, lines, width in zip(kinds, wrapped, widths, strict=True):
            shown = lines[number] if number < len(lines) else ""
            space = " " * (width - layout.length(shown))
            parts.append(space + shown if column.right else shown + space)
        yield f"{bar} {f' {bar} '.join(parts)} {bar}"


def _rule(line: str, widths: Sequence[int]) -> str:
    left, across, middle, right = tuple(line)
    return left + middle.join(across * (width + 2) for width in widths) + right


def _paragraph(
    console: Console, options: ConsoleOptions, words: str, style: str, width: int
) -> RenderResult:
    """Text above or below a table."""
    shown = Text(words, style=Style.parse(style))
    yield from console.render(shown, options.update(width=width))
