"""Random programs that compare the cycle model with the core's RTL."""

from cocrypt.fuzz.campaign import Campaign, campaign
from cocrypt.fuzz.cores import DEFAULT, core

__all__ = ["DEFAULT", "Campaign", "campaign", "core"]
