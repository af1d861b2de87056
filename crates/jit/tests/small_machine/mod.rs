//! A PicoRV32 with a small memory and nothing else, for programs of a few instructions.

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_engine::{Access, Bus, Engine, Ram, Reply};
use cocrypt_isa::ClassCost;
use cocrypt_isa_riscv::{PicoRv32, Rv32, table::TABLE};

/// No peripherals: a write beyond the memory ends the run.
pub struct NoPeripherals;

impl Bus for NoPeripherals {
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

/// The machine with a program at address 0, on the interpreter.
pub fn loaded(program: &[u32]) -> (Engine, Ram) {
    let mut ram = Ram::new(0, 0x1000, 1, 1);
    for (index, word) in program.iter().enumerate() {
        let place = ram.at_mut(4 * index as u32, 4).expect("inside");
        place.copy_from_slice(&word.to_le_bytes());
    }
    let frontend =
        Rv32 { compressed: false, implemented: [true; TABLE.len()], privileged: None, irq: None };
    (Engine::new(Arc::new(frontend), Arc::new(timing()), Arc::from([]), 0), ram)
}

fn timing() -> PicoRv32 {
    let class =
        |ask, rule: Option<&str>| ClassCost { ask, rule: rule.map(str::to_owned), per_step: None };
    let table = BTreeMap::from([
        ("alu_immediate".to_owned(), class(2, None)),
        ("branch".to_owned(), class(2, Some("branch"))),
        ("jump".to_owned(), class(2, Some("jump"))),
        ("load".to_owned(), class(2, Some("memory"))),
        ("store".to_owned(), class(2, Some("memory"))),
        ("illegal".to_owned(), class(3, Some("trap"))),
    ]);
    PicoRv32::new(&table).expect("known rules")
}
