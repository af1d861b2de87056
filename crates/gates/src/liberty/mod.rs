//! Liberty files: syntax in `syntax` and `lexer`, their meaning in `library`, `cells` and `arcs`.

mod arcs;
mod cells;
mod lexer;
mod library;
mod syntax;

pub use arcs::{Arc, Constraint, Edges};
pub use cells::{Cell, Direction, Pin, Register};
pub use library::Library;
