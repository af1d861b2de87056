//! The memory that compiled code takes: nothing once it is forgotten.

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_engine::{Access, Bus, Engine, Ram, Reply, StopCause};
use cocrypt_isa::ClassCost;
use cocrypt_isa_riscv::{PicoRv32, Rv32, table::TABLE};
use cocrypt_jit::{Jit, Options};

/// Half as often as the program changes its code: it counts down by half of what `lui` counts. That is
/// 100,000 times where compilation itself is compiled to be fast.
const ROUNDS: u32 = if cfg!(debug_assertions) { 3000 } else { 50_000 };

struct Nothing;

impl Bus for Nothing {
    fn read(&mut self, _: &Access) -> Reply {
        Reply::Refused
    }
    fn write(&mut self, _: &Access, _: u64) -> Reply {
        Reply::Exit { code: 0, wait: 1 }
    }
    fn code_unit(&self, _: u32) -> Option<u16> {
        None
    }
    fn fetch_wait(&self, _: u32) -> u32 {
        1
    }
}

fn timing() -> PicoRv32 {
    let class =
        |ask, rule: Option<&str>| ClassCost { ask, rule: rule.map(str::to_owned), per_step: None };
    let table = BTreeMap::from([
        ("alu_immediate".to_owned(), class(2, None)),
        ("branch".to_owned(), class(2, Some("branch"))),
        ("load".to_owned(), class(2, Some("memory"))),
        ("store".to_owned(), class(2, Some("memory"))),
        ("illegal".to_owned(), class(3, Some("trap"))),
    ]);
    PicoRv32::new(&table).expect("known rules")
}

/// An inner loop of four rounds, then a store to its first instruction, again and again.
const PROGRAM: [u32; 10] = [
    ROUNDS << 12 | 0x2b7, // lui t0, ROUNDS
    0x0040_0313,          // li t1, 4
    0x0013_8393,          // addi t2, t2, 1
    0xfff3_0313,          // addi t1, t1, -1
    0xfe03_1ce3,          // bnez t1, -8
    0x0080_2383,          // lw t2, 8(zero)
    0x0070_2423,          // sw t2, 8(zero)
    0x8002_8293,          // addi t0, t0, -2048
    0xfe02_92e3,          // bnez t0, -28
    0x8000_2023,          // sw zero, -2048(zero)
];

/// Memory of this process in pages, as Linux counts it.
fn pages() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
}

fn run() -> StopCause {
    let mut ram = Ram::new(0, 0x1000, 1, 1);
    for (index, word) in PROGRAM.iter().enumerate() {
        let place = ram.at_mut(4 * index as u32, 4).expect("inside");
        place.copy_from_slice(&word.to_le_bytes());
    }
    let frontend =
        Rv32 { compressed: false, implemented: [true; TABLE.len()], privileged: None, irq: None };
    let mut engine = Engine::new(Arc::new(frontend), Arc::new(timing()), Arc::from([]), 0);
    let options = Options { at_once: true, ..Options::default() };
    let jit = Jit::new(engine.fixed(&ram, 1), options).expect("a host that code is compiled for");
    engine.set_backend(Box::new(jit), 2);
    engine.run(&mut ram, &mut Nothing, u64::MAX).cause
}

#[test]
fn forgotten_code_gives_its_memory_back() {
    assert!(matches!(run(), StopCause::Exit { .. }));
    let Some(before) = pages() else { return };
    assert!(matches!(run(), StopCause::Exit { .. }));
    let grown = pages().map_or(0, |after| after.saturating_sub(before));
    // Each round's code has a page of its own; were it kept, there would be thousands more.
    assert!(grown < u64::from(ROUNDS) / 10, "{grown} pages more");
}
