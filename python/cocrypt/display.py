"""Results as notebooks display them, without a result's knowledge of what draws it.

The package's `__init__` registers what draws each kind, and results look it up here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_drawers: dict[str, Callable[[Any], str]] = {}


def register(kind: str, draw: Callable[[Any], str]) -> None:
    """Registers the function that draws results of a kind as HTML."""
    _drawers[kind] = draw


def html(kind: str, result: object) -> str:
    """A result as HTML; raises `KeyError` where nothing is registered for its kind."""
    return _drawers[kind](result)
