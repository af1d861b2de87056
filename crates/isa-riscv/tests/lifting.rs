//! Lifting and costing of arbitrary bytes: every block is well formed, every cost is there.

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Exit, Invalid, verify};
use cocrypt_isa::{ClassCost, CodeMemory, Frontend, LiftError, TimingModel};
use cocrypt_isa_riscv::{
    PicoRv32, Rv32,
    table::{CLASSES, Opcode, TABLE},
};
use proptest::prelude::*;

/// Code from address 0 on, in a memory of one wait cycle.
struct Code(Vec<u16>);

impl CodeMemory for Code {
    fn unit(&self, address: u64) -> Option<u16> {
        self.0.get(address as usize / 2).copied()
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, address: u64) -> bool {
        address == 40
    }
}

fn frontend(compressed: bool) -> Rv32 {
    Rv32 { compressed, implemented: [true; TABLE.len()], privileged: None, irq: None }
}

fn timing() -> PicoRv32 {
    let rule = |class: &str| match class {
        "shift_immediate" | "shift_register" => Some("serial_shift"),
        "jump" => Some("jump"),
        "jump_register" => Some("jump_register"),
        "branch" => Some("branch"),
        "load" | "store" => Some("memory"),
        "system" | "illegal" => Some("trap"),
        _ => None,
    };
    let class = |name: &&str| {
        let rule = rule(name).map(str::to_owned);
        ((*name).to_owned(), ClassCost { ask: 3, rule, per_step: Some(4) })
    };
    PicoRv32::new(&CLASSES.iter().map(class).collect::<BTreeMap<_, _>>()).expect("known rules")
}

/// Checks a block against the cells that the front end asks the machine for.
fn well_formed(frontend: &Rv32, block: &Block) -> Result<(), Invalid> {
    let state = frontend.cells().len() as u16;
    verify(block, state, state + frontend.temporaries())
}

#[test]
fn every_instruction_has_room_for_its_temporaries() {
    for row in TABLE {
        // The registers that the pattern leaves open are x1, x2 and x3: writing x0 would be nothing.
        let word = row.bits | ((1 << 7 | 2 << 15 | 3 << 20) & !row.mask);
        let word = [word as u16, (word >> 16) as u16];
        let block = frontend(true).lift(&Code(word.to_vec()), 0, 0).expect("a block");
        assert_eq!(well_formed(&frontend(true), &block), Ok(()), "{}", row.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000, failure_persistence: None, ..ProptestConfig::default()
    })]
    #[test]
    fn any_code_gives_a_well_formed_block(
        units in prop::collection::vec(any::<u16>(), 1..80),
        compressed in any::<bool>(),
    ) {
        let (code, frontend) = (Code(units), frontend(compressed));
        let block = match frontend.lift(&code, 0, 0) {
            Ok(block) => block,
            Err(error) => {
                prop_assert_eq!(error, LiftError::Unmapped { address: 2 });
                return Ok(());
            }
        };
        prop_assert_eq!(well_formed(&frontend, &block), Ok(()));
        let cost = timing().cost(&block, &code, 1, 0);
        prop_assert_eq!(cost.insns.len(), block.insns.len());
        prop_assert!(cost.insns.iter().all(|insn| insn.cycles >= 3));
        for insn in &block.insns[1..] {
            prop_assert!(insn.pc != 40, "a block runs across a boundary");
        }
        if matches!(block.exit, Exit::Branch { .. }) {
            prop_assert!(cost.taken > cost.insns.last().expect("an instruction").cycles);
        }
    }
}

#[test]
fn instructions_start_only_where_they_can() {
    let code = Code(vec![0x0013, 0x0000, 0x0013, 0x0000]);
    for (compressed, pc, fits) in
        [(false, 2, false), (true, 2, true), (true, 1, false), (false, 4, true)]
    {
        let lifted = frontend(compressed).lift(&code, pc, 0);
        let refused = lifted == Err(LiftError::Unaligned { address: pc });
        assert_eq!(refused, !fits, "{compressed} {pc}");
    }
}

#[test]
fn what_the_core_lacks_is_an_illegal_instruction() {
    let code = Code(vec![0x0533, 0x02b5]); // mul a0, a0, a1
    let mut lacking = frontend(true);
    assert!(matches!(lacking.lift(&code, 0, 0).expect("a block").exit, Exit::Next { pc: 4 }));
    lacking.implemented[Opcode::Mul as usize] = false;
    assert!(matches!(lacking.lift(&code, 0, 0).expect("a block").exit, Exit::Stop(_)));
}
