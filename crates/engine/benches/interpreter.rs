//! Guest instructions per second: the interpreter beside the reference evaluator, on one loop.
//!
//! `cargo bench -p cocrypt-engine`. The loop is a xorshift generator with a store and a load a round (twelve
//! instructions). The ratio of the two is what translation gains.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use cocrypt_engine::{Access, Bus, Engine, Ram, Reply};
use cocrypt_ir::{Block, Counter, Environment, Fault, Outcome, Width, evaluate};
use cocrypt_isa::{ClassCost, CodeMemory, Frontend};
use cocrypt_isa_riscv::{
    PicoRv32, Rv32,
    table::{CLASSES, TABLE},
};

const ROUNDS: u32 = 100_000;
/// How often each runs; the quickest run counts.
const RUNS: usize = 20;

/// `li t0, ROUNDS` by lui and addi, the loop, the exit.
fn program() -> Vec<u32> {
    let upper = (ROUNDS + 0x800) >> 12;
    let lower = ROUNDS.wrapping_sub(upper << 12) & 0xfff;
    vec![
        upper << 12 | 0x2b7,       // lui t0
        lower << 20 | 0x0002_8293, // addi t0, t0
        0x0010_0513,               // li a0, 1
        0x00d5_1593,               // slli a1, a0, 13
        0x00b5_4533,               // xor a0, a0, a1
        0x0115_5593,               // srli a1, a0, 17
        0x00b5_4533,               // xor a0, a0, a1
        0x0055_1593,               // slli a1, a0, 5
        0x00b5_4533,               // xor a0, a0, a1
        0x20a0_2023,               // sw a0, 512(zero)
        0x2000_2603,               // lw a2, 512(zero)
        0x00c6_86b3,               // add a3, a3, a2
        0x0016_8693,               // addi a3, a3, 1
        0xfff2_8293,               // addi t0, t0, -1
        0xfc02_9ae3,               // bnez t0, -44
        0x8000_0337,               // lui t1, 0x80000
        0x0003_2023,               // sw zero, 0(t1)
    ]
}

struct ExitOnly;

impl Bus for ExitOnly {
    fn read(&mut self, _: &Access) -> Reply {
        Reply::Refused
    }
    fn write(&mut self, _: &Access, value: u64) -> Reply {
        Reply::Exit { code: value as u32, wait: 1 }
    }
    fn code_unit(&self, _: u32) -> Option<u16> {
        None
    }
    fn fetch_wait(&self, _: u32) -> u32 {
        1
    }
}

fn timing() -> PicoRv32 {
    let rule = |class: &str| match class {
        "jump" | "jump_register" => Some(class.to_owned()),
        "branch" => Some("branch".to_owned()),
        "load" | "store" => Some("memory".to_owned()),
        _ => None,
    };
    let class =
        |name: &&str| ((*name).to_owned(), ClassCost { ask: 2, rule: rule(name), per_step: None });
    PicoRv32::new(&CLASSES.iter().map(class).collect::<BTreeMap<_, _>>()).expect("known rules")
}

fn frontend() -> Rv32 {
    Rv32 { compressed: false, implemented: [true; TABLE.len()], privileged: None, irq: None }
}

fn memory() -> Vec<u8> {
    let mut bytes: Vec<u8> = program().iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(0x1000, 0);
    bytes
}

fn interpret() -> u64 {
    let mut ram = Ram::new(0, 0x1000, 1, 1);
    ram.at_mut(0, 0x1000).expect("inside").copy_from_slice(&memory());
    let mut engine = Engine::new(Arc::new(frontend()), Arc::new(timing()), Arc::from([]), 0);
    engine.run(&mut ram, &mut ExitOnly, u64::MAX).instructions
}

/// The same memory for the evaluator; the store beyond it ends the run.
struct Flat(Vec<u8>);

impl CodeMemory for Flat {
    fn unit(&self, address: u64) -> Option<u16> {
        let at = address as usize;
        Some(u16::from_le_bytes([*self.0.get(at)?, *self.0.get(at + 1)?]))
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        false
    }
}

impl Environment for Flat {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        let (at, size) = (address as usize, width.bytes() as usize);
        let bytes = self.0.get(at..at + size).ok_or(Fault { address })?;
        Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }
    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        let (at, size) = (address as usize, width.bytes() as usize);
        let place = self.0.get_mut(at..at + size).ok_or(Fault { address })?;
        place.copy_from_slice(&value.to_le_bytes()[..size]);
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

fn reference() -> u64 {
    let (mut memory, frontend) = (Flat(memory()), frontend());
    let mut blocks: BTreeMap<u64, Block> = BTreeMap::new();
    let (mut cells, mut pc, mut count) = ([0; 40], 0, 0);
    loop {
        let block =
            blocks.entry(pc).or_insert_with(|| frontend.lift(&memory, pc, 0).expect("code"));
        count += block.insns.len() as u64;
        match evaluate(block, &mut cells, &mut memory) {
            Ok(Outcome::Goto(next)) => pc = next,
            Ok(Outcome::Stop(_)) | Err(_) => return count,
        }
    }
}

/// Guest instructions per second.
fn speed(run: impl Fn() -> u64) -> f64 {
    let timed = || {
        let start = Instant::now();
        f64::from(black_box(run()) as u32) / start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(|_| timed()).fold(0.0, f64::max)
}

fn main() {
    for (name, speed) in
        [("interpreter", speed(interpret)), ("reference evaluator", speed(reference))]
    {
        println!("{name:>20} {:>10.1} M/s", speed / 1e6);
    }
}
