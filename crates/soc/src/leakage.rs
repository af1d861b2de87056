//! Simulated power traces of a function: the same call again and again, with other contents of memory.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_engine::{
    Coefficients, Contribution, Issue, KindModel, LANES, Lanes, LeakageModel, SCALE, Stop,
    StopCause, Weights,
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
    /// The bytes that each of these accessed.
    pub accessed: Vec<u32>,
    /// The contents that were asked for, at its end.
    pub contents: Vec<Vec<u8>>,
}

/// What is known of a run beside its samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The number of samples.
    pub length: usize,
    /// See [`Sampled::digest`].
    pub digest: u64,
    /// See [`Sampled::contents`].
    pub contents: Vec<Vec<u8>>,
}

/// Memory that a run begins with: bytes by address.
pub type Contents<'a> = Vec<(u32, &'a [u8])>;

/// Runs in lock step take so many of them.
const WORTHWHILE: usize = 8;
/// Groups of runs that part until no more are tried in lock step.
const PATIENCE: u32 = 4;

/// A machine that stands where every run begins.
pub struct Sampler {
    origin: Machine,
    machine: Machine,
    limit: u64,
    /// Nothing where runs cannot go in lock step, or where they part again and again.
    lanes: Option<Lanes>,
    patience: u32,
    together: u64,
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
        let lanes = machine.engine().lanes(origin.ram());
        Self { origin, machine, limit, lanes, patience: PATIENCE, together: 0 }
    }

    /// The number of runs so far whose samples came from lock step with another run.
    #[must_use]
    pub const fn together(&self) -> u64 {
        self.together
    }

    /// Has each run executed by the machine itself from now on.
    pub fn run_alone(&mut self) {
        self.lanes = None;
    }

    /// Runs with each of these contents, and reads others at their ends. The samples of each go to a row of zeros, as
    /// far as it reaches. Runs that take the same path in the same time go in lock step, with the same results.
    ///
    /// # Errors
    /// The stop of a run whose window does not end.
    ///
    /// # Panics
    /// As [`Self::run`].
    pub fn run_all(
        &mut self,
        contents: &[Contents<'_>],
        reads: &[(u32, usize)],
        rows: &mut [&mut [Sample]],
    ) -> Result<Vec<Outcome>, Stop> {
        let mut outcomes = Vec::with_capacity(contents.len());
        for (contents, rows) in contents.chunks(LANES).zip(rows.chunks_mut(LANES)) {
            let lanes = self.lanes.take().filter(|_| self.patience != 0);
            match lanes {
                Some(mut lanes) if contents.len() >= WORTHWHILE => {
                    outcomes.extend(self.run_together(&mut lanes, contents, reads, rows)?);
                    self.lanes = Some(lanes);
                }
                other => {
                    self.lanes = other;
                    for (contents, row) in contents.iter().zip(rows) {
                        outcomes.push(self.run_to(contents, reads, row)?);
                    }
                }
            }
        }
        Ok(outcomes)
    }

    /// One run, whose samples go to a row.
    fn run_to(
        &mut self,
        contents: &Contents<'_>,
        reads: &[(u32, usize)],
        row: &mut [Sample],
    ) -> Result<Outcome, Stop> {
        let Sampled { samples, digest, contents, .. } = self.run(contents, reads, false)?;
        fill(row, &samples);
        Ok(Outcome { length: samples.len(), digest, contents })
    }

    /// Up to [`LANES`] runs in lock step, and then those alone that parted from the first one.
    fn run_together(
        &mut self,
        lanes: &mut Lanes,
        contents: &[Contents<'_>],
        reads: &[(u32, usize)],
        rows: &mut [&mut [Sample]],
    ) -> Result<Vec<Outcome>, Stop> {
        self.begin(lanes, contents);
        let mut take = |contributions: &[Contribution]| add(contributions, rows);
        let with = (&mut *lanes, self.origin.ram());
        let stop = self.machine.sample_together(self.limit, with, &mut take);
        lanes.hand_on(true, &mut take);
        if stop.cause != StopCause::Halted {
            return Err(stop);
        }
        if lanes.together() != 0 && !lanes.agree(self.machine.engine().cells(), self.machine.ram())
        {
            debug_assert!(false, "lane 0 ends where the machine does not");
            lanes.give_up();
        }
        let leakage = self.machine.engine().leakage().expect("the machine samples");
        let (length, digest) = (leakage.samples().len(), leakage.digest());
        debug_assert!(
            lanes.together() == 0 || is_filled(rows[0], leakage.samples()),
            "lane 0 has the samples of the machine"
        );
        fill(rows[0], leakage.samples());
        let first = reads.iter().map(|&range| self.read(range)).collect();
        let mut outcomes = vec![Outcome { length, digest, contents: first }];
        let mut parted = 0;
        for lane in 1..contents.len() {
            let read = |&(at, size): &(u32, usize)| lanes.read(lane, at, size, self.origin.ram());
            let is_together = lanes.together() >> lane & 1 != 0;
            let found = is_together.then(|| reads.iter().map(read).collect()).flatten();
            outcomes.push(if let Some(contents) = found {
                Outcome { length, digest, contents }
            } else {
                parted += 1;
                self.run_to(&contents[lane], reads, rows[lane])?
            });
        }
        self.together += (contents.len() - 1 - parted) as u64;
        let is_patient = 2 * parted < contents.len();
        self.patience = if is_patient { PATIENCE } else { self.patience - 1 };
        Ok(outcomes)
    }

    /// Puts the machine where a run begins, and the lanes beside it. Lanes without a run of their own repeat the first.
    fn begin(&mut self, lanes: &mut Lanes, contents: &[Contents<'_>]) {
        self.machine.rewind(&self.origin);
        lanes.begin(self.machine.engine().cells());
        let memories = (self.origin.ram(), self.machine.ram());
        let is_loaded = (0..LANES).all(|lane| {
            let contents = contents.get(lane).unwrap_or(&contents[0]);
            contents.iter().all(|(address, bytes)| lanes.load(lane, *address, bytes, memories))
        });
        if !is_loaded {
            lanes.give_up();
        }
        self.load(&contents[0]);
    }

    fn load(&mut self, contents: &Contents<'_>) {
        for (address, bytes) in contents {
            self.machine.load(*address, bytes).expect("memory that was read before");
        }
    }

    fn read(&self, (at, size): (u32, usize)) -> Vec<u8> {
        self.machine.read(at, size).expect("as for writes").into_owned()
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
        contents: &Contents<'_>,
        reads: &[(u32, usize)],
        issues: bool,
    ) -> Result<Sampled, Stop> {
        self.machine.rewind(&self.origin);
        self.load(contents);
        let stop = self.machine.sample(self.limit, issues);
        if stop.cause != StopCause::Halted {
            return Err(stop);
        }
        let leakage = self.machine.engine().leakage().expect("the machine samples");
        Ok(Sampled {
            samples: leakage.samples().to_vec(),
            digest: leakage.digest(),
            instructions: leakage.instructions(),
            issues: leakage.issues().unwrap_or_default().to_vec(),
            accessed: leakage.accessed().to_vec(),
            contents: reads.iter().map(|&range| self.read(range)).collect(),
        })
    }
}

/// A sample as a number in memory: floating point of 32 bits, the lowest byte first.
pub type Sample = [u8; 4];

/// A sample as a number.
#[allow(clippy::cast_precision_loss)] // Sums of a model's weights need fewer bits.
#[must_use]
pub fn sample_value(sample: i64) -> f32 {
    (sample as f64 / SCALE as f64) as f32
}

/// Puts samples into a row, and 0 behind them.
fn fill(row: &mut [Sample], samples: &[i64]) {
    let count = samples.len().min(row.len());
    for (to, &sample) in row.iter_mut().zip(samples) {
        *to = sample_value(sample).to_le_bytes();
    }
    row[count..].fill([0; 4]);
}

/// Returns true if a row is what [`fill`] makes of it.
fn is_filled(row: &[Sample], samples: &[i64]) -> bool {
    let (here, behind) = row.split_at(samples.len().min(row.len()));
    let mut pairs = here.iter().zip(samples);
    pairs.all(|(to, &sample)| *to == sample_value(sample).to_le_bytes())
        && behind.iter().all(|to| *to == [0; 4])
}

/// Puts what lanes contribute into the rows of their runs.
fn add(contributions: &[Contribution], rows: &mut [&mut [Sample]]) {
    for (lane, row) in rows.iter_mut().enumerate() {
        for Contribution { at, sums } in contributions {
            if let Some(to) = row.get_mut(*at as usize) {
                *to = sample_value(sums[lane]).to_le_bytes();
            }
        }
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
