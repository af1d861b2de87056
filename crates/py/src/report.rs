//! How a run ended, as Python sees it.

use std::collections::{BTreeMap, BTreeSet};

use cocrypt_image::Image;
use cocrypt_soc::{self as soc, Polling, Stop, StopCause, Transfers};
use serde_json::{Map, Value, json};

/// A machine after a run, with the names that its program gives.
pub struct Report<'a> {
    pub soc: &'a soc::Machine,
    pub image: &'a Image,
    pub coprocessors: &'a [String],
}

impl Report<'_> {
    /// Everything but the console, whose bytes need not be text.
    pub fn run(&self, stop: &Stop, seconds: f64) -> Value {
        let transfers: Map<String, Value> = self
            .coprocessors
            .iter()
            .cloned()
            .zip(self.soc.transfers().iter().map(transfers))
            .collect();
        json!({
            "stop": self.stop(stop),
            "cycles": stop.cycles,
            "instructions": stop.instructions,
            "stack": self.stack(),
            "functions": self.functions(),
            "transfers": transfers,
            "bus": { "transfers": self.soc.moved().0, "following": self.soc.moved().1 },
            "toggles": self.soc.toggles(),
            "polls": self.soc.polls().iter().map(|poll| self.poll(poll)).collect::<Vec<_>>(),
            "unclear": self.unclear(),
            "polling": self.soc.polling().iter().map(polling).collect::<Vec<_>>(),
            "faults": self.soc.faults(),
            "notes": self.soc.host_notes(),
            "stubs": self.soc.stubs().iter().map(stub).collect::<Vec<_>>(),
            "marks": self.soc.marks(),
            "seconds": seconds,
        })
    }

    fn stop(&self, stop: &Stop) -> Value {
        let call = self.soc.unknown_call().map(|number| {
            let what = "which the semihosting specification does not have";
            format!("the program asks its host for the operation {number:#04x}, {what}")
        });
        let told = call.or_else(|| self.call_at(stop)).or_else(|| self.soc.reason(stop));
        let mut described = self.place(stop, self.soc.mode(), told);
        let exit = if let StopCause::Exit { code, .. } = stop.cause { Some(code) } else { None };
        described["exit_code"] = json!(exit);
        described["first_fault"] = json!(self.soc.first_fault().map(|fault| {
            let told = fault.call.map(unanswered).or_else(|| fault.reason.clone());
            self.place(&fault.stop, fault.mode, told)
        }));
        described["notes"] = json!(self.soc.start_note().into_iter().collect::<Vec<_>>());
        described
    }

    /// Why and where, of a stop or of a fault that the program has handled. What is `told` of it, as of a
    /// call to the host, stands instead of what its kind says.
    fn place(&self, stop: &Stop, mode: u32, told: Option<String>) -> Value {
        let (kind, cause) = kind(stop.cause);
        let symbol = self.image.symbols.function_at(stop.pc as u32);
        let instruction = self.instruction(stop, mode);
        let cause = told.unwrap_or_else(|| with_instruction(cause, instruction.as_ref()));
        json!({
            "kind": kind,
            "pc": stop.pc,
            "symbol": symbol.map(|symbol| &symbol.name),
            "cycle": stop.cycles,
            "address": address(stop.cause),
            "cause": cause,
            "instruction": instruction.map(|(encoding, text)| {
                json!({ "encoding": encoding, "text": text })
            }),
        })
    }

    /// The call to the host at which the run stopped, since nobody answers them.
    fn call_at(&self, stop: &Stop) -> Option<String> {
        self.soc.call(stop).map(|[number, _]| unanswered(number))
    }

    /// The instruction at which an unknown one stopped the core: its units in hexadecimal, and what
    /// it is if anybody knows.
    fn instruction(&self, stop: &Stop, mode: u32) -> Option<(String, Option<String>)> {
        use soc::StopKind::{IllegalInstruction, Unmodelled};
        let StopCause::Instruction(IllegalInstruction | Unmodelled) = stop.cause else {
            return None;
        };
        let (units, text) = self.soc.explain(stop.pc, mode)?;
        let units: Vec<String> = units.iter().map(|unit| format!("{unit:04x}")).collect();
        Some((units.join(" "), text))
    }

    /// High-water mark below the linker's `_stack_top`, in bytes.
    fn stack(&self) -> Option<u32> {
        let top = self.image.symbols.find("_stack_top")?.address;
        Some(self.soc.lowest_stack().map_or(0, |lowest| top.saturating_sub(lowest)))
    }

    /// The function that an address belongs to.
    fn name(&self, address: u64) -> Option<&String> {
        self.image.symbols.function_at(address as u32).map(|symbol| &symbol.name)
    }

    /// Coprocessors of which nobody can tell whether the program waited for them, each with why.
    fn unclear(&self) -> BTreeMap<&String, &'static str> {
        let why = |unclear| match unclear {
            soc::Unclear::NoStatus => "no_status",
            soc::Unclear::LongTurn => "long_turn",
        };
        let unclear = self.soc.unclear_polls();
        let both = self.coprocessors.iter().zip(unclear);
        both.filter_map(|(name, unclear)| Some((name, why(unclear?)))).collect()
    }

    fn poll(&self, poll: &soc::PollProfile) -> Value {
        let soc::Turns { turns, cycles, awaited } = poll.turns;
        let functions = poll.functions.as_ref();
        let named = |starts: &BTreeSet<u64>| {
            starts.iter().map(|&start| self.name(start)).collect::<Vec<_>>()
        };
        json!({
            "coprocessor": self.coprocessors[poll.coprocessor],
            "number": poll.coprocessor,
            "pc": poll.pc,
            "function": self.name(poll.pc),
            "functions": functions.map(named),
            "turns": turns,
            "cycles": cycles,
            "awaited": awaited,
        })
    }

    fn functions(&self) -> Vec<Value> {
        let named = |region: &soc::RegionProfile| {
            json!({
                "name": self.name(region.start),
                "address": region.start,
                "calls": region.entries,
                "self_cycles": region.cycles,
                "transfers": transfers(&region.transfers),
            })
        };
        self.soc.profile().iter().map(named).collect()
    }
}

fn stub((address, stub): &(u32, soc::Stub)) -> Value {
    json!({ "address": address, "reads": stub.reads, "writes": stub.writes })
}

fn unanswered(number: u32) -> String {
    let name = soc::call_name(number).map_or_else(String::new, |name| format!(" ({name})"));
    format!(
        "the program asks its host for the operation {number:#04x}{name}, and --semihosting is not given"
    )
}

fn with_instruction(cause: String, instruction: Option<&(String, Option<String>)>) -> String {
    match instruction {
        Some((encoding, Some(text))) => format!("{cause}: {encoding}, `{text}`"),
        Some((encoding, None)) => format!("{cause}: {encoding}"),
        None => cause,
    }
}

fn polling(polling: &Polling) -> Value {
    let Polling { firsts, first_cycles, again, again_cycles } = *polling;
    json!({
        "firsts": firsts, "first_cycles": first_cycles, "again": again, "again_cycles": again_cycles,
    })
}

fn transfers(transfers: &Transfers) -> Value {
    let Transfers { control, status, input, output, following, waited } = *transfers;
    json!({
        "control": control, "status": status, "input": input, "output": output,
        "following": following, "waited": waited,
    })
}

pub fn kind(cause: StopCause) -> (&'static str, String) {
    match cause {
        StopCause::Exit { code, .. } => ("exit", format!("the program ended with code {code}")),
        StopCause::BusFault { address, .. } => {
            ("bus_fault", format!("nothing answers at {address:#010x}"))
        }
        StopCause::Refused { address, status, .. } => (
            "bus_fault",
            format!("its tables of pages refuse {address:#010x} (fault status {status:#x})"),
        ),
        StopCause::Unaligned { address, .. } => {
            ("unaligned", format!("{address:#010x} is not aligned to the width of the access"))
        }
        StopCause::UnalignedJump { address } => {
            ("unaligned", format!("no instruction can start at {address:#010x}"))
        }
        StopCause::FetchFault { address } => {
            ("bus_fault", format!("there is no code at {address:#010x}"))
        }
        StopCause::Instruction(kind) => instruction(kind),
        StopCause::CycleLimit => ("cycle_limit", "the cycle limit was reached".to_owned()),
        StopCause::Halted => ("halted", "a debugger halted it".to_owned()),
        StopCause::Held => ("held", "it waits for a packet".to_owned()),
        StopCause::Deadlock => (
            "deadlock",
            "an empty endless loop, or a wait for an interrupt or at a link, which nothing ends"
                .to_owned(),
        ),
    }
}

fn instruction(kind: soc::StopKind) -> (&'static str, String) {
    match kind {
        soc::StopKind::IllegalInstruction => {
            ("illegal_instruction", "the core does not know this instruction".to_owned())
        }
        soc::StopKind::EnvironmentCall => {
            ("trap", "an environment call, which nothing handles".to_owned())
        }
        soc::StopKind::Breakpoint => ("breakpoint", "a breakpoint instruction".to_owned()),
        soc::StopKind::Wait => {
            ("wait", "it waits for an interrupt, which this core lacks".to_owned())
        }
        soc::StopKind::Unmodelled => {
            ("unmodelled", "the core does something here that its model does not know".to_owned())
        }
        soc::StopKind::InvalidState => {
            ("invalid_state", "a jump asks for an instruction set that the core lacks".to_owned())
        }
        soc::StopKind::NoHandler { number } => {
            ("no_handler", format!("the program has no handler for the exception {number}"))
        }
    }
}

const fn address(cause: StopCause) -> Option<u32> {
    match cause {
        StopCause::BusFault { address, .. }
        | StopCause::Refused { address, .. }
        | StopCause::Unaligned { address, .. }
        | StopCause::UnalignedJump { address }
        | StopCause::FetchFault { address } => Some(address),
        _ => None,
    }
}
