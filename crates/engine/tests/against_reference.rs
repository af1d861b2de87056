//! The interpreter against the reference evaluator, on random blocks.

use std::sync::Arc;

use cocrypt_engine::{Access, Bus, Engine, Ram, Reply, StopCause};
use cocrypt_ir::strategies::{op, value, width};
use cocrypt_ir::{
    Block, Counter, Environment, Exit, Fault, Insn, Op, Outcome, Slot, StopKind, Transfer, Value,
    Width, evaluate, verify,
};
use cocrypt_isa::{
    BlockCost, CodeMemory, Frontend, InsnCost, LiftError, PipelineState, TimingModel,
};
use proptest::prelude::*;

/// Guest state cells of the made-up instruction set; two temporaries follow.
const STATE: u16 = 6;
const CELLS: u16 = STATE + 2;
const MEMORY: usize = 64;

/// A front end with one block.
struct OneBlock(Block);

impl Frontend for OneBlock {
    fn classes(&self) -> &'static [&'static str] {
        &["any"]
    }
    fn cells(&self) -> &'static [&'static str] {
        &["a", "b", "c", "d", "e", "f"]
    }
    fn temporaries(&self) -> u16 {
        CELLS - STATE
    }
    fn stack_pointer(&self) -> Slot {
        Slot(5)
    }
    fn lift(&self, _: &dyn CodeMemory, pc: u64, _: u32) -> Result<Block, LiftError> {
        let mut block = self.0.clone();
        block.start = pc;
        block.insns[0].pc = pc;
        Ok(block)
    }
    fn disassemble(&self, _: &dyn CodeMemory, _: u64) -> Option<(String, u8)> {
        None
    }
}

/// Every instruction takes one cycle.
struct OneCycle;

impl TimingModel for OneCycle {
    fn cost(&self, block: &Block, _: &dyn CodeMemory, _: u32, _: PipelineState) -> BlockCost {
        let insn = InsnCost { cycles: 1, ..InsnCost::default() };
        let insns = vec![insn; block.insns.len()];
        BlockCost { insns, taken: 1, refused: 1, ..BlockCost::default() }
    }
    fn reset(&self, _: u64, _: &dyn CodeMemory) -> u64 {
        1
    }
    fn fetches_ahead(&self) -> bool {
        false
    }
    fn implements(&self, _: u8) -> bool {
        true
    }
}

struct NoBus;

impl Bus for NoBus {
    fn read(&mut self, _: &Access) -> Reply {
        Reply::Refused
    }
    fn write(&mut self, _: &Access, _: u64) -> Reply {
        Reply::Refused
    }
    fn code_unit(&self, _: u32) -> Option<u16> {
        None
    }
    fn fetch_wait(&self, _: u32) -> u32 {
        0
    }
}

/// The evaluator's view of the same machine.
struct Flat {
    memory: [u8; MEMORY],
    cycle: u64,
}

impl Environment for Flat {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        let (at, size) = (address as usize, width.bytes() as usize);
        let bytes = self.memory.get(at..at + size).ok_or(Fault { address })?;
        Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }
    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        let (at, size) = (address as usize, width.bytes() as usize);
        let place = self.memory.get_mut(at..at + size).ok_or(Fault { address })?;
        place.copy_from_slice(&value.to_le_bytes()[..size]);
        Ok(())
    }
    fn count(&mut self, counter: Counter) -> u64 {
        match counter {
            Counter::Cycles => self.cycle,
            Counter::Instructions => 1,
        }
    }
}

/// A block of one instruction, guarded or not, that ends by stopping.
fn block() -> impl Strategy<Value = Block> {
    let aligned = (0u32..16).prop_map(|word| Value::Const(u64::from(word) * 4));
    let ops = prop::collection::vec(op(STATE, width(), aligned), 1..12);
    (ops, prop::option::of(value(STATE))).prop_map(|(mut ops, guard)| {
        if let Some(condition) = guard {
            let skipped = ops.len() as u16 / 2;
            ops.insert(0, Op::Guard { condition, ops: skipped });
        }
        let insn =
            Insn { pc: 0, length: 2, mode: 0, class: 0, operand: None, lead: 0, ops: 0..ops.len() };
        Block {
            start: 0,
            mode: 0,
            insns: vec![insn],
            ops,
            exit: Exit::Stop(StopKind::Breakpoint),
            onward: 0,
            transfer: Transfer::Jump,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_block_does_what_the_evaluator_says(
        block in block(),
        cells in prop::array::uniform6(any::<u32>()),
        memory in prop::array::uniform32(any::<u8>()),
    ) {
        prop_assert_eq!(verify(&block, STATE, CELLS), Ok(()));
        let mut expected = [0; CELLS as usize];
        expected.iter_mut().zip(cells).for_each(|(cell, value)| *cell = u64::from(value));
        let mut flat = Flat { memory: [0; MEMORY], cycle: 1 };
        flat.memory[..32].copy_from_slice(&memory);
        // Code lies beyond the data, so that no store touches it.
        let mut ram = Ram::new(0, 2 * MEMORY as u32, 1, 1);
        ram.at_mut(0, 32).expect("inside").copy_from_slice(&memory);
        let mut engine =
            Engine::new(Arc::new(OneBlock(block.clone())), Arc::new(OneCycle), Arc::from([]), 96);
        for (index, value) in cells.into_iter().enumerate() {
            engine.set_cell(index, u64::from(value));
        }
        let stop = engine.run(&mut ram, &mut NoBus, 100);
        let outcome = evaluate(&block, &mut expected, &mut flat);
        prop_assert_eq!(outcome, Ok(Outcome::Stop(StopKind::Breakpoint)));
        prop_assert_eq!(stop.cause, StopCause::Instruction(StopKind::Breakpoint));
        prop_assert_eq!(engine.cells(), &expected[..STATE as usize]);
        prop_assert_eq!(ram.get(0, MEMORY).expect("inside"), &flat.memory[..]);
    }
}
