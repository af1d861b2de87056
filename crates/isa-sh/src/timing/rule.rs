//! The dynamic rules that a core file may name, and what is wrong with one.

use cocrypt_isa::ClassCost;

use super::interlock::LONGEST;

/// An error in the rule of a class in a core file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongRule {
    /// The rule is not known.
    Unknown {
        /// The class.
        class: String,
        /// The rule.
        rule: String,
    },
    /// The rule counts fewer cycles than `per_step` says.
    TooLong {
        /// The class.
        class: String,
        /// The rule.
        rule: String,
        /// The value of `per_step`.
        per_step: u32,
        /// The highest value of it.
        highest: u32,
    },
}

/// The dynamic rules that a core file may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// As many cycles as the class has.
    Plain,
    /// So many more where a branch is taken.
    Branch,
    /// All cycles but the first behind the delay slot.
    Delayed,
    /// The loaded register is there so many cycles after it would be for the next instruction.
    Loaded,
    /// The multiplier is busy for so many further cycles.
    Multiplier,
    /// The control register is there so many cycles later.
    Control,
}

impl Rule {
    /// The rule of a class, whose cycles it can count.
    ///
    /// # Errors
    /// If the rule is not known, or counts fewer cycles than the class gives it.
    pub fn of(class: &str, cost: &ClassCost) -> Result<Self, WrongRule> {
        let (class, name) = (class.to_owned(), cost.rule.clone().unwrap_or_default());
        let Some(rule) = named(cost.rule.as_deref()) else {
            return Err(WrongRule::Unknown { class, rule: name });
        };
        let (per_step, highest) = (cost.per_step.unwrap_or(0), rule.highest());
        if per_step > highest {
            return Err(WrongRule::TooLong { class, rule: name, per_step, highest });
        }
        Ok(rule)
    }

    /// The highest number of cycles that the rule counts.
    const fn highest(self) -> u32 {
        match self {
            Self::Loaded => 1,
            Self::Multiplier | Self::Control => LONGEST,
            Self::Plain | Self::Branch | Self::Delayed => u32::MAX,
        }
    }
}

fn named(name: Option<&str>) -> Option<Rule> {
    Some(match name {
        None => Rule::Plain,
        Some("branch") => Rule::Branch,
        Some("delayed") => Rule::Delayed,
        Some("loaded") => Rule::Loaded,
        Some("multiplier") => Rule::Multiplier,
        Some("control") => Rule::Control,
        Some(_) => return None,
    })
}
