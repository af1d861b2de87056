//! Blocks of traces, read one after the other and worked on by all cores, each at its own samples.

use std::io::Read;
use std::ops::Range;

use rayon::prelude::*;

use crate::error::Error;
use crate::kernel::Rows;
use crate::sample::Sample;
use crate::set::{self, Chunk, TRACES, TraceSet};

/// Bytes of a block whose sums are of many classes: for fewer traces adding them up would cost more than making them.
pub const LARGE: usize = 8 << 20;
/// Bytes of a block whose sums are few: it is still in the caches of the cores when they work on it.
pub const SMALL: usize = 1 << 20;
/// Traces of a block at most, so that sums of a block fit 32 bits.
const ROWS: usize = 1 << 15;
/// Samples that are worked on together: sums of 256 classes fit a core's second cache.
pub const TILE: usize = 64;

/// The part of a trace set that a statistic is computed of.
#[derive(Clone, Debug)]
pub struct Part {
    /// Traces, counted from the first of the set.
    pub traces: Range<usize>,
    /// Samples.
    pub samples: Range<usize>,
}

/// Consecutive traces.
pub struct Block<'a, T> {
    /// The number of the first, counted from the first of the part.
    pub first: usize,
    /// Samples of a trace.
    length: usize,
    /// The first sample of the part.
    start: usize,
    /// The samples of one trace after the other.
    samples: &'a [T],
}

impl<'a, T> Block<'a, T> {
    /// The traces, cut to a range of the part's samples.
    pub fn rows(&self, tile: &Range<usize>) -> Rows<'a, T> {
        let start = self.start + tile.start;
        Rows { samples: self.samples, length: self.length, start, width: tile.len() }
    }

    /// The number behind the last trace, counted from the first of the part.
    pub fn end(&self) -> usize {
        self.first + self.samples.len() / self.length
    }
}

/// The ranges of so many of a number of samples, which are worked on together.
pub fn tiles(samples: usize, width: usize) -> impl Iterator<Item = Range<usize>> {
    (0..samples).step_by(width).map(move |first| first..samples.min(first + width))
}

/// The number of cores that share the work.
pub fn cores() -> usize {
    rayon::current_num_threads()
}

/// Works on all items, by all cores.
pub fn spread<I: Send>(items: &mut [I], work: impl Fn(&mut I) + Send + Sync) {
    items.par_iter_mut().for_each(work);
}

/// Reads the traces of a part in blocks of so many bytes, none of which goes beyond a number in `cuts`; `work` may
/// stop it.
///
/// # Errors
/// A file cannot be read, or `work` fails.
pub fn read<T: Sample>(
    set: &TraceSet,
    part: &Part,
    block_size: usize,
    cuts: &[usize],
    mut work: impl FnMut(&Block<T>) -> Result<(), Error>,
) -> Result<(), Error> {
    let (length, row_size) = (set.description.samples, set.description.row_size());
    let rows = (block_size / row_size).clamp(1, ROWS);
    let mut chunk_first = 0;
    let mut samples = vec![];
    for chunk in &set.chunks {
        let wanted =
            part.traces.start.max(chunk_first)..part.traces.end.min(chunk_first + chunk.traces);
        let mut next = wanted.start;
        while next < wanted.end {
            let first = next - part.traces.start;
            let cut = cuts.iter().find(|cut| **cut > first).map_or(usize::MAX, |cut| cut - first);
            let count = rows.min(wanted.end - next).min(cut);
            let size = count * length;
            samples.resize(samples.len().max(size), T::default());
            fill(chunk, next - chunk_first, &mut samples[..size], length)?;
            let (start, samples) = (part.samples.start, &samples[..size]);
            work(&Block { first, length, start, samples })?;
            next += count;
        }
        chunk_first += chunk.traces;
    }
    Ok(())
}

/// Reads traces of a chunk, from one on, by all cores.
fn fill<T: Sample>(
    chunk: &Chunk,
    from: usize,
    samples: &mut [T],
    length: usize,
) -> Result<(), Error> {
    let rows = (samples.len() / length).div_ceil(cores());
    let shares = samples.chunks_mut(rows * length).enumerate();
    let mut shares: Vec<_> =
        shares.map(|(number, share)| (from + number * rows, share, Ok(()))).collect();
    spread(&mut shares, |(from, share, outcome)| {
        *outcome = read_rows(chunk, *from, share, length);
    });
    shares.into_iter().try_for_each(|(_, _, outcome)| outcome)
}

/// Reads traces of a chunk, from one on.
fn read_rows<T: Sample>(
    chunk: &Chunk,
    from: usize,
    samples: &mut [T],
    length: usize,
) -> Result<(), Error> {
    let mut file = chunk.reader(TRACES, length * size_of::<T>(), from)?;
    let bytes = bytemuck::cast_slice_mut(samples);
    file.read_exact(bytes).map_err(Error::host(&set::file_of(&chunk.path, TRACES)))?;
    if cfg!(target_endian = "big") {
        for sample in samples {
            *sample = sample.little_endian();
        }
    }
    Ok(())
}

/// Calls a function that is generic over the type of the samples of a set.
macro_rules! by_type {
    ($set:expr, $function:ident($($argument:expr),*)) => {
        match $set.description.dtype {
            cocrypt_config::Dtype::Int8 => $function::<i8>($($argument),*),
            cocrypt_config::Dtype::Uint8 => $function::<u8>($($argument),*),
            cocrypt_config::Dtype::Int16 => $function::<i16>($($argument),*),
            cocrypt_config::Dtype::Uint16 => $function::<u16>($($argument),*),
            cocrypt_config::Dtype::Int32 => $function::<i32>($($argument),*),
            cocrypt_config::Dtype::Uint32 => $function::<u32>($($argument),*),
            cocrypt_config::Dtype::Float32 => $function::<f32>($($argument),*),
            cocrypt_config::Dtype::Float64 => $function::<f64>($($argument),*),
        }
    };
}
pub(crate) use by_type;
