//! The timing of RISC-V cores: how a core's class table becomes the cost of a block.

mod ibex;
mod picorv32;
mod serv;
mod vexriscv;

use std::collections::BTreeMap;

use cocrypt_ir::Insn;
use cocrypt_isa::ClassCost;

pub use ibex::Ibex;
pub use picorv32::PicoRv32;
pub use serv::Serv;
pub use vexriscv::{Variant, VexRiscv};

use crate::table::CLASSES;

/// A core file names a rule that its timing model does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The class.
    pub class: String,
    /// The rule.
    pub rule: String,
}

/// A core's class table with its rules understood, by number of the class.
#[derive(Clone, Debug)]
struct Classes<Rule>(Vec<Option<(ClassCost, Rule)>>);

impl<Rule: Copy> Classes<Rule> {
    /// Takes a table by class name; `known` understands a rule's name, or its absence.
    fn new(
        table: &BTreeMap<String, ClassCost>,
        known: impl Fn(Option<&str>) -> Option<Rule>,
    ) -> Result<Self, UnknownRule> {
        let class = |name: &&str| {
            let Some(cost) = table.get(*name) else { return Ok(None) };
            let rule = known(cost.rule.as_deref()).ok_or_else(|| UnknownRule {
                class: (*name).to_owned(),
                rule: cost.rule.clone().unwrap_or_default(),
            })?;
            Ok(Some((cost.clone(), rule)))
        };
        Ok(Self(CLASSES.iter().map(class).collect::<Result<_, _>>()?))
    }

    fn has(&self, class: u8) -> bool {
        self.0.get(usize::from(class)).is_some_and(Option::is_some)
    }

    fn of(&self, insn: &Insn) -> (&ClassCost, Rule) {
        // Lifting declines classes that the core lacks, so the class is there.
        let (cost, rule) = self.0[usize::from(insn.class)]
            .as_ref()
            .expect("a lifted instruction's class is in the core's table");
        (cost, *rule)
    }
}
