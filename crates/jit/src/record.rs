//! The record of an image's regions, by which the next run installs them at its start instead of counting again.
//!
//! It only says what is worth looking for. Blocks are lifted again and compared by their code, and a region's code is
//! found by the hash of its description, so that a record which is wrong costs time and nothing else.

use cocrypt_codegen::{Key, checksum};
use cocrypt_engine::{BlockName, KnownBlock, ObservedMemory};

use crate::proof::Hints;
use crate::region::Edge;

/// Blocks and regions of a record at most.
const BLOCKS: usize = 1 << 16;
const REGIONS: usize = 1 << 12;

/// The knowledge that one run leaves to the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The blocks, in the order in which they were met.
    pub blocks: Vec<KnownBlock>,
    /// The regions, in the order in which they were asked for.
    pub regions: Vec<RecordedRegion>,
}

/// The choice of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedRegion {
    /// Its blocks; the first one is the one that it was chosen for.
    pub parts: Vec<RecordedPart>,
}

/// A block of a region, as [`Part`](crate::recipe::Part) has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPart {
    /// The block's number in the record.
    pub block: u32,
    /// Its edges.
    pub edges: [Edge; 2],
    /// The members that its computed jump leads to.
    pub targets: Vec<usize>,
    /// Hints about its accesses.
    pub hints: Hints,
}

impl Record {
    /// The entry of a store; nothing if it would be too large.
    pub fn to_entry(&self, key: &Key) -> Option<Vec<u8>> {
        if self.blocks.len() > BLOCKS || self.regions.len() > REGIONS {
            return None;
        }
        let mut to = Numbers::default();
        to.list(&self.blocks, Numbers::block);
        to.list(&self.regions, |to, region| to.list(&region.parts, Numbers::part));
        Some([&checksum(key.bytes(), &to.0).to_le_bytes()[..], &to.0].concat())
    }

    /// Reads an entry of a store; nothing unless it is whole, and that of this key.
    pub fn from_entry(key: &Key, entry: &[u8]) -> Option<Self> {
        let (expected, rest) = entry.split_first_chunk()?;
        if checksum(key.bytes(), rest) != u64::from_le_bytes(*expected) {
            return None;
        }
        let mut from = Reader(rest);
        let blocks = from.list(BLOCKS, Reader::block)?;
        let regions = from.list(REGIONS, |from| {
            let parts = from.list(BLOCKS, Reader::part)?;
            Some(RecordedRegion { parts })
        })?;
        let record = Self { blocks, regions };
        record.is_sound().then_some(record)
    }

    /// Returns true if all numbers are those of blocks and members.
    fn is_sound(&self) -> bool {
        let blocks = self.blocks.len();
        let is_block = |&block: &u32| (block as usize) < blocks;
        self.blocks.iter().all(|block| block.targets.iter().all(is_block))
            && self.regions.iter().all(|RecordedRegion { parts }| {
                let is_member = |member: usize| member < parts.len();
                !parts.is_empty()
                    && parts.iter().all(|part| {
                        let is_sound = |edge: &Edge| match *edge {
                            Edge::Inside(member) => is_member(member),
                            Edge::Outside(_) => true,
                        };
                        is_block(&part.block)
                            && part.edges.iter().all(is_sound)
                            && part.targets.iter().copied().all(is_member)
                    })
            })
    }
}

/// Numbers in as few bytes as they need, with a bit in each byte that says whether another one follows.
#[derive(Default)]
struct Numbers(Vec<u8>);

impl Numbers {
    fn number(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn numbers(&mut self, values: &[u64]) {
        for &value in values {
            self.number(value);
        }
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            each(self, item);
        }
    }

    fn block(&mut self, block: &KnownBlock) {
        let KnownBlock { name, end, code, followed, targets, seen, heat } = block;
        let BlockName { start, mode, pipeline_state } = *name;
        let ObservedMemory { rom, elsewhere } = *seen;
        let followed = u64::from(followed[0]) | u64::from(followed[1]) << 1;
        let numbers = [start, mode.into(), pipeline_state.into(), *end - start, *code, followed];
        self.numbers(&numbers);
        self.list(targets, |to, &target| to.number(target.into()));
        self.numbers(&[rom, elsewhere, (*heat).into()]);
    }

    fn part(&mut self, part: &RecordedPart) {
        let RecordedPart { block, edges, targets, hints } = part;
        let Hints { seen: ObservedMemory { rom, elsewhere }, mispredicted, shared } = *hints;
        self.number((*block).into());
        for edge in edges {
            self.number(match *edge {
                Edge::Inside(member) => 2 * member as u64 + 1,
                Edge::Outside(usize::MAX) => 0,
                Edge::Outside(slot) => 2 * slot as u64 + 2,
            });
        }
        self.list(targets, |to, &target| to.number(target as u64));
        let flags = u64::from(mispredicted) | u64::from(shared) << 1;
        self.numbers(&[rom, elsewhere, flags]);
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    fn list<T>(
        &mut self,
        most: usize,
        mut each: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = usize::try_from(self.number()?).ok().filter(|&count| count <= most)?;
        (0..count).map(|_| each(self)).collect()
    }

    fn block(&mut self) -> Option<KnownBlock> {
        let (start, mode, pipeline_state) = (self.number()?, self.small()?, self.small()?);
        let name = BlockName { start, mode, pipeline_state };
        let (end, code) = (start.checked_add(self.number()?)?, self.number()?);
        let followed = self.number()?;
        let followed = [followed & 1 != 0, followed & 2 != 0];
        let targets = self.list(BLOCKS, Self::small)?;
        let seen = ObservedMemory { rom: self.number()?, elsewhere: self.number()? };
        Some(KnownBlock { name, end, code, followed, targets, seen, heat: self.small()? })
    }

    fn part(&mut self) -> Option<RecordedPart> {
        let block = self.small()?;
        let (first, second) = (self.edge()?, self.edge()?);
        let targets = self.list(BLOCKS, |from| from.number()?.try_into().ok())?;
        let seen = ObservedMemory { rom: self.number()?, elsewhere: self.number()? };
        let flags = self.number()?;
        let hints = Hints { seen, mispredicted: flags & 1 != 0, shared: flags & 2 != 0 };
        Some(RecordedPart { block, edges: [first, second], targets, hints })
    }

    fn edge(&mut self) -> Option<Edge> {
        Some(match usize::try_from(self.number()?).ok()? {
            0 => Edge::Outside(usize::MAX),
            inside if inside % 2 == 1 => Edge::Inside(inside / 2),
            slot => Edge::Outside(slot / 2 - 1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let block = |start: u64, targets| KnownBlock {
            name: BlockName { start, mode: 1, pipeline_state: 3 },
            end: start + 6,
            code: u64::MAX - start,
            followed: [true, false],
            targets,
            seen: ObservedMemory { rom: 1 << 63, elsewhere: 5 },
            heat: 1 << 20,
        };
        let part = |block, edges, targets| RecordedPart {
            block,
            edges,
            targets,
            hints: Hints { seen: ObservedMemory::default(), mispredicted: false, shared: true },
        };
        let parts = vec![
            part(1, [Edge::Inside(1), Edge::Outside(0)], vec![]),
            part(0, [Edge::Outside(usize::MAX); 2], vec![0, 1]),
        ];
        Record {
            blocks: vec![block(0x100, vec![1, 0]), block(0xffff_fff0, vec![])],
            regions: vec![RecordedRegion { parts }],
        }
    }

    #[test]
    fn an_entry_holds_what_was_recorded_and_no_bit_of_it_may_change() {
        let key = Key::of(&"image");
        let entry = record().to_entry(&key).expect("a small record");
        assert_eq!(Record::from_entry(&key, &entry), Some(record()));
        assert_eq!(Record::from_entry(&Key::of(&"another image"), &entry), None);
        for bit in 0..8 * entry.len() {
            let mut broken = entry.clone();
            broken[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Record::from_entry(&key, &broken), None, "bit {bit}");
        }
        for size in 0..entry.len() {
            assert_eq!(Record::from_entry(&key, &entry[..size]), None, "{size} bytes");
        }
    }

    #[test]
    fn numbers_of_no_block_or_member_are_refused() {
        let changes: [fn(&mut Record); 4] = [
            |record| record.blocks[0].targets[0] = 2,
            |record| record.regions[0].parts[0].block = 2,
            |record| record.regions[0].parts[0].edges[0] = Edge::Inside(2),
            |record| record.regions[0].parts[1].targets[1] = 2,
        ];
        let key = Key::of(&"image");
        for change in changes {
            let mut wrong = record();
            change(&mut wrong);
            let entry = wrong.to_entry(&key).expect("a small record");
            assert_eq!(Record::from_entry(&key, &entry), None);
        }
    }

    #[test]
    fn a_record_is_of_limited_size() {
        let blocks = vec![record().blocks[0].clone(); BLOCKS + 1];
        assert_eq!(Record { blocks, ..record() }.to_entry(&Key::of(&"image")), None);
    }
}
