"""The paper's table 3 and the variation of power: AES with one rail and with two."""

from cocrypt.reproduce.matsuoka2004.logic.experiment import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]
