"""The profile of a run: call tree, functions, source lines, instructions; and files of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

    from cocrypt import _native

# The number of functions that a notebook shows.
SHOWN = 25


@dataclass(frozen=True)
class Profile:
    """The profile of a machine that counts by calling context."""

    machine: _native.Machine
    name: str

    @cached_property
    def values(self) -> dict[str, Any]:
        """Everything, as `profile --json` prints it."""
        return self.machine.profile()

    def functions(self) -> polars.DataFrame:
        """Functions, with the cycles of each alone and with its callees."""
        return self._frame("functions")

    def lines(self) -> polars.DataFrame:
        """Source lines; none where the program has no debug information."""
        return self._frame("lines")

    def instructions(self) -> polars.DataFrame:
        """Instructions, by address."""
        return self._frame("instructions")

    def tree(self) -> polars.DataFrame:
        """The call tree: a row for each node, `parent` is a row's number."""
        return self._frame("tree")

    def _frame(self, rows: str) -> polars.DataFrame:
        # Polars is loaded only where a frame is asked for.
        import polars

        return polars.DataFrame(self.values[rows], infer_schema_length=None)

    def callgrind(self) -> str:
        """The profile as a file for KCachegrind and `callgrind_annotate`."""
        return self.machine.callgrind(self.name)

    def speedscope(self) -> str:
        """The profile as a file for speedscope."""
        return self.machine.speedscope(self.name)

    def folded(self) -> str:
        """The profile as folded stacks, for flame graphs."""
        return self.machine.folded()

    def __repr__(self) -> str:
        functions = self.values["functions"]
        hottest = max(functions, key=lambda function: function["self_cycles"], default=None)
        note = f", most cycles in {hottest['name']}" if hottest else ""
        return f"<Profile of {self.name}: {len(functions)} functions{note}>"

    def _repr_html_(self) -> str:
        return self.functions().head(SHOWN)._repr_html_()
