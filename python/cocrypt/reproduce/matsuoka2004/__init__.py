"""Matsuoka, Schaumont, Tiri and Verbauwhede, CASES 2004: cryptography in Java, and AES in WDDL.

`java` repeats section 2, a library in Java on a small machine, and `logic` table 3, AES in logic
with one rail and with two.
"""

from cocrypt.reproduce.matsuoka2004.experiment import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]
