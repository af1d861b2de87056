//! What was found of secrets, with the names that the program file gives.

use cocrypt_taint::{Found, Halt, Leak, Report};
use cocrypt_trace::{Names as _, SourceLocation};
use serde_json::{Value, json};

use crate::profile::Named;

/// What was found, as Python sees it.
pub fn describe(report: &Report, named: &Named<'_>) -> Value {
    let found: Vec<_> = report.found.iter().map(|one| leak(one, named)).collect();
    json!({ "found": found, "instructions": report.instructions, "halt": halt(report.halt) })
}

fn leak(one: &Found, named: &Named<'_>) -> Value {
    let kind = match one.leak {
        Leak::Branch => "branch",
        Leak::Jump => "jump",
        Leak::Load => "load",
        Leak::Store => "store",
        Leak::Time => "time",
    };
    // The address behind a call belongs to what comes next; the call itself stands before it.
    let calls: Vec<_> = one.calls.iter().map(|&behind| places(named, behind - 2)).collect();
    json!({
        "address": one.pc,
        "kind": kind,
        "count": one.count,
        "text": named.text(one.pc),
        "places": places(named, one.pc),
        "calls": calls,
    })
}

/// The functions that an address stands in, the outermost first; the others were inlined.
fn places(named: &Named<'_>, address: u64) -> Value {
    let place = |one: SourceLocation| json!({ "function": one.function, "file": one.file, "line": one.line });
    named.places(address).into_iter().map(place).collect()
}

/// Why the run ended; nothing where the program ended by itself.
fn halt(halt: Halt) -> Option<String> {
    match halt {
        Halt::Exit => None,
        Halt::Limit => Some("the limit of instructions was reached".to_owned()),
        Halt::Stop(kind) => Some(format!("the core stopped: {kind:?}")),
        Halt::Fault { address } => Some(format!("nothing answers at {address:#010x}")),
        Halt::NoCode => Some("it jumped to where there is no code".to_owned()),
    }
}
