//! Blocks of traces, read one after the other and worked on by all cores, each at its own samples.

use std::io::Read;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use cocrypt_simd::Instructions;

use crate::error::Error;
use crate::kernel::{Cut, Order};
use crate::sample::{Row, Sample, TILE};
use crate::set::{self, Chunk, TRACES, TraceSet};

/// Bytes of a block whose sums are of many classes: for fewer traces adding them up would cost more than making them.
pub const LARGE: usize = 16 << 20;
/// Bytes of a block whose sums are few: it is still in a core's cache when that works on it.
pub const SMALL: usize = 1 << 19;
/// Bytes that are read together: they are still in the core's cache when they are cut to tiles.
const PIECE: usize = 64 << 10;
/// Shares of a block that a core reads: enough that none waits long for the others.
const SHARES: usize = 2;
/// Blocks for each core before their sums are merged.
const BLOCKS: usize = 8;
/// Traces of a block at most, so that sums of a block fit 32 bits.
pub const ROWS: usize = 1 << 15;

/// The part of a trace set that a statistic is computed of.
#[derive(Clone, Debug)]
pub struct Part {
    /// Traces, counted from the first of the set.
    pub traces: Range<usize>,
    /// Samples.
    pub samples: Range<usize>,
}

/// Consecutive traces, cut to tiles of samples.
pub struct Block<T> {
    /// The number of the first, counted from the first of the part.
    pub first: usize,
    /// The number of traces.
    count: usize,
    /// The rows of each tile.
    tiles: Vec<Vec<Row<T>>>,
    /// The largest size of a sample in each tile.
    largest: Vec<u32>,
    /// The orders of the rows.
    pub orders: Vec<Order>,
}

impl<T: Sample> Block<T> {
    fn new(part: &Part, orders: usize) -> Self {
        let tiles = vec![vec![]; part.samples.len().div_ceil(TILE)];
        let orders = (0..orders).map(|_| Order::default()).collect();
        Self { first: 0, count: 0, largest: vec![0; tiles.len()], tiles, orders }
    }

    /// The rows of a tile, and the largest size of a sample in them.
    pub fn tile(&self, samples: &Range<usize>) -> (&[Row<T>], u32) {
        let number = samples.start / TILE;
        (&self.tiles[number][..self.count], self.largest[number])
    }

    /// The number behind the last trace, counted from the first of the part.
    pub fn end(&self) -> usize {
        self.first + self.count
    }
}

/// The ranges of a number of samples that are worked on together.
pub fn tiles(samples: usize) -> impl Iterator<Item = Range<usize>> {
    (0..samples).step_by(TILE).map(move |first| first..samples.min(first + TILE))
}

/// What each sample of rows is summed about.
pub fn offsets<T: Sample>(rows: &[Row<T>]) -> Row<f64> {
    Row(std::array::from_fn(|sample| T::offset(rows.iter().map(|row| row.0[sample]))))
}

/// The number of cores that share the work.
pub fn cores() -> usize {
    rayon::current_num_threads()
}

/// Works on all items, by all cores. The caller's thread is one of them: it begins at once, while others wake up.
pub fn spread<I: Send>(items: &mut [I], work: impl Fn(&mut I) + Send + Sync) {
    let helpers = cores().min(items.len()).saturating_sub(1);
    let items = Mutex::new(items.iter_mut());
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let all = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    rayon::in_place_scope(|scope| {
        (0..helpers).for_each(|_| scope.spawn(|_| all()));
        all();
    });
}

/// What is done with blocks.
pub struct Pass<'a, S, W> {
    /// The bytes of a block.
    pub size: usize,
    /// Numbers of traces that no block goes beyond.
    pub cuts: &'a [usize],
    /// How many orders of its rows a block needs.
    pub orders: usize,
    /// Sorts rows, counted from the first of the part, for the order of a number.
    pub sort: S,
    /// Works on a block within a tile.
    pub work: W,
}

impl<S, W> Pass<'_, S, W> {
    /// Reads the traces of a part and works on all tiles; `step`, which is called behind each block, may stop it.
    ///
    /// # Errors
    /// A file cannot be read, or `step` fails.
    pub fn run<T: Sample, I: Send>(
        &self,
        set: &TraceSet,
        part: &Part,
        tiles: &mut [I],
        mut step: impl FnMut(&mut [I], &Block<T>) -> Result<(), Error>,
    ) -> Result<(), Error>
    where
        S: Fn(usize, Range<usize>, &mut Order) + Sync,
        W: Fn(&mut I, &Block<T>) + Sync,
    {
        let (reader, mut block) = (Reader { set, part }, Block::new(part, self.orders));
        for place in self.places(set, part) {
            self.fill(&mut block, &reader, &place, SHARES * cores())?;
            spread(tiles, |tile| (self.work)(tile, &block));
            step(tiles, &block)?;
        }
        Ok(())
    }

    /// The same with whole blocks for each core, which waits for the others less often: for sums that are few. `new`
    /// makes empty sums from those of the first block, and `merge` adds the sums of a block, in the order of the blocks.
    ///
    /// # Errors
    /// A file cannot be read, or `step` fails.
    pub fn run_by_blocks<T: Sample, I: Send + Sync>(
        &self,
        set: &TraceSet,
        part: &Part,
        tiles: &mut [I],
        (new, merge): (impl Fn(&I) -> I + Sync, impl Fn(&mut I, &I)),
        mut step: impl FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error>
    where
        S: Fn(usize, Range<usize>, &mut Order) + Sync,
        W: Fn(&mut I, &Block<T>) + Sync,
    {
        let places = self.places(set, part);
        let Some((first, places)) = places.split_first() else { return Ok(()) };
        let reader = Reader { set, part };
        let mut block = Block::new(part, self.orders);
        self.fill(&mut block, &reader, first, 1)?;
        for tile in &mut *tiles {
            (self.work)(tile, &block);
        }
        step(block.end())?;
        let spare = Mutex::new(vec![block]);
        let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
        let together = BLOCKS * cores();
        // Their memory is used again for each batch.
        let empty = |_| (Ok(()), tiles.iter().map(&new).collect::<Vec<_>>());
        let mut parts: Vec<_> = (0..together.min(places.len())).map(empty).collect();
        for places in places.chunks(together) {
            let mut work: Vec<_> = places.iter().zip(&mut parts).collect();
            spread(&mut work, |(place, (outcome, sums))| {
                let block = spare().pop();
                let mut block = block.unwrap_or_else(|| Block::new(part, self.orders));
                *outcome = self.fill(&mut block, &reader, place, 1);
                for (sums, tile) in sums.iter_mut().zip(&*tiles) {
                    *sums = new(tile);
                    (self.work)(sums, &block);
                }
                spare().push(block);
            });
            for (place, (outcome, sums)) in places.iter().zip(&mut parts) {
                std::mem::replace(outcome, Ok(()))?;
                tiles.iter_mut().zip(sums).for_each(|(tile, sums)| merge(tile, sums));
                step(place.first + place.count)?;
            }
        }
        Ok(())
    }

    /// Fills a block in so many shares, of which one is for this core alone.
    fn fill<T: Sample>(
        &self,
        block: &mut Block<T>,
        reader: &Reader,
        place: &Place,
        shares: usize,
    ) -> Result<(), Error>
    where
        S: Fn(usize, Range<usize>, &mut Order) + Sync,
    {
        let (mut tasks, sort) = (block.tasks(place, shares), &self.sort);
        let work = |task: &mut Task<T>| match task {
            Task::Read(share) => share.outcome = share.read(reader),
            Task::Sort(number, rows, order) => sort(*number, rows.clone(), order),
        };
        match shares {
            1 => tasks.iter_mut().for_each(work),
            _ => spread(&mut tasks, work),
        }
        let read = tasks.into_iter().filter_map(|task| match task {
            Task::Read(share) => Some(share.outcome.map(|()| share.largest)),
            Task::Sort(..) => None,
        });
        let largest = read.collect::<Result<Vec<_>, _>>()?;
        block.find_largest(&largest);
        Ok(())
    }

    /// The places of all blocks.
    fn places<'b>(&self, set: &'b TraceSet, part: &Part) -> Vec<Place<'b>> {
        let most = (self.size / set.description.row_size()).clamp(1, ROWS);
        let (mut places, mut chunk_first) = (vec![], 0);
        for chunk in &set.chunks {
            let end = part.traces.end.min(chunk_first + chunk.traces);
            let mut next = part.traces.start.max(chunk_first);
            while next < end {
                let first = next - part.traces.start;
                let cut = self.cuts.iter().find(|cut| **cut > first);
                let cut = cut.map_or(usize::MAX, |cut| cut - first);
                let count = most.min(end - next).min(cut);
                places.push(Place { first, count, chunk, from: next - chunk_first });
                next += count;
            }
            chunk_first += chunk.traces;
        }
        places
    }
}

/// Where a block is read.
struct Place<'a> {
    /// The number of its first trace, counted from the first of the part.
    first: usize,
    count: usize,
    chunk: &'a Chunk,
    /// The same trace, counted from the first of the chunk.
    from: usize,
}

/// What one core does at a time to fill a block.
enum Task<'a, T> {
    Read(Share<'a, T>),
    Sort(usize, Range<usize>, &'a mut Order),
}

/// What all shares of blocks have in common.
struct Reader<'a> {
    set: &'a TraceSet,
    part: &'a Part,
}

/// Consecutive rows of each tile, which one core reads.
struct Share<'a, T> {
    chunk: &'a Chunk,
    from: usize,
    count: usize,
    tiles: Vec<&'a mut [Row<T>]>,
    largest: Vec<u32>,
    outcome: Result<(), Error>,
}

impl<T: Sample> Block<T> {
    /// What fills a block, which so many shares are read of.
    fn tasks<'a>(&'a mut self, place: &Place<'a>, shares: usize) -> Vec<Task<'a, T>> {
        (self.first, self.count) = (place.first, place.count);
        let rows = self.first..self.end();
        let size = self.count.div_ceil(shares);
        let share = |first: usize| Share {
            chunk: place.chunk,
            from: place.from + first,
            count: size.min(self.count - first),
            tiles: vec![],
            largest: vec![0; self.largest.len()],
            outcome: Ok(()),
        };
        let mut shares: Vec<_> = (0..self.count).step_by(size).map(share).collect();
        for tile in &mut self.tiles {
            tile.resize(tile.len().max(self.count), Row::zeros());
            for (share, rows) in shares.iter_mut().zip(tile[..self.count].chunks_mut(size)) {
                share.tiles.push(rows);
            }
        }
        let orders = self.orders.iter_mut().enumerate();
        let sorts = orders.map(|(number, order)| Task::Sort(number, rows.clone(), order));
        shares.into_iter().map(Task::Read).chain(sorts).collect()
    }

    /// Keeps the largest size in each tile, from those in the shares.
    fn find_largest(&mut self, shares: &[Vec<u32>]) {
        for (number, largest) in self.largest.iter_mut().enumerate() {
            *largest = shares.iter().map(|share| share[number]).max().unwrap_or(0);
        }
    }
}

impl<T: Sample> Share<'_, T> {
    fn read(&mut self, Reader { set, part }: &Reader) -> Result<(), Error> {
        let (length, row_size) = (set.description.samples, set.description.row_size());
        let mut file = self.chunk.reader(TRACES, row_size, self.from)?;
        let path = set::file_of(&self.chunk.path, TRACES);
        let rows = (PIECE / row_size).clamp(1, self.count);
        let mut samples = vec![T::default(); rows * length];
        let instructions = Instructions::widest();
        for first in (0..self.count).step_by(rows) {
            let samples = &mut samples[..rows.min(self.count - first) * length];
            file.read_exact(bytemuck::cast_slice_mut(samples)).map_err(Error::host(&path))?;
            if cfg!(target_endian = "big") {
                for sample in &mut *samples {
                    *sample = sample.little_endian();
                }
            }
            let range = part.samples.clone();
            let (tiles, largest) = (&mut self.tiles[..], &mut self.largest[..]);
            instructions.run(Cut { samples, length, range, first, tiles, largest });
        }
        Ok(())
    }
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
