//! The inner loops of the statistics, over the rows of a block within a tile of samples.
//!
//! The sums that an attack needs take the width of a row as an argument, and are called with a constant for the usual one:
//! the compiler then knows it, and needs no code for what is left of a vector. A t-test has wider tiles, where it matters
//! little.

use cocrypt_simd::Kernel;

use crate::sample::Sample;
use crate::stream::TILE;

/// Rows of a class that are added up before its sums are touched.
const TOGETHER: usize = 4;
/// Guesses and samples whose sums of products are kept in registers.
const GUESSES: usize = 4;
const SAMPLES: usize = 16;
/// Samples that are worked on together where there are too few for a vector.
const FEW: usize = 4;

/// The rows of a block, cut to a tile.
#[derive(Clone, Copy)]
pub struct Rows<'a, T> {
    /// Whole rows, one after the other.
    pub samples: &'a [T],
    /// The samples of a whole row.
    pub length: usize,
    /// The first sample of the tile.
    pub start: usize,
    /// The samples of the tile.
    pub width: usize,
}

impl<'a, T> Rows<'a, T> {
    /// The number of rows.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.samples.len() / self.length
    }

    /// A row, cut to the tile.
    #[inline(always)]
    pub fn row(&self, number: usize) -> &'a [T] {
        self.cut(number, self.width)
    }

    /// The same rows without what stands between them, copied into `samples`: they share a few pages of memory then.
    pub fn copied<'b>(&self, samples: &'b mut Vec<T>) -> Rows<'b, T>
    where
        T: Copy,
    {
        samples.clear();
        for number in 0..self.count() {
            samples.extend_from_slice(self.row(number));
        }
        Rows { samples, length: self.width, start: 0, width: self.width }
    }

    #[inline(always)]
    fn cut(&self, number: usize, width: usize) -> &'a [T] {
        &self.samples[number * self.length + self.start..][..width]
    }
}

impl<T: Sample> Rows<'_, T> {
    /// What each sample is summed about.
    pub fn offsets(&self) -> Vec<f64> {
        let column = |sample| (0..self.count()).map(move |number| self.row(number)[sample]);
        (0..self.width).map(|sample| T::offset(column(sample))).collect()
    }
}

/// The rows of a block in the order of their classes.
#[derive(Default)]
pub struct Order {
    /// Numbers of rows, class by class.
    rows: Vec<u32>,
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
        self.rows.clear();
        self.rows.resize(total as usize, 0);
        // Each end begins where its class does, and moves with every row.
        for (row, class) in of.enumerate() {
            self.rows[self.ends[class] as usize] = row as u32;
            self.ends[class] += 1;
        }
    }
}

/// Adds each row, less the offsets, to the sums of its class. The rows of a class follow each other, so that they are
/// added up before its sums are touched.
pub struct ClassSums<'a, T: Sample> {
    /// The rows.
    pub rows: Rows<'a, T>,
    /// Their order.
    pub order: &'a Order,
    /// What is subtracted from each sample.
    pub offsets: &'a [f64],
    /// Room for the sums of one class.
    pub partial: &'a mut [T::Partial],
    /// The sums, class by class.
    pub sums: &'a mut [T::Sum],
}

impl<T: Sample> ClassSums<'_, T> {
    #[inline(always)]
    fn add(self, width: usize) {
        let (offsets, partial) = (&self.offsets[..width], &mut self.partial[..width]);
        let mut first = 0;
        for (sums, &end) in self.sums.chunks_exact_mut(width).zip(&self.order.ends) {
            let rows = self.order.rows[first as usize..end as usize].chunks_exact(TOGETHER);
            first = end;
            partial.fill(T::Partial::default());
            for &row in rows.remainder() {
                let row = self.rows.cut(row as usize, width);
                for sample in 0..width {
                    partial[sample] += row[sample].partial(offsets[sample]);
                }
            }
            for rows in rows {
                let few: [&[T]; TOGETHER] =
                    std::array::from_fn(|index| self.rows.cut(rows[index] as usize, width));
                for sample in 0..width {
                    let mut total = T::Partial::default();
                    for row in few {
                        total += row[sample].partial(offsets[sample]);
                    }
                    partial[sample] += total;
                }
            }
            for (sum, &partial) in sums.iter_mut().zip(&*partial) {
                *sum += T::sum(partial);
            }
        }
    }
}

impl<T: Sample> Kernel for ClassSums<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        match self.rows.width {
            TILE => self.add(TILE),
            width => self.add(width),
        }
    }
}

/// Adds each row, less the offsets, to the sums of its class, and the squares as well. Rows of classes that have no
/// sums are left out.
pub struct Moments<'a, T: Sample, C> {
    /// The rows.
    pub rows: Rows<'a, T>,
    /// The class of a row.
    pub class: C,
    /// What is subtracted from each sample.
    pub offsets: &'a [f64],
    /// The sums, class by class.
    pub sums: &'a mut [T::Partial],
    /// The sums of squares, class by class.
    pub squares: &'a mut [T::Square],
}

impl<T: Sample, C: Fn(usize) -> usize> Moments<'_, T, C> {
    #[inline(always)]
    fn add(&mut self, width: usize) {
        let offsets = &self.offsets[..width];
        let classes = self.sums.len() / width;
        for number in 0..self.rows.count() {
            let (row, class) = (self.rows.cut(number, width), (self.class)(number));
            if class < classes {
                let sums = &mut self.sums[class * width..][..width];
                let squares = &mut self.squares[class * width..][..width];
                for sample in 0..width {
                    sums[sample] += row[sample].partial(offsets[sample]);
                    squares[sample] += row[sample].square(offsets[sample]);
                }
            }
        }
    }
}

impl<T: Sample, C: Fn(usize) -> usize> Kernel for Moments<'_, T, C> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        match self.rows.width {
            TILE => self.add(TILE),
            width => self.add(width),
        }
    }
}

/// Adds powers of each row's distances from the means of its class. Rows of classes without means are left out.
pub struct CentralMoments<'a, T: Sample, C> {
    /// The rows.
    pub rows: Rows<'a, T>,
    /// The class of a row.
    pub class: C,
    /// The means, class by class.
    pub means: &'a [f64],
    /// The sums of the powers 2, 3, 4 and 6, each class by class.
    pub powers: &'a mut [Vec<f64>; 4],
}

impl<T: Sample, C: Fn(usize) -> usize> Kernel for CentralMoments<'_, T, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let width = self.rows.width;
        for number in 0..self.rows.count() {
            let (row, first) = (self.rows.row(number), (self.class)(number) * width);
            if first < self.means.len() {
                let means = &self.means[first..][..width];
                let [seconds, thirds, fourths, sixths] =
                    self.powers.each_mut().map(|power| &mut power[first..][..width]);
                for sample in 0..width {
                    let distance = row[sample].float() - means[sample];
                    let square = distance * distance;
                    let cube = square * distance;
                    seconds[sample] += square;
                    thirds[sample] += cube;
                    fourths[sample] += square * square;
                    sixths[sample] += cube * cube;
                }
            }
        }
    }
}

/// Adds the sums of a block to those of more.
pub struct Flush<'a, T: Sample> {
    /// The sums of all blocks.
    pub sums: &'a mut [T::Sum],
    /// Those of one.
    pub partial: &'a [T::Partial],
}

impl<T: Sample> Kernel for Flush<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (sum, &partial) in self.sums.iter_mut().zip(self.partial) {
            *sum += T::sum(partial);
        }
    }
}

/// Adds the product of a table (guesses × classes) and of sums (classes × samples) to `products` (guesses × samples).
pub struct Product<'a> {
    /// The table, guess by guess.
    pub table: &'a [f64],
    /// The number of classes.
    pub classes: usize,
    /// The sums, class by class.
    pub sums: &'a [f64],
    /// The number of samples.
    pub width: usize,
    /// The products, guess by guess.
    pub products: &'a mut [f64],
}

impl Kernel for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let mut sample = 0;
        while sample < self.width {
            sample += match self.width - sample {
                SAMPLES.. => self.column::<SAMPLES>(sample),
                FEW.. => self.column::<FEW>(sample),
                _ => self.column::<1>(sample),
            };
        }
    }
}

impl Product<'_> {
    /// The products of all guesses and of so many samples, whose number is returned.
    #[inline(always)]
    fn column<const S: usize>(&mut self, sample: usize) -> usize {
        let guesses = self.table.len() / self.classes;
        let whole = guesses - guesses % GUESSES;
        for guess in (0..whole).step_by(GUESSES) {
            self.block::<GUESSES, S>(guess, sample);
        }
        for guess in whole..guesses {
            self.block::<1, S>(guess, sample);
        }
        S
    }

    /// The products of so many guesses and samples, which are added up class by class.
    #[inline(always)]
    fn block<const G: usize, const S: usize>(&mut self, guess: usize, sample: usize) {
        let mut products = [[0.0; S]; G];
        for (row, products) in products.iter_mut().enumerate() {
            products.copy_from_slice(&self.products[(guess + row) * self.width + sample..][..S]);
        }
        let tables: [&[f64]; G] =
            std::array::from_fn(|row| &self.table[(guess + row) * self.classes..][..self.classes]);
        for (class, sums) in self.sums.chunks_exact(self.width).enumerate() {
            let sums = &sums[sample..][..S];
            for (products, table) in products.iter_mut().zip(tables) {
                for (product, sum) in products.iter_mut().zip(sums) {
                    *product += table[class] * sum;
                }
            }
        }
        for (row, products) in products.iter().enumerate() {
            self.products[(guess + row) * self.width + sample..][..S].copy_from_slice(products);
        }
    }
}
