//! Instruction memories that are slower than the core: lines, prefetch, and a cache of lines.
//!
//! A line that is read is there for all of its instructions. The next one is asked for when the core's
//! own queue has room for it, or with a prefetch buffer at once; it takes a cycle and the wait states,
//! of which the instructions that run meanwhile hide their share. A jump asks for its target again, unless
//! that lies in the same line. Sources: RM0090 (STM32F405), 3.2, and from memory 3.5.2; RM0008 (STM32F103),
//! 3.3.3; RM0091 (`STM32F0x1`), 3.3.1; that a read which was begun for nothing is not waited for is an assumption, and
//! likely too few cycles: docs/timing-arm.md says why it stays.

use cocrypt_isa::{CodeMemory, Geometry, Replacement};

/// A flash memory behind an interface of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flash {
    /// First address.
    pub base: u32,
    /// Bytes.
    pub size: u32,
    /// Bytes that it gives at once, a power of two.
    pub line: u32,
    /// Wait states of a read.
    pub waits: u32,
    /// True if the next line is read before it is asked for.
    pub prefetch: bool,
    /// Lines of instructions that are kept; 0 where there is no such cache.
    pub instruction_lines: u32,
    /// Lines of data that are kept; 0 where there is no such cache.
    pub data_lines: u32,
}

impl Flash {
    /// A cache of so many lines, of which any can be evicted; the one that was not used for the longest
    /// time does.
    pub(super) fn cache(&self, lines: u32) -> Option<Geometry> {
        (lines != 0).then_some(Geometry {
            sets: 1,
            ways: lines,
            line: self.line,
            replacement: Replacement::LeastRecent,
            allocate_on_write: false,
        })
    }
}

/// The progress of the memory with the code that comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Fetch {
    /// It is there.
    #[default]
    Ready,
    /// A jump led here; nothing was asked for before.
    Redirected,
    /// The current line is there, and the next one was asked for so many cycles ago.
    Since(u32),
}

/// The stall of an instruction before it is issued.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Arrival {
    /// Cycles.
    pub stall: u32,
    /// Addresses of lines that are looked for in the cache, and the cycles if they are not there.
    pub lines: Vec<(u32, u32)>,
    /// Behind that.
    pub fetch: Fetch,
    /// True if a jump led here.
    pub redirected: bool,
}

/// The memory that an address lies in, as fetches see it.
#[derive(Clone, Copy)]
struct Region {
    line: u64,
    waits: u32,
    prefetch: bool,
    cached: bool,
}

/// The memories as a core's fetches see them.
#[derive(Clone, Debug)]
pub(super) struct Supply {
    pub flash: Option<Flash>,
    /// The number of bytes by which the core prefetches.
    pub ahead: u64,
}

impl Supply {
    /// Returns true if it can matter that a jump led somewhere, as seen from an address.
    pub fn minds_jumps(&self, address: u64, code: &dyn CodeMemory) -> bool {
        self.flash.is_some() || self.region(address, code).waits != 0
    }

    fn region(&self, address: u64, code: &dyn CodeMemory) -> Region {
        let inside = |flash: &&Flash| address.wrapping_sub(flash.base.into()) < flash.size.into();
        if let Some(flash) = self.flash.as_ref().filter(inside) {
            return Region {
                line: flash.line.into(),
                waits: flash.waits,
                prefetch: flash.prefetch,
                cached: flash.instruction_lines != 0,
            };
        }
        let waits = code.fetch_wait(address).saturating_sub(1);
        Region { line: 4, waits, prefetch: false, cached: false }
    }

    /// The stall of the instruction at `pc`.
    pub fn arrive(&self, fetch: Fetch, pc: u64, length: u8, code: &dyn CodeMemory) -> Arrival {
        let region = self.region(pc, code);
        let redirected = fetch == Fetch::Redirected;
        if region.waits == 0 {
            return Arrival { redirected, ..Arrival::default() };
        }
        let mut arrival = Arrival { redirected, ..Arrival::default() };
        let mut since = match fetch {
            Fetch::Ready => region.waits + 1,
            Fetch::Redirected => 0,
            Fetch::Since(since) => since,
        };
        let end = pc + u64::from(length).max(1) - 1;
        let straddles = pc / region.line != end / region.line;
        if redirected || pc.is_multiple_of(region.line) {
            arrival.need(region, pc, since);
            since = 0;
        }
        if straddles {
            arrival.need(region, end, since);
            since = 0;
        }
        arrival.fetch = Fetch::Since(since);
        arrival
    }

    /// The progress of the memory behind an instruction that takes so many cycles.
    pub fn after(&self, fetch: Fetch, next: u64, cycles: u32, code: &dyn CodeMemory) -> Fetch {
        let region = self.region(next - 1, code);
        let Fetch::Since(since) = fetch else { return Fetch::Ready };
        let left = region.line - 1 - (next - 1) % region.line;
        let asked = region.prefetch || left <= self.ahead;
        if asked { Fetch::Since((since + cycles).min(region.waits + 1)) } else { Fetch::Since(0) }
    }

    /// The same behind a jump to a known target; `last` is the last byte of the jump.
    pub fn behind_jump(
        &self,
        fetch: Fetch,
        last: u64,
        target: u64,
        code: &dyn CodeMemory,
    ) -> Fetch {
        let region = self.region(target, code);
        if region.waits == 0 {
            Fetch::Ready
        } else if last / region.line == target / region.line && fetch != Fetch::Ready {
            fetch
        } else {
            Fetch::Redirected
        }
    }
}

impl Arrival {
    /// A line that was asked for so many cycles ago is needed.
    fn need(&mut self, region: Region, address: u64, since: u32) {
        let stall = (region.waits + 1).saturating_sub(since.max(1));
        if stall == 0 {
            return;
        }
        if region.cached {
            self.lines.push((address as u32, stall));
        } else {
            self.stall += stall;
        }
    }
}
