"""Initialisation on the host: identities that a CA has signed, without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.authenticate.layout import Role
from cocrypt.authenticate.model import Authority, Server, Terminal
from cocrypt.authenticate.scenario import CA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.authenticate.layout import Identity
    from cocrypt.authenticate.scenario import Scenario
    from cocrypt.network import HostNode

PARTIES: dict[Role, Any] = {Role.CA: Authority, Role.SERVER: Server, Role.TERMINAL: Terminal}
"""The party that plays each role on the host."""


class Absent:
    """A party that does nothing, but takes a number."""

    done = True
    deadline = None

    def start(self) -> list[tuple[int, bytes]]:
        """Sends nothing."""
        return []

    def receive(self, _content: bytes, _sender: int, _seconds: float) -> list[tuple[int, bytes]]:
        """Sends nothing."""
        return []

    def timeout(self, _seconds: float) -> list[tuple[int, bytes]]:
        """Sends nothing."""
        return []


def absent_ca(scenario: Scenario) -> HostNode:
    """The node in the place of a CA that is no longer needed."""
    return scenario.party(CA, "nobody", Absent())


def authority(scenario: Scenario) -> Authority:
    """The CA of the network."""
    return Authority(CA, scenario.parameters(Role.CA, CA))


def enrolled(
    scenario: Scenario, members: Mapping[int, Role], ca: Authority | None = None
) -> tuple[Authority, dict[int, Identity]]:
    """The CA, and the identities of nodes of these numbers and roles."""
    issuer = ca or authority(scenario)
    identities = {}
    for number, role in members.items():
        party = PARTIES[role](number, scenario.parameters(role, number))
        party.ca = issuer.q
        party.certificate = issuer.certify(issuer.name(role, number), party.q)
        identities[number] = party.identity
    return issuer, identities
