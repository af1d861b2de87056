//! Blocks of a design's own in other languages: what they are, and their libraries.

use std::collections::HashMap;
use std::path::PathBuf;

use cocrypt_diag::Diagnostic;
use cocrypt_fdl as fdl;
use cocrypt_rtl::{Block, Language, Netlist, Simulator};
use cocrypt_verilated::{LibraryBlock, LoadError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::convert::to_python;
use crate::errors::raise;
use crate::fdl::model;

/// The libraries of blocks, by their places in the netlist.
pub type Libraries = HashMap<usize, PathBuf>;

/// The blocks of a design in other languages, in order: each with its path, module, language and parameters,
/// as they are and as Verilog writes them.
///
/// Raises `DiagnosticError` where the design is wrong.
#[pyfunction]
#[pyo3(signature = (path, top = None, gezel = false))]
pub fn fdl_blocks<'py>(
    py: Python<'py>,
    path: PathBuf,
    top: Option<&str>,
    gezel: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let model = model(&path, gezel, top).map_err(|wrong| raise(py, &wrong))?;
    if model.datapaths.iter().all(|datapath| datapath.user.is_none()) {
        return to_python(py, &json!([]));
    }
    let netlist = fdl::netlist(&model, top).map_err(|wrong| raise(py, &[wrong]))?;
    let described = netlist.blocks.iter().map(|block| {
        json!({
            "path": netlist.path(block.scope),
            "module": block.module,
            "verilog": block.language == Language::Verilog,
            "parameters": block.parameters,
            "literals": block.literals(),
        })
    });
    to_python(py, &Value::Array(described.collect()))
}

/// Puts the blocks of a design into their places.
///
/// # Errors
/// A block has no library here, or another one than the design declares.
pub fn attach(
    simulator: &mut Simulator,
    netlist: &Netlist,
    libraries: &Libraries,
) -> Result<(), Vec<Diagnostic>> {
    for (index, block) in netlist.blocks.iter().enumerate() {
        let library = libraries.get(&index).ok_or_else(|| vec![unsupported(netlist, index)])?;
        let loaded = LibraryBlock::load(library, block);
        let loaded = loaded.map_err(|wrong| vec![refused(netlist, block, &wrong)])?;
        simulator.attach(index, Box::new(loaded));
    }
    Ok(())
}

/// A library that is not what the design declares.
fn refused(netlist: &Netlist, block: &Block, wrong: &LoadError) -> Diagnostic {
    let scope = &netlist.scopes[block.scope.index()];
    let message = format!("{}:{}: {wrong}", scope.file, scope.line);
    let help = match wrong {
        LoadError::Block { help, .. } => help,
        _ => "clear the cache with `cocrypt cache --clear`, and try again",
    };
    Diagnostic::error("fdl.block", message).with_help(help)
}

/// A design with blocks of its own, where it cannot be used.
pub fn unsupported(netlist: &Netlist, index: usize) -> Diagnostic {
    let block = &netlist.blocks[index];
    let (end, written) = match block.language {
        Language::Verilog => ("v", ", and is written as Verilog by `cocrypt fdl`,"),
        Language::Cpp => ("cpp", ""),
    };
    let message = format!(
        "a design with the block `{}.{end}` runs in `cocrypt fdl sim` and `test`{written} alone",
        block.module
    );
    let help = "choose a datapath without that block with `--top`, or write the block in FDL";
    Diagnostic::error("fdl.block", message).with_help(help)
}
