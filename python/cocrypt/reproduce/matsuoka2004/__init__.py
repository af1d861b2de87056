"""Matsuoka, Schaumont, Tiri and Verbauwhede, CASES 2004: AES in hardware for Java, and in WDDL.

This is the part on logic against power analysis: table 3, and the variation of power.
"""

from cocrypt.reproduce.matsuoka2004.experiment import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]
