"""Matsui and Murakami, FSE 2013: ciphers and hash functions on RL78 within budgets of memory."""

from cocrypt.reproduce.matsui2013.experiment import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]
