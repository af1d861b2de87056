//! Variations of a device that need no file of their own: another bus, another clock, other parameters.

use std::collections::BTreeMap;

use cocrypt_diag::{Diagnostic, suggest};

use crate::device::{Bus, Device, Ratio};

/// Values that take the place of a device's own; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Cycles that a transfer waits.
    pub bus_wait: Option<u32>,
    /// Cycles that a transfer waits which continues a burst.
    pub burst_wait: Option<u32>,
    /// The clock of coprocessors against the core's.
    pub clock_multiply: Option<u32>,
    /// The same, its divisor.
    pub clock_divide: Option<u32>,
    /// Parameters of the core; truth values are 0 and 1.
    pub parameters: BTreeMap<String, i64>,
}

impl Device {
    /// The same device with other values.
    ///
    /// # Errors
    /// If the core has no such parameter, or the values do not go together.
    pub fn with(mut self, settings: &Settings) -> Result<Self, Vec<Diagnostic>> {
        let mut wrong: Vec<Diagnostic> = vec![];
        for (name, &value) in &settings.parameters {
            let Some(known) = self.core.parameters.get(name) else {
                let message = format!("the core `{}` has no parameter `{name}`", self.core.name);
                let near = suggest(name, self.core.parameters.keys().map(String::as_str));
                let help = near.map_or("see the core's file".to_owned(), |near| {
                    format!("did you mean `{near}`?")
                });
                wrong.push(Diagnostic::error("device.unknown-parameter", message).with_help(help));
                continue;
            };
            let value = if known.boolean { i64::from(value != 0) } else { value };
            self.parameters.insert(name.clone(), value);
        }
        self.extensions = self.core.has(&self.parameters);
        self.bus = bus(&self.bus, settings);
        self.coprocessor_clock = Ratio {
            multiply: settings.clock_multiply.unwrap_or(self.coprocessor_clock.multiply),
            divide: settings.clock_divide.unwrap_or(self.coprocessor_clock.divide),
        };
        let mistakes = [self.bus.wrong(), self.coprocessor_clock.wrong(&self.bus)];
        wrong.extend(mistakes.into_iter().flatten().map(|message| {
            Diagnostic::error("device.settings", message).with_help("choose other values")
        }));
        if wrong.is_empty() { Ok(self) } else { Err(wrong) }
    }
}

/// A bus that is said to be faster takes no longer for a burst than for anything else.
fn bus(own: &Bus, settings: &Settings) -> Bus {
    let wait = settings.bus_wait.unwrap_or(own.wait);
    let is_plain = own.burst_wait == own.wait;
    let inherited = if is_plain { wait } else { own.burst_wait.min(wait) };
    Bus { wait, burst_wait: settings.burst_wait.unwrap_or(inherited), source: own.source.clone() }
}

impl Bus {
    /// The contradiction in it.
    pub(crate) fn wrong(&self) -> Option<String> {
        let message = || {
            let Self { wait, burst_wait, .. } = self;
            format!("a burst cannot wait {burst_wait} cycles where other transfers wait {wait}")
        };
        (self.burst_wait > self.wait || self.burst_wait == 0).then(message)
    }
}

impl Ratio {
    /// A coprocessor sees at most one transfer in a cycle of its own.
    pub(crate) fn wrong(self, bus: &Bus) -> Option<String> {
        let Self { multiply, divide } = self;
        let message = || {
            format!(
                "a coprocessor whose clock is {multiply}/{divide} of the core's would miss transfers that \
                 come after {} cycles",
                bus.burst_wait
            )
        };
        let is_slow = u64::from(bus.burst_wait) * u64::from(multiply) < u64::from(divide);
        (is_slow || divide == 0).then(message)
    }
}
