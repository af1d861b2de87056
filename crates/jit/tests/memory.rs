//! The memory that compiled code takes: nothing once it is forgotten.

mod small_machine;

use cocrypt_engine::StopCause;
use cocrypt_jit::{Jit, Options};
use small_machine::{NoPeripherals, loaded};

/// Half as often as the program changes its code: it counts down by half of what `lui` counts. That is
/// 100,000 times where compilation itself is compiled to be fast.
const ROUNDS: u32 = if cfg!(debug_assertions) { 3000 } else { 50_000 };

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
    let (mut engine, mut ram) = loaded(&PROGRAM);
    let options = Options { at_once: true, ..Options::default() };
    let jit = Jit::new(engine.fixed(&ram, 1), options).expect("a host that code is compiled for");
    engine.set_backend(Box::new(jit), 2);
    engine.run(&mut ram, &mut NoPeripherals, u64::MAX).cause
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
