"""What notebooks show of results, so that who makes a result need not know who draws it.

The package's face says who draws what, and results ask here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_drawers: dict[str, Callable[[Any], str]] = {}


def register(kind: str, draw: Callable[[Any], str]) -> None:
    """Lets results of a kind be drawn as HTML by a function."""
    _drawers[kind] = draw


def html(kind: str, result: object) -> str:
    """A result as HTML; raises `KeyError` where nothing is registered for its kind."""
    return _drawers[kind](result)
