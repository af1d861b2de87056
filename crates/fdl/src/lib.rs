//! FDL, the language of finite state machines with datapath (FSMD) that came with GEZEL: from text
//! to a netlist.
//!
//! [`load`] reads and checks a file, [`netlist`] makes hardware of it, which `cocrypt-rtl` runs and
//! writes.

// A diagnostic is made once and ends the work on a file; what it weighs does not matter.
#![allow(clippy::result_large_err)]

pub mod ast;
mod check;
mod comments;
pub mod diagram;
mod lexer;
mod limits;
mod lower;
pub mod model;
pub mod origin;
mod parser;
mod range;
mod report;
mod resolve;
pub mod value;

use cocrypt_diag::{Diagnostic, Source};
use cocrypt_rtl::Netlist;

pub use limits::SOURCE as LARGEST;
pub use model::Model;
pub use parser::parse;

/// The dialect of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// FDL with what its users missed.
    #[default]
    Extended,
    /// FDL as GEZEL 2.5 had it, with the behaviour of its simulator.
    Gezel,
}

/// The source of the files that a design names.
pub trait Files {
    /// The text of a file.
    ///
    /// # Errors
    /// Why it cannot be read, as a part of a sentence.
    fn read(&self, name: &str) -> Result<String, String>;

    /// The bytes of a file that is no text.
    ///
    /// # Errors
    /// Why it cannot be read, as a part of a sentence.
    fn bytes(&self, name: &str) -> Result<Vec<u8>, String> {
        self.read(name).map(String::into_bytes)
    }
}

/// There are no files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> Result<String, String> {
        Err("no files are available here".to_owned())
    }
}

/// The datapath or system of this name; without one, what [`netlist`] takes for the top.
///
/// # Errors
/// There is none (`fdl.unknown-datapath`).
pub fn top(model: &Model, name: Option<&str>) -> Result<usize, Diagnostic> {
    lower::find_top(model, name).map_err(|wrong| model.origins.settle(wrong))
}

/// The names of the datapaths with outputs that a system names, or nobody uses, in order of the file.
#[must_use]
pub fn tops(model: &Model) -> Vec<String> {
    lower::tops(model)
}

/// The netlist of a datapath or system with everything that it uses. Without a name: of the last
/// system, or of the last datapath that no other one uses.
///
/// # Errors
/// No datapath of that name, or none at all (`fdl.unknown-datapath`); values that grow without bound
/// (`fdl.unbounded-value`).
pub fn netlist(model: &Model, top: Option<&str>) -> Result<Netlist, Diagnostic> {
    lower::netlist(model, top).map_err(|wrong| model.origins.settle(wrong))
}

/// Reads and checks a file that names no others. Warnings are in the model.
///
/// # Errors
/// As [`load_as`].
pub fn load(source: &Source) -> Result<Model, Vec<Diagnostic>> {
    load_as(source, Dialect::Extended, &NoFiles)
}

/// Reads and checks a file with all that it includes. Warnings are in the model.
///
/// # Errors
/// Everything that is wrong with it, in order of the passes: syntax (the first mistake only), then
/// names and types, then the rules that make a design determinate.
pub fn load_as(
    source: &Source,
    dialect: Dialect,
    files: &dyn Files,
) -> Result<Model, Vec<Diagnostic>> {
    load_top(source, dialect, files, None)
}

/// The same of a design whose datapath `top` is run, whatever its systems name: GEZEL's rules apply to what
/// is run.
///
/// # Errors
/// As [`load_as`].
pub fn load_top(
    source: &Source,
    dialect: Dialect,
    files: &dyn Files,
    top: Option<&str>,
) -> Result<Model, Vec<Diagnostic>> {
    let origins = origin::gather(source, dialect, files).map_err(|error| vec![error])?;
    let mut model = whole(&origins, dialect, files, top)
        .map_err(|list| list.into_iter().map(|wrong| origins.settle(wrong)).collect::<Vec<_>>())?;
    model.warnings = model.warnings.into_iter().map(|odd| origins.settle(odd)).collect();
    Ok(model)
}

fn whole(
    origins: &origin::Origins,
    dialect: Dialect,
    files: &dyn Files,
    top: Option<&str>,
) -> Result<Model, Vec<Diagnostic>> {
    let file = parse(&origins.whole, dialect).map_err(|error| vec![error])?;
    let mut model = resolve::resolve(origins, &file, dialect, files)?;
    // Signals are followed along chains that may be long.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(limits::STACK);
        let checked = thread.spawn_scoped(scope, || check::check(&mut model, top));
        checked.map(std::thread::ScopedJoinHandle::join)
    })
    .map_err(|why| {
        vec![Diagnostic::error("fdl.too-large", format!("no thread can be started: {why}"))]
    })?
    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    Ok(model)
}
