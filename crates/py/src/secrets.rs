//! Leaks of secrets, with the names of the program file.

use cocrypt_soc::Followed;
use cocrypt_taint::{Finding, Halt, Leak};
use cocrypt_trace::{Names as _, SourceLocation};
use serde_json::{Value, json};

use crate::profile::Named;

/// The leaks as Python sees them.
pub fn describe(followed: &Followed, named: &Named<'_>) -> Value {
    let report = &followed.report;
    let found: Vec<_> = report.found.iter().map(|finding| leak(finding, named)).collect();
    let read = |(address, count)| json!({ "address": address, "count": count });
    json!({
        "found": found,
        "instructions": report.instructions,
        "entries": report.entries,
        "reads": report.reads,
        "halt": halt(report.halt),
        "end": {
            "kind": kind(followed),
            "address": report.end,
            "places": locations(named, report.end),
        },
        "registers": followed.read.iter().map(read).collect::<Vec<_>>(),
        "host_calls": followed.host_calls,
    })
}

/// How the run ended, in a word.
fn kind(followed: &Followed) -> &'static str {
    match followed.report.halt {
        Halt::Exit if followed.exited => "host_exit",
        Halt::Exit => "exit",
        Halt::Returned => "returned",
        Halt::Stays => "stays",
        Halt::Limit => "limit",
        Halt::Stop(_) => "stop",
        Halt::Fault { .. } => "fault",
        Halt::NoCode => "no_code",
        Halt::Interrupted => "interrupted",
    }
}

fn leak(finding: &Finding, named: &Named<'_>) -> Value {
    let kind = match finding.leak {
        Leak::Branch => "branch",
        Leak::Jump => "jump",
        Leak::Load => "load",
        Leak::Store => "store",
        Leak::Time => "time",
    };
    // The address behind a call belongs to what comes next; the call itself stands before it.
    let calls: Vec<_> = finding.calls.iter().map(|&behind| locations(named, behind - 2)).collect();
    json!({
        "address": finding.pc,
        "kind": kind,
        "count": finding.count,
        "text": named.text(finding.pc),
        "places": locations(named, finding.pc),
        "calls": calls,
    })
}

/// The functions that an address stands in, the outermost first; the others were inlined.
fn locations(named: &Named<'_>, address: u64) -> Value {
    let location =
        |at: SourceLocation| json!({ "function": at.function, "file": at.file, "line": at.line });
    named.locations(address).into_iter().map(location).collect()
}

/// Why the run ended before its end; nothing where the program ended by itself, or where it should.
fn halt(halt: Halt) -> Option<String> {
    match halt {
        Halt::Exit | Halt::Returned | Halt::Stays => None,
        Halt::Interrupted => Some("it was interrupted".to_owned()),
        Halt::Limit => Some("the limit of instructions was reached".to_owned()),
        Halt::Stop(kind) => Some(format!("the core stopped: {kind:?}")),
        Halt::Fault { address } => Some(format!("nothing answers at {address:#010x}")),
        Halt::NoCode => Some("it jumped to where there is no code".to_owned()),
    }
}
