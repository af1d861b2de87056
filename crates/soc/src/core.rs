//! Which front end and which timing model a core file asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{ClassCost, Frontend, TimingModel};
use cocrypt_isa_riscv::{PicoRv32, Rv32, table::CLASSES};

/// A core file asks for something that no front end offers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// No such instruction set.
    #[error("the core's instruction set `{0}` is not known; known is `rv32`")]
    UnknownIsa(String),
    /// No such timing model.
    #[error("the core's timing model `{0}` is not known; known is `picorv32`")]
    UnknownTiming(String),
    /// No such rule in the timing model.
    #[error(
        "class `{class}` of the core names the rule `{rule}`, which its timing model does not know"
    )]
    UnknownRule {
        /// The class.
        class: String,
        /// The rule.
        rule: String,
    },
}

/// The two halves of a core: what instructions do, and what they cost.
pub type Halves = (Arc<dyn Frontend>, Arc<dyn TimingModel>);

/// Makes a device's core.
pub fn build(device: &config::Device) -> Result<Halves, CoreError> {
    let core = &device.core;
    if core.isa != "rv32" {
        return Err(CoreError::UnknownIsa(core.isa.clone()));
    }
    if core.timing != "picorv32" {
        return Err(CoreError::UnknownTiming(core.timing.clone()));
    }
    let timing = PicoRv32::new(&table(device))
        .map_err(|unknown| CoreError::UnknownRule { class: unknown.class, rule: unknown.rule })?;
    let mut implemented = [false; CLASSES.len()];
    for (class, implemented) in implemented.iter_mut().enumerate() {
        *implemented = timing.implements(class as u8);
    }
    let frontend = Rv32 { compressed: has_extension(device, "c"), implemented };
    Ok((Arc::new(frontend), Arc::new(timing)))
}

fn table(device: &config::Device) -> BTreeMap<String, ClassCost> {
    device
        .core
        .resolve(&device.parameters)
        .into_iter()
        .map(|(name, class)| {
            let cost = ClassCost { ask: class.ask, rule: class.rule, per_step: class.per_step };
            (name, cost)
        })
        .collect()
}

fn has_extension(device: &config::Device, letter: &str) -> bool {
    let Some(switches) = device.core.extensions.get(letter) else { return false };
    let on = |name: &String| device.parameters.get(name).is_some_and(|&value| value != 0);
    switches.is_empty() || switches.iter().any(on)
}
