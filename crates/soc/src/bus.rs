//! The bus: which peripheral or memory answers at an address, and after how many cycles.

mod links;

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_engine::{Access, Bus, Ram, Reply};
use cocrypt_ir::{Slot, Width};
use cocrypt_isa::{ByteOrder, Effect, Lines, Private, Written};

use crate::bridge::{self, Bridge, BridgeTransfer};
use crate::chip::{self, Chip, Unmodelled};
use crate::coprocessor::{Answer, Coprocessor};
use crate::link::Link;
use crate::multiplier::Multiplier;
use crate::network::{Outside, Reach};
use crate::peripheral::{Console, Dma, LONGEST_COPY, Timer, read_counter};
use crate::polls::{Event, Polls};
use crate::stub::Stubs;
use crate::timer::{ChipTimer, UnknownMode};
use crate::watch::Transfer;
use crate::window;

/// The target of a window of addresses.
#[derive(Clone, Copy)]
pub enum Target {
    /// Takes and gives characters.
    Console,
    /// Shows the cycle count.
    Counter,
    /// Ends the run.
    Exit,
    /// Records what is written.
    Marks,
    /// Shows the cycle count, and interrupts from a given cycle on.
    Timer,
    /// Copies words while the core waits.
    Dma,
    /// The core's own peripherals.
    Private,
    /// Packets from and to other nodes.
    Link,
    /// A coprocessor, by its number.
    Coprocessor(usize),
    /// The coprocessor of a number at the other end of a link of the core, or nobody.
    CoreLink(Option<usize>),
    /// Something outside of the machine, by its number.
    Outside(usize),
    /// Registers that nobody models.
    Stub,
}

#[derive(Clone, Copy)]
struct Window {
    base: u32,
    size: u32,
    target: Target,
}

/// The bus of a machine.
#[derive(Clone)]
pub struct SystemBus {
    windows: Vec<Window>,
    wait: u32,
    burst_wait: u32,
    /// Cycles that a link answers after: as the main memory, which the costs of instructions assume.
    link_wait: u32,
    /// The byte order of the core.
    order: ByteOrder,
    /// The bridge that assembles words, for a core whose data bus is narrower.
    bridge: Option<Bridge>,
    /// Transfers to peripherals so far, and those among them that continued a burst.
    pub moved: (u64, u64),
    /// The address and direction of a transfer that would continue a burst.
    next: Option<(u32, bool)>,
    /// Memories beside the directly mapped one.
    memories: Vec<(config::MemoryKind, Ram)>,
    pub console: Console,
    /// The registers of the chip's own peripherals.
    pub chip: Chip,
    /// The chip's unit that multiplies and divides.
    pub multiplier: Option<Multiplier>,
    /// The chip's own timers, and the one that was told what it does not do.
    pub timers: Vec<ChipTimer>,
    pub misled: Option<usize>,
    /// The window that shows a section of a memory.
    pub shown: Option<window::Window>,
    timer: Timer,
    /// The line that the timer raises, where the core itself has it.
    timer_line: Option<u32>,
    private: Option<Box<dyn Private>>,
    dma: Dma,
    /// The link of a network, where there is one.
    pub link: Option<Link>,
    /// Cycle and value of each mark.
    pub marks: Vec<(u64, u32)>,
    pub coprocessors: Vec<Coprocessor>,
    /// The poll loops that wait for them.
    pub polls: Polls,
    /// The registers that nobody models and the program touched all the same, where it was let.
    pub stubs: Stubs,
    /// The hardware outside of the machine, and the address that its window begins at.
    outside: Vec<(Arc<dyn Outside>, u32)>,
    /// The address and byte whose store ends the program, if there is one.
    pub ends: Option<(u32, u8)>,
    /// Every transfer, if anybody wants to know.
    pub transfers: Option<Vec<Transfer>>,
}

impl SystemBus {
    /// An empty bus of a core with so many bits of data, in an order of bytes.
    pub fn new(
        bus: &config::Bus,
        timer_line: Option<u32>,
        data_bits: u8,
        order: ByteOrder,
    ) -> Self {
        Self {
            link_wait: 1,
            order,
            windows: vec![],
            wait: bus.wait,
            burst_wait: bus.burst_wait,
            bridge: (data_bits < 32).then(Bridge::default),
            moved: (0, 0),
            next: None,
            memories: vec![],
            console: Console::default(),
            chip: Chip::default(),
            multiplier: None,
            timers: vec![],
            misled: None,
            shown: None,
            timer: Timer::default(),
            timer_line,
            private: None,
            dma: Dma::default(),
            link: None,
            marks: vec![],
            coprocessors: vec![],
            polls: Polls::default(),
            stubs: Stubs::default(),
            outside: vec![],
            ends: None,
            transfers: None,
        }
    }

    /// The cycle in which a transfer to a peripheral is answered. It goes on where the one before it ended,
    /// or else starts again.
    fn transfer(&mut self, access: &Access, writes: bool) -> Answer {
        let word = access.address & !3;
        let goes_on = self.next == Some((word, writes));
        self.next = Some((word.wrapping_add(4), writes));
        let wait = if goes_on { self.burst_wait } else { self.wait };
        self.moved.0 += 1;
        self.moved.1 += u64::from(goes_on);
        Answer { cycle: access.unwaited + u64::from(wait), wait, goes_on }
    }

    /// Puts a peripheral on the bus.
    pub fn map(&mut self, base: u32, size: u32, target: Target) {
        self.windows.push(Window { base, size, target });
    }

    /// Gives the core peripherals of its own.
    pub fn equip(&mut self, private: Box<dyn Private>) {
        let (base, size) = private.range();
        self.map(base, size, Target::Private);
        self.private = Some(private);
    }

    /// Puts something on the bus that lies outside of the machine.
    pub fn reach(&mut self, base: u32, size: u32, outside: Arc<dyn Outside>, offset: u32) {
        self.map(base, size, Target::Outside(self.outside.len()));
        self.outside.push((outside, offset));
    }

    /// The target within a range of addresses, in words for people.
    pub fn occupant(&self, main: &Ram, base: u32, size: u32) -> Option<&'static str> {
        let overlaps = |(start, length): (u32, u32)| {
            base.wrapping_sub(start) < length || start.wrapping_sub(base) < size
        };
        let mut memories = self.memories.iter().map(|(_, memory)| memory.range());
        let beside = main.rom().is_some_and(|rom| overlaps(rom.range()));
        if overlaps(main.range()) || beside || memories.any(overlaps) {
            return Some("a memory");
        }
        let mut units = self.multiplier.iter();
        if self.chip.occupies(base, size) || units.any(|unit| unit.occupies(base, size)) {
            return Some("a register of the chip");
        }
        let window = self.windows.iter().find(|window| overlaps((window.base, window.size)))?;
        Some(match window.target {
            Target::Console => "the console",
            Target::Counter => "the counter",
            Target::Exit => "the exit device",
            Target::Marks => "the marks",
            Target::Timer => "the timer",
            Target::Dma => "the DMA controller",
            Target::Link => "a link",
            Target::Private => "the core's own peripherals",
            Target::Coprocessor(_) => "a coprocessor",
            Target::CoreLink(_) => "a link of the core",
            Target::Outside(_) | Target::Stub => "something else",
        })
    }

    /// Puts a memory on the bus.
    pub fn add_memory(&mut self, kind: config::MemoryKind, memory: Ram) {
        self.memories.push((kind, memory));
    }

    /// The bytes of a memory on the bus.
    pub fn memory(&self, address: u32, size: usize) -> Option<&[u8]> {
        let found = self.memories.iter().find_map(|(_, memory)| memory.get(address, size));
        found.or_else(|| self.shown.as_ref()?.get(address, size))
    }

    /// The same, to be filled from outside.
    pub fn memory_mut(&mut self, address: u32, size: usize) -> Option<&mut [u8]> {
        self.memories.iter_mut().find_map(|(_, memory)| memory.at_mut(address, size))
    }

    /// Returns true if a memory on the bus takes what the program writes at an address.
    pub fn is_written(&self, address: u32) -> bool {
        let mut written = self.memories.iter().filter(|(kind, _)| *kind == config::MemoryKind::Ram);
        written.any(|(_, memory)| memory.contains(address))
    }

    /// The core comes out of reset with its vector table there.
    pub fn set_vectors(&mut self, vectors: u32) {
        if let Some(private) = &mut self.private {
            private.set_vectors(vectors);
        }
    }

    /// The memories beside the directly mapped one: the kind of each, its first address, and its contents.
    pub fn held(&self) -> impl Iterator<Item = (config::MemoryKind, u32, &[u8])> {
        self.memories.iter().map(|(kind, memory)| (*kind, memory.base(), memory.bytes()))
    }

    /// The target of an address.
    pub fn target(&self, address: u32) -> Option<Target> {
        self.window(address).map(|window| window.target)
    }

    fn window(&self, address: u32) -> Option<&Window> {
        self.windows.iter().find(|window| address.wrapping_sub(window.base) < window.size)
    }

    /// The word of which an access reads some, and after how many cycles.
    fn read_word(&mut self, access: &Access) -> Option<(u32, u32)> {
        let target = self.target(access.address)?;
        let has_words = !matches!(target, Target::Outside(_) | Target::Private);
        let bridge = self.bridge.as_mut().filter(|_| has_words);
        if let Some(BridgeTransfer::Held(word)) = bridge.map(|bridge| bridge.reads(access)) {
            return Some((word, bridge::WAIT));
        }
        let (word, wait) = self.read_peripheral(access)?;
        // What keeps bytes as they come, as memory does, gives them back like that.
        let keeps = matches!(target, Target::Private | Target::Outside(_) | Target::Stub);
        let word = if keeps { word } else { self.laid_out(word) };
        if let Some(bridge) = self.bridge.as_mut().filter(|_| has_words) {
            bridge.fill(word);
        }
        Some((word, wait))
    }

    /// A peripheral's word as memory would have it: front ends of cores with the highest byte first turn
    /// around what they access, wherever that is.
    const fn laid_out(&self, word: u32) -> u32 {
        match self.order {
            ByteOrder::Little => word,
            ByteOrder::Big => word.swap_bytes(),
        }
    }

    /// The answer of a peripheral, and its wait in cycles.
    fn read_peripheral(&mut self, access: &Access) -> Option<(u32, u32)> {
        let window = *self.window(access.address)?;
        let offset = (access.address - window.base) & !3;
        if let (Target::Private, Some(private)) = (window.target, &mut self.private) {
            let wait = private.wait();
            let cycle = access.unwaited + u64::from(wait);
            return Some((private.read(offset, cycle, &self.timer), wait));
        }
        let answer = self.transfer(access, false);
        let cycle = answer.cycle;
        let word = match window.target {
            Target::Exit | Target::Marks | Target::Dma | Target::Private | Target::CoreLink(_) => {
                Some(0)
            }
            Target::Console => Some(self.console.read(offset)),
            Target::Counter => Some(read_counter(offset, cycle)),
            Target::Timer => Some(self.timer.read(offset, cycle)),
            Target::Link => self.link.as_mut().map(|link| link.read(offset)),
            Target::Stub => Some(self.stubs.read(access.address & !3)),
            Target::Coprocessor(index) => {
                let word = self.coprocessors[index].read(offset, answer, access.pc);
                self.polls.note(self.event(index, offset, access, answer, Some(word)));
                Some(word)
            }
            Target::Outside(index) => {
                self.outside[index].0.read(self.reached(access, cycle, &window))
            }
        };
        Some((word?, answer.wait))
    }
}

impl Bus for SystemBus {
    fn read(&mut self, access: &Access) -> Reply {
        let reply = self.reads(access);
        if let Reply::Done { value, wait } = reply {
            self.note(access, value, wait, false);
        }
        reply
    }

    fn write(&mut self, access: &Access, value: u64) -> Reply {
        let reply = match self.writes(access, value) {
            Reply::Done { wait, .. } if self.ends == Some((access.address, value as u8)) => {
                Reply::Exit { code: 0, wait }
            }
            reply => reply,
        };
        if let Reply::Done { wait, .. } | Reply::Changed { wait } | Reply::Exit { wait, .. } = reply
        {
            self.note(access, value, wait, true);
        }
        reply
    }

    fn store(&mut self, address: u32, width: Width, value: u64) -> Option<u32> {
        let mut written = self.memories.iter_mut();
        let (_, memory) = written
            .find(|(kind, memory)| *kind == config::MemoryKind::Ram && memory.contains(address))?;
        memory.write(address, width, value).then_some(memory.data_wait)
    }

    fn code_unit(&self, address: u32) -> Option<u16> {
        match self.memory(address, 2)? {
            &[low, high] => Some(u16::from_le_bytes([low, high])),
            _ => None,
        }
    }

    fn fetch_wait(&self, address: u32) -> u32 {
        let memory = self.memories.iter().find(|(_, memory)| memory.contains(address));
        memory.map_or(self.wait, |(_, memory)| memory.fetch_wait)
    }

    fn longest_wait(&self) -> u32 {
        let memories = self.memories.iter().map(|(_, memory)| memory.data_wait);
        let longest = memories.fold(self.wait, u32::max);
        let copies = self.windows.iter().any(|window| matches!(window.target, Target::Dma));
        if copies { LONGEST_COPY * 2 * (longest + 1) } else { longest }
    }

    fn lines(&self, cycle: u64) -> Lines {
        match (&self.private, self.timer_line) {
            (Some(private), _) => private.lines(cycle, &self.timer),
            (None, Some(line)) => {
                let up = u32::from(self.timer.interrupts(cycle)) << line;
                self.timers.iter().fold(up, |lines, timer| lines | timer.lines(cycle))
            }
            (None, None) => 0,
        }
    }

    fn lines_within(&self, from: u64, to: u64) -> Lines {
        let up = self.timer.interrupts(from) || self.timer.next_change(from) <= to;
        let up = self.timer_line.map_or(0, |line| u32::from(up) << line);
        // What a timer of the chip asks for, it goes on to ask for.
        self.timers.iter().fold(up, |lines, timer| lines | timer.lines(from) | timer.lines(to))
    }

    fn next_change(&self, cycle: u64) -> u64 {
        match (&self.private, self.timer_line) {
            (Some(private), _) => private.next_change(cycle, &self.timer),
            (None, Some(_)) => {
                let next = self.timer.next_change(cycle);
                self.timers.iter().map(|timer| timer.next_change(cycle)).fold(next, u64::min)
            }
            (None, None) => u64::MAX,
        }
    }

    fn took(&mut self, number: u8, cycle: u64, issued: u64) {
        self.polls.left(cycle, issued);
        self.timers.iter_mut().for_each(|timer| timer.took(number, cycle));
        if let Some(private) = &mut self.private {
            private.took(number, cycle);
        }
    }

    fn sees(&mut self, state: &[u64]) {
        if let Some(private) = &mut self.private {
            private.sees(state);
        }
    }

    fn decides(&self) -> Vec<(Slot, u64)> {
        self.private.as_ref().map_or_else(Vec::new, |private| private.decides())
    }

    fn holds(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.patience.is_some())
    }
}

impl SystemBus {
    fn note(&mut self, access: &Access, value: u64, wait: u32, writes: bool) {
        let Access { address, width, unwaited: request, .. } = *access;
        let answer = request + u64::from(wait);
        if let Some(transfers) = &mut self.transfers {
            transfers.push(Transfer { request, answer, address, width, value, writes });
        }
    }

    /// A transfer to a coprocessor, as those see it that look for poll loops; a load with what it `read`.
    fn event(
        &self,
        coprocessor: usize,
        offset: u32,
        access: &Access,
        answer: Answer,
        read: Option<u32>,
    ) -> Event {
        let asked = &self.coprocessors[coprocessor];
        Event {
            coprocessor,
            pc: access.pc,
            offset,
            role: asked.role(offset),
            writes: read.is_none(),
            has_status: asked.has_status(),
            answer: answer.cycle,
            wait: answer.wait,
            issued: access.issued,
            value: read.unwrap_or(0),
        }
    }

    /// An access to what lies outside, as the outside sees it.
    fn reached(&self, access: &Access, cycle: u64, window: &Window) -> Reach {
        let first = match window.target {
            Target::Outside(index) => self.outside[index].1,
            _ => 0,
        };
        let mask = access.width.truncate(u64::MAX) as u32;
        Reach { address: first + (access.address - window.base), mask, cycle }
    }

    /// An access to the unit that multiplies and divides, which a write gives a value; nothing where it has no register.
    fn multiplier(&mut self, access: &Access, value: Option<u64>) -> Option<Reply> {
        let unit = self.multiplier.as_mut()?;
        let (bytes, cycle) = (access.width.bytes(), access.unwaited + u64::from(chip::WAIT));
        let value = match value {
            Some(value) => unit.write(access.address, bytes, value, cycle).map(|()| 0)?,
            None => unit.read(access.address, bytes, cycle)?,
        };
        Some(Reply::Done { value, wait: chip::WAIT })
    }

    /// An access of a byte to a register of the chip, which a write gives a value; nothing where there is none,
    /// or where it is that of a port to which something outside is connected.
    fn chip(&mut self, access: &Access, value: Option<u64>) -> Option<Reply> {
        let byte = (access.width == Width::W8).then_some(access.address)?;
        if let Some(reply) = self.timers(byte, access.unwaited + u64::from(chip::WAIT), value) {
            return Some(reply);
        }
        let Self { chip, console, .. } = self;
        let done = match value {
            Some(value) => chip.write(byte, value as u8, console)?.map(|()| 0),
            None => chip.read(byte, console)?,
        };
        let is_connected = matches!(self.target(byte), Some(Target::Outside(_)));
        if is_connected && self.chip.leads_out(byte, value.is_some()) {
            return None;
        }
        Some(match done {
            Ok(value) => Reply::Done { value: value.into(), wait: chip::WAIT },
            Err(Unmodelled) => Reply::Unmodelled,
        })
    }

    /// The same of a timer of the chip, in a cycle.
    fn timers(&mut self, byte: u32, cycle: u64, value: Option<u64>) -> Option<Reply> {
        let mut numbered = self.timers.iter_mut().enumerate();
        let Some(value) = value else {
            let value = numbered.find_map(|(_, timer)| timer.read(byte, cycle))?;
            return Some(Reply::Done { value: value.into(), wait: chip::WAIT });
        };
        let written = |(number, timer): (usize, &mut ChipTimer)| {
            Some((number, timer.write(byte, value as u8, cycle)?))
        };
        Some(match numbered.find_map(written)? {
            (_, Ok(())) => Reply::Changed { wait: chip::WAIT },
            (number, Err(UnknownMode)) => {
                self.misled = Some(number);
                Reply::Unmodelled
            }
        })
    }

    /// A read of what a window shows, or of its register.
    fn shown(&self, access: &Access) -> Option<Reply> {
        let shown = self.shown.as_ref()?;
        let value = shown.read(access.address, access.width)?;
        Some(Reply::Done { value, wait: shown.wait })
    }

    fn reads(&mut self, access: &Access) -> Reply {
        if let Some((end, offset)) = self.link_of(access) {
            return self.reads_link(end, offset, access);
        }
        let found = self.memories.iter().find_map(|(_, memory)| {
            Some((memory.read(access.address, access.width)?, memory.data_wait))
        });
        if let Some((value, wait)) = found {
            return Reply::Done { value, wait };
        }
        let reply = self.multiplier(access, None).or_else(|| self.chip(access, None));
        if let Some(reply) = reply.or_else(|| self.shown(access)) {
            return reply;
        }
        match self.read_word(access) {
            Some((word, wait)) => Reply::Done { value: lane(word, access), wait },
            None => Reply::Refused,
        }
    }

    fn writes(&mut self, access: &Access, value: u64) -> Reply {
        let at = access.address;
        if let Some((end, offset)) = self.link_of(access) {
            return self.writes_link(end, offset, access, value);
        }
        if let Some((kind, memory)) =
            self.memories.iter_mut().find(|(_, memory)| memory.contains(at))
        {
            let written = *kind == config::MemoryKind::Ram && memory.write(at, access.width, value);
            let wait = memory.data_wait;
            return if written { Reply::Done { value: 0, wait } } else { Reply::Refused };
        }
        let reply = self.multiplier(access, Some(value));
        if let Some(reply) = reply.or_else(|| self.chip(access, Some(value))) {
            return reply;
        }
        let selects = |shown: &mut window::Window| shown.write(access.address, value as u8);
        if access.width == Width::W8 && self.shown.as_mut().is_some_and(selects) {
            return Reply::Done { value: 0, wait: chip::WAIT };
        }
        let Some(&window) = self.window(access.address) else { return Reply::Refused };
        let offset = (access.address - window.base) & !3;
        if let (Target::Private, Some(private)) = (window.target, &mut self.private) {
            return write_private(&mut **private, offset, access, value);
        }
        if let Target::Stub = window.target {
            let wait = self.transfer(access, true).wait;
            self.stubs.write(access.address & !3, written(access, value));
            return Reply::Done { value: 0, wait };
        }
        let bridge = self.bridge.as_mut().filter(|_| !matches!(window.target, Target::Outside(_)));
        let word = match bridge.map(|bridge| bridge.writes(access, value)) {
            None => on_all_lanes(value, access.width),
            Some(BridgeTransfer::Through(word)) => word,
            Some(BridgeTransfer::Held(_)) => return Reply::Done { value: 0, wait: bridge::WAIT },
        };
        let word = self.laid_out(word);
        let answer = self.transfer(access, true);
        let Answer { cycle, wait, .. } = answer;
        match window.target {
            Target::Console => self.console.write(offset, word),
            Target::Marks => self.marks.push((cycle, word)),
            Target::Counter | Target::Private | Target::Stub | Target::CoreLink(_) => {}
            Target::Timer => {
                self.timer.write(offset, word, cycle);
                return Reply::Changed { wait };
            }
            Target::Dma => return self.dma.write(offset, word, wait),
            Target::Link => {
                let waits = self.link.as_mut().is_some_and(|link| link.write(offset, word, cycle));
                return if waits {
                    Reply::Changed { wait }
                } else {
                    Reply::Done { value: 0, wait }
                };
            }
            Target::Exit => return Reply::Exit { code: word, wait },
            Target::Coprocessor(index) => {
                self.polls.note(self.event(index, offset, access, answer, None));
                self.coprocessors[index].write(offset, word, answer, access.pc);
            }
            Target::Outside(index) => {
                let reach = self.reached(access, cycle, &window);
                let value = access.width.truncate(value) as u32;
                if !self.outside[index].0.write(reach, value) {
                    return Reply::Refused;
                }
            }
        }
        Reply::Done { value: 0, wait }
    }
}

/// A narrow store writes its own bytes of a register.
fn written(access: &Access, value: u64) -> Written {
    let lane = |value: u64| (access.width.truncate(value) as u32) << (8 * (access.address & 3));
    Written { bits: lane(value), mask: lane(u64::MAX) }
}

fn write_private(private: &mut dyn Private, offset: u32, access: &Access, value: u64) -> Reply {
    let written = written(access, value);
    let wait = private.wait();
    match private.write(offset, written, access.unwaited + u64::from(wait)) {
        Effect::Kept => Reply::Done { value: 0, wait },
        Effect::Changed => Reply::Changed { wait },
        Effect::Unmodelled => Reply::Unmodelled,
    }
}

/// A narrow load takes its lane out of the whole word, which is what the peripheral gives.
fn lane(word: u32, access: &Access) -> u64 {
    let value = u64::from(word >> (8 * (access.address & 3)));
    access.width.truncate(value)
}

/// A narrow store drives its value on all lanes of the bus, and peripherals look at the whole word.
fn on_all_lanes(value: u64, width: Width) -> u32 {
    match width {
        Width::W8 => (value as u32 & 0xff) * 0x0101_0101,
        Width::W16 => (value as u32 & 0xffff) * 0x0001_0001,
        Width::W32 | Width::W64 => value as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u32 = 0x8000_0000;

    fn bus(order: ByteOrder) -> SystemBus {
        let mut bus =
            SystemBus::new(&config::Bus { wait: 1, burst_wait: 1, source: None }, None, 32, order);
        bus.map(WINDOW, 0x10, Target::Marks);
        bus.map(WINDOW + 0x10, 0x10, Target::Counter);
        bus
    }

    fn access(address: u32, width: Width) -> Access {
        Access { address, width, unwaited: 0x0102_0304, pc: 0, issued: 0 }
    }

    #[test]
    fn peripherals_have_words_as_the_memory_of_the_core() {
        for (order, stored) in [(ByteOrder::Little, 0x0a0b_0c0d), (ByteOrder::Big, 0x0d0c_0b0a)] {
            let mut bus = bus(order);
            bus.write(&access(WINDOW, Width::W32), stored);
            assert_eq!(bus.marks[0].1, 0x0a0b_0c0d, "{order:?}");
        }
    }

    #[test]
    fn a_register_that_nobody_models_gives_back_what_was_written() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let mut bus = bus(order);
            bus.map(WINDOW + 0x20, 0x10, Target::Stub);
            let access = access(WINDOW + 0x20, Width::W32);
            bus.write(&access, 0x0a0b_0c0d);
            let reply = bus.read(&access);
            assert!(matches!(reply, Reply::Done { value: 0x0a0b_0c0d, .. }), "{order:?}");
        }
    }

    #[test]
    fn the_byte_at_the_lowest_address_is_the_highest_one_where_that_is_first() {
        for (order, byte) in [(ByteOrder::Little, 0x05), (ByteOrder::Big, 0x01)] {
            let reply = bus(order).read(&access(WINDOW + 0x10, Width::W8));
            assert!(matches!(reply, Reply::Done { value, .. } if value == byte), "{order:?}");
        }
    }
}
