//! FDL, the language of finite state machines with datapath (FSMD) that came with GEZEL: from text
//! to a netlist.
//!
//! [`load`] reads and checks a file, [`netlist`] makes hardware of it, which `cocrypt-rtl` runs and
//! writes.

// A diagnostic is made once and ends the work on a file; what it weighs does not matter.
#![allow(clippy::result_large_err)]

pub mod ast;
mod check;
mod lexer;
mod lower;
pub mod model;
mod parser;
mod range;
mod report;
mod resolve;
pub mod value;

use cocrypt_diag::{Diagnostic, Source};

pub use lower::netlist;
pub use model::Model;
pub use parser::parse;

/// Reads and checks a file. Warnings are in the model.
///
/// # Errors
/// Everything that is wrong with it, in order of the passes: syntax (the first mistake only), then
/// names and types, then the rules that make a design determinate.
pub fn load(source: &Source) -> Result<Model, Vec<Diagnostic>> {
    let file = parse(source).map_err(|error| vec![error])?;
    let mut model = resolve::resolve(source, &file)?;
    check::check(&mut model)?;
    Ok(model)
}
