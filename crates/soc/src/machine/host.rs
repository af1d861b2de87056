//! Host calls of a machine's program, and the faults that it handles by itself.

use cocrypt_config as config;
use cocrypt_engine::{Stop, StopCause};
use cocrypt_ir::StopKind;
use cocrypt_isa::HostCall;

use super::Machine;
use crate::bus::Target;
use crate::peripheral::Console;
use crate::semihosting::{Answer, Facts, Guest, Host, Offers};
use crate::stub::Stub;

/// A fault that led to a handler of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The cause and the place.
    pub stop: Stop,
    /// The call to the host that it was, where nobody answers them.
    pub call: Option<u32>,
    /// The decode mode of the instruction there.
    pub mode: u32,
    /// The core's further explanation of the cause.
    pub reason: Option<String>,
}

/// The host's facts about a device.
pub(super) fn facts(device: &config::Device) -> Facts {
    let ram = device.memories.iter().find(|memory| memory.kind == config::MemoryKind::Ram);
    let ram = ram.map_or((0, 0), |ram| (ram.base as u32, (ram.base + ram.size) as u32));
    Facts { clock_hz: device.clock_hz, ram }
}

impl Machine {
    /// Lets the program ask things of its host by instructions that are marked as such calls.
    pub fn answer_host_calls(&mut self, offers: Offers) {
        self.host = Some(Host::new(offers, self.facts));
    }

    /// Notes for people about refused host calls of the program.
    #[must_use]
    pub fn host_notes(&self) -> &[&'static str] {
        self.host.as_ref().map_or(&[], Host::notes)
    }

    /// The first call that the host had no answer to, if one stopped the run.
    #[must_use]
    pub fn unknown_call(&self) -> Option<u32> {
        self.host.as_ref()?.unknown
    }

    /// The first fault that led to the core's handler of faults, or else the first instruction that it does
    /// not know and for which the program has a handler.
    #[must_use]
    pub const fn first_fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The answer to a call to the host, if that is why the run stopped.
    pub(super) fn answered(&mut self, stop: &Stop) -> Option<(HostCall, Answer)> {
        let call = self.host_call(stop)?;
        let [number, argument] = self.asked(call);
        let mut host = self.host.take()?;
        let answer = host.answer(&mut Guest(self), number, argument, stop.cycles);
        self.host = Some(host);
        Some((call, answer))
    }

    /// Number and argument of the call to the host at which the run stopped.
    #[must_use]
    pub fn call(&self, stop: &Stop) -> Option<[u32; 2]> {
        self.host_call(stop).map(|call| self.asked(call))
    }

    fn asked(&self, call: HostCall) -> [u32; 2] {
        [call.number, call.argument].map(|cell| self.engine.cells()[usize::from(cell.0)] as u32)
    }

    /// Lets the program go on behind its call.
    pub(super) fn go_on_behind(&mut self, call: HostCall, stop: &Stop, value: u32) {
        self.engine.set_cell(call.result.0.into(), value.into());
        self.engine.go_on_at(stop.pc + u64::from(call.length));
    }

    fn host_call(&self, stop: &Stop) -> Option<HostCall> {
        let StopCause::Instruction(kind) = stop.cause else { return None };
        let order = self.instructions().elf.order;
        let word = |at| Some(order.number(&self.read(at, 4)?) as u32);
        self.engine.frontend().host_call(kind, &word, stop.pc as u32, self.engine.mode())
    }

    /// A stop as a fault, while the core stands at it.
    pub(super) fn as_fault(&self, stop: &Stop) -> Fault {
        let call = self.call(stop).map(|[number, _]| number);
        Fault { stop: *stop, call, mode: self.mode(), reason: self.reason(stop) }
    }

    /// Remembers what the program has gone on from in its handler, if that was the first fault.
    pub(super) fn note_fault(&mut self, fault: Fault) {
        if self.fault.is_some() {
            return;
        }
        let illegal = fault.stop.cause == StopCause::Instruction(StopKind::IllegalInstruction);
        let frontend = self.engine.frontend();
        if illegal || frontend.handles_fault(self.engine.cells(), self.engine.mode()) {
            self.fault = Some(fault);
        }
    }

    /// Lets the program touch the registers there that nobody models.
    pub fn stub(&mut self, base: u32, size: u32) {
        self.bus.map(base, size, Target::Stub);
    }

    /// The registers that it touched of these, with their addresses.
    #[must_use]
    pub fn stubs(&self) -> Vec<(u32, Stub)> {
        self.bus.stubs.touched().collect()
    }

    pub(crate) fn console_mut(&mut self) -> &mut Console {
        &mut self.bus.console
    }

    /// The decode mode of what the next run goes on with, or at which the machine stopped.
    #[must_use]
    pub fn mode(&self) -> u32 {
        self.engine.mode()
    }

    /// An explanation of the stop, with what to do, where the core can say more than the cause does.
    #[must_use]
    pub fn reason(&self, stop: &Stop) -> Option<String> {
        let unmodelled = stop.cause == StopCause::Instruction(StopKind::Unmodelled);
        let touched = unmodelled.then(|| self.bus.chip.told().or_else(|| self.misled())).flatten();
        touched.or_else(|| self.engine.reason((&self.ram, &self.bus), stop))
    }

    /// The timer that was told what it does not do, in words for people.
    fn misled(&self) -> Option<String> {
        let name = self.bus.timers[self.bus.misled?].name();
        Some(format!("{name} counts here in a way that is not modelled"))
    }

    /// The instruction at an address as another core may know it: its units of 16 bits, and what it is.
    #[must_use]
    pub fn explain(&self, pc: u64, mode: u32) -> Option<(Vec<u16>, Option<String>)> {
        self.engine.explain((&self.ram, &self.bus), pc, mode)
    }
}
