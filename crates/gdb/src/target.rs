//! A machine as the protocol's library wants to see it.

use std::convert::Infallible;

use cocrypt_soc::{Debugger, Halt, RegisterFile, StopCause, StopKind, Watch};
use gdbstub::common::Signal;
use gdbstub::outputln;
use gdbstub::stub::SingleThreadStopReason;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::singlethread::{
    SingleThreadBase, SingleThreadRangeStepping, SingleThreadRangeSteppingOps, SingleThreadResume,
    SingleThreadResumeOps, SingleThreadSingleStep, SingleThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps,
    SwBreakpoint, SwBreakpointOps, WatchKind,
};
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::ext::target_description_xml_override::{
    TargetDescriptionXmlOverride, TargetDescriptionXmlOverrideOps,
};
use gdbstub::target::{Target, TargetError, TargetResult};

use crate::command::command;
use crate::guest::{self, Bytes, Guest};

/// The run of the machine between two looks at the connection, in cycles and in steps.
const CYCLES: u64 = 5_000_000;
const STEPS: u64 = 20_000;

/// The mode in which the debugger resumes the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Run,
    Step,
    Within { from: u32, to: u32 },
}

/// A machine under the debugger's control.
pub struct Stub<'a> {
    debugger: Debugger<'a>,
    mode: Mode,
    described: RegisterFile,
}

impl<'a> Stub<'a> {
    pub fn new(debugger: Debugger<'a>) -> Self {
        let described = debugger.machine().register_file();
        Self { debugger, mode: Mode::Run, described }
    }

    pub fn debugger(&mut self) -> &mut Debugger<'a> {
        &mut self.debugger
    }

    /// Goes on for a while; why it halted, if it did.
    pub fn go_on(&mut self) -> Option<SingleThreadStopReason<u32>> {
        let halt = match self.mode {
            Mode::Run => self.debugger.resume(CYCLES),
            Mode::Step => Some(self.debugger.step()),
            Mode::Within { from, to } => self.debugger.step_within(from, to, STEPS),
        };
        halt.map(reason)
    }
}

fn reason(halt: Halt) -> SingleThreadStopReason<u32> {
    match halt {
        Halt::Step => SingleThreadStopReason::DoneStep,
        Halt::Breakpoint => SingleThreadStopReason::SwBreak(()),
        Halt::Watch(watch) => {
            SingleThreadStopReason::Watch { tid: (), kind: kind(watch), addr: watch.address }
        }
        Halt::Stop(stop) => match stop.cause {
            StopCause::Exit { code, .. } => SingleThreadStopReason::Exited(code as u8),
            cause => SingleThreadStopReason::Signal(signal(cause)),
        },
    }
}

/// The signal that Linux would send for it.
fn signal(cause: StopCause) -> Signal {
    match cause {
        StopCause::BusFault { .. } | StopCause::FetchFault { .. } | StopCause::Refused { .. } => {
            Signal::SIGSEGV
        }
        StopCause::Unaligned { .. } | StopCause::UnalignedJump { .. } => Signal::SIGBUS,
        StopCause::Instruction(
            StopKind::IllegalInstruction
            | StopKind::Unmodelled
            | StopKind::InvalidState
            | StopKind::NoHandler { .. },
        ) => Signal::SIGILL,
        StopCause::Instruction(StopKind::EnvironmentCall) => Signal::SIGSYS,
        StopCause::Deadlock | StopCause::Instruction(StopKind::Wait) => Signal::SIGSTOP,
        StopCause::Instruction(StopKind::Breakpoint)
        | StopCause::Exit { .. }
        | StopCause::CycleLimit
        | StopCause::Halted
        | StopCause::Held => Signal::SIGTRAP,
    }
}

fn kind(watch: Watch) -> WatchKind {
    match (watch.reads, watch.writes) {
        (true, true) => WatchKind::ReadWrite,
        (true, false) => WatchKind::Read,
        _ => WatchKind::Write,
    }
}

fn watch(address: u32, size: u32, kind: WatchKind) -> Watch {
    let (reads, writes) = (kind != WatchKind::Write, kind != WatchKind::Read);
    Watch { address, size, reads, writes }
}

impl Target for Stub<'_> {
    type Arch = Guest;
    type Error = Infallible;

    fn base_ops(&mut self) -> BaseOps<'_, Guest, Infallible> {
        BaseOps::SingleThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(
        &mut self,
    ) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        let takes_one = !self.described.feature.is_empty();
        takes_one.then_some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }
}

impl TargetDescriptionXmlOverride for Stub<'_> {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        to: &mut [u8],
    ) -> TargetResult<usize, Self> {
        if annex != b"target.xml" {
            return Err(TargetError::NonFatal);
        }
        let text = guest::description(&self.described);
        let rest = text.as_bytes().get(offset as usize..).unwrap_or_default();
        let size = rest.len().min(length).min(to.len());
        to[..size].copy_from_slice(&rest[..size]);
        Ok(size)
    }
}

impl SingleThreadBase for Stub<'_> {
    fn read_registers(&mut self, registers: &mut Bytes) -> TargetResult<(), Self> {
        *registers = guest::read(self.debugger.machine());
        Ok(())
    }

    fn write_registers(&mut self, registers: &Bytes) -> TargetResult<(), Self> {
        guest::write(self.debugger.machine_mut(), registers);
        Ok(())
    }

    fn read_addrs(&mut self, from: u32, data: &mut [u8]) -> TargetResult<usize, Self> {
        let byte = |at: u32| self.debugger.machine().read(from.wrapping_add(at), 1);
        let mut known = 0;
        for (to, bytes) in data.iter_mut().zip((0..).map_while(byte)) {
            *to = bytes[0];
            known += 1;
        }
        if known == 0 { Err(TargetError::NonFatal) } else { Ok(known) }
    }

    fn write_addrs(&mut self, to: u32, data: &[u8]) -> TargetResult<(), Self> {
        self.debugger.machine_mut().load(to, data).map_err(|_| TargetError::NonFatal)
    }

    fn support_resume(&mut self) -> Option<SingleThreadResumeOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadResume for Stub<'_> {
    fn resume(&mut self, _: Option<Signal>) -> Result<(), Infallible> {
        self.mode = Mode::Run;
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<SingleThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<SingleThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadSingleStep for Stub<'_> {
    fn step(&mut self, _: Option<Signal>) -> Result<(), Infallible> {
        self.mode = Mode::Step;
        Ok(())
    }
}

impl SingleThreadRangeStepping for Stub<'_> {
    fn resume_range_step(&mut self, from: u32, to: u32) -> Result<(), Infallible> {
        self.mode = Mode::Within { from, to };
        Ok(())
    }
}

impl Breakpoints for Stub<'_> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

/// Breakpoints change nothing in memory, so that soft and hard ones are the same.
impl SwBreakpoint for Stub<'_> {
    fn add_sw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        self.debugger.set_breakpoint(address, true);
        Ok(true)
    }

    fn remove_sw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        self.debugger.set_breakpoint(address, false);
        Ok(true)
    }
}

impl HwBreakpoint for Stub<'_> {
    fn add_hw_breakpoint(&mut self, address: u32, kind: usize) -> TargetResult<bool, Self> {
        self.add_sw_breakpoint(address, kind)
    }

    fn remove_hw_breakpoint(&mut self, address: u32, kind: usize) -> TargetResult<bool, Self> {
        self.remove_sw_breakpoint(address, kind)
    }
}

impl HwWatchpoint for Stub<'_> {
    fn add_hw_watchpoint(
        &mut self,
        address: u32,
        size: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        self.debugger.add_watch(watch(address, size, kind));
        Ok(true)
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u32,
        size: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        Ok(self.debugger.remove_watch(watch(address, size, kind)))
    }
}

impl MonitorCmd for Stub<'_> {
    fn handle_monitor_cmd(
        &mut self,
        text: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), Infallible> {
        let answer = command(&mut self.debugger, &String::from_utf8_lossy(text));
        for line in answer.lines() {
            outputln!(out, "{line}");
        }
        Ok(())
    }
}
