"""What others' projects may have done on this host: nothing, compilers in a sandbox, or anything.

[docs/security.md] says what that means for users.
"""

from cocrypt.trust.project import VERILOG_RUNS, Project, require_trust
from cocrypt.trust.sandbox import Sandbox

__all__ = ["VERILOG_RUNS", "Project", "Sandbox", "require_trust"]
