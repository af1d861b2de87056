"""The rights of others' projects on this host: none, compilers in a sandbox, or all.

[docs/security.md] describes this for users.
"""

from cocrypt.trust.project import VERILOG_RUNS, Project, require_trust
from cocrypt.trust.sandbox import Sandbox

__all__ = ["VERILOG_RUNS", "Project", "Sandbox", "require_trust"]
