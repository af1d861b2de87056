//! A program that another program interprets, as Python describes it in JSON.

use std::collections::{BTreeMap, HashSet};

use cocrypt_soc::{GuestCode, GuestInstruction, GuestMethod};
use cocrypt_trace::SourceLocation;
use serde::Deserialize;

/// The interpreter and its program.
#[derive(Deserialize)]
pub struct Description {
    stops: HashSet<u64>,
    register: usize,
    ahead: u64,
    leave: u64,
    natives: HashSet<u64>,
    top: u32,
    is_big_endian: bool,
    frame: u32,
    slot: u32,
    methods: Vec<Method>,
}

#[derive(Deserialize)]
struct Method {
    name: String,
    file: Option<String>,
    handlers: Vec<u64>,
    instructions: Vec<Instruction>,
}

/// An instruction: what it does to the stack of methods, and its line, if that is known.
#[derive(Deserialize)]
struct Instruction {
    address: u64,
    length: u8,
    text: String,
    line: Option<u32>,
    effect: Effect,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Effect {
    Plain,
    Call,
    Return,
}

/// An instruction of an interpreted program, with the method and the line that it belongs to.
pub struct GuestPlace {
    pub location: SourceLocation,
    pub text: String,
    pub length: u8,
}

/// Instructions by their addresses; methods begin at their first.
pub type GuestNames = BTreeMap<u64, GuestPlace>;

impl Description {
    /// The names of its instructions.
    pub fn names(&self) -> GuestNames {
        let places = |method: &Method| {
            let place = |each: &Instruction| {
                let location = SourceLocation {
                    function: method.name.clone(),
                    file: method.file.clone().filter(|_| each.line.is_some()),
                    line: each.line,
                };
                (
                    each.address,
                    GuestPlace { location, text: each.text.clone(), length: each.length },
                )
            };
            method.instructions.iter().map(place).collect::<Vec<_>>()
        };
        self.methods.iter().flat_map(places).collect()
    }

    /// Its code.
    pub fn code(self) -> GuestCode {
        let mut methods: Vec<GuestMethod> = self.methods.iter().filter_map(method).collect();
        methods.sort_by_key(|method| method.code.start);
        GuestCode {
            stops: self.stops.into_iter().collect(),
            register: self.register,
            ahead: self.ahead,
            leave: self.leave,
            natives: self.natives.into_iter().collect(),
            top: self.top,
            is_big_endian: self.is_big_endian,
            frame: self.frame,
            slot: self.slot,
            methods,
        }
    }
}

/// A method, unless it has no instructions.
fn method(described: &Method) -> Option<GuestMethod> {
    let (first, last) = (described.instructions.first()?, described.instructions.last()?);
    let effect = |each: &Instruction| match each.effect {
        Effect::Plain => GuestInstruction::Plain,
        Effect::Call => GuestInstruction::Call,
        Effect::Return => GuestInstruction::Return,
    };
    Some(GuestMethod {
        code: first.address..last.address.saturating_add(last.length.into()),
        handlers: described.handlers.clone(),
        instructions: described
            .instructions
            .iter()
            .map(|each| (each.address, effect(each)))
            .collect(),
    })
}
