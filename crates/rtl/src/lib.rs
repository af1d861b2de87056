//! Word-level netlists of synchronous designs, their simulator and their writers.
//!
//! A [`Netlist`] says what a design is, with every width explicit, so that neither the simulator nor
//! a writer has typing rules of its own. [`Simulator`] runs it, [`verilog()`] and [`vhdl()`] write it.

mod bits;
mod block;
mod builder;
mod comments;
mod conditions;
mod contents;
mod families;
mod monitor;
mod netlist;
mod ports;
mod sim;
mod stores;
mod verilog;
mod vhdl;

pub use bits::Bits;
pub use block::{Block, BlockPort, Language, Model};
pub use builder::Builder;
pub use comments::{Comment, Comments, Position};
pub use conditions::{Asked, Undecided};
pub use monitor::{End, Monitor, OutputEvent};
pub use netlist::{
    Action, Activity, Assign, Control, Decision, Direction, Effect, Face, Group, GroupId, Memory,
    MemoryId, Net, NetId, NetKind, Netlist, Node, NodeId, Op, Part, Phase, Printed, Route, Scope,
    ScopeId, State, StateId, Table, TableId, Trace, Write,
};
pub use ports::{ExportedPort, exported_ports};
pub use sim::{Counted, Fault, PortId, Simulator, Toggling, Transition};
pub use verilog::{verilog, verilog_name};
pub use vhdl::{Standard, vhdl, vhdl_name};
