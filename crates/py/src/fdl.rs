//! FDL designs: check, simulate, export.

use std::path::Path;
use std::sync::Arc;

use cocrypt_diag::Diagnostic;
use cocrypt_rtl::Netlist;

/// The netlist of a design's top datapath.
pub fn netlist(path: &Path, top: Option<&str>) -> Result<Arc<Netlist>, Vec<Diagnostic>> {
    todo_when_fdl_is_there(path, top)
}
