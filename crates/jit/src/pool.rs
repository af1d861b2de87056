//! The literal pool of a region's code: what differs from process to process, or from machine to machine of one kind.
//!
//! Its layout follows from the region's blocks alone, so that code which is found in a store needs nothing else to be
//! linked.

use std::collections::HashMap;

use cocrypt_engine::Source;
use cocrypt_ir::{ORIGINALS, SUBSTITUTES};

use crate::frame::{self, Touch};

/// An entry of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The region's number.
    Region,
    /// The address of the bridge to the host's functions.
    Bridge,
    /// The address of a function of the host.
    Function(Function),
    /// The address of the table of a substitution of bytes, or of its inverse.
    Substitutes,
    Originals,
    /// The address of the cycles by operand of an instruction: the number of its block, and its own.
    Cycles(usize, usize),
    /// The same of the pipeline states by operand.
    States(usize, usize),
    /// The address of a block's jump, as calling contexts see it.
    Jump(usize),
}

/// A function of the host that compiled code calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    Load,
    Store,
    Transfer,
    FetchLine,
    ClearLines,
    DataLine,
    NoteKnown,
}

impl Function {
    const ALL: [Self; 7] = [
        Self::Load,
        Self::Store,
        Self::Transfer,
        Self::FetchLine,
        Self::ClearLines,
        Self::DataLine,
        Self::NoteKnown,
    ];

    fn address(self) -> u64 {
        let touch = |function: Touch| function as usize as u64;
        match self {
            Self::Load => frame::load as *const () as u64,
            Self::Store => frame::store as *const () as u64,
            Self::Transfer => frame::transfer as *const () as u64,
            Self::FetchLine => touch(frame::fetch_line),
            Self::ClearLines => touch(frame::clear_lines),
            Self::DataLine => touch(frame::data_line),
            Self::NoteKnown => touch(frame::note_known),
        }
    }
}

/// The entries of a pool behind the first two, and their values, by the region's blocks. These hold the tables that the
/// pool points to.
fn layout<'a>(
    sources: impl Iterator<Item = &'a Source>,
    profile: bool,
    mut each: impl FnMut(Literal, &dyn Fn() -> u64),
) {
    each(Literal::Substitutes, &|| SUBSTITUTES.as_ptr() as u64);
    each(Literal::Originals, &|| ORIGINALS.as_ptr() as u64);
    for function in Function::ALL {
        each(Literal::Function(function), &|| function.address());
    }
    for (number, source) in sources.enumerate() {
        if profile {
            each(Literal::Jump(number), &|| &raw const source.jump as u64);
        }
        for (at, cost) in source.cost.insns.iter().enumerate() {
            if let Some(extra) = &cost.extra {
                each(Literal::Cycles(number, at), &|| extra.table.as_ptr() as u64);
                each(Literal::States(number, at), &|| extra.exit_states.as_ptr() as u64);
            }
        }
    }
}

/// The offsets in the pool of a region with these blocks.
pub fn offsets<'a>(
    sources: impl Iterator<Item = &'a Source>,
    profile: bool,
) -> HashMap<Literal, i32> {
    let mut offsets = HashMap::new();
    let mut add = |literal| {
        let offset = (offsets.len() * size_of::<u64>()) as i32;
        offsets.insert(literal, offset);
    };
    [Literal::Region, Literal::Bridge].into_iter().for_each(&mut add);
    layout(sources, profile, |literal, _| add(literal));
    offsets
}

/// The pool of a region with these blocks, by its number and the address of the bridge.
pub fn pool<'a>(
    sources: impl Iterator<Item = &'a Source>,
    profile: bool,
    (number, bridge): (u32, u64),
) -> Box<[u64]> {
    let mut pool = vec![number.into(), bridge];
    layout(sources, profile, |_, value| pool.push(value()));
    pool.into_boxed_slice()
}
