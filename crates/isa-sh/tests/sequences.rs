//! The cost of short sequences against `sequences.txt` and `sequences_sh2.txt`, which are counted by hand.

mod common;

use cocrypt_ir::Exit;
use cocrypt_isa::{CodeMemory, Core};
use common::{Code, assemble, built, core, core_file};

const SEQUENCES: [&str; 2] = [include_str!("sequences.txt"), include_str!("sequences_sh2.txt")];
/// The cores of the sequences, with their files and parameters of these.
const CORES: [(&str, &str, &str); 4] = [
    ("sh1", "sh2", "SH2 = false"),
    ("sh2", "sh2", ""),
    ("sh3", "sh3", ""),
    ("sh3dsp", "sh3", "DSP = true"),
];
/// The decode mode of code that may use the DSP.
const WITH_DSP: u32 = 1 << 4;

/// The instructions of a sequence.
fn assembled(sequence: &str) -> Vec<u16> {
    let lines = sequence.split(';').map(str::trim);
    let words = lines.flat_map(|line| match line.strip_prefix("word ") {
        Some(words) => words.split(' ').map(hexadecimal).collect(),
        None => vec![assemble(line)],
    });
    words.collect()
}

fn hexadecimal(word: &str) -> u16 {
    u16::from_str_radix(word, 16).expect("16 bits")
}

/// The cycles of code from `start` to `end`, with its branch not taken, and taken.
fn cycles(model: &Core, code: &dyn CodeMemory, start: u64, end: u64) -> [u32; 2] {
    let (mut pc, mut mode, mut state, mut sums) = (start, WITH_DSP, 0, [0, 0]);
    // A block ends at what may let interrupts in, and the next one goes on in its state.
    while pc < end {
        let block = model.frontend.lift(code, pc, mode).expect("there is code");
        let cost = model.timing.cost(&block, code, 1, state);
        let sum: u32 = cost.insns.iter().map(|insn| insn.cycles).sum();
        let last = cost.insns.last().expect("an instruction");
        let bytes: u64 = block.insns.iter().map(|insn| u64::from(insn.length)).sum();
        let tables = cost.insns.iter().filter_map(|insn| insn.extra.as_ref());
        let extra: u32 = tables.map(|extra| extra.table[1]).sum();
        sums[0] += sum;
        sums[1] += sum + extra;
        if matches!(block.exit, Exit::Branch { .. }) {
            sums[1] += cost.taken - last.cycles;
        }
        (pc, mode, state) = (pc + bytes, block.onward, cost.exit_states[0]);
    }
    sums
}

/// A sequence with what its cycles are for one core.
struct Row<'a> {
    line: &'a str,
    is_shared: bool,
    sequence: &'a str,
    cycles: [&'a str; 2],
}

/// The rows of a core.
fn rows(core: &str) -> Vec<Row<'static>> {
    let lines = SEQUENCES.into_iter().flat_map(str::lines);
    let rows = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [cores, bus, sequence, least, other, source, why] = fields[..] else {
            panic!("{line}")
        };
        assert!(!source.is_empty() && !why.is_empty(), "{line}");
        let cycles = [least, if other == "-" { least } else { other }];
        (cores, Row { line, is_shared: bus == "shared", sequence, cycles })
    });
    let own = rows.filter(|(cores, _)| cores.split(' ').any(|name| name == core));
    own.map(|(_, row)| row).collect()
}

#[test]
fn sequences_cost_what_the_sources_say() {
    for (core, file, parameters) in CORES {
        // One with a bus for accesses alone, and one without.
        let models = ["FETCH_CONFLICTS = false", ""].map(|conflicts| {
            let parameters = format!("{parameters}\n{conflicts}");
            built(&core_file(file), &parameters).unwrap_or_else(|wrong| panic!("{wrong}"))
        });
        let rows = rows(core);
        for row in &rows {
            let code = assembled(row.sequence);
            let end = 2 * code.len() as u64;
            let model = &models[usize::from(row.is_shared)];
            let found = cycles(model, &Code(code), 0, end).map(|cycles| cycles.to_string());
            assert_eq!(found, row.cycles, "{core}: {}", row.line);
        }
        assert!(rows.len() >= 60, "{core} has {}", rows.len());
    }
}

/// Code in a memory whose fetches take four cycles.
struct SlowCode(Code);

impl CodeMemory for SlowCode {
    fn unit(&self, address: u64) -> Option<u16> {
        self.0.unit(address)
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        4
    }
    fn is_boundary(&self, address: u64) -> bool {
        self.0.is_boundary(address)
    }
}

#[test]
fn a_fetch_brings_in_two_instructions() {
    let model = core("FETCH_CONFLICTS = false");
    for (sequence, start, sum) in [
        ("nop", 0, 4),
        ("nop; nop", 0, 4 + 1),
        ("nop; nop; nop; nop", 0, 2 * (4 + 1)),
        // Who jumps to the second half of a word fetches all of it.
        ("nop; nop; nop; nop", 2, 4 + 4 + 1),
        // Behind SR, another block begins.
        ("ldc r1,sr; nop", 0, 3 + 5 + 1),
        ("nop; ldc r1,sr; nop", 0, 4 + 5 + 4),
        ("bra 4; nop", 0, 3 + 2 + 1),
    ] {
        let code = assembled(sequence);
        let end = 2 * code.len() as u64;
        let counted = cycles(&model, &SlowCode(Code(code)), start, end);
        assert_eq!(counted[0], sum, "{sequence} from {start}");
    }
}

#[test]
fn a_branch_fetches_its_target_and_not_what_was_fetched_with_it() {
    let model = core("FETCH_CONFLICTS = false");
    let code = SlowCode(Code(assembled("bt 4; nop; nop; nop; nop; nop")));
    let branch = model.frontend.lift(&code, 0, 0).expect("there is code");
    let states = model.timing.cost(&branch, &code, 1, 0).exit_states;
    let next = model.frontend.lift(&code, 2, 0).expect("there is code");
    let first = states.map(|state| model.timing.cost(&next, &code, 1, state).insns[0].cycles);
    assert_eq!(first, [1, 4]);
}

#[test]
fn a_rule_is_given_no_more_cycles_than_it_counts() {
    for (class, rule, highest) in
        [("load", "loaded", 1), ("accumulate32", "multiplier", 7), ("control", "control", 7)]
    {
        let model = |per_step: u32| {
            let (before, found) = file_at(class);
            let (own, rest) = found.split_once("per_step = ").expect("a number of cycles");
            let text = format!("{before}{own}per_step = {per_step}{}", &rest[1..]);
            built(&text, "").map(|_| ()).map_err(|wrong| wrong.to_string())
        };
        assert_eq!(model(highest), Ok(()));
        let message = format!(
            "class `{class}` of the core has `per_step = {}`, and its rule `{rule}` counts at most {highest}; \
             choose a value from 0 to {highest}",
            highest + 1
        );
        assert_eq!(model(highest + 1), Err(message));
    }
}

/// The core's file up to a class, and from it on.
fn file_at(class: &str) -> (String, String) {
    let file = core_file("sh3");
    let place = file.find(&format!("[[class.{class}]]")).expect("the class");
    (file[..place].to_owned(), file[place..].to_owned())
}
