//! The inner loops of the statistics, over the rows of a block within a tile of samples.
//!
//! All tiles are equally wide, which the compiler knows, so that the sums of a class stay in registers while its rows
//! are added up. Where a tile has fewer samples, the rest of each row is zeros.

// Loops count samples, which several rows share.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use cocrypt_simd::Kernel;

use crate::sample::{Limits, Row, Sample, TILE};
use crate::stream::ROWS;

/// Guesses and samples whose sums of products are kept in registers.
const GUESSES: usize = 4;
const SAMPLES: usize = 16;

/// Copies whole rows to tiles, and looks for the largest size of a sample of each.
pub struct Cut<'a, 'b, T> {
    /// Whole rows, one after the other.
    pub samples: &'a [T],
    /// The samples of a whole row.
    pub length: usize,
    /// The samples that are wanted.
    pub range: Range<usize>,
    /// The number of the first row in the tiles.
    pub first: usize,
    /// The tiles.
    pub tiles: &'a mut [&'b mut [Row<T>]],
    /// The largest size in each so far.
    pub largest: &'a mut [u32],
}

impl<T: Sample> Kernel for Cut<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (number, (tile, largest)) in self.tiles.iter_mut().zip(self.largest).enumerate() {
            let start = self.range.start + number * TILE;
            let width = TILE.min(self.range.end - start);
            let (mut least, mut most) = (Row::<T>::zeros().0, Row::<T>::zeros().0);
            let rows = self.samples.chunks_exact(self.length);
            for (row, to) in rows.zip(&mut tile[self.first..]) {
                let row = &row[start..][..width];
                if let Ok(whole) = <&[T; TILE]>::try_from(row) {
                    to.0 = *whole;
                } else {
                    to.0[..row.len()].copy_from_slice(row);
                }
                if T::IS_WHOLE {
                    for sample in 0..TILE {
                        let value = to.0[sample];
                        least[sample] = if value < least[sample] { value } else { least[sample] };
                        most[sample] = if value > most[sample] { value } else { most[sample] };
                    }
                }
            }
            *largest = least.into_iter().chain(most).map(T::size).fold(*largest, u32::max);
        }
    }
}

/// The rows of a block in the order of their classes.
#[derive(Default)]
pub struct Order {
    /// Numbers of rows, class by class.
    rows: Vec<u16>,
    /// Where each class ends in `rows`.
    ends: Vec<u32>,
}

impl Order {
    /// Sorts rows by counting their classes, of which there are so many.
    #[allow(clippy::cast_possible_truncation)] // A block has at most 2¹⁵ rows.
    pub fn sort(&mut self, classes: usize, of: impl Iterator<Item = usize> + Clone) {
        self.ends.clear();
        self.ends.resize(classes, 0);
        of.clone().for_each(|class| self.ends[class] += 1);
        let mut total = 0;
        for end in &mut self.ends {
            total += std::mem::replace(end, total);
        }
        assert!(total as usize <= ROWS, "a block has more rows than numbers");
        self.rows.clear();
        self.rows.resize(total as usize, 0);
        // Each end begins where its class does, and moves with every row.
        for (row, class) in of.enumerate() {
            self.rows[self.ends[class] as usize] = row as u16;
            self.ends[class] += 1;
        }
    }

    /// The numbers of each class's rows.
    #[inline(always)]
    fn classes(&self) -> impl Iterator<Item = &[u16]> {
        let mut first = 0;
        self.ends.iter().map(move |&end| {
            let rows = &self.rows[first..end as usize];
            first = end as usize;
            rows
        })
    }
}

/// Adds each row, less the offsets, to the sums of its class.
pub struct ClassSums<'a, T: Sample> {
    /// The rows.
    pub rows: &'a [Row<T>],
    /// Their order.
    pub order: &'a Order,
    /// What is subtracted from each sample.
    pub offsets: &'a Row<f64>,
    /// Rows that are added up in few bits.
    pub limits: Limits,
    /// The sums, class by class.
    pub sums: &'a mut [Row<T::Partial>],
}

impl<T: Sample> Kernel for ClassSums<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (sums, rows) in self.sums.iter_mut().zip(self.order.classes()) {
            for few in rows.chunks(self.limits.samples) {
                let mut total = [T::Narrow::default(); TILE];
                for &row in few {
                    let row = &self.rows[usize::from(row)].0;
                    for sample in 0..TILE {
                        total[sample] += row[sample].narrow(self.offsets.0[sample]);
                    }
                }
                for sample in 0..TILE {
                    sums.0[sample] += T::widen(total[sample]);
                }
            }
        }
    }
}

/// Adds each row, less the offsets, to the sums of its class, and the squares as well. Rows of classes that have no
/// sums are left out.
pub struct Moments<'a, T: Sample> {
    /// The rows.
    pub rows: &'a [Row<T>],
    /// Their order.
    pub order: &'a Order,
    /// What is subtracted from each sample.
    pub offsets: &'a Row<f64>,
    /// Rows whose squares are added up in few bits.
    pub limits: Limits,
    /// The sums, class by class.
    pub sums: &'a mut [Row<T::Sum>],
    /// The sums of squares, class by class.
    pub squares: &'a mut [Row<T::Square>],
}

impl<T: Sample> Kernel for Moments<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let classes = self.sums.iter_mut().zip(self.squares).zip(self.order.classes());
        for ((sums, squares), rows) in classes {
            for few in rows.chunks(self.limits.squares) {
                let mut sum = [T::Partial::default(); TILE];
                let mut square = [T::Product::default(); TILE];
                for &row in few {
                    let row = &self.rows[usize::from(row)].0;
                    for sample in 0..TILE {
                        sum[sample] += row[sample].partial(self.offsets.0[sample]);
                        square[sample] += row[sample].product(self.offsets.0[sample]);
                    }
                }
                for sample in 0..TILE {
                    sums.0[sample] += T::sum(sum[sample]);
                    squares.0[sample] += T::square(square[sample]);
                }
            }
        }
    }
}

/// Adds powers of each row's distances from the means of its class. Rows of classes without means are left out.
pub struct CentralMoments<'a, T: Sample> {
    /// The rows.
    pub rows: &'a [Row<T>],
    /// Their order.
    pub order: &'a Order,
    /// The means, class by class.
    pub means: &'a [Row<f64>],
    /// The sums of the powers 2, 3, 4 and 6, class by class.
    pub powers: &'a mut [[Row<f64>; 4]],
}

impl<T: Sample> Kernel for CentralMoments<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for ((powers, means), rows) in
            self.powers.iter_mut().zip(self.means).zip(self.order.classes())
        {
            // Sums of a block are added to those of all: fewer roundings than one long sum.
            let mut sums = [[0.0; TILE]; 4];
            for &row in rows {
                let row = &self.rows[usize::from(row)].0;
                for sample in 0..TILE {
                    let distance = row[sample].float() - means.0[sample];
                    let square = distance * distance;
                    let cube = square * distance;
                    sums[0][sample] += square;
                    sums[1][sample] += cube;
                    sums[2][sample] += square * square;
                    sums[3][sample] += cube * cube;
                }
            }
            for (powers, sums) in powers.iter_mut().zip(&sums) {
                for sample in 0..TILE {
                    powers.0[sample] += sums[sample];
                }
            }
        }
    }
}

/// Adds sums to those of more traces, and sets them to zero.
pub struct Flush<'a, T: Sample> {
    /// The sums of all blocks.
    pub sums: &'a mut [Row<T::Sum>],
    /// Those of some.
    pub partial: &'a mut [Row<T::Partial>],
}

impl<T: Sample> Kernel for Flush<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (sums, partial) in self.sums.iter_mut().zip(self.partial) {
            for sample in 0..TILE {
                sums.0[sample] += T::sum(partial.0[sample]);
            }
            *partial = Row::zeros();
        }
    }
}

/// The sums of classes, less the shares that the means of all traces would have.
pub struct Central<'a, T: Sample> {
    /// Sums of some blocks, class by class.
    pub partial: &'a [Row<T::Partial>],
    /// Those of the blocks before, or none.
    pub sums: &'a [Row<T::Sum>],
    /// The traces in each class.
    pub counts: &'a [u64],
    /// The sums of all traces.
    pub all: &'a Row<T::Sum>,
    /// The number of all traces.
    pub traces: u64,
}

impl<T: Sample> Kernel for Central<'_, T> {
    type Output = Vec<Row<f64>>;

    #[inline(always)]
    fn run(self) -> Vec<Row<f64>> {
        let mut found = Vec::with_capacity(self.counts.len());
        for (class, (partial, &count)) in self.partial.iter().zip(self.counts).enumerate() {
            let mut sums = self.sums.get(class).copied().unwrap_or(Row::zeros());
            for sample in 0..TILE {
                sums.0[sample] += T::sum(partial.0[sample]);
            }
            found.push(T::central_sums(&sums, count, self.all, self.traces));
        }
        found
    }
}

/// Adds the product of a table (guesses × classes) and of sums (classes × samples) to `products` (guesses × samples).
pub struct Product<'a> {
    /// The table, guess by guess.
    pub table: &'a [f64],
    /// The sums, class by class.
    pub sums: &'a [Row<f64>],
    /// The products, guess by guess.
    pub products: &'a mut [Row<f64>],
}

impl Kernel for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        for guess in (0..self.products.len()).step_by(GUESSES) {
            for start in (0..TILE).step_by(SAMPLES) {
                self.block(guess, start);
            }
        }
    }
}

impl Product<'_> {
    /// The products of `GUESSES` with `SAMPLES`, which are added up class by class; beyond the last guess, its own once
    /// more.
    #[inline(always)]
    fn block(&mut self, guess: usize, start: usize) {
        let (classes, last) = (self.sums.len(), self.products.len() - 1);
        let guesses: [usize; GUESSES] = std::array::from_fn(|row| last.min(guess + row));
        let tables = guesses.map(|guess| &self.table[guess * classes..][..classes]);
        let [mut first, mut second, mut third, mut fourth] = guesses.map(|guess| {
            std::array::from_fn::<f64, SAMPLES, _>(|sample| self.products[guess].0[start + sample])
        });
        // One loop over the samples, which the compiler turns into vectors as a whole.
        for (class, sums) in self.sums.iter().enumerate() {
            let values = tables.map(|table| table[class]);
            for (sample, sum) in sums.0[start..][..SAMPLES].iter().enumerate() {
                first[sample] += values[0] * sum;
                second[sample] += values[1] * sum;
                third[sample] += values[2] * sum;
                fourth[sample] += values[3] * sum;
            }
        }
        for (guess, products) in guesses.into_iter().zip([first, second, third, fourth]) {
            self.products[guess].0[start..][..SAMPLES].copy_from_slice(&products);
        }
    }
}

/// Divides products by the scatter of the model for each guess, and for a correlation by that of each sample too.
pub struct Scale<'a> {
    /// The products, guess by guess.
    pub products: &'a mut [Row<f64>],
    /// The scatter of the model for each guess.
    pub models: &'a [f64],
    /// The scatter of each sample; None for a difference.
    pub samples: Option<&'a Row<f64>>,
}

impl Kernel for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (products, &model) in self.products.iter_mut().zip(self.models) {
            let mut by = [model; TILE];
            if let Some(samples) = self.samples {
                for sample in 0..TILE {
                    by[sample] = (model * samples.0[sample]).sqrt();
                }
            }
            for sample in 0..TILE {
                let value = products.0[sample] / by[sample];
                products.0[sample] = if by[sample] > 0.0 { value } else { 0.0 };
            }
        }
    }
}

/// The largest magnitude of each row, of the values that are finite.
pub struct Peaks<'a> {
    /// The rows.
    pub rows: &'a [Row<f64>],
}

impl Kernel for Peaks<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let mut peaks = Vec::with_capacity(self.rows.len());
        for row in self.rows {
            let mut sizes = [0.0; TILE];
            for sample in 0..TILE {
                let size = row.0[sample].abs();
                sizes[sample] = if size < f64::INFINITY { size } else { 0.0 };
            }
            let mut half = TILE;
            while half > 1 {
                half /= 2;
                for sample in 0..half {
                    sizes[sample] = sizes[sample].max(sizes[sample + half]);
                }
            }
            peaks.push(sizes[0]);
        }
        peaks
    }
}
