//! The cost of short sequences against `sequences.txt`, which is counted by hand.

mod common;

use cocrypt_ir::Exit;
use cocrypt_isa::Core;
use common::{Words, assemble, core};

const SEQUENCES: &str = include_str!("sequences.txt");

/// The cycles of a sequence: as long as it can be, and with its branch taken or by its divisor 0.
fn cycles(core: &Core, sequence: &str) -> [u32; 2] {
    let words: Vec<u32> = sequence.split(';').map(assemble).collect();
    let end = 4 * words.len() as u64;
    let words = Words(words);
    let (mut pc, mut mode, mut state, mut sums) = (0, 0, 0, [0, 0]);
    // A block ends at what may let interrupts in, and the next one goes on in its state.
    while pc < end {
        let block = core.frontend.lift(&words, pc, mode).expect("there are words");
        let cost = core.timing.cost(&block, &words, 1, state);
        let sum: u32 = cost.insns.iter().map(|insn| insn.cycles).sum();
        let (last, count) = (cost.insns.last().expect("an instruction"), block.insns.len() as u64);
        let extras: [u32; 2] = [false, true].map(|holds| {
            let tables = cost.insns.iter().filter_map(|insn| insn.extra.as_ref());
            tables.map(|extra| extra.table[usize::from(holds)]).sum()
        });
        let is_branch = matches!(block.exit, Exit::Branch { .. } | Exit::Indirect { .. });
        let divides = sequence.contains("idiv");
        // The first figure has a divisor that is not 0, and a branch that is not taken.
        sums[0] += sum + extras[usize::from(divides)];
        sums[1] += sum + extras[usize::from(!divides)];
        if is_branch {
            sums[1] += cost.taken - last.cycles;
        }
        (pc, mode, state) = (pc + 4 * count, block.onward, cost.exit_states[0]);
    }
    sums
}

/// The cores of the sequences, by their number of stages.
const CORES: [(&str, &str); 2] = [("5", "C_AREA_OPTIMIZED = 0"), ("3", "C_AREA_OPTIMIZED = 1")];

#[test]
fn sequences_cost_what_the_guide_says() {
    for (stages, parameters) in CORES {
        let core = core(parameters);
        let rows = SEQUENCES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut count = 0;
        for row in rows {
            let fields: Vec<&str> = row.split('|').map(str::trim).collect();
            let [all, sequence, least, other, source, why] = fields[..] else { panic!("{row}") };
            assert!(!source.is_empty() && !why.is_empty(), "{row}");
            if !all.split(' ').any(|number| number == stages) {
                continue;
            }
            let expected = [least, if other == "-" { least } else { other }];
            let found = cycles(&core, sequence).map(|cycles| cycles.to_string());
            assert_eq!(found, expected, "{stages} stages: {row}");
            count += 1;
        }
        assert!(count >= 60, "{stages} stages have {count}");
    }
}
