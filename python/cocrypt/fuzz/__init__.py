"""Random programs that compare the cycle model with the core's RTL."""

from cocrypt.fuzz.campaign import CORE, Campaign, campaign

__all__ = ["CORE", "Campaign", "campaign"]
