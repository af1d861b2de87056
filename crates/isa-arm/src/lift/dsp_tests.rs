//! Products, saturating and parallel operations, those on bits, and the floating-point extension's
//! moves, against what the pseudocode of the manuals gives.

mod reference;
mod strategies;

use cocrypt_ir::{Block, Counter, Environment, Exit, Fault, Slot, Width, evaluate, verify};
use proptest::prelude::*;

use super::Arm;
use super::builder::TEMPORARIES;
use super::lifter::Lifter;
use crate::architecture::{Architecture, Version};
use crate::cells::{self, COUNT};
use crate::computation::{Computation, Opcode};
use crate::instruction::{Condition, Instruction, Operation, VectorMove, VectorRegisters};
use reference::State;

const PC: u32 = 0x0800_1236;

/// A memory whose words tell their address, that refuses an access.
#[derive(Default)]
struct Memory {
    loads: Vec<u32>,
    stores: Vec<(u32, u64)>,
    /// The number of accesses that are answered.
    answered: usize,
}

fn word_at(address: u32) -> u32 {
    address.rotate_left(7) ^ 0x1357_9bdf
}

impl Memory {
    fn access(&self, address: u32) -> Result<(), Fault> {
        let answered = self.loads.len() + self.stores.len() < self.answered;
        answered.then_some(()).ok_or(Fault { address })
    }
}

impl Environment for Memory {
    fn load(&mut self, address: u32, _: Width) -> Result<u64, Fault> {
        self.access(address)?;
        self.loads.push(address);
        Ok(word_at(address).into())
    }
    fn store(&mut self, address: u32, _: Width, value: u64) -> Result<(), Fault> {
        self.access(address)?;
        self.stores.push((address, value));
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

/// The block of an operation, which is well formed; nothing where it is no instruction.
fn block(operation: &Operation) -> Option<Block> {
    let arm = Arm::new(Architecture { version: Version::V5TE, vector: true });
    let mut lifter = Lifter::new(&arm, (PC - 4).into(), 1);
    let (condition, operation) = (Condition::Always, *operation);
    lifter.push(&Instruction { condition, operation, length: 4, thumb: true });
    let block = lifter.finish();
    assert_eq!(verify(&block, COUNT, COUNT + TEMPORARIES), Ok(()), "{operation:?}");
    matches!(block.exit, Exit::Next { .. }).then_some(block)
}

/// Evaluates an operation on cells; false where memory refused an access.
fn run(operation: &Operation, cells: &mut [u64], memory: &mut Memory) -> bool {
    let block = block(operation).expect("one of these families");
    evaluate(&block, cells, memory).is_ok()
}

fn slot(cells: &mut [u64], slot: Slot) -> &mut u64 {
    &mut cells[usize::from(slot.0)]
}

/// The cells of a state, everything else distinct so that a stray write shows.
fn cells_of(state: &State) -> Vec<u64> {
    let mut cells: Vec<u64> = (0..u64::from(COUNT + TEMPORARIES)).map(|cell| cell ^ 0x5a).collect();
    for (register, value) in state.r.iter().enumerate() {
        cells[register] = (*value).into();
    }
    *slot(&mut cells, cells::N) = state.n.into();
    *slot(&mut cells, cells::Z) = state.z.into();
    *slot(&mut cells, cells::Q) = state.q.into();
    *slot(&mut cells, cells::GE) = state.ge.into();
    cells
}

/// Both ways to execute an operation give the same cells, none left out.
fn agrees(operation: &Operation, before: &State) -> Result<(), TestCaseError> {
    let mut cells = cells_of(before);
    prop_assert!(run(operation, &mut cells, &mut Memory::default()));
    let mut after = before.clone();
    after.execute(operation);
    let guest = usize::from(COUNT);
    prop_assert_eq!(&cells[..guest], &cells_of(&after)[..guest], "{:?}", operation);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3_000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn products_are_those_of_the_manual(
        operation in strategies::product(), state in strategies::state(PC),
    ) {
        agrees(&operation, &state)?;
    }

    #[test]
    fn saturation_is_that_of_the_manual(
        operation in strategies::saturation(), state in strategies::state(PC),
    ) {
        agrees(&operation, &state)?;
    }

    #[test]
    fn parallel_operations_are_those_of_the_manual(
        operation in strategies::parallel(), state in strategies::state(PC),
    ) {
        agrees(&operation, &state)?;
    }

    #[test]
    fn operations_on_bits_are_those_of_the_manual(
        operation in strategies::bits(), state in strategies::state(PC),
    ) {
        agrees(&operation, &state)?;
    }

    #[test]
    fn vector_accesses_reach_all_their_registers_or_none(
        (operation, refused) in (strategies::vector_access(), any::<bool>()),
        state in strategies::state(PC),
    ) {
        vector_access(&operation, refused, &state)?;
    }
}

/// A floating-point load or store against its definition: words in order from the lowest address on.
fn vector_access(operation: &Operation, refused: bool, state: &State) -> Result<(), TestCaseError> {
    let (registers, rn, first, is_load, new_base) = described(operation, state);
    let before = cells_of(state);
    let mut cells = before.clone();
    let count = usize::from(registers.count);
    let mut memory = Memory { answered: count - usize::from(refused), ..Memory::default() };
    prop_assert_eq!(run(operation, &mut cells, &mut memory), !refused);
    let addresses = (0..count as u32).map(|number| first.wrapping_add(number * 4));
    let reached: Vec<u32> = addresses.take(memory.answered).collect();
    let mut expected = before;
    if !refused {
        *slot(&mut expected, cells::CONTROL) |= 4;
    }
    let at = usize::from(cells::S0.0) + usize::from(registers.first);
    if is_load {
        prop_assert_eq!(&memory.loads, &reached);
    } else {
        let stored = reached.iter().zip(&expected[at..]).map(|(address, value)| (*address, *value));
        prop_assert_eq!(&memory.stores, &stored.collect::<Vec<_>>());
    }
    if !refused {
        for (number, address) in reached.iter().enumerate().filter(|_| is_load) {
            expected[at + number] = word_at(*address).into();
        }
        if rn < 15 {
            expected[usize::from(rn)] = new_base.into();
        }
    }
    let guest = usize::from(COUNT);
    prop_assert_eq!(&cells[..guest], &expected[..guest]);
    Ok(())
}

/// Registers, base register, lowest address, whether it loads, and what the base becomes.
fn described(operation: &Operation, state: &State) -> (VectorRegisters, u8, u32, bool, u32) {
    let value = |rn: u8| if rn == 15 { state.pc & !3 } else { state.r[usize::from(rn)] };
    let multiple = |registers: VectorRegisters, rn, up: bool, writeback: bool| {
        let (base, size) = (value(rn), u32::from(registers.count) * 4);
        let below = base.wrapping_sub(size);
        let (first, end) = if up { (base, base.wrapping_add(size)) } else { (below, below) };
        (first, if writeback { end } else { base })
    };
    match *operation {
        Operation::VectorSingle { loads, registers, rn, offset } => {
            (registers, rn, value(rn).wrapping_add_signed(offset), loads, value(rn))
        }
        Operation::VectorMultiple { loads, registers, rn, up, writeback } => {
            let (first, base) = multiple(registers, rn, up, writeback);
            (registers, rn, first, loads, base)
        }
        _ => unreachable!("{operation:?} is no access"),
    }
}

/// Cells by their values.
type Values = [(Slot, u64)];

/// The cells that a move of the floating-point extension gives a value that they did not have.
fn changed(moved: VectorMove, before: &Values) -> Vec<(Slot, u64)> {
    let mut cells = vec![0; usize::from(COUNT + TEMPORARIES)];
    for (cell, value) in before {
        *slot(&mut cells, *cell) = *value;
    }
    assert!(run(&Operation::VectorMove(moved), &mut cells, &mut Memory::default()));
    let guest = cells.iter().enumerate().take(usize::from(COUNT));
    let changed = guest.map(|(cell, value)| (Slot(cell as u16), *value));
    let is_new = |pair: &(Slot, u64)| !before.contains(pair) && pair.1 != 0;
    changed.filter(|pair| is_new(pair) && pair.0 != cells::CONTROL).collect()
}

#[test]
fn vector_moves_copy_bits() {
    let single = |number: u16| Slot(cells::S0.0 + number);
    let (r3, r4) = (cells::R3, cells::R4);
    let general = [(r3, 0x8000_0001), (r4, 0xdead_beef)];
    let vector = [(single(30), 0x7fc0_0000), (single(31), 0xffff_ffff)];
    let cases: [(VectorMove, &Values, &Values); 6] = [
        (VectorMove::FromGeneral { sn: 31, rt: 3 }, &general, &[(single(31), 0x8000_0001)]),
        (VectorMove::ToGeneral { rt: 3, sn: 31 }, &vector, &[(r3, 0xffff_ffff)]),
        (
            VectorMove::PairFromGeneral { sm: 30, rt: 4, rt2: 3, double: true },
            &general,
            &[(single(30), 0xdead_beef), (single(31), 0x8000_0001)],
        ),
        (
            VectorMove::PairToGeneral { rt: 4, rt2: 3, sm: 30, double: false },
            &vector,
            &[(r3, 0xffff_ffff), (r4, 0x7fc0_0000)],
        ),
        (VectorMove::Copy { sd: 2, sm: 30 }, &vector, &[(single(2), 0x7fc0_0000)]),
        (VectorMove::Immediate { sd: 1, bits: 0x3f80_0000 }, &[], &[(single(1), 0x3f80_0000)]),
    ];
    for (moved, before, after) in cases {
        assert_eq!(changed(moved, before), after, "{moved:?}");
    }
}

#[test]
fn the_vector_status_has_the_bits_that_there_are() {
    let all = [(cells::R3, 0xffff_ffff)];
    assert_eq!(changed(VectorMove::ToStatus { rt: 3 }, &all), [(cells::FPSCR, 0xf7c0_009f)]);
    let status = [(cells::FPSCR, 0xa000_0010)];
    assert_eq!(changed(VectorMove::FromStatus { rt: 3 }, &status), [(cells::R3, 0xa000_0010)]);
    let flags = [(cells::N, 1), (cells::C, 1)];
    assert_eq!(changed(VectorMove::FromStatus { rt: 15 }, &status), flags);
}

/// Unpredictable encodings end as undefined instructions.
#[test]
fn registers_that_there_are_not_are_refused() {
    let beyond = VectorRegisters { first: 30, count: 3, double: false };
    let refused = [
        Operation::Compute(Computation { rd: 15, rm: 1, ..Computation::new(Opcode::Sdiv) }),
        Operation::Compute(Computation { rd: 15, rm: 1, ..Computation::new(Opcode::Sel) }),
        Operation::Compute(Computation { rd: 1, ra: 15, ..Computation::new(Opcode::Umull) }),
        Operation::VectorSingle { loads: true, registers: beyond, rn: 0, offset: 0 },
        Operation::VectorMove(VectorMove::ToGeneral { rt: 15, sn: 0 }),
        Operation::VectorMove(VectorMove::PairFromGeneral { sm: 31, rt: 0, rt2: 1, double: false }),
        Operation::Undefined,
    ];
    for operation in refused {
        assert_eq!(block(&operation), None, "{operation:?}");
    }
}
