"""The paper's section 2: Bouncy Castle's classes, unmodified, on the model of an SA-1110."""

from cocrypt.reproduce.matsuoka2004.java.experiment import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]
