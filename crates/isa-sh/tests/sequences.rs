//! The cost of short sequences against `sequences.txt`, which is counted by hand.

mod common;

use cocrypt_ir::Exit;
use cocrypt_isa::Core;
use common::{Code, assemble, core};

const SEQUENCES: &str = include_str!("sequences.txt");

/// The cycles of a sequence with its branch not taken, and taken.
fn cycles(model: &Core, sequence: &str) -> [u32; 2] {
    let code: Vec<u16> = sequence.split(';').map(|line| assemble(line.trim())).collect();
    let end = 2 * code.len() as u64;
    let code = Code(code);
    let (mut pc, mut mode, mut state, mut sums) = (0, 0, 0, [0, 0]);
    // A block ends at what may let interrupts in, and the next one goes on in its state.
    while pc < end {
        let block = model.frontend.lift(&code, pc, mode).expect("there is code");
        let cost = model.timing.cost(&block, &code, 1, state);
        let sum: u32 = cost.insns.iter().map(|insn| insn.cycles).sum();
        let (last, count) = (cost.insns.last().expect("an instruction"), block.insns.len() as u64);
        let tables = cost.insns.iter().filter_map(|insn| insn.extra.as_ref());
        let extra: u32 = tables.map(|extra| extra.table[1]).sum();
        sums[0] += sum;
        sums[1] += sum + extra;
        if matches!(block.exit, Exit::Branch { .. }) {
            sums[1] += cost.taken - last.cycles;
        }
        (pc, mode, state) = (pc + 2 * count, block.onward, cost.exit_states[0]);
    }
    sums
}

#[test]
fn sequences_cost_what_the_sources_say() {
    let cores = [core("FETCH_CONFLICTS = false"), core("")];
    let rows = SEQUENCES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [conflicts, sequence, least, other, _why] = fields[..] else { panic!("{row}") };
        let core = &cores[usize::from(conflicts == "shared")];
        let expected = [least, if other == "-" { least } else { other }];
        assert_eq!(cycles(core, sequence).map(|cycles| cycles.to_string()), expected, "{row}");
        count += 1;
    }
    assert!(count >= 60, "{count}");
}
