//! Runs the cases in `tests/cases/fdl`: `run/*.fdl` simulate, `print/*.fdl` print, `errors/*.fdl` are
//! refused.
//!
//! Expectations stand in the files as comments:
//! - `//> a=1 b=0x2 | out=3 @child.register=4` is one cycle, with the values before its clock edge;
//! - `//! warning code` is a warning, once or more; of a case that prints all are named, or none;
//! - `//! code line:column` is an error;
//! - `//= text` is a line that is printed, or a file's name with a value that goes there;
//! - `//@ gezel` and `//@ cycles N` say how a case that prints is run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cocrypt_diag::{Diagnostic, Source};
use cocrypt_fdl::{Dialect, Files, load, load_as, netlist};
use cocrypt_rtl::{End, Monitor, OutputEvent, Simulator, Toggling};

fn files(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/fdl").join(kind);
    let entries = fs::read_dir(folder).expect("the cases are in the repository");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    assert!(paths.len() > 20, "there are only {} cases", paths.len());
    paths
}

fn read(path: &Path) -> Source {
    Source::new(&path.to_string_lossy(), &fs::read_to_string(path).expect("readable"))
}

/// The rest of each line that starts with a mark.
fn marked<'a>(source: &'a Source, mark: &'a str) -> impl Iterator<Item = &'a str> {
    source.text.lines().filter_map(move |line| line.strip_prefix(mark)).map(str::trim)
}

fn render(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render(false)).collect()
}

/// A decimal or hexadecimal number as limbs without leading zeros.
fn number(text: &str) -> Vec<u64> {
    let mut limbs = match text.strip_prefix("0x") {
        None => vec![text.parse().expect("a decimal number")],
        Some(digits) => digits
            .as_bytes()
            .rchunks(16)
            .map(|chunk| std::str::from_utf8(chunk).expect("ASCII"))
            .map(|chunk| u64::from_str_radix(chunk, 16).expect("hexadecimal digits"))
            .collect(),
    };
    trim(&mut limbs);
    limbs
}

fn trim(limbs: &mut Vec<u64>) {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
}

fn pairs(text: &str) -> impl Iterator<Item = (&str, Vec<u64>)> {
    text.split_whitespace().map(|pair| {
        let (name, value) = pair.split_once('=').expect("name=value");
        (name, number(value))
    })
}

fn observe(simulator: &mut Simulator, name: &str) -> Vec<u64> {
    let mut value = if let Some(path) = name.strip_prefix('@') {
        simulator.register(path).expect("a register of that path")
    } else {
        let port = simulator.output(name).expect("an output of that name");
        simulator.output_wide(port)
    };
    trim(&mut value);
    value
}

/// The ways in which a design is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Interpreted,
    Compiled,
    Units,
    CompiledUnits,
}

/// Prepares a way to run; false where the design has none of this kind.
fn prepare(simulator: &mut Simulator, mode: Mode) -> bool {
    match mode {
        Mode::Interpreted => true,
        Mode::Compiled => simulator.compile(),
        Mode::Units => simulator.divide(),
        Mode::CompiledUnits => simulator.compile_units(),
    }
}

fn run(path: &Path, mode: Mode) {
    let source = read(path);
    let model = load(&source).unwrap_or_else(|list| panic!("{}", render(&list)));
    let expected: BTreeSet<&str> = marked(&source, "//! warning ").collect();
    let warned: BTreeSet<&str> = model.warnings.iter().map(|warning| &*warning.code).collect();
    assert_eq!(warned, expected, "warnings of {}", path.display());
    let netlist = netlist(&model, None).unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
    let mut simulator = Simulator::new(Arc::new(netlist));
    // Loops that `?:` opens are interpreted.
    assert!(
        prepare(&mut simulator, mode) || path.ends_with("false_loop.fdl"),
        "{}",
        path.display()
    );
    for (cycle, line) in marked(&source, "//>").enumerate() {
        let (inputs, outputs) = line.split_once('|').expect("inputs | outputs");
        for (name, value) in pairs(inputs) {
            let port = simulator.input(name).expect("an input of that name");
            simulator.set_input_wide(port, &value);
        }
        for (name, value) in pairs(outputs) {
            let found = observe(&mut simulator, name);
            let place = format!("{} of {} in cycle {cycle}", name, path.display());
            assert_eq!(found, value, "{place}: {found:x?}, not {value:x?}");
        }
        simulator.step();
    }
    assert!(simulator.cycle() > 0, "{} has no cycles", path.display());
}

#[test]
fn cases_run() {
    for path in files("run") {
        for mode in [Mode::Interpreted, Mode::Compiled, Mode::Units, Mode::CompiledUnits] {
            run(&path, mode);
        }
    }
}

#[test]
fn errors_are_found() {
    for path in files("errors") {
        let source = read(&path);
        let dialect = dialect(&source);
        let result = load_as(&source, dialect, &Beside)
            .and_then(|model| netlist(&model, None).map_err(|e| vec![e]));
        let list = result.expect_err(&format!("{} is accepted", path.display()));
        let place = |diagnostic: &Diagnostic| {
            let (line, column) = diagnostic.line_column().expect("a place");
            format!("{} {line}:{column}", diagnostic.code)
        };
        let errors = list.iter().filter(|d| d.severity == cocrypt_diag::Severity::Error);
        let found: BTreeSet<String> = errors.map(place).collect();
        let expected: BTreeSet<String> = marked(&source, "//! ").map(str::to_owned).collect();
        assert_eq!(found, expected, "{}\n{}", path.display(), render(&list));
        assert!(list.iter().all(|d| d.help.is_some()), "{} has no advice", path.display());
    }
}

/// The headline of each mistake, as it was when somebody last read it through. With `COCRYPT_RECORD` set
/// the file is rewritten.
#[test]
fn first_messages_are_as_recorded() {
    let mut rendered = String::new();
    for path in files("errors") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let source = Source::new(&name, &read(&path).text);
        let result = load_as(&source, dialect(&source), &Beside)
            .and_then(|model| netlist(&model, None).map_err(|wrong| vec![wrong]));
        let list = result.expect_err("a mistake");
        let errors = list.iter().filter(|d| d.severity == cocrypt_diag::Severity::Error);
        rendered.push_str(&errors.map(|error| error.render(false)).next().expect("an error"));
        rendered.push('\n');
    }
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/fdl/messages.txt");
    if std::env::var_os("COCRYPT_RECORD").is_some() {
        fs::write(&recorded, &rendered).expect("writable");
    }
    let recorded = fs::read_to_string(&recorded).expect("the recorded messages");
    for (now, then) in rendered.split("fdl.").zip(recorded.split("fdl.")) {
        assert_eq!(now, then);
    }
    assert_eq!(rendered.len(), recorded.len());
}

fn dialect(source: &Source) -> Dialect {
    let is_gezel = marked(source, "//@ ").any(|line| line == "gezel");
    if is_gezel { Dialect::Gezel } else { Dialect::Extended }
}

/// The files that cases name are beside them.
struct Beside;

impl Files for Beside {
    fn read(&self, name: &str) -> Result<String, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/fdl/print");
        fs::read_to_string(path.join(name)).map_err(|error| error.to_string())
    }
}

/// The output and traces of a case, and the cause of its end where that is not by itself.
fn printed(path: &Path) -> Vec<String> {
    let source = read(path);
    let asks = |what: &str| marked(&source, "//@ ").find_map(|line| line.strip_prefix(what));
    let cycles: u64 = asks("cycles ").map_or(100, |cycles| cycles.parse().expect("a number"));
    let model = load_as(&source, dialect(&source), &Beside);
    let model = model.unwrap_or_else(|list| panic!("{}\n{}", path.display(), render(&list)));
    let expected: BTreeSet<&str> = marked(&source, "//! warning ").collect();
    let warned: BTreeSet<&str> = model.warnings.iter().map(|warning| &*warning.code).collect();
    assert!(expected.is_empty() || warned == expected, "{}: {warned:?}", path.display());
    let netlist = Arc::new(netlist(&model, None).expect("a netlist"));
    let mut monitor = Monitor::new(Arc::clone(&netlist));
    monitor.transitions = model.options.debug;
    monitor.computes_first = dialect(&source) == Dialect::Gezel;
    if model.options.toggles.is_some() {
        monitor.simulator.count_activity(Toggling::Both);
    }
    for (index, (_, name)) in netlist.stimuli.iter().enumerate() {
        let text = Beside.read(name).expect("a file beside the case");
        let digits = text.split_whitespace().map(|word| word.trim_start_matches("0x"));
        let value = |word| vec![u64::from_str_radix(word, 16).expect("hexadecimal digits")];
        monitor.feed(index, digits.map(value).collect());
    }
    let mut lines = vec![];
    while monitor.simulator.cycle() < cycles {
        let looked = monitor.look(&mut |event| {
            lines.push(match event {
                OutputEvent::Line(line) => line,
                OutputEvent::Trace(trace, digits) => {
                    format!("{} {digits}", netlist.traces[trace].file)
                }
            });
        });
        match looked.and_then(|()| monitor.step()) {
            Ok(()) | Err(End::Settled(_)) => {}
            Err(End::Finished) => break,
            Err(End::Exhausted(_)) => {
                lines.push("ends exhausted".to_owned());
                break;
            }
            Err(End::Fault(_)) => {
                lines.push("ends fault".to_owned());
                break;
            }
        }
    }
    lines
}

#[test]
fn cases_print() {
    let is_case = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "fdl");
    for path in files("print").into_iter().filter(is_case) {
        let source = read(&path);
        let expected: Vec<&str> = marked(&source, "//= ").collect();
        assert_eq!(printed(&path), expected, "{}", path.display());
    }
}

/// Every code has a page, and what the page shows causes it.
#[test]
fn every_diagnostic_has_a_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut codes = BTreeSet::new();
    let mut folders = vec![root.join("src"), root.join("../py/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("readable");
            for (at, _) in text.match_indices("\"fdl.") {
                let code = text[at + 5..].split('"').next().expect("an end");
                if code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
                    codes.insert(code.to_owned());
                }
            }
        }
    }
    assert!(codes.len() > 40, "{codes:?}");
    for code in codes {
        let page = root.join(format!("../../docs/fdl/diagnostics/{code}.md"));
        let page = fs::read_to_string(page).unwrap_or_else(|_| panic!("{code} has no page"));
        let Some((_, example)) = page.split_once("```fdl") else { continue };
        let (info, example) = example.split_once('\n').expect("a line");
        let source = Source::new("page", example.split("```").next().expect("an end"));
        let dialect = if info.contains("gezel") { Dialect::Gezel } else { Dialect::Extended };
        let diagnostics = match load_as(&source, dialect, &Beside) {
            Err(list) => list,
            Ok(model) => {
                let wrong = netlist(&model, None).err();
                model.warnings.into_iter().chain(wrong).collect()
            }
        };
        let found: Vec<&str> =
            diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
        assert!(found.contains(&&*format!("fdl.{code}")), "{code}: {found:?}");
    }
}
