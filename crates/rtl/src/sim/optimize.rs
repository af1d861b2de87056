//! Rewrites a design for machine code: the same values of all nets, with less work behind them.
//!
//! Nodes keep their numbers and their places, so that registers, inputs and whatever else is asked for
//! stand where they stood; what is new lies behind everything else. The interpreter runs the design as it
//! was written: it counts bits of each operator, and it runs what is too short to be worth this effort.

mod bits;
mod cuts;
mod expressions;
mod tables;

use std::sync::Arc;

use super::program::Program;
use crate::Netlist;

/// The same program with less work.
pub(super) fn optimized(program: &Program) -> Program {
    let joined = rewritten(program, bits::join);
    rewritten(&joined, tables::tabulate)
}

fn rewritten(program: &Program, rewrite: fn(&Program, &mut Netlist)) -> Program {
    let mut netlist = Netlist::clone(&program.netlist);
    rewrite(program, &mut netlist);
    program.extended(Arc::new(netlist))
}
