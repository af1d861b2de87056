//! Gate netlists over a Liberty library: areas, static timing, and simulation of many runs at once.

mod area;
mod clock;
pub mod core;
mod function;
pub mod liberty;
mod netlist;
pub mod sim;
mod table;
mod timing;
mod verilog;
mod wires;

pub use area::{Area, area};
pub use clock::CLOCK;
pub use function::{Function, MOST_INPUTS};
pub use liberty::{Cell, Direction, Library, Pin, Register};
pub use netlist::{Instance, Net, Netlist, Port};
pub use table::{Table, Variable};
pub use timing::{Path, Step, Timing, timing};
pub use verilog::verilog;
pub use wires::{Wires, loads};
