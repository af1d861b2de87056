//! Which front end and which timing model a core file asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{ClassCost, Frontend, TimingModel};
use cocrypt_isa_riscv::table::{CLASSES, coarser};
use cocrypt_isa_riscv::{PicoRv32, Rv32, Serv, UnknownRule};

/// A core file asks for something that no front end offers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// No such instruction set.
    #[error("the core's instruction set `{0}` is not known; known is `rv32`")]
    UnknownIsa(String),
    /// No such timing model.
    #[error("the core's timing model `{0}` is not known; known are `picorv32`, `serv`")]
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
    let timing = timing(device)?;
    let mut implemented = [false; CLASSES.len()];
    for (class, implemented) in implemented.iter_mut().enumerate() {
        *implemented = timing.implements(class as u8);
    }
    let frontend = Rv32 { compressed: has_extension(device, "c"), implemented };
    Ok((Arc::new(frontend), timing))
}

fn timing(device: &config::Device) -> Result<Arc<dyn TimingModel>, CoreError> {
    let table = table(device);
    match device.core.timing.as_str() {
        "picorv32" => Ok(Arc::new(PicoRv32::new(&table).map_err(unknown)?)),
        "serv" => Ok(Arc::new(Serv::new(&table).map_err(unknown)?)),
        other => Err(CoreError::UnknownTiming(other.to_owned())),
    }
}

fn unknown(unknown: UnknownRule) -> CoreError {
    CoreError::UnknownRule { class: unknown.class, rule: unknown.rule }
}

fn table(device: &config::Device) -> BTreeMap<String, ClassCost> {
    let resolved = device.core.resolve(&device.parameters);
    let cost = |name: &str| {
        let named = device.core.classes.contains_key(name);
        let class = resolved.get(if named { name } else { coarser(name).unwrap_or(name) })?;
        let config::ResolvedClass { ask, rule, per_step } = class.clone();
        Some((name.to_owned(), ClassCost { ask, rule, per_step }))
    };
    CLASSES.iter().filter_map(|name| cost(name)).collect()
}

fn has_extension(device: &config::Device, letter: &str) -> bool {
    let Some(switches) = device.core.extensions.get(letter) else { return false };
    let on = |name: &String| device.parameters.get(name).is_some_and(|&value| value != 0);
    switches.is_empty() || switches.iter().any(on)
}
