//! The netlist of a processor core that runs a program, with a memory of its own in each lane.
//!
//! Instructions are counted by the core's own counter, a register that keeps its name in the netlist.
//!
//! The memory is served cycle by cycle at `PicoRV32`'s bus. Its look-ahead ports announce a transfer in the cycle before
//! it begins, so that no input of a cycle depends on an output of the same one.

use cocrypt_diag::Diagnostic;
use cocrypt_simd::Instructions;

use crate::netlist::{Net, Netlist};
use crate::sim::{Energy, LANES, Program, Simulator, Word};

/// Cycles with reset before the first instruction.
const RESET: u64 = 4;
/// More cycles than any instruction of a preamble takes.
const SLOWEST: u64 = 64;
/// The net that changes in the cycle behind one in which an instruction starts: the lowest bit of the core's counter.
const COUNTER: &str = "cpu.count_instr[0]";

/// A program that starts in the middle: `preamble` loads registers and jumps, and the window begins with the
/// instruction behind it.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// Instructions of 32 bits that do not access memory; the core reads them first, in place of the memory.
    pub preamble: &'a [u32],
    /// The memory's contents from address 0.
    pub memory: &'a [u8],
    /// Cycles from the first of a transfer to its answer, at least 1: of a fetch, and of a load or store.
    pub waits: [u32; 2],
}

/// What is different in a lane.
#[derive(Clone, Debug)]
pub struct Start<'a> {
    /// Bytes by address, within the memory.
    pub contents: Vec<(u32, &'a [u8])>,
    /// The cycles of its window.
    pub cycles: usize,
}

/// A load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The cycle of its answer, from the window's first.
    pub cycle: u32,
    /// The address of its word.
    pub address: u32,
    /// The bytes that are written, a bit each; 0 for a load.
    pub strobes: u8,
    /// The word on the bus.
    pub data: u32,
}

/// What a lane did in its window; cycles count from the window's first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// The energy of each cycle in `UNIT`, without the clock's.
    pub energies: Vec<u32>,
    /// The cycles in which an instruction starts.
    pub issues: Vec<u32>,
    /// Its loads and stores.
    pub accesses: Vec<Access>,
}

/// Executes a program in up to `LANES` lanes.
///
/// # Errors
/// A diagnostic for a netlist without the ports of a core, and for a program that traps, accesses what is no memory, or
/// does not reach its window.
pub fn execute(
    netlist: &Netlist,
    program: &Program,
    energy: &Energy,
    task: &Task<'_>,
    starts: &[Start<'_>],
) -> Result<Vec<Execution>, Diagnostic> {
    let ports = Ports::of(netlist)?;
    let simulator = Simulator::new(program, Some(energy), Instructions::widest());
    let lanes = starts.iter().take(LANES).map(|start| Lane::new(task, start)).collect();
    let mut run = Running { ports, simulator, task, lanes, read: [Word::ZERO; 32] };
    run.reset();
    let latest = SLOWEST * (task.preamble.len() as u64 + 1);
    let mut cycle = 0;
    while run.lanes.iter().any(|lane| !lane.has_ended()) {
        run.cycle(cycle)?;
        cycle += 1;
        if cycle > latest && run.lanes.iter().any(|lane| lane.began.is_none()) {
            let message = "the core does not get to the program's window";
            return Err(Diagnostic::error("gates.window", message.to_owned())
                .with_help("compare the netlist with the RTL of the core"));
        }
    }
    Ok(run.lanes.into_iter().map(|lane| lane.found).collect())
}

/// The nets of a core's ports.
struct Ports {
    resetn: Net,
    ready: Net,
    rdata: Vec<Net>,
    counter: Net,
    trap: Net,
    valid: Net,
    instr: Net,
    ahead: Ahead,
}

/// The ports that announce a transfer.
struct Ahead {
    read: Net,
    write: Net,
    address: Vec<Net>,
    data: Vec<Net>,
    strobes: Vec<Net>,
}

impl Ports {
    fn of(netlist: &Netlist) -> Result<Self, Diagnostic> {
        let bits = |name: &str, width: usize| {
            let port = netlist.ports.iter().find(|port| port.name == name);
            let found = port.filter(|port| port.bits.len() == width);
            found.map(|port| port.bits.clone()).ok_or_else(|| {
                let message = format!("the netlist has no port `{name}` of {width} bits");
                Diagnostic::error("gates.core", message)
                    .with_help("synthesise the core with the ports of its bus")
            })
        };
        let bit = |name: &str| bits(name, 1).map(|bits| bits[0]);
        let counter = netlist.nets.iter().position(|name| name == COUNTER).ok_or_else(|| {
            let message = format!("the netlist has no net `{COUNTER}`");
            Diagnostic::error("gates.core", message)
                .with_help("synthesise the core with its counters, and keep the names of registers")
        })?;
        Ok(Self {
            resetn: bit("resetn")?,
            ready: bit("mem_ready")?,
            rdata: bits("mem_rdata", 32)?,
            counter,
            trap: bit("trap")?,
            valid: bit("mem_valid")?,
            instr: bit("mem_instr")?,
            ahead: Ahead {
                read: bit("mem_la_read")?,
                write: bit("mem_la_write")?,
                address: bits("mem_la_addr", 32)?,
                data: bits("mem_la_wdata", 32)?,
                strobes: bits("mem_la_wstrb", 4)?,
            },
        })
    }
}

/// A simulation with its memories.
struct Running<'a> {
    ports: Ports,
    simulator: Simulator<'a>,
    task: &'a Task<'a>,
    lanes: Vec<Lane>,
    /// The words that were read last, by bit.
    read: [Word; 32],
}

impl Running<'_> {
    fn reset(&mut self) {
        for _ in 0..RESET {
            self.simulator.settle();
            self.simulator.clock();
        }
        self.simulator.set(self.ports.resetn, Word([u64::MAX; LANES / 64]));
    }

    fn cycle(&mut self, cycle: u64) -> Result<(), Diagnostic> {
        let mut ready = Word::ZERO;
        for (number, lane) in self.lanes.iter().enumerate() {
            ready.set(number, lane.is_answered());
        }
        self.simulator.set(self.ports.ready, ready);
        for (&net, &word) in self.ports.rdata.iter().zip(&self.read) {
            self.simulator.set(net, word);
        }
        self.simulator.settle();
        let seen = Seen::of(&self.ports, &self.simulator);
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            lane.see(self.task, &seen, number, cycle)?;
            if lane.reads {
                for (bit, word) in self.read.iter_mut().enumerate() {
                    word.set(number, lane.word >> bit & 1 == 1);
                }
            }
        }
        self.simulator.clock();
        Ok(())
    }
}

/// The outputs of all lanes in a cycle, and their energies.
struct Seen<'a> {
    energies: &'a [u64; LANES],
    counter: Word,
    trap: Word,
    valid: Word,
    instr: Word,
    read: Word,
    write: Word,
    address: Vec<Word>,
    data: Vec<Word>,
    strobes: Vec<Word>,
}

impl<'a> Seen<'a> {
    fn of(ports: &Ports, simulator: &'a Simulator<'_>) -> Self {
        let words = |nets: &[Net]| nets.iter().map(|&net| simulator.value(net)).collect();
        let Ports { ahead, .. } = ports;
        Self {
            energies: simulator.energies(),
            counter: simulator.value(ports.counter),
            trap: simulator.value(ports.trap),
            valid: simulator.value(ports.valid),
            instr: simulator.value(ports.instr),
            read: simulator.value(ahead.read),
            write: simulator.value(ahead.write),
            address: words(&ahead.address),
            data: words(&ahead.data),
            strobes: words(&ahead.strobes),
        }
    }
}

/// The number that a lane has in these words, one for each bit.
fn number(words: &[Word], lane: usize) -> u32 {
    words.iter().rev().fold(0, |sum, word| sum << 1 | u32::from(word.lane(lane)))
}

/// A transfer between the core and its memory.
#[derive(Clone, Copy)]
struct Transfer {
    address: u32,
    data: u32,
    strobes: u8,
    waited: u32,
    /// Known once the transfer has begun.
    due: u32,
    is_fetch: bool,
}

/// A lane with its memory.
struct Lane {
    memory: Vec<u8>,
    transfer: Option<Transfer>,
    /// The word that was read last, and true if that was in this cycle.
    word: u32,
    reads: bool,
    /// Instructions that were read from the preamble, and that were issued.
    prepared: usize,
    issued: usize,
    /// The counter's lowest bit and the energy, both of the cycle before.
    counter: bool,
    energy: u32,
    began: Option<u64>,
    cycles: usize,
    found: Execution,
}

impl Lane {
    fn new(task: &Task<'_>, start: &Start<'_>) -> Self {
        let mut memory = task.memory.to_vec();
        for &(address, bytes) in &start.contents {
            memory[address as usize..][..bytes.len()].copy_from_slice(bytes);
        }
        Self {
            memory,
            transfer: None,
            word: 0,
            reads: false,
            prepared: 0,
            issued: 0,
            counter: false,
            energy: 0,
            began: None,
            cycles: start.cycles,
            found: Execution::default(),
        }
    }

    const fn has_ended(&self) -> bool {
        self.found.energies.len() >= self.cycles
    }

    fn is_answered(&self) -> bool {
        self.transfer.is_some_and(|transfer| transfer.waited > 0 && transfer.waited == transfer.due)
    }

    /// Takes a cycle's outputs.
    fn see(
        &mut self,
        task: &Task<'_>,
        seen: &Seen<'_>,
        lane: usize,
        cycle: u64,
    ) -> Result<(), Diagnostic> {
        self.reads = false;
        if self.has_ended() {
            return Ok(());
        }
        if seen.trap.lane(lane) || seen.valid.lane(lane) != self.transfer.is_some() {
            let message = "the core traps, or does not keep to its bus".to_owned();
            return Err(Diagnostic::error("gates.trap", message)
                .with_help("run the program by `cocrypt verify` on the same device"));
        }
        self.count(task, seen.counter.lane(lane), cycle);
        if self.began.is_some() {
            self.found.energies.push(self.energy);
        }
        self.energy = seen.energies[lane] as u32;
        self.end_transfer(task, seen.instr.lane(lane), cycle);
        if seen.read.lane(lane) || seen.write.lane(lane) {
            self.begin_transfer(task, seen, lane)?;
        }
        Ok(())
    }

    /// Counts an instruction that started in the cycle before.
    fn count(&mut self, task: &Task<'_>, counter: bool, cycle: u64) {
        if std::mem::replace(&mut self.counter, counter) == counter {
            return;
        }
        if self.issued == task.preamble.len() {
            self.began = Some(cycle - 1);
        }
        self.issued += 1;
        if let Some(began) = self.began {
            self.found.issues.push((cycle - 1 - began) as u32);
        }
    }

    /// Ends the transfer if it is answered in this cycle.
    fn end_transfer(&mut self, task: &Task<'_>, is_fetch: bool, cycle: u64) {
        let is_answered = self.is_answered();
        let Some(transfer) = &mut self.transfer else { return };
        if transfer.waited == 0 {
            transfer.is_fetch = is_fetch;
            transfer.due = task.waits[usize::from(!is_fetch)].max(1);
        }
        transfer.waited += 1;
        if !is_answered {
            return;
        }
        let Transfer { address, data, strobes, is_fetch, .. } = *transfer;
        self.transfer = None;
        for byte in (0..4).filter(|byte| strobes >> byte & 1 == 1) {
            self.memory[address as usize + byte] = (data >> (8 * byte)) as u8;
        }
        if let (false, Some(began)) = (is_fetch, self.began) {
            let data = if strobes == 0 { self.word } else { data };
            let cycle = (cycle - began) as u32;
            self.found.accesses.push(Access { cycle, address, strobes, data });
        }
    }

    /// Begins the transfer that is announced.
    fn begin_transfer(
        &mut self,
        task: &Task<'_>,
        seen: &Seen<'_>,
        lane: usize,
    ) -> Result<(), Diagnostic> {
        let address = number(&seen.address, lane);
        let is_write = seen.write.lane(lane);
        let strobes = if is_write { number(&seen.strobes, lane) as u8 } else { 0 };
        let data = number(&seen.data, lane);
        self.transfer =
            Some(Transfer { address, data, strobes, waited: 0, due: 0, is_fetch: false });
        self.reads = !is_write;
        let word = self.memory.get(address as usize..).and_then(|rest| rest.first_chunk());
        if let Some(&instruction) = task.preamble.get(self.prepared) {
            self.word = instruction;
            self.prepared += 1;
        } else if let Some(bytes) = word {
            if self.reads {
                self.word = u32::from_le_bytes(*bytes);
            }
        } else {
            let message = format!("the program accesses {address:#x}, which is no memory");
            return Err(Diagnostic::error("gates.memory", message)
                .with_help("choose a function that uses memory alone, no peripherals"));
        }
        Ok(())
    }
}
