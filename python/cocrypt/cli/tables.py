"""Tables for a terminal: cells without control characters, and thousands of rows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from cocrypt import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import ConsoleOptions, RenderableType
    from rich.style import StyleType

MANY = 500
"""Rows from which on a table is laid out here; the library takes half a millisecond for each."""
LEAST = 8
"""Columns of a terminal that text is not folded to less than."""


class Shown(Console):
    """A console on which nothing that is shown has a control character but those of the console."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of something, fit to be shown."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible.lines(text), style, control)


class Plain(Table):
    """A table of text; its rows are kept beside it, so that many of them can be written at once."""

    def __init__(self, title: str, columns: Sequence[str], left: int) -> None:
        super().__init__(title=visible.name(title), title_justify="left", title_style="bold")
        self.heads, self.left = list(columns), left
        self.lines: list[tuple[str, ...]] = []
        self.is_styled = False
        for index, name in enumerate(columns):
            if index < left:
                self.add_column(name, overflow="fold")
            else:
                # A figure that is broken over two lines cannot be read; text is folded instead.
                self.add_column(name, justify="right", no_wrap=True)

    def add_row(
        self,
        *cells: RenderableType | None,
        style: StyleType | None = None,
        end_section: bool = False,
    ) -> None:
        """Adds a row of texts."""
        self.is_styled |= style is not None or end_section
        self.lines.append(tuple(visible.name(str(one)) if one is not None else "" for one in cells))
        if len(self.lines) < MANY or self.is_styled:
            self._catch_up(len(self.lines) - 1)
            super().add_row(*self.lines[-1], style=style, end_section=end_section)

    def _catch_up(self, rows: int) -> None:
        """Gives the library rows that were held back."""
        for line in self.lines[self.row_count : rows]:
            super().add_row(*line)

    def print_on(self, console: Console) -> None:
        """Prints the table."""
        if len(self.lines) < MANY or self.is_styled or self.caption:
            self._catch_up(len(self.lines))
            console.print(self)
            return
        title, *lines = self.laid_out(console.width)
        console.print(Text(title, style="bold"))
        # The library looks at each character of a text; here nothing is left to look for.
        console.file.write("\n".join([*lines, ""]))

    def laid_out(self, width: int) -> Iterator[str]:
        """The lines of the table, its title first."""
        widths = self._widths(width)
        yield str(self.title).ljust(sum(widths) + 3 * len(widths) + 1)
        yield _rule("┏┳┓", "━", widths)
        yield from self._row(self.heads, widths, "┃")
        yield _rule("┡╇┩", "━", widths)
        for row in self.lines:
            yield from self._row(row, widths, "│")
        yield _rule("└┴┘", "─", widths)

    def _widths(self, width: int) -> list[int]:
        """Of each column; text is folded where all of it would be too wide."""
        columns = zip(self.heads, *self.lines, strict=True)
        widths = [max(map(_length, column)) for column in columns]
        over = sum(widths) + 3 * len(widths) + 1 - width
        while over > 0 and max(widths[: self.left]) > LEAST:
            widest = max(range(self.left), key=widths.__getitem__)
            widths[widest] -= 1
            over -= 1
        return widths

    def _row(self, cells: Sequence[str], widths: Sequence[int], bar: str) -> Iterator[str]:
        folded = [
            [cell] if _length(cell) <= width else chop_cells(cell, width)
            for cell, width in zip(cells, widths, strict=True)
        ]
        for number in range(max(map(len, folded))):
            parts = []
            for column, (lines, width) in enumerate(zip(folded, widths, strict=True)):
                text = lines[number] if number < len(lines) else ""
                space = " " * (width - _length(text))
                parts.append(text + space if column < self.left else space + text)
            yield f"{bar} {f' {bar} '.join(parts)} {bar}"


def _length(text: str) -> int:
    """Columns of a terminal that a text takes; most are of ASCII."""
    return len(text) if text.isascii() else cell_len(text)


def _rule(ends: str, line: str, widths: Sequence[int]) -> str:
    left, middle, right = tuple(ends)
    return left + middle.join(line * (width + 2) for width in widths) + right
