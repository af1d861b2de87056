//! Welch's t-test of two groups of traces, of first to third order.
//!
//! Source: T. Schneider and A. Moradi, "Leakage Assessment Methodology", CHES 2015. Of second order the
//! test compares squared distances from the group's mean, of third order cubes of standardised samples.

use cocrypt_simd::Instructions;

use crate::error::Error;
use crate::kernel::{CentralMoments, Flush, Moments, Rows};
use crate::sample::Sample;
use crate::set::TraceSet;
use crate::stream::{self, Block, Part, TILE, by_type};

/// The highest order.
pub const ORDERS: usize = 3;
/// Groups that are compared.
const GROUPS: usize = 2;
/// Powers that are summed: 2, 3, 4 and 6.
const POWERS: usize = 4;
/// Samples of a tile at most, so that its sums fit a core's first cache.
const WIDEST: usize = 16 * TILE;

/// A t-test.
#[derive(Clone, Debug, PartialEq)]
pub struct Welch {
    /// Traces in each group.
    pub counts: [u64; GROUPS],
    /// The statistic of each sample, order by order. Of first order it is infinite where neither group
    /// varies and their values differ. It is NaN where a group has less than two traces, where neither
    /// varies otherwise, and of third order where one does not vary.
    pub t: Vec<Vec<f64>>,
}

/// Sums over a tile of samples, for both groups.
struct Tile<T: Sample> {
    samples: std::ops::Range<usize>,
    offsets: Vec<f64>,
    /// The first sample of each group, and whether a later one differs: exact, as sums of floating-point
    /// samples are not.
    firsts: [Vec<T>; GROUPS],
    varies: [Vec<bool>; GROUPS],
    /// Sums, group by group.
    sums: Vec<T::Sum>,
    squares: Vec<T::Square>,
    /// Means, and sums of the powers 2, 3, 4 and 6 of distances from them, group by group.
    means: Vec<f64>,
    powers: [Vec<f64>; POWERS],
}

/// Compares the traces whose entry in `groups` is 0 with those whose entry is 1; others are left out.
/// `groups` has one entry for each trace of the part. Orders above the first read the traces twice.
///
/// # Errors
/// A file cannot be read, or `step`, which is called with the number of traces read, fails.
pub fn welch(
    set: &TraceSet,
    part: &Part,
    groups: &[u8],
    orders: usize,
    step: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<Welch, Error> {
    by_type!(set, compare(set, part, groups, orders, step))
}

fn compare<T: Sample>(
    set: &TraceSet,
    part: &Part,
    groups: &[u8],
    orders: usize,
    step: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<Welch, Error> {
    let instructions = Instructions::widest();
    let samples = part.samples.len();
    // As wide as the cores leave it: rows are read once, so that long pieces of them count, not what a cache holds.
    let width = samples.div_ceil(stream::cores()).next_multiple_of(TILE).min(WIDEST);
    let mut tiles: Vec<Tile<T>> = stream::tiles(samples, width).map(Tile::new).collect();
    let mut counts = [0; GROUPS];
    for &group in groups.iter().filter(|&&group| usize::from(group) < GROUPS) {
        counts[usize::from(group)] += 1;
    }
    stream::read::<T>(set, part, stream::SMALL, &[], |block| {
        stream::spread(&mut tiles, |tile| tile.add(instructions, block, groups));
        step(block.end())
    })?;
    if orders > 1 {
        stream::spread(&mut tiles, |tile| tile.centre(counts));
        stream::read::<T>(set, part, stream::SMALL, &[], |block| {
            stream::spread(&mut tiles, |tile| tile.add_powers(instructions, block, groups));
            step(block.end())
        })?;
    }
    let t = (1..=orders)
        .map(|order| tiles.iter().flat_map(|tile| tile.statistics(order, counts)).collect())
        .collect();
    Ok(Welch { counts, t })
}

impl<T: Sample> Tile<T> {
    fn new(samples: std::ops::Range<usize>) -> Self {
        let width = samples.len();
        Self {
            samples,
            offsets: vec![],
            firsts: Default::default(),
            varies: [(); GROUPS].map(|()| vec![false; width]),
            sums: vec![T::Sum::default(); GROUPS * width],
            squares: vec![T::Square::default(); GROUPS * width],
            means: vec![],
            powers: [(); POWERS].map(|()| vec![0.0; GROUPS * width]),
        }
    }

    fn add(&mut self, instructions: Instructions, block: &Block<T>, groups: &[u8]) {
        let rows = block.rows(&self.samples);
        if self.offsets.is_empty() {
            self.offsets = rows.offsets();
        }
        let groups = &groups[block.first..];
        self.compare(rows, groups);
        let mut partial = vec![T::Partial::default(); self.sums.len()];
        let class = |row: usize| usize::from(groups[row]);
        let (offsets, sums, squares) = (&self.offsets, &mut partial[..], &mut self.squares[..]);
        instructions.run(Moments { rows, class, offsets, sums, squares });
        instructions.run(Flush::<T> { sums: &mut self.sums, partial: &partial });
    }

    /// Looks for samples that differ from the first of their group, until all do.
    fn compare(&mut self, rows: Rows<T>, groups: &[u8]) {
        for (number, &group) in groups[..rows.count()].iter().enumerate() {
            let group = usize::from(group);
            if group >= GROUPS {
                continue;
            }
            let row = rows.row(number);
            if self.firsts[group].is_empty() {
                self.firsts[group] = row.to_vec();
            }
            let firsts = row.iter().zip(&self.firsts[group]).zip(&mut self.varies[group]);
            firsts.for_each(|((sample, first), varies)| *varies |= sample != first);
            // Asked ever more rarely: where a sample does not vary, the question is never answered.
            if number.is_power_of_two() && self.varies.iter().flatten().all(|&varies| varies) {
                break;
            }
        }
    }

    /// Computes the means that the second pass needs.
    fn centre(&mut self, counts: [u64; GROUPS]) {
        let groups = self.sums.chunks(self.samples.len()).zip(counts);
        let means = groups.flat_map(|(sums, count)| {
            let sums = sums.iter().zip(&self.offsets);
            sums.map(move |(&sum, &offset)| T::mean(sum, count, offset))
        });
        self.means = means.collect();
    }

    fn add_powers(&mut self, instructions: Instructions, block: &Block<T>, groups: &[u8]) {
        // Sums of a block are added to those of all: fewer roundings than one long sum.
        let mut partial = [(); POWERS].map(|()| vec![0.0; self.means.len()]);
        let groups = &groups[block.first..];
        instructions.run(CentralMoments {
            rows: block.rows(&self.samples),
            class: |row: usize| usize::from(groups[row]),
            means: &self.means,
            powers: &mut partial,
        });
        for (powers, partial) in self.powers.iter_mut().flatten().zip(partial.iter().flatten()) {
            *powers += partial;
        }
    }

    /// The statistic of an order for each sample of the tile.
    fn statistics(&self, order: usize, counts: [u64; GROUPS]) -> Vec<f64> {
        (0..self.samples.len()).map(|sample| self.statistic(order, sample, counts)).collect()
    }

    fn statistic(&self, order: usize, sample: usize, counts: [u64; GROUPS]) -> f64 {
        if counts.iter().any(|&count| count < 2) {
            return f64::NAN;
        }
        match (order, [0, 1].map(|group: usize| self.varies[group][sample])) {
            (1, [false, false]) => return self.constant_difference(sample),
            (_, [false, false]) | (3, [false, _] | [_, false]) => return f64::NAN,
            _ => {}
        }
        let moments = [0, 1].map(|group| self.moments(order, group, sample, counts[group]));
        let [(mean, error), (other_mean, other_error)] = moments;
        let t = (mean - other_mean) / (error + other_error).sqrt();
        if t.is_finite() { t } else { f64::NAN }
    }

    /// The statistic of first order where neither group varies: infinite if their values differ.
    fn constant_difference(&self, sample: usize) -> f64 {
        let [first, second] = [0, 1].map(|group: usize| self.firsts[group][sample]);
        if first == second {
            return f64::NAN;
        }
        f64::INFINITY.copysign(first.float() - second.float())
    }

    /// The mean of what an order compares, and the square of its standard error.
    #[allow(clippy::cast_precision_loss)]
    fn moments(&self, order: usize, group: usize, sample: usize, count: u64) -> (f64, f64) {
        let n = count as f64;
        let sample = group * self.samples.len() + sample;
        if order == 1 {
            let (sum, square) = (self.sums[sample], self.squares[sample]);
            let scatter = T::scatter(square, sum, count);
            // Both groups share the offset, so that it does not matter to their difference.
            return (T::mean(sum, count, 0.0), scatter / (n - 1.0) / n);
        }
        let [second, third, fourth, sixth] = self.powers.each_ref().map(|power| power[sample] / n);
        let (mean, square) = match order {
            2 => (second, fourth),
            _ => (third / second.powf(1.5), sixth / second.powi(3)),
        };
        (mean, (square - mean * mean).max(0.0) / (n - 1.0))
    }
}
