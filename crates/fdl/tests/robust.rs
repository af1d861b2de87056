//! Broken input gets diagnostics, never a panic: mutants of the cases go through every pass.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_fdl::{load, netlist};
use cocrypt_rtl::{Simulator, verilog};

/// Marsaglia's xorshift: the same mutants in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

const WORDS: [&str; 32] = [
    "for (i : 0..3)",
    ".",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "=",
    "?",
    "->",
    "@",
    "-",
    "~",
    "#",
    "<<",
    "0",
    "99999",
    "#(",
    "$include",
    "\"a.fdl\"",
    "/",
    "!",
    "&&",
    "sfg",
    "use",
    "if",
    "always",
    "\u{e4}",
];

/// Splits into words and what lies between them.
fn split(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let end = if is_word(first) { end } else { first.len_utf8() };
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    parts
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut parts = split(text);
    for _ in 0..=random.below(3) {
        if parts.is_empty() {
            break;
        }
        let (at, other) = (random.below(parts.len()), random.below(parts.len()));
        match random.below(5) {
            0 => drop(parts.remove(at)),
            1 => parts.swap(at, other),
            2 => parts.insert(at, WORDS[random.below(WORDS.len())]),
            3 => parts[at] = parts[other],
            _ => parts.truncate(at.max(1)),
        }
    }
    parts.concat()
}

/// All passes; whether the text was accepted.
fn process(text: &str) -> bool {
    let source = Source::new("mutant.fdl", text);
    let Ok(model) = load(&source) else { return false };
    let Ok(netlist) = netlist(&model, None) else { return false };
    assert!(!verilog(&netlist).is_empty());
    let mut simulator = Simulator::new(Arc::new(netlist));
    simulator.run_idle(5);
    true
}

#[test]
fn mutants_do_not_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/fdl");
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut accepted, mut refused) = (0, 0);
    for kind in ["run", "errors"] {
        let entries = fs::read_dir(folder.join(kind)).expect("the cases are in the repository");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
        paths.sort();
        for path in paths {
            let text = fs::read_to_string(path).expect("readable");
            for _ in 0..40 {
                let mutant = mutate(&text, &mut random);
                *if process(&mutant) { &mut accepted } else { &mut refused } += 1;
            }
        }
    }
    assert!(accepted > 100 && refused > 1000, "{accepted} accepted, {refused} refused");
}

#[test]
fn deep_nesting_is_refused() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    assert!(!process(&format!("dp d(out o : ns(8)) {{ always {{ o = {open}1{close}; }} }}")));
    assert!(!process(&format!(
        "dp d(out o : ns(8)) {{ always {{ o = {}1; }} }}",
        "~".repeat(100_000)
    )));
}

#[test]
fn high_trees_are_refused() {
    let sum = vec!["i"; 100_000].join(" + ");
    assert!(!process(&format!("dp d(in i : ns(8); out o : ns(8)) {{ always {{ o = {sum}; }} }}")));
}

#[test]
fn what_is_repeated_is_bounded() {
    let term = format!("({}a[i])", "~".repeat(250));
    let joined = |first: &str, last: usize, term: &str| {
        process(&format!(
            "dp d(in a : ns(300); out o : ns(1)) {{ always {{ o = {first}for (i : 0..{last}, ^) {term}; }} }}"
        ))
    };
    assert!(joined("", 255, &term));
    assert!(!joined("", 256, "a[i]"));
    assert!(joined("for (j : 0..9, ^) ", 245, "a[i]"));
    assert!(!joined("for (j : 0..9, ^) ", 246, "a[i]"));
    assert!(!joined("for (j : 0..79, ^) for (k : 0..79, ^) ", 79, "a[i]"));
}

#[test]
fn long_chains_are_accepted() {
    let sum = vec!["i"; 290].join(" + ");
    let choice: Vec<String> = (0..256).map(|n| format!("i == {n} ? {} : ", n * 7 % 256)).collect();
    let choice = choice.concat();
    let text = format!(
        "dp d(in i : ns(8); out o, p : ns(8)) {{ always {{ o = {sum}; p = {choice}0; }} }}"
    );
    assert!(process(&text));
}
