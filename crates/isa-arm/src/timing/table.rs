//! A core's class table with its rules understood.

use std::collections::BTreeMap;

use cocrypt_isa::ClassCost;

use super::UnknownRule;
use crate::class::{CLASSES, coarser};

/// The dynamic rules that a core file may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// So many cycles, always.
    Plain,
    /// An access to memory or two; `per_step` is how late what was loaded can be used, or how long
    /// it takes more when it was the program counter.
    Access,
    /// As many accesses as registers; `per_step` is what a loaded program counter costs more.
    Multiple,
    /// A taken branch takes `per_step` cycles more.
    Jump,
    /// Nothing behind an instruction that can take it along.
    Fold,
    /// A product whose result can be used `per_step` cycles late.
    Late,
    /// A product that takes one cycle more for each `per_step` bits of its second factor.
    Early,
    /// A product whose result is one cycle later for each `per_step` bits of its second factor.
    EarlyResult,
    /// A product in parts of half words, of which those with a zero are left out.
    Halves,
    /// A division that ends with its quotient.
    Divide,
}

impl Rule {
    fn named(name: Option<&str>) -> Option<Self> {
        Some(match name {
            None => Self::Plain,
            Some("access") => Self::Access,
            Some("multiple") => Self::Multiple,
            Some("jump") => Self::Jump,
            Some("fold") => Self::Fold,
            Some("late") => Self::Late,
            Some("early") => Self::Early,
            Some("early_result") => Self::EarlyResult,
            Some("halves") => Self::Halves,
            Some("divide") => Self::Divide,
            Some(_) => return None,
        })
    }
}

/// The cost of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub ask: u32,
    pub per_step: u32,
    pub rule: Rule,
}

/// The rows by number of the class.
#[derive(Clone, Debug)]
pub(super) struct Rows(Vec<Option<Row>>);

impl Rows {
    /// Takes a table by class name. A class that is not named costs what a coarser one does.
    pub fn new(table: &BTreeMap<String, ClassCost>) -> Result<Self, UnknownRule> {
        let row = |name: &&str| {
            let coarse = || coarser(name).and_then(|coarse| table.get(coarse));
            let Some(cost) = table.get(*name).or_else(coarse) else { return Ok(None) };
            let rule = Rule::named(cost.rule.as_deref()).ok_or_else(|| UnknownRule {
                class: (*name).to_owned(),
                rule: cost.rule.clone().unwrap_or_default(),
            })?;
            Ok(Some(Row { ask: cost.ask, per_step: cost.per_step.unwrap_or(0), rule }))
        };
        Ok(Self(CLASSES.iter().map(row).collect::<Result<_, _>>()?))
    }

    pub fn has(&self, class: u8) -> bool {
        self.0.get(usize::from(class)).is_some_and(Option::is_some)
    }

    /// The cost of a class; lifting declines what a core does not have.
    ///
    /// # Panics
    /// If the core lacks it, which is a mistake of the front end.
    pub fn of(&self, class: u8) -> Row {
        self.0[usize::from(class)].expect("a lifted instruction's class is in the core's table")
    }
}
