//! Runs under a leakage model.

use std::sync::Arc;

use cocrypt_engine::{Contribution, Lanes, LeakageModel, Ram, Stop, Together};

use super::Machine;

impl Machine {
    /// Gets ready to sample a leakage model.
    pub(crate) fn observe(&mut self, model: Arc<LeakageModel>) {
        self.engine.observe(&mut self.ram, model);
    }

    /// Samples a window that begins with the next instruction.
    pub(crate) fn sample(&mut self, limit: u64, issues: bool) -> Stop {
        self.engine.begin_window(issues);
        let stop = self.go(|engine, ram, bus| engine.sample(ram, bus, limit));
        self.engine.end_window();
        stop
    }

    /// The same in lock step with the runs in these lanes; `original` is the memory from before the run.
    pub(crate) fn sample_together(
        &mut self,
        limit: u64,
        (lanes, original): (&mut Lanes, &Ram),
        take: &mut dyn FnMut(&[Contribution]),
    ) -> Stop {
        self.engine.begin_window(false);
        let stop = self.go(|engine, ram, bus| {
            let together = Together { lanes: &mut *lanes, original, take: &mut *take };
            engine.sample_together(ram, bus, limit, together)
        });
        self.engine.end_window();
        stop
    }
}
