//! Static analysis of a machine's program: what of secrets somebody could see from outside, and how much
//! stack it can need at most.

use std::collections::BTreeMap;

use cocrypt_config::MemoryKind;
use cocrypt_depth::{Depth, Unbounded};
use cocrypt_ir::Width;
use cocrypt_isa::HostCall;
use cocrypt_taint::{Entry, Follow, Halt, Memory, Outside, Program, Report};

use crate::bus::Target;
use crate::machine::{LoadError, Machine};

/// Calls to the host by which programs end, by their numbers in Arm's specification of semihosting:
/// `SYS_EXIT` and `SYS_EXIT_EXTENDED`.
const EXITS: [u64; 2] = [0x18, 0x20];

/// The secrets of a program, and the bounds within which it is followed.
#[derive(Clone, Debug, Default)]
pub struct Pursuit {
    /// Addresses and sizes of secret memory.
    pub secrets: Vec<(u32, u32)>,
    /// A function at whose beginning that memory is secret again, each time.
    pub entry: Option<u64>,
    /// True if the end of the function in which the machine stands is where it is left.
    pub until_return: bool,
    /// Instructions at most.
    pub limit: u64,
}

/// The findings about a program, with the assumptions about its surroundings.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The findings.
    pub report: Report,
    /// The registers beyond memory that it read, and how often: each time it got 0.
    pub read: BTreeMap<u32, u64>,
    /// The number of its host calls, each of which gave 0.
    pub host_calls: u64,
    /// True if the last one was to end.
    pub exited: bool,
}

/// The machine's bus as far as a followed program reaches it: what it reads there is public, and 0.
struct Surroundings<'a> {
    machine: &'a Machine,
    read: BTreeMap<u32, u64>,
    goes_on: &'a mut dyn FnMut() -> bool,
}

impl Outside for Surroundings<'_> {
    fn load(&mut self, address: u32, _width: Width) -> Option<u64> {
        self.machine.target(address)?;
        *self.read.entry(address).or_default() += 1;
        Some(0)
    }

    fn store(&mut self, address: u32, _width: Width, _value: u64) -> Option<bool> {
        self.machine.target(address).map(|target| !matches!(target, Target::Exit))
    }

    fn goes_on(&mut self) -> bool {
        (self.goes_on)()
    }
}

impl Machine {
    /// Runs a copy of the program from where the machine stands, and says what it does with what is secret.
    /// The machine itself stays as it is; `goes_on` is asked now and then.
    ///
    /// # Errors
    /// If some of the secrets do not lie in memory.
    pub fn follow(
        &self,
        pursuit: &Pursuit,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Followed, LoadError> {
        let mut memory = self.memory();
        for &(address, size) in &pursuit.secrets {
            if !memory.hide(address, size as usize) {
                return Err(LoadError { address, size: size as usize });
            }
        }
        let engine = self.engine();
        let program = Program {
            pc: engine.pc(),
            mode: engine.mode(),
            cells: engine.cells().to_vec(),
            memory,
            entry: pursuit.entry.map(|pc| Entry { pc, places: pursuit.secrets.clone() }),
            until_return: pursuit.until_return,
        };
        let wait = self.ram().data_wait;
        let mut follow = Follow::new(engine.frontend(), engine.timing(), wait, program);
        let mut around = Surroundings { machine: self, read: BTreeMap::new(), goes_on };
        let (mut host_calls, mut exited) = (0, false);
        let halt = loop {
            let halt = follow.run(pursuit.limit, &mut around);
            let Some((call, pc)) = self.call_of(halt, &follow) else { break halt };
            host_calls += 1;
            exited = EXITS.contains(&follow.cell(call.number));
            if exited {
                break Halt::Exit;
            }
            follow.go_on_at(pc + u64::from(call.length), call.result, 0);
        };
        Ok(Followed { report: follow.report(halt), read: around.read, host_calls, exited })
    }

    /// The call to the host that made a followed program halt, and where it stands.
    fn call_of(&self, halt: Halt, follow: &Follow<'_>) -> Option<(HostCall, u64)> {
        let Halt::Stop(kind) = halt else { return None };
        let (pc, mode) = follow.at();
        let order = self.instructions().elf.order;
        let word = |at| Some(order.number(&self.read(at, 4)?) as u32);
        let call = self.engine().frontend().host_call(kind, &word, pc as u32, mode)?;
        Some((call, pc))
    }

    /// Bytes below the caller's stack pointer that a function can reach, with all that it calls; of the
    /// instruction set that the machine stands in.
    ///
    /// # Errors
    /// Why there is no bound.
    pub fn stack_bound(&self, function: u64) -> Result<u64, Unbounded> {
        let (engine, memory) = (self.engine(), self.memory());
        Depth::new(engine.frontend(), &memory).of(function, engine.mode())
    }

    /// The contents of the machine's memories, none of it secret.
    pub(crate) fn memory(&self) -> Memory {
        let main = Memory::new(self.ram().base(), self.ram().bytes().to_vec());
        let rom = self.ram().rom().map(|rom| (MemoryKind::Rom, rom.range().0, rom.bytes()));
        rom.into_iter().chain(self.held()).fold(main, |memory, (kind, base, bytes)| match kind {
            MemoryKind::Ram => memory.and(base, bytes.to_vec()),
            MemoryKind::Rom => memory.beside(base, bytes.to_vec()),
        })
    }
}
