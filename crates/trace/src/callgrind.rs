//! The profile format of callgrind, which `KCachegrind` and `callgrind_annotate` read.
//!
//! Source: Valgrind manual, "Callgrind Format Specification".

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::profile::{Call, Edge, Names, Profile, SourceLocation, Spent};

/// Writes a profile; `command` is what was run.
#[must_use]
pub fn callgrind(profile: &Profile, names: &dyn Names, command: &str) -> String {
    let mut writer = Writer {
        out: String::new(),
        names,
        files: Numbered::default(),
        functions: Numbered::default(),
    };
    writer.head(profile.total(), command);
    for (&function, code) in &profile.code {
        writer.function(function, code.iter());
        let from = (function, 0, None)..=(function, u64::MAX, Some(u64::MAX));
        for (edge, call) in profile.calls.range(from) {
            writer.call(edge, call);
        }
    }
    writer.out
}

/// Names that are written once and then numbered.
#[derive(Default)]
struct Numbered(HashMap<String, usize>);

impl Numbered {
    fn text(&mut self, name: &str) -> String {
        let next = self.0.len() + 1;
        if let Some(number) = self.0.get(name) {
            return format!("({number})");
        }
        self.0.insert(name.to_owned(), next);
        format!("({next}) {name}")
    }
}

struct Writer<'a> {
    out: String,
    names: &'a dyn Names,
    files: Numbered,
    functions: Numbered,
}

impl Writer<'_> {
    fn head(&mut self, total: Spent, command: &str) {
        let Spent { instructions, cycles } = total;
        let _ = write!(
            self.out,
            "# callgrind format\nversion: 1\ncreator: cocrypt\ncmd: {command}\n\
             positions: instr line\nevents: Cycles Instructions\nsummary: {cycles} {instructions}\n"
        );
    }

    /// The function's own cost, instruction by instruction; what was inlined may stand in other files.
    fn function<'b>(
        &mut self,
        function: Option<u64>,
        code: impl Iterator<Item = (&'b u64, &'b Spent)>,
    ) {
        let mut file = self.home(function);
        let (fl, name) = (self.files.text(&file), self.names.function(function));
        let fn_ = self.functions.text(&name);
        let _ = write!(self.out, "\nfl={fl}\nfn={fn_}\n");
        for (&address, spent) in code {
            let location = self.innermost(address);
            let own = location.file.unwrap_or_else(|| UNKNOWN.to_owned());
            if own != file {
                let text = self.files.text(&own);
                let _ = writeln!(self.out, "fi={text}");
                file = own;
            }
            let (line, Spent { instructions, cycles }) = (location.line.unwrap_or(0), *spent);
            let _ = writeln!(self.out, "{address:#x} {line} {cycles} {instructions}");
        }
    }

    /// A call and what it cost in all.
    fn call(&mut self, &(_, site, callee): &Edge, call: &Call) {
        let file = self.home(callee);
        let name = self.names.function(callee);
        let (cfi, cfn) = (self.files.text(&file), self.functions.text(&name));
        let target = callee.unwrap_or(0);
        let line = self.innermost(site).line.unwrap_or(0);
        let first = self.outermost(target).line.unwrap_or(0);
        let Spent { instructions, cycles } = call.total;
        let _ = write!(
            self.out,
            "cfi={cfi}\ncfn={cfn}\ncalls={} {target:#x} {first}\n\
             {site:#x} {line} {cycles} {instructions}\n",
            call.calls
        );
    }

    fn home(&self, function: Option<u64>) -> String {
        let location = function.and_then(|function| self.outermost(function).file);
        location.unwrap_or_else(|| UNKNOWN.to_owned())
    }

    fn innermost(&self, address: u64) -> SourceLocation {
        self.names.locations(address).pop().unwrap_or_default()
    }

    fn outermost(&self, address: u64) -> SourceLocation {
        self.names.locations(address).into_iter().next().unwrap_or_default()
    }
}

/// The format's name for an unknown file.
const UNKNOWN: &str = "???";
