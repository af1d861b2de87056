//! Nothing: the crate is there for what it depends on.
