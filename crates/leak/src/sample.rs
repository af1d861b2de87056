//! Numbers that samples may be, with sums that are exact for whole numbers.
//!
//! Sums of whole numbers are whole numbers: 2³¹ traces of any type fit without overflow. Central sums are
//! computed from them in 128 bits and rounded once, so that a large mean cancels without loss. Floating-
//! point samples are summed as 64-bit numbers about the mean of the first block.
//!
//! A vector holds the more sums the fewer bits these have. Samples are therefore added up in few bits, as many as fit
//! by the largest sample of a block, then in more.

use std::ops::AddAssign;

use bytemuck::Pod;

/// Samples that are worked on together: a vector of 16-bit ones.
pub const TILE: usize = 32;

/// A value for each sample of a tile, in as few lines of the cache as it can be.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Row<T>(pub [T; TILE]);

impl<T: Copy + Default> Row<T> {
    /// A zero for each sample.
    #[inline(always)]
    pub fn zeros() -> Self {
        Self([T::default(); TILE])
    }
}

/// Rows whose sums fit, by the largest sample among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rows whose samples are added up as `Narrow`.
    pub samples: usize,
    /// Rows whose squares are added up as `Product`.
    pub squares: usize,
}

/// A number that a sample may be.
pub trait Sample: Pod + Default + PartialEq + PartialOrd + Send + Sync {
    /// The sum of a few samples.
    type Narrow: Copy + Default + AddAssign;
    /// The sum of the samples of a block, and of more as long as they fit.
    type Partial: Copy + Default + Send + Sync + AddAssign;
    /// The sum of a few squares.
    type Product: Copy + Default + AddAssign;
    /// The sum of any number of samples.
    type Sum: Copy + Default + Send + Sync + AddAssign;
    /// The sum of any number of squares.
    type Square: Copy + Default + Send + Sync + AddAssign;

    /// The sum of the magnitudes of samples up to which their sum fits `Partial`.
    const ROOM: u64;
    /// Whether `size` is that of the number, so that someone must look for the largest.
    const IS_WHOLE: bool;

    /// The number whose little-endian bytes this host took for its own.
    #[must_use]
    fn little_endian(self) -> Self;
    /// The magnitude of a whole number; 1 for floating point, whose sums have roundings instead of a limit.
    fn size(self) -> u32;
    /// Rows whose sums fit where no sample has a larger size.
    fn limits(largest: u32) -> Limits;
    /// The number less an offset, which is 0 for whole numbers.
    fn narrow(self, offset: f64) -> Self::Narrow;
    /// The sum of few samples as one of more.
    fn widen(narrow: Self::Narrow) -> Self::Partial;
    /// The same as `narrow` with more bits.
    fn partial(self, offset: f64) -> Self::Partial;
    /// The sum of a block as one of more.
    fn sum(partial: Self::Partial) -> Self::Sum;
    /// The square of what `partial` returns.
    fn product(self, offset: f64) -> Self::Product;
    /// The sum of few squares as one of more.
    fn square(product: Self::Product) -> Self::Square;
    /// The number as floating point.
    fn float(self) -> f64;
    /// A mean that floating-point samples are summed about, from those of the first block.
    fn offset(_samples: impl Iterator<Item = Self>) -> f64 {
        0.0
    }
    /// Sums of `count` of `whole` samples, less the shares that the means of all would have.
    fn central_sums(
        sums: &Row<Self::Sum>,
        count: u64,
        all: &Row<Self::Sum>,
        whole: u64,
    ) -> Row<f64>;
    /// The sum of squared distances of `count` samples from their mean.
    fn scatter(square: Self::Square, sum: Self::Sum, count: u64) -> f64;
    /// The mean of `count` samples, to which the offset is added.
    fn mean(sum: Self::Sum, count: u64, offset: f64) -> f64;
}

/// The differences of the products `a * b` and `c * d`: mostly of 64 bits, which are several times as quick as 128.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_wrap)]
#[inline(always)]
fn differences(a: &Row<i64>, b: u64, c: &Row<i64>, d: u64) -> Row<f64> {
    let (mut left, mut right) = (0, 0);
    for sample in 0..TILE {
        left |= a.0[sample].unsigned_abs();
        right |= c.0[sample].unsigned_abs();
    }
    let bits = |value: u64, factor: u64| 128 - value.leading_zeros() - factor.leading_zeros();
    if bits(left, b).max(bits(right, d)) > 62 {
        return wide_differences(a, b, c, d);
    }
    let mut found = Row::zeros();
    for sample in 0..TILE {
        found.0[sample] = (a.0[sample] * b as i64 - c.0[sample] * d as i64) as f64;
    }
    found
}

/// The same where products may have up to 127 bits.
#[allow(clippy::cast_precision_loss)]
#[cold]
#[inline(never)]
fn wide_differences(a: &Row<i64>, b: u64, c: &Row<i64>, d: u64) -> Row<f64> {
    let product = |value: i64, factor: u64| i128::from(value) * i128::from(factor);
    Row(std::array::from_fn(|sample| (product(a.0[sample], b) - product(c.0[sample], d)) as f64))
}

/// How many numbers of a size fit, at least one.
fn fitting(most: u64, size: u64) -> usize {
    usize::try_from(most / size.max(1)).unwrap_or(usize::MAX).max(1)
}

macro_rules! whole {
    ($type:ty, $narrow:ty, $partial:ty, $product:ty, $square:ty) => {
        impl Sample for $type {
            type Narrow = $narrow;
            type Partial = $partial;
            type Product = $product;
            type Sum = i64;
            type Square = $square;

            const ROOM: u64 = <$partial>::MAX as u64;
            const IS_WHOLE: bool = true;

            fn little_endian(self) -> Self {
                Self::from_le_bytes(self.to_ne_bytes())
            }
            fn size(self) -> u32 {
                self.abs_diff(0).into()
            }
            fn limits(largest: u32) -> Limits {
                let size = u64::from(largest);
                Limits {
                    samples: fitting(<$narrow>::MAX.abs_diff(0).into(), size),
                    squares: fitting(<$product>::MAX.into(), size * size),
                }
            }
            #[inline(always)]
            fn narrow(self, _: f64) -> $narrow {
                <$narrow>::from(self)
            }
            #[inline(always)]
            fn widen(narrow: $narrow) -> $partial {
                narrow.into()
            }
            #[inline(always)]
            fn partial(self, _: f64) -> $partial {
                <$partial>::from(self)
            }
            #[inline(always)]
            fn sum(partial: $partial) -> i64 {
                partial.into()
            }
            #[inline(always)]
            fn product(self, _: f64) -> $product {
                let magnitude = <$product>::from(self.abs_diff(0));
                magnitude * magnitude
            }
            #[inline(always)]
            fn square(product: $product) -> $square {
                product.into()
            }
            #[inline(always)]
            fn float(self) -> f64 {
                self.into()
            }
            #[allow(clippy::cast_precision_loss)]
            #[inline(always)]
            fn central_sums(sums: &Row<i64>, count: u64, all: &Row<i64>, whole: u64) -> Row<f64> {
                let mut found = differences(sums, whole, all, count);
                for value in &mut found.0 {
                    *value /= whole as f64;
                }
                found
            }
            #[allow(clippy::cast_precision_loss)]
            fn scatter(square: $square, sum: i64, count: u64) -> f64 {
                let (square, sum) = (i128::try_from(square).expect("of 126 bits"), i128::from(sum));
                (square * i128::from(count) - sum * sum) as f64 / count as f64
            }
            #[allow(clippy::cast_precision_loss)]
            fn mean(sum: i64, count: u64, _: f64) -> f64 {
                sum as f64 / count as f64
            }
        }
    };
}

macro_rules! float {
    ($type:ty) => {
        impl Sample for $type {
            type Narrow = f64;
            type Partial = f64;
            type Product = f64;
            type Sum = f64;
            type Square = f64;

            /// Sums of blocks are added to those of all: fewer roundings than one long sum.
            const ROOM: u64 = 1 << 15;
            const IS_WHOLE: bool = false;

            fn little_endian(self) -> Self {
                Self::from_le_bytes(self.to_ne_bytes())
            }
            fn size(self) -> u32 {
                1
            }
            fn limits(_: u32) -> Limits {
                Limits { samples: usize::MAX, squares: usize::MAX }
            }
            #[inline(always)]
            fn narrow(self, offset: f64) -> f64 {
                f64::from(self) - offset
            }
            #[inline(always)]
            fn widen(narrow: f64) -> f64 {
                narrow
            }
            #[inline(always)]
            fn partial(self, offset: f64) -> f64 {
                f64::from(self) - offset
            }
            #[inline(always)]
            fn sum(partial: f64) -> f64 {
                partial
            }
            #[inline(always)]
            fn product(self, offset: f64) -> f64 {
                (f64::from(self) - offset).powi(2)
            }
            #[inline(always)]
            fn square(product: f64) -> f64 {
                product
            }
            #[inline(always)]
            fn float(self) -> f64 {
                self.into()
            }
            #[allow(clippy::cast_precision_loss)]
            fn offset(samples: impl Iterator<Item = Self>) -> f64 {
                let (sum, count) = samples
                    .fold((0.0, 0u64), |(sum, count), sample| (sum + f64::from(sample), count + 1));
                if count == 0 { 0.0 } else { sum / count as f64 }
            }
            #[allow(clippy::cast_precision_loss)]
            #[inline(always)]
            fn central_sums(sums: &Row<f64>, count: u64, all: &Row<f64>, whole: u64) -> Row<f64> {
                let share = count as f64 / whole as f64;
                let mut found = *sums;
                for (value, all) in found.0.iter_mut().zip(&all.0) {
                    *value -= all * share;
                }
                found
            }
            #[allow(clippy::cast_precision_loss)]
            fn scatter(square: f64, sum: f64, count: u64) -> f64 {
                (square - sum * (sum / count as f64)).max(0.0)
            }
            #[allow(clippy::cast_precision_loss)]
            fn mean(sum: f64, count: u64, offset: f64) -> f64 {
                sum / count as f64 + offset
            }
        }
    };
}

whole!(i8, i16, i32, u32, u64);
whole!(u8, u16, i32, u32, u64);
whole!(i16, i16, i32, u32, u64);
whole!(u16, u16, i32, u32, u64);
whole!(i32, i64, i64, u64, u128);
whole!(u32, i64, i64, u64, u128);
float!(f32);
float!(f64);
