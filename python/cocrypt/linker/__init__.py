"""Turns a linker's messages into an error that says what to do.

`messages` reads what LLD says, `missing` what would define a symbol, `room` what takes the
most of a memory that is too small.
"""

from cocrypt.linker.messages import Linked, require_linked

__all__ = ["Linked", "require_linked"]
