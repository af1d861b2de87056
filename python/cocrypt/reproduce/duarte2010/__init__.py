"""Duarte, Liu, Niu (2010): RSA of 32 bits whose hot function becomes hardware.

RSA cryptography acceleration for embedded system; tables I and II, figures 5 to 7.
"""

from cocrypt.reproduce.duarte2010.experiment import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]
