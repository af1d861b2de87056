//! The description of a region: everything that its machine code depends on.
//!
//! Code is kept by the hash of this description, so that a second run finds it without building it again. A region is
//! analysed and emitted from the description alone ([`Region::new`](crate::region::Region::new), `emit`), which gets
//! nothing else of image, core and engine. Beside it the code depends on
//! - the sources of these crates and the compilers of both languages' code, whose hash is [`ENGINE`];
//! - Cranelift's version and settings and the host's features, which [`Compiler::key`](cocrypt_codegen::Compiler::key)
//!   adds;
//! - what differs from process to process or from machine to machine of one kind, which the code loads from its
//!   [literal pool](crate::pool), or reaches through its slots: both are symbols.
//!
//! Blocks are described as they were lifted and costed, not as the guest's bytes, so that front ends, timing models and
//! the code around a block need no version of their own.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use cocrypt_engine::{Fixed, Source};
use cocrypt_ir::CellSet;

use crate::proof::Hints;
use crate::region::Edge;

/// The hash of the sources that make code of a description (`build.rs`).
pub const ENGINE: &str = env!("COCRYPT_ENGINE");

/// The machine that regions are compiled for.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Machine {
    /// Its constants.
    pub fixed: Fixed,
    /// Its guest state.
    pub guest: CellSet,
    /// True if what is spent is counted.
    pub profile: bool,
}

/// The description of a region.
#[derive(Debug)]
pub struct Recipe {
    /// The machine.
    pub machine: Machine,
    /// Its blocks. It is entered at the first one, and where [`Loops`](crate::region::Loops) says.
    pub parts: Vec<Part>,
}

/// A block of a region, with what is known about it.
#[derive(Debug)]
pub struct Part {
    /// The block.
    pub source: Arc<Source>,
    /// Its successors: fall-through or only one, taken.
    pub edges: [Edge; 2],
    /// The targets of its computed jump seen so far that are in the region.
    pub targets: Vec<usize>,
    /// Hints about its accesses.
    pub hints: Hints,
}

impl Hash for Recipe {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { machine, parts } = self;
        (ENGINE, machine, parts.len()).hash(state);
        for Part { source, edges, targets, hints } in parts {
            hash_source(source, machine.profile, state);
            (edges, targets, hints).hash(state);
        }
    }
}

/// Counters are numbered in the order in which blocks were met, so that they count only where code uses them. Nothing is
/// compiled under a leakage model.
fn hash_source<H: Hasher>(source: &Source, profile: bool, state: &mut H) {
    let Source { block, cost, reached, counter, transitions, jump, function, observation: _ } =
        source;
    (block, cost, reached, transitions).hash(state);
    profile.then_some((counter, jump, function)).hash(state);
}
