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
use crate::kernel::{ClassSums, Flush, Moments, Order, Product};
use crate::sample::Sample;
use crate::set::TraceSet;
use crate::stream::{self, Block, Part, TILE, by_type};

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

/// Sums over a tile of samples.
struct Tile<T: Sample> {
    samples: Range<usize>,
    offsets: Vec<f64>,
    sums: Vec<T::Sum>,
    squares: Vec<T::Square>,
    /// For each term of each target, class by class.
    classes: Vec<Vec<T::Sum>>,
    /// The samples of a block within the tile.
    block: Vec<T>,
    /// For each target, the values for all guesses, guess by guess.
    values: Vec<Vec<f64>>,
}

/// The counts of a target's classes, and the scatter of its model for each guess.
#[derive(Default)]
struct Model {
    counts: Vec<u64>,
    scatter: Vec<f64>,
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
    let width = part.samples.len();
    let mut tiles: Vec<Tile<T>> =
        stream::tiles(width, TILE).map(|range| Tile::new(range, targets)).collect();
    let mut outcomes = vec![];
    let instructions = Instructions::widest();
    let mut terms = terms(targets);
    stream::read::<T>(set, part, stream::LARGE, after, |block| {
        sort(&mut terms, block);
        stream::spread(&mut tiles, |tile| tile.add(instructions, block, &terms));
        let traces = block.end();
        if after.contains(&traces) {
            let mut models: Vec<_> =
                targets.iter().map(|target| (target, Model::default())).collect();
            stream::spread(&mut models, |(target, model)| *model = Model::new(target, traces));
            let models: Vec<_> = models.into_iter().map(|(_, model)| model).collect();
            stream::spread(&mut tiles, |tile| {
                tile.evaluate(instructions, targets, &models, statistic, traces as u64);
            });
            let last = after.last() == Some(&traces);
            let outcome = |number: usize| {
                let asked = asked.get(number).copied().flatten();
                outcome(&tiles, number, targets[number].guesses, width, asked, last)
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
        stream::tiles(part.samples.len(), TILE).map(|range| Tile::new(range, targets)).collect();
    let instructions = Instructions::widest();
    let mut terms = terms(targets);
    stream::read::<T>(set, part, stream::LARGE, &[], |block| {
        sort(&mut terms, block);
        stream::spread(&mut tiles, |tile| tile.add(instructions, block, &terms));
        step(block.end())
    })?;
    let counts: Vec<_> =
        targets.iter().map(|target| counts(target, target.classes.len())).collect();
    let mut index = 0;
    let mut all = vec![];
    for (target, counts) in targets.iter().zip(&counts) {
        all.push(tiles.iter().flat_map(|tile| tile.shares(index, counts)).collect());
        index += target.terms.len();
    }
    Ok(all)
}

/// A term of a target, with the order of a block's rows by its classes.
struct Sorted<'a> {
    target: &'a Target,
    term: &'a Term,
    order: Order,
}

/// Each term of each target.
fn terms(targets: &[Target]) -> Vec<Sorted<'_>> {
    let each = targets.iter().flat_map(|target| {
        target.terms.iter().map(move |term| Sorted { target, term, order: Order::default() })
    });
    each.collect()
}

/// Sorts a block's rows for each term.
fn sort<T: Sample>(terms: &mut [Sorted], block: &Block<T>) {
    stream::spread(terms, |Sorted { target, term, order }| {
        let classes = target.classes[block.first..block.end()].iter();
        order.sort(term.classes, classes.map(|&class| usize::from(term.class[usize::from(class)])));
    });
}

/// How often each class of a target's first term occurs.
fn counts(target: &Target, traces: usize) -> Vec<u64> {
    let term = &target.terms[0];
    let mut counts = vec![0; term.classes];
    for &class in &target.classes[..traces] {
        counts[usize::from(term.class[usize::from(class)])] += 1;
    }
    counts
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
}

impl<T: Sample> Tile<T> {
    fn new(samples: Range<usize>, targets: &[Target]) -> Self {
        let width = samples.len();
        let sizes =
            targets.iter().flat_map(|target| &target.terms).map(|term| term.classes * width);
        Self {
            samples,
            offsets: vec![],
            sums: vec![T::Sum::default(); width],
            squares: vec![T::Square::default(); width],
            classes: sizes.map(|size| vec![T::Sum::default(); size]).collect(),
            block: vec![],
            values: vec![],
        }
    }

    fn add(&mut self, instructions: Instructions, block: &Block<T>, terms: &[Sorted]) {
        let rows = block.rows(&self.samples);
        if self.offsets.is_empty() {
            self.offsets = rows.offsets();
        }
        let rows = rows.copied(&mut self.block);
        let offsets = &self.offsets;
        let mut partial = vec![T::Partial::default(); rows.width];
        let (sums, squares) = (&mut partial[..], &mut self.squares[..]);
        instructions.run(Moments { rows, class: |_| 0, offsets, sums, squares });
        instructions.run(Flush::<T> { sums: &mut self.sums, partial: &partial });
        for (sums, term) in self.classes.iter_mut().zip(terms) {
            let (order, partial) = (&term.order, &mut partial[..]);
            instructions.run(ClassSums { rows, order, offsets, partial, sums });
        }
    }

    /// Computes the values of all targets for all guesses after `traces`.
    fn evaluate(
        &mut self,
        instructions: Instructions,
        targets: &[Target],
        models: &[Model],
        statistic: Statistic,
        traces: u64,
    ) {
        let mut index = 0;
        self.values.clear();
        for (target, model) in targets.iter().zip(models) {
            let mut products = vec![0.0; target.guesses * self.samples.len()];
            for term in &target.terms {
                let mut counts = vec![0; term.classes];
                for (class, count) in
                    model.counts.iter().enumerate().filter(|(_, count)| **count > 0)
                {
                    counts[usize::from(term.class[class])] += count;
                }
                let central = self.central(index, &counts, traces);
                instructions.run(Product {
                    table: &term.table,
                    classes: term.classes,
                    sums: &central,
                    width: self.samples.len(),
                    products: &mut products,
                });
                index += 1;
            }
            self.scale(&mut products, &model.scatter, statistic, traces);
            self.values.push(products);
        }
    }

    /// The central sums of a term's classes.
    fn central(&self, index: usize, counts: &[u64], traces: u64) -> Vec<f64> {
        let rows = self.classes[index].chunks_exact(self.samples.len()).zip(counts);
        rows.flat_map(|(row, &count)| {
            let sums = row.iter().zip(&self.sums);
            sums.map(move |(&sum, &all)| T::central_sum(sum, count, all, traces))
        })
        .collect()
    }

    fn scale(&self, products: &mut [f64], scatter: &[f64], statistic: Statistic, traces: u64) {
        let width = self.samples.len();
        let spread: Vec<_> = self
            .squares
            .iter()
            .zip(&self.sums)
            .map(|(&square, &sum)| T::scatter(square, sum, traces))
            .collect();
        for (products, &model) in products.chunks_exact_mut(width).zip(scatter) {
            for (product, &sample) in products.iter_mut().zip(&spread) {
                let by = match statistic {
                    Statistic::Correlation => (model * sample).sqrt(),
                    Statistic::Difference => model,
                };
                *product = if by > 0.0 { *product / by } else { 0.0 };
            }
        }
    }

    /// The share of the variance that the classes of a term explain.
    #[allow(clippy::cast_precision_loss)]
    fn shares(&self, index: usize, counts: &[u64]) -> Vec<f64> {
        let traces = counts.iter().sum();
        let central = self.central(index, counts, traces);
        let mut between = vec![0.0; self.samples.len()];
        for (row, &count) in central.chunks_exact(self.samples.len()).zip(counts) {
            if count > 0 {
                between
                    .iter_mut()
                    .zip(row)
                    .for_each(|(sum, part)| *sum += part * part / count as f64);
            }
        }
        let whole = self.squares.iter().zip(&self.sums);
        let whole = whole.map(|(&square, &sum)| T::scatter(square, sum, traces));
        between
            .into_iter()
            .zip(whole)
            .map(|(between, whole)| if whole > 0.0 { share(between, whole) } else { 0.0 })
            .collect()
    }
}

/// A share of a variance, which is 1 where the rest is no more than what roundings leave.
fn share(between: f64, whole: f64) -> f64 {
    let share = between / whole;
    if 1.0 - share < ROUNDING { 1.0 } else { share }
}

fn outcome<T: Sample>(
    tiles: &[Tile<T>],
    target: usize,
    guesses: usize,
    width: usize,
    asked: Option<usize>,
    curves: bool,
) -> Outcome {
    let (mut peaks, mut positions) = (vec![0.0; guesses], vec![0; guesses]);
    for tile in tiles {
        let rows = tile.values[target].chunks_exact(tile.samples.len()).enumerate();
        for (guess, row) in rows {
            for (sample, value) in row.iter().enumerate().filter(|(_, value)| value.is_finite()) {
                if value.abs() > peaks[guess] {
                    (peaks[guess], positions[guess]) = (value.abs(), tile.samples.start + sample);
                }
            }
        }
    }
    let best = (0..guesses).rev().max_by(|&left, &right| peaks[left].total_cmp(&peaks[right]));
    let wanted = asked.into_iter().chain(best).filter(|guess| curves && *guess < guesses);
    let curve = |guess: usize| {
        let mut curve = Vec::with_capacity(width);
        for tile in tiles {
            curve.extend(&tile.values[target][guess * tile.samples.len()..][..tile.samples.len()]);
        }
        (guess, curve)
    };
    Outcome { peaks, positions, curves: wanted.map(curve).collect() }
}
