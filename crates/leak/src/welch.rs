//! Welch's t-test of two groups of traces, of first to third order.
//!
//! Source: T. Schneider and A. Moradi, "Leakage Assessment Methodology", CHES 2015. Of second order the
//! test compares squared distances from the group's mean, of third order cubes of standardised samples.

use cocrypt_simd::Instructions;

use crate::error::Error;
use crate::kernel::{CentralMoments, Moments, Order};
use crate::sample::{Row, Sample, TILE};
use crate::set::TraceSet;
use crate::stream::{self, Block, Part, Pass, by_type};

/// The highest order.
pub const ORDERS: usize = 3;
/// Groups that are compared.
const GROUPS: usize = 2;
/// Powers that are summed: 2, 3, 4 and 6.
const POWERS: usize = 4;

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
    offsets: Option<Row<f64>>,
    /// The first sample of each group, and whether a later one differs: exact, as sums of floating-point
    /// samples are not.
    firsts: [Option<Row<T>>; GROUPS],
    varies: [Row<bool>; GROUPS],
    /// Sums, group by group.
    sums: [Row<T::Sum>; GROUPS],
    squares: [Row<T::Square>; GROUPS],
    /// Means, and sums of the powers 2, 3, 4 and 6 of distances from them, group by group.
    means: [Row<f64>; GROUPS],
    powers: [[Row<f64>; POWERS]; GROUPS],
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
    let mut tiles: Vec<Tile<T>> = stream::tiles(part.samples.len()).map(Tile::new).collect();
    let mut counts = [0; GROUPS];
    for &group in groups.iter().filter(|&&group| usize::from(group) < GROUPS) {
        counts[usize::from(group)] += 1;
    }
    let sort = |_, rows, order: &mut Order| sort(groups, rows, order);
    let (size, cuts) = (stream::SMALL, &[][..]);
    let work = |tile: &mut Tile<T>, block: &Block<T>| tile.add(instructions, block, groups);
    let pass = Pass { size, cuts, orders: 1, sort, work };
    pass.run_by_blocks(set, part, &mut tiles, (Tile::following, Tile::merge), &mut *step)?;
    if orders > 1 {
        stream::spread(&mut tiles, |tile| tile.centre(counts));
        let work = |tile: &mut Tile<T>, block: &Block<T>| tile.add_powers(instructions, block);
        let pass = Pass { size, cuts, orders: 1, sort, work };
        // The sums of the first pass are kept.
        let (new, merge) = (Tile::following, Tile::merge_powers);
        pass.run_by_blocks(set, part, &mut tiles, (new, merge), step)?;
    }
    let t = (1..=orders)
        .map(|order| tiles.iter().flat_map(|tile| tile.statistics(order, counts)).collect())
        .collect();
    Ok(Welch { counts, t })
}

/// Sorts rows by their groups; those of neither are the last.
fn sort(groups: &[u8], rows: std::ops::Range<usize>, order: &mut Order) {
    order.sort(GROUPS + 1, groups[rows].iter().map(|&group| usize::from(group).min(GROUPS)));
}

impl<T: Sample> Tile<T> {
    fn new(samples: std::ops::Range<usize>) -> Self {
        Self {
            samples,
            offsets: None,
            firsts: Default::default(),
            varies: [Row::zeros(); GROUPS],
            sums: [Row::zeros(); GROUPS],
            squares: [Row::zeros(); GROUPS],
            means: [Row::zeros(); GROUPS],
            powers: [[Row::zeros(); POWERS]; GROUPS],
        }
    }

    fn add(&mut self, instructions: Instructions, block: &Block<T>, groups: &[u8]) {
        let (rows, largest) = block.tile(&self.samples);
        self.compare(rows, &groups[block.first..]);
        let offsets = self.offsets.get_or_insert_with(|| stream::offsets(rows));
        let (sums, squares, limits) = (&mut self.sums, &mut self.squares, T::limits(largest));
        let order = &block.orders[0];
        instructions.run(Moments { rows, order, offsets, limits, sums, squares });
    }

    /// An empty tile for the same samples, with the offsets and the means of this one.
    fn following(&self) -> Self {
        let (offsets, means) = (self.offsets, self.means);
        Self { offsets, means, ..Self::new(self.samples.clone()) }
    }

    /// Adds the sums of later traces.
    fn merge(&mut self, later: &Self) {
        for group in 0..GROUPS {
            for sample in 0..TILE {
                self.sums[group].0[sample] += later.sums[group].0[sample];
                self.squares[group].0[sample] += later.squares[group].0[sample];
            }
            let Some(later_first) = later.firsts[group] else { continue };
            let first = self.firsts[group].get_or_insert(later_first);
            for sample in 0..TILE {
                self.varies[group].0[sample] |=
                    later.varies[group].0[sample] || first.0[sample] != later_first.0[sample];
            }
        }
    }

    /// Adds the powers of later traces.
    fn merge_powers(&mut self, later: &Self) {
        let powers = self.powers.iter_mut().flatten().zip(later.powers.iter().flatten());
        for (power, later) in powers {
            power.0.iter_mut().zip(later.0).for_each(|(sum, later)| *sum += later);
        }
    }

    /// Looks for samples that differ from the first of their group, until all do.
    fn compare(&mut self, rows: &[Row<T>], groups: &[u8]) {
        for (number, (row, &group)) in rows.iter().zip(groups).enumerate() {
            let group = usize::from(group);
            if group >= GROUPS {
                continue;
            }
            let firsts = &self.firsts[group].get_or_insert(*row).0;
            let firsts = row.0.iter().zip(firsts).zip(&mut self.varies[group].0);
            firsts.for_each(|((sample, first), varies)| *varies |= sample != first);
            // Asked ever more rarely: where a sample does not vary, the question is never answered.
            let varies = || self.varies.iter().flat_map(|row| &row.0[..self.samples.len()]);
            if number.is_power_of_two() && varies().all(|&varies| varies) {
                break;
            }
        }
    }

    /// Computes the means that the second pass needs.
    fn centre(&mut self, counts: [u64; GROUPS]) {
        let offsets = self.offsets.unwrap_or(Row::zeros());
        for (group, means) in self.means.iter_mut().enumerate() {
            let sums = &self.sums[group];
            *means = Row(std::array::from_fn(|sample| {
                T::mean(sums.0[sample], counts[group], offsets.0[sample])
            }));
        }
    }

    fn add_powers(&mut self, instructions: Instructions, block: &Block<T>) {
        let ((rows, _), order) = (block.tile(&self.samples), &block.orders[0]);
        let (means, powers) = (&self.means, &mut self.powers);
        instructions.run(CentralMoments { rows, order, means, powers });
    }

    /// The statistic of an order for each sample of the tile.
    fn statistics(&self, order: usize, counts: [u64; GROUPS]) -> Vec<f64> {
        (0..self.samples.len()).map(|sample| self.statistic(order, sample, counts)).collect()
    }

    fn statistic(&self, order: usize, sample: usize, counts: [u64; GROUPS]) -> f64 {
        if counts.iter().any(|&count| count < 2) {
            return f64::NAN;
        }
        match (order, [0, 1].map(|group: usize| self.varies[group].0[sample])) {
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
        let [Some(first), Some(second)] = self.firsts.map(|row| Some(row?.0[sample])) else {
            return f64::NAN;
        };
        if first == second {
            return f64::NAN;
        }
        f64::INFINITY.copysign(first.float() - second.float())
    }

    /// The mean of what an order compares, and the square of its standard error.
    #[allow(clippy::cast_precision_loss)]
    fn moments(&self, order: usize, group: usize, sample: usize, count: u64) -> (f64, f64) {
        let n = count as f64;
        if order == 1 {
            let (sum, square) = (self.sums[group].0[sample], self.squares[group].0[sample]);
            let scatter = T::scatter(square, sum, count);
            // Both groups share the offset, so that it does not matter to their difference.
            return (T::mean(sum, count, 0.0), scatter / (n - 1.0) / n);
        }
        let powers = self.powers[group].each_ref();
        let [second, third, fourth, sixth] = powers.map(|power| power.0[sample] / n);
        let (mean, square) = match order {
            2 => (second, fourth),
            _ => (third / second.powf(1.5), sixth / second.powi(3)),
        };
        (mean, (square - mean * mean).max(0.0) / (n - 1.0))
    }
}
