//! Simulated power traces of a function: the same call again and again, with other contents of memory.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_engine::{
    Coefficients, Issue, KindModel, LeakageModel, SCALE, Stop, StopCause, Weights,
};

use crate::machine::Machine;

/// The trace of one run.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// A sample for each cycle of the window, in units of 1 / [`SCALE`].
    pub samples: Vec<i64>,
    /// A digest of the cycles and addresses of all its instructions: equal for equal control flow and timing.
    pub digest: u64,
    /// Instructions in it.
    pub instructions: u64,
    /// The instructions, if they are asked for.
    pub issues: Vec<Issue>,
    /// The contents that were asked for, at its end.
    pub contents: Vec<Vec<u8>>,
}

/// A machine that stands where every run begins.
pub struct Sampler {
    origin: Machine,
    machine: Machine,
    limit: u64,
}

impl Sampler {
    /// Gets ready to sample runs that begin where the machine stands, end where the function returns that
    /// it is in, and take `limit` cycles at most.
    #[must_use]
    pub fn new(machine: &Machine, model: Arc<LeakageModel>, limit: u64) -> Self {
        let origin = machine.fork();
        let mut machine = origin.fork();
        machine.observe(model);
        let limit = machine.counted().0.saturating_add(limit);
        Self { origin, machine, limit }
    }

    /// One run with bytes at these addresses; reads others at its end. `issues` keeps its instructions.
    ///
    /// # Errors
    /// The stop, if the window does not end.
    ///
    /// # Panics
    /// If no memory is at an address; callers read them before.
    pub fn run(
        &mut self,
        writes: &[(u32, &[u8])],
        reads: &[(u32, usize)],
        issues: bool,
    ) -> Result<Sampled, Stop> {
        self.machine.rewind(&self.origin);
        for (address, bytes) in writes {
            self.machine.load(*address, bytes).expect("memory that was read before");
        }
        let stop = self.machine.sample(self.limit, issues);
        if stop.cause != StopCause::Halted {
            return Err(stop);
        }
        let leakage = self.machine.engine().leakage().expect("the machine samples");
        let read = |&(at, size)| self.machine.read(at, size).expect("as for writes").into_owned();
        Ok(Sampled {
            samples: leakage.samples().to_vec(),
            digest: leakage.digest(),
            instructions: leakage.instructions(),
            issues: leakage.issues().unwrap_or_default().to_vec(),
            contents: reads.iter().map(read).collect(),
        })
    }
}

/// A weight as the integer that is summed.
#[allow(clippy::cast_precision_loss)]
fn scaled(weight: f64) -> i64 {
    (weight * SCALE as f64).round() as i64
}

fn coefficients(weights: &[f64]) -> Coefficients {
    match weights {
        [] => Coefficients::default(),
        [each] => Coefficients::Each(scaled(*each)),
        bits => Coefficients::Bits(bits.iter().map(|&weight| scaled(weight)).collect()),
    }
}

/// The model that a file describes.
#[must_use]
pub fn leakage_model(described: &config::Leakage) -> LeakageModel {
    let kind = |number: usize| kind_model(described, config::LEAKAGE_KINDS[number]);
    LeakageModel { kinds: std::array::from_fn(kind) }
}

fn kind_model(described: &config::Leakage, kind: &str) -> KindModel {
    let of = |source| {
        described.of(kind, source).map_or_else(Weights::default, |weights| Weights {
            weight: coefficients(&weights.weight),
            distance: coefficients(&weights.distance),
            identity: scaled(weights.identity),
        })
    };
    KindModel {
        constant: described.kinds.get(kind).map_or(0, |kind| scaled(kind.constant)),
        result: of("result"),
        register: of("register"),
        operands: [of("operand_a"), of("operand_b")],
        address: of("address"),
        data: of("data"),
        memory: of("memory"),
    }
}

#[cfg(test)]
mod tests {
    use cocrypt_isa::InstructionKind as Kind;

    use super::*;

    #[test]
    fn kinds_of_models_are_those_of_instructions() {
        let kinds = [
            Kind::Alu,
            Kind::Load,
            Kind::Store,
            Kind::Branch,
            Kind::Jump,
            Kind::Multiply,
            Kind::Divide,
            Kind::Other,
        ];
        let named: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        assert_eq!(named, config::LEAKAGE_KINDS);
        assert!(kinds.iter().enumerate().all(|(number, &kind)| kind as usize == number));
    }

    #[test]
    fn a_kind_replaces_the_weights_of_its_sources() {
        let text = "[leakage]\ntitle = 'x'\n[weights.data]\nweight = 2\n[weights.result]\nweight = 1\n\
            [kinds.load]\nconstant = 0.5\ndata = { distance = [1, 2.5] }\n";
        let model = leakage_model(&config::Leakage::parse("x", text).expect("a model"));
        let load = &model.kinds[Kind::Load as usize];
        assert_eq!((load.constant, load.result.of(3, 0)), (SCALE / 2, 2 * SCALE));
        assert_eq!(load.data.of(3, 1), 5 * SCALE / 2);
        assert_eq!(model.kinds[Kind::Store as usize].data.of(3, 1), 4 * SCALE);
    }
}
