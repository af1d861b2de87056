"""Nodes that exchange packets over lines, each a machine of its own, on one axis of time."""

from cocrypt.network.line import Line, Packet, Wire
from cocrypt.network.node import HostNode, MachineNode, Node, Party, Pause
from cocrypt.network.simulation import Simulation

__all__ = [
    "HostNode",
    "Line",
    "MachineNode",
    "Node",
    "Packet",
    "Party",
    "Pause",
    "Simulation",
    "Wire",
]
