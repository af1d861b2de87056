//! Blocks of a design that are written in another language.

use std::fmt::Debug;

use crate::{NetId, ScopeId};

/// The language of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A module with the block's name, which the exported Verilog instantiates.
    Verilog,
    /// A class, which is simulated only.
    Cpp,
}

/// A block in another language: the body of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The scope that it is the body of.
    pub scope: ScopeId,
    /// The name of its module or class.
    pub module: String,
    /// Its language.
    pub language: Language,
    /// True if the module has an input `clk`.
    pub clock: bool,
    /// True if the module has an input `rst`.
    pub reset: bool,
    /// Parameters and their values.
    pub parameters: Vec<(String, String)>,
    /// Its inputs, in order.
    pub inputs: Vec<BlockPort>,
    /// Its outputs, in order.
    pub outputs: Vec<BlockPort>,
}

/// A port of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPort {
    /// Its name.
    pub name: String,
    /// Its bits.
    pub width: u32,
    /// The port of the scope.
    pub port: NetId,
    /// The net whose value it has: of an output, the register that it drives.
    pub net: NetId,
}

impl Block {
    /// The parameters as Verilog writes them: numbers, in hex with 4 bits a digit, or strings.
    #[must_use]
    pub fn literals(&self) -> Vec<(String, String)> {
        let literal = |value: &str| {
            let hex = value.strip_prefix("0x").filter(|digits| !digits.is_empty());
            let hex = hex.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            match hex {
                Some(digits) => format!("{}'h{digits}", 4 * digits.len()),
                None if value.parse::<i32>().is_ok() => value.trim_start_matches('+').to_owned(),
                None => format!("\"{value}\""),
            }
        };
        self.parameters.iter().map(|(name, value)| (name.clone(), literal(value))).collect()
    }
}

/// A running block. Values are limbs of 64 bits, least significant first, of one port behind the other.
pub trait Model: Debug + Send + Sync {
    /// Computes the outputs of the present cycle from inputs and state. Changes no state.
    fn evaluate(&mut self, inputs: &[u64], outputs: &mut [u64]);

    /// The clock's edge, with the inputs of the last evaluation.
    fn clock(&mut self);

    /// Back to the start.
    fn reset(&mut self);

    /// The reason for which it cannot go on, if there is one.
    fn fault(&self) -> Option<String>;

    /// A copy with the present state.
    fn duplicate(&self) -> Box<dyn Model>;
}
