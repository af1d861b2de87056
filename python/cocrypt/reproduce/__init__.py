"""Papers' experiments, run again: their tables beside ours, and their findings one by one."""

from cocrypt.reproduce.findings import Finding
from cocrypt.reproduce.hau2011 import Reproduction, reproduce

__all__ = ["Finding", "Reproduction", "reproduce"]
