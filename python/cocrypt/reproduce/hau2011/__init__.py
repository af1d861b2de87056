"""Hau, Khalil-Hani, Marsono (2011): ECDSA with its field operations in hardware.

SystemC-based hardware/software co-design of an elliptic curve cryptographic system for network
mutual authentication; tables 2 to 5.
"""

from cocrypt.reproduce.hau2011.experiment import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]
