//! Numbers that samples may be, with sums that are exact for whole numbers.
//!
//! Sums of whole numbers are whole numbers: 2³¹ traces of any type fit without overflow. Central sums are
//! computed from them in 128 bits and rounded once, so that a large mean cancels without loss. Floating-
//! point samples are summed as 64-bit numbers about the mean of the first block.

use std::ops::AddAssign;

use bytemuck::Pod;

/// A number that a sample may be.
pub trait Sample: Pod + Default + PartialEq + Send + Sync {
    /// The sum of the samples of a block.
    type Partial: Copy + Default + Send + AddAssign;
    /// The sum of any number of samples.
    type Sum: Copy + Default + Send + Sync + AddAssign;
    /// The sum of any number of squares.
    type Square: Copy + Default + Send + Sync + AddAssign;

    /// The number whose little-endian bytes this host took for its own.
    #[must_use]
    fn little_endian(self) -> Self;
    /// The number less an offset, which is 0 for whole numbers.
    fn partial(self, offset: f64) -> Self::Partial;
    /// The sum of a block as one of more.
    fn sum(partial: Self::Partial) -> Self::Sum;
    /// The square of what `partial` returns.
    fn square(self, offset: f64) -> Self::Square;
    /// The number as floating point.
    fn float(self) -> f64;
    /// A mean that floating-point samples are summed about, from those of the first block.
    fn offset(_samples: impl Iterator<Item = Self>) -> f64 {
        0.0
    }
    /// The sum of `count` of `whole` samples, less the share that the mean of all would have.
    fn central_sum(sum: Self::Sum, count: u64, all: Self::Sum, whole: u64) -> f64;
    /// The sum of squared distances of `count` samples from their mean.
    fn scatter(square: Self::Square, sum: Self::Sum, count: u64) -> f64;
    /// The mean of `count` samples, to which the offset is added.
    fn mean(sum: Self::Sum, count: u64, offset: f64) -> f64;
}

/// The difference of the products `a * b` and `c * d`: mostly of 64 bits, which are several times as quick as 128.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_wrap)]
#[inline(always)]
fn difference(a: i64, b: u64, c: i64, d: u64) -> f64 {
    let small = || a.checked_mul(b as i64)?.checked_sub(c.checked_mul(d as i64)?);
    small().map_or_else(
        || (i128::from(a) * i128::from(b) - i128::from(c) * i128::from(d)) as f64,
        |difference| difference as f64,
    )
}

macro_rules! whole {
    ($type:ty, $partial:ty, $square:ty) => {
        impl Sample for $type {
            type Partial = $partial;
            type Sum = i64;
            type Square = $square;

            fn little_endian(self) -> Self {
                Self::from_le_bytes(self.to_ne_bytes())
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
            fn square(self, _: f64) -> $square {
                let magnitude = <$square>::from(self.abs_diff(0));
                magnitude * magnitude
            }
            #[inline(always)]
            fn float(self) -> f64 {
                self.into()
            }
            #[allow(clippy::cast_precision_loss)]
            fn central_sum(sum: i64, count: u64, all: i64, whole: u64) -> f64 {
                difference(sum, whole, all, count) / whole as f64
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
            type Partial = f64;
            type Sum = f64;
            type Square = f64;

            fn little_endian(self) -> Self {
                Self::from_le_bytes(self.to_ne_bytes())
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
            fn square(self, offset: f64) -> f64 {
                (f64::from(self) - offset).powi(2)
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
            fn central_sum(sum: f64, count: u64, all: f64, whole: u64) -> f64 {
                sum - all * (count as f64 / whole as f64)
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

whole!(i8, i32, u64);
whole!(u8, i32, u64);
whole!(i16, i32, u64);
whole!(u16, i32, u64);
whole!(i32, i64, u128);
whole!(u32, i64, u128);
float!(f32);
float!(f64);
