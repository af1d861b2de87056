//! Attacks by class sums: correlation power analysis and difference of means, and the share of variance
//! that a known value explains.
//!
//! A model is a sum of terms, each a table over classes of a known value. Most models have one term. The
//! distance between a register's bytes has a term for each bit, whose class is a byte with one bit of the
//! other; so 512 classes do where pairs of bytes would need 65,536.

use std::collections::BTreeMap;
use std::ops::Range;

use cocrypt_simd::Instructions;

use crate::error::Error;
use crate::kernel::{Central, ClassSums, Flush, Moments, Order, Peaks, Product, Scale};
use crate::sample::{Row, Sample, TILE};
use crate::set::TraceSet;
use crate::stream::{self, Block, Part, Pass, by_type};

/// The share of a variance that roundings alone may leave unexplained.
const ROUNDING: f64 = 1e-12;

/// The unknown that is guessed: a key byte, say.
#[derive(Clone, Debug)]
pub struct Target {
    /// The class of each trace of the part.
    pub classes: Vec<u16>,
    /// The number of guesses.
    pub guesses: usize,
    /// The terms of the model.
    pub terms: Vec<Term>,
}

/// A term of a model.
#[derive(Clone, Debug)]
pub struct Term {
    /// The term's class for each class of the target.
    pub class: Vec<u16>,
    /// The number of its classes.
    pub classes: usize,
    /// The value for each guess and class, guess by guess.
    pub table: Vec<f64>,
}

/// The statistic that is computed for each guess and sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// Pearson's correlation with the model.
    Correlation,
    /// The change per unit of the model; of a model of one bit, the difference of means.
    Difference,
}

/// The outcome for one target after a number of traces.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The largest absolute value for each guess; 0 where nothing varies.
    pub peaks: Vec<f64>,
    /// The sample of each, counted from the first of the part.
    pub positions: Vec<usize>,
    /// The values over all samples for the guesses that were asked for and for the best.
    pub curves: BTreeMap<usize, Vec<f64>>,
}

/// Sums of the classes of a term, within a tile.
#[derive(Default)]
struct Sums<T: Sample> {
    /// Those of the last blocks.
    partial: Vec<Row<T::Partial>>,
    /// Those of the blocks before; empty as long as there are none.
    whole: Vec<Row<T::Sum>>,
}

/// Sums over a tile of samples.
struct Tile<T: Sample> {
    samples: Range<usize>,
    offsets: Option<Row<f64>>,
    sums: [Row<T::Sum>; 1],
    squares: [Row<T::Square>; 1],
    /// For each term of each target, class by class.
    classes: Vec<Sums<T>>,
    /// The sizes of all samples in the partial sums at most.
    filled: u64,
    /// For each target, the largest value of each guess and its sample.
    peaks: Vec<Vec<(f64, usize)>>,
}

/// The counts of the classes of a target's terms, and the scatter of its model for each guess.
#[derive(Default)]
struct Model {
    counts: Vec<Vec<u64>>,
    scatter: Vec<f64>,
}

/// All that the values of an attack are computed from, besides sums.
struct Attack<'a> {
    targets: &'a [Target],
    models: Vec<Model>,
    statistic: Statistic,
    traces: u64,
    instructions: Instructions,
}

/// Computes the outcomes after each number of traces in `after`, in rising order, of which the last has
/// curves; `asked` has the guess of each target whose curve is wanted.
///
/// # Errors
/// A file cannot be read, or `step`, which is called with the number of traces read, fails.
pub fn attack(
    set: &TraceSet,
    part: &Part,
    targets: &[Target],
    statistic: Statistic,
    after: &[usize],
    asked: &[Option<usize>],
    step: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<Vec<Vec<Outcome>>, Error> {
    by_type!(set, run(set, part, targets, statistic, after, asked, step))
}

fn run<T: Sample>(
    set: &TraceSet,
    part: &Part,
    targets: &[Target],
    statistic: Statistic,
    after: &[usize],
    asked: &[Option<usize>],
    step: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<Vec<Vec<Outcome>>, Error> {
    let mut tiles: Vec<Tile<T>> =
        stream::tiles(part.samples.len()).map(|range| Tile::new(range, targets)).collect();
    let mut outcomes = vec![];
    let instructions = Instructions::widest();
    let terms = terms(targets);
    let (orders, sort) =
        (1 + terms.len(), |number, rows, order: &mut _| sort(&terms, number, rows, order));
    let work = |tile: &mut Tile<T>, block: &Block<T>| tile.add(instructions, block);
    let pass = Pass { size: stream::LARGE, cuts: after, orders, sort, work };
    pass.run(set, part, &mut tiles, |tiles, block| {
        let traces = block.end();
        if after.contains(&traces) {
            let attack = Attack::new(targets, statistic, traces, instructions);
            stream::spread(tiles, |tile| attack.peaks(tile));
            let last = after.last() == Some(&traces);
            let outcome = |number: usize| {
                let asked = asked.get(number).copied().flatten();
                attack.outcome(tiles, number, asked, last)
            };
            outcomes.push((0..targets.len()).map(outcome).collect());
        }
        step(traces)
    })?;
    Ok(outcomes)
}

/// The shares of each sample's variance that each target's classes explain (NICV), target by target. The
/// terms of a target do not matter, except for the first, which says what its classes are.
///
/// # Errors
/// A file cannot be read, or `step`, which is called with the number of traces read, fails.
pub fn explained(
    set: &TraceSet,
    part: &Part,
    targets: &[Target],
    step: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<Vec<Vec<f64>>, Error> {
    by_type!(set, shares(set, part, targets, step))
}

fn shares<T: Sample>(
    set: &TraceSet,
    part: &Part,
    targets: &[Target],
    step: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<Vec<Vec<f64>>, Error> {
    let mut tiles: Vec<Tile<T>> =
        stream::tiles(part.samples.len()).map(|range| Tile::new(range, targets)).collect();
    let instructions = Instructions::widest();
    let terms = terms(targets);
    let (orders, sort) =
        (1 + terms.len(), |number, rows, order: &mut _| sort(&terms, number, rows, order));
    let work = |tile: &mut Tile<T>, block: &Block<T>| tile.add(instructions, block);
    let pass = Pass { size: stream::LARGE, cuts: &[], orders, sort, work };
    pass.run(set, part, &mut tiles, |_, block| step(block.end()))?;
    let mut all = vec![];
    for (number, target) in targets.iter().enumerate() {
        let counts = target.counts(&target.terms[0], target.classes.len());
        let mut tiles: Vec<_> = tiles.iter().map(|tile| (tile, vec![])).collect();
        let index = first_term(targets, number);
        stream::spread(&mut tiles, |(tile, shares)| {
            *shares = tile.shares(instructions, index, &counts);
        });
        all.push(tiles.into_iter().flat_map(|(_, shares)| shares).collect());
    }
    Ok(all)
}

/// The number of the first term of a target among those of all.
fn first_term(targets: &[Target], number: usize) -> usize {
    targets[..number].iter().map(|target| target.terms.len()).sum()
}

/// Each term of each target.
fn terms(targets: &[Target]) -> Vec<(&Target, &Term)> {
    let each = |target| move |term| (target, term);
    targets.iter().flat_map(|target| target.terms.iter().map(each(target))).collect()
}

/// Sorts rows by the classes of a term; as order 0 by one class.
fn sort(terms: &[(&Target, &Term)], number: usize, rows: Range<usize>, order: &mut Order) {
    let Some((target, term)) = number.checked_sub(1).map(|number| terms[number]) else {
        return order.sort(1, std::iter::repeat_n(0, rows.len()));
    };
    let classes = target.classes[rows].iter();
    order.sort(term.classes, classes.map(|&class| usize::from(term.class[usize::from(class)])));
}

impl Model {
    /// Counts classes and computes the model's scatter over the first traces.
    #[allow(clippy::cast_precision_loss)]
    fn new(target: &Target, traces: usize) -> Self {
        let classes = target.terms.iter().map(|term| term.class.len()).max().unwrap_or(0);
        let mut counts = vec![0u64; classes];
        for &class in &target.classes[..traces] {
            counts[usize::from(class)] += 1;
        }
        let used: Vec<_> = counts.iter().enumerate().filter(|(_, count)| **count > 0).collect();
        let n = traces as f64;
        let scatter = (0..target.guesses).map(|guess| {
            let weighted = |power: i32, mean: f64| {
                let terms = used.iter().map(|&(class, &count)| {
                    count as f64 * (target.value(guess, class) - mean).powi(power)
                });
                terms.sum::<f64>()
            };
            let mean = weighted(1, 0.0) / n;
            weighted(2, mean)
        });
        let scatter = scatter.collect();
        let counts = target.terms.iter().map(|term| target.counts(term, traces)).collect();
        Self { counts, scatter }
    }
}

impl Target {
    /// The model's value for a guess and a class.
    fn value(&self, guess: usize, class: usize) -> f64 {
        let values = self
            .terms
            .iter()
            .map(|term| term.table[guess * term.classes + usize::from(term.class[class])]);
        values.sum()
    }

    /// How often each class of a term occurs in the first traces.
    fn counts(&self, term: &Term, traces: usize) -> Vec<u64> {
        let mut counts = vec![0; term.classes];
        for &class in &self.classes[..traces] {
            counts[usize::from(term.class[usize::from(class)])] += 1;
        }
        counts
    }
}

impl<T: Sample> Tile<T> {
    fn new(samples: Range<usize>, targets: &[Target]) -> Self {
        let terms = targets.iter().flat_map(|target| &target.terms);
        let zeros = |term: &Term| vec![Row::zeros(); term.classes];
        Self {
            samples,
            offsets: None,
            sums: [Row::zeros()],
            squares: [Row::zeros()],
            classes: terms.map(|term| Sums { partial: zeros(term), whole: vec![] }).collect(),
            filled: 0,
            peaks: vec![],
        }
    }

    fn add(&mut self, instructions: Instructions, block: &Block<T>) {
        let (rows, largest) = block.tile(&self.samples);
        self.make_room(instructions, u64::from(largest) * rows.len() as u64);
        let offsets = self.offsets.get_or_insert_with(|| stream::offsets(rows));
        let (sums, squares, limits) = (&mut self.sums, &mut self.squares, T::limits(largest));
        let (order, orders) = (&block.orders[0], &block.orders[1..]);
        instructions.run(Moments { rows, order, offsets, limits, sums, squares });
        for (sums, order) in self.classes.iter_mut().zip(orders) {
            let sums = &mut sums.partial;
            instructions.run(ClassSums { rows, order, offsets, limits, sums });
        }
    }

    /// Empties the partial sums unless samples of this size in all fit them.
    fn make_room(&mut self, instructions: Instructions, size: u64) {
        if self.filled + size > T::ROOM {
            for Sums { partial, whole } in &mut self.classes {
                whole.resize(partial.len(), Row::zeros());
                instructions.run(Flush::<T> { sums: whole, partial });
            }
            self.filled = 0;
        }
        self.filled += size;
    }

    /// The central sums of a term's classes.
    fn central(&self, instructions: Instructions, index: usize, counts: &[u64]) -> Vec<Row<f64>> {
        let Sums { partial, whole: sums } = &self.classes[index];
        let (all, traces) = (&self.sums[0], counts.iter().sum());
        instructions.run(Central::<T> { partial, sums, counts, all, traces })
    }

    /// The scatter of each sample.
    fn scatter(&self, traces: u64) -> Row<f64> {
        let (squares, sums) = (&self.squares[0].0, &self.sums[0].0);
        Row(std::array::from_fn(|sample| T::scatter(squares[sample], sums[sample], traces)))
    }

    /// The share of the variance that the classes of a term explain.
    #[allow(clippy::cast_precision_loss)]
    fn shares(&self, instructions: Instructions, index: usize, counts: &[u64]) -> Vec<f64> {
        let central = self.central(instructions, index, counts);
        let mut between = [0.0; TILE];
        for (row, &count) in central.iter().zip(counts).filter(|(_, count)| **count > 0) {
            for (sum, part) in between.iter_mut().zip(row.0) {
                *sum += part * part / count as f64;
            }
        }
        let whole = self.scatter(counts.iter().sum());
        let both = between.into_iter().zip(whole.0).take(self.samples.len());
        both.map(|(between, whole)| if whole > 0.0 { share(between, whole) } else { 0.0 }).collect()
    }
}

impl<'a> Attack<'a> {
    fn new(
        targets: &'a [Target],
        statistic: Statistic,
        traces: usize,
        instructions: Instructions,
    ) -> Self {
        let mut models: Vec<_> = targets.iter().map(|target| (target, Model::default())).collect();
        stream::spread(&mut models, |(target, model)| *model = Model::new(target, traces));
        let models = models.into_iter().map(|(_, model)| model).collect();
        Self { targets, models, statistic, traces: traces as u64, instructions }
    }

    /// Computes the peaks of all guesses of all targets within a tile.
    fn peaks<T: Sample>(&self, tile: &mut Tile<T>) {
        let peaks = self.targets.iter().enumerate().map(|(number, target)| {
            let values = self.values(tile, number, 0..target.guesses);
            let peaks = self.instructions.run(Peaks { rows: &values });
            let each = peaks.into_iter().zip(&values).map(|(peak, row)| {
                (
                    peak,
                    row.0
                        .iter()
                        .position(|value| value.abs().total_cmp(&peak).is_eq())
                        .unwrap_or(0),
                )
            });
            each.collect()
        });
        tile.peaks = peaks.collect();
    }

    /// The values of some guesses of a target within a tile, guess by guess.
    fn values<T: Sample>(
        &self,
        tile: &Tile<T>,
        number: usize,
        guesses: Range<usize>,
    ) -> Vec<Row<f64>> {
        let (target, model) = (&self.targets[number], &self.models[number]);
        let mut products = vec![Row::zeros(); guesses.len()];
        let first = first_term(self.targets, number);
        for (index, (term, counts)) in target.terms.iter().zip(&model.counts).enumerate() {
            let sums = &tile.central(self.instructions, first + index, counts);
            let table = &term.table[guesses.start * term.classes..guesses.end * term.classes];
            self.instructions.run(Product { table, sums, products: &mut products });
        }
        let scatter = tile.scatter(self.traces);
        self.instructions.run(Scale {
            products: &mut products,
            models: &model.scatter[guesses],
            samples: (self.statistic == Statistic::Correlation).then_some(&scatter),
        });
        products
    }

    /// The peaks of a target in all tiles, with curves if they are asked for.
    fn outcome<T: Sample>(
        &self,
        tiles: &[Tile<T>],
        number: usize,
        asked: Option<usize>,
        curves: bool,
    ) -> Outcome {
        let guesses = self.targets[number].guesses;
        let (mut peaks, mut positions) = (vec![0.0; guesses], vec![0; guesses]);
        for tile in tiles {
            for (guess, &(peak, sample)) in tile.peaks[number].iter().enumerate() {
                if peak > peaks[guess] {
                    (peaks[guess], positions[guess]) = (peak, tile.samples.start + sample);
                }
            }
        }
        let best = (0..guesses).rev().max_by(|&left, &right| peaks[left].total_cmp(&peaks[right]));
        let wanted = asked.into_iter().chain(best).filter(|guess| curves && *guess < guesses);
        let curve = |guess: usize| {
            let mut curve = vec![];
            for tile in tiles {
                let values = self.values(tile, number, guess..guess + 1);
                curve.extend(&values[0].0[..tile.samples.len()]);
            }
            (guess, curve)
        };
        Outcome { peaks, positions, curves: wanted.map(curve).collect() }
    }
}

/// A share of a variance, which is 1 where the rest is no more than what roundings leave.
fn share(between: f64, whole: f64) -> f64 {
    let share = between / whole;
    if 1.0 - share < ROUNDING { 1.0 } else { share }
}
