//! Blocks of traces, read one after the other and worked on by all cores, each at its own samples.

use std::io::Read;
use std::num::NonZero;
use std::ops::Range;
use std::thread;

use crate::error::Error;
use crate::sample::Sample;
use crate::set::{self, TRACES, TraceSet};

/// Bytes of a block.
const BLOCK: usize = 8 << 20;
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
pub struct Block<T> {
    /// The number of the first, counted from the first of the part.
    pub first: usize,
    /// Samples of a trace.
    pub width: usize,
    /// The samples of one trace after the other.
    pub samples: Vec<T>,
}

impl<T> Block<T> {
    /// Each trace with its number, cut to a range of samples.
    pub fn rows(&self, tile: &Range<usize>) -> impl Iterator<Item = (usize, &[T])> {
        let rows = self.samples.chunks_exact(self.width).enumerate();
        rows.map(|(row, samples)| (self.first + row, &samples[tile.clone()]))
    }
}

/// The ranges of a number of samples that are worked on together.
pub fn tiles(samples: usize) -> impl Iterator<Item = Range<usize>> {
    (0..samples).step_by(TILE).map(move |first| first..samples.min(first + TILE))
}

/// Works on all items, by all cores.
pub fn spread<I: Send>(items: &mut [I], work: impl Fn(&mut I) + Sync) {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let share = items.len().div_ceil(cores).max(1);
    if items.len() <= share {
        items.iter_mut().for_each(work);
        return;
    }
    thread::scope(|scope| {
        for items in items.chunks_mut(share) {
            scope.spawn(|| items.iter_mut().for_each(&work));
        }
    });
}

/// Reads the traces of a part in blocks, none of which goes beyond a number in `cuts`; `work` may stop it.
///
/// # Errors
/// A file cannot be read, or `work` fails.
pub fn read<T: Sample>(
    set: &TraceSet,
    part: &Part,
    cuts: &[usize],
    mut work: impl FnMut(&Block<T>) -> Result<(), Error>,
) -> Result<(), Error> {
    let row_size = set.description.row_size();
    let rows = (BLOCK / row_size).clamp(1, ROWS);
    let mut chunk_first = 0;
    let mut bytes = vec![];
    for chunk in &set.chunks {
        let wanted =
            part.traces.start.max(chunk_first)..part.traces.end.min(chunk_first + chunk.traces);
        let mut next = wanted.start;
        if next < wanted.end {
            let path = set::file_of(&chunk.path, TRACES);
            let mut file = chunk.reader(TRACES, row_size, next - chunk_first)?;
            while next < wanted.end {
                let first = next - part.traces.start;
                let cut =
                    cuts.iter().find(|cut| **cut > first).map_or(usize::MAX, |cut| cut - first);
                let count = rows.min(wanted.end - next).min(cut);
                bytes.resize(count * row_size, 0);
                file.read_exact(&mut bytes).map_err(Error::host(&path))?;
                work(&block(&bytes, row_size, part, first))?;
                next += count;
            }
        }
        chunk_first += chunk.traces;
    }
    Ok(())
}

fn block<T: Sample>(bytes: &[u8], row_size: usize, part: &Part, first: usize) -> Block<T> {
    let size = size_of::<T>();
    let window = part.samples.start * size..part.samples.end * size;
    let mut samples = vec![T::default(); bytes.len() / row_size * part.samples.len()];
    let rows = samples.chunks_exact_mut(part.samples.len()).zip(bytes.chunks_exact(row_size));
    for (samples, row) in rows {
        let numbers = row[window.clone()].chunks_exact(size);
        samples.iter_mut().zip(numbers).for_each(|(sample, bytes)| *sample = T::read(bytes));
    }
    Block { first, width: part.samples.len(), samples }
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
