//! Blocks are well formed, and what nobody reads can be left out of them.

use cocrypt_ir::{Counter, Environment, Exact, Fault, Width, evaluate, simplify, verify};
use cocrypt_isa::{CodeMemory, Frontend as _, LiftError};
use cocrypt_isa_avr::class::CLASSES;
use cocrypt_isa_avr::{Avr, DATA, Features, Variant};
use proptest::prelude::*;

/// Code from address 0 on, of which every instruction may be a block.
struct Code {
    units: Vec<u16>,
    alone: bool,
}

impl CodeMemory for Code {
    fn unit(&self, address: u64) -> Option<u16> {
        self.units.get(address as usize / 2).copied()
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        self.alone
    }
}

/// Memory that holds at each address something of it, and keeps what is written.
#[derive(Clone, Debug, Default, PartialEq)]
struct Memory(std::collections::BTreeMap<u32, u64>);

impl Environment for Memory {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        let made = u64::from(address.wrapping_mul(0x9e37_79b9) >> 24);
        Ok(width.truncate(self.0.get(&address).copied().unwrap_or(made)))
    }
    fn store(&mut self, address: u32, _: Width, value: u64) -> Result<(), Fault> {
        self.0.insert(address, value);
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

fn core() -> impl Strategy<Value = Features> {
    let variant = prop::sample::select(Variant::NAMES.map(|(_, variant)| variant).to_vec());
    (variant, any::<bool>(), prop_oneof![Just(None), Just(Some(0x1000))]).prop_map(
        |(variant, large, boundary)| Features {
            wide_counter: large,
            large_data: large && variant == Variant::Avrxm,
            boundary,
            ..Features::new(variant, if large { 131_072 } else { 64 })
        },
    )
}

/// A state: bytes in registers, bits in flags, an address in the stack pointer.
fn state(frontend: &Avr, bytes: &[u8]) -> Vec<u64> {
    let names = frontend.cells();
    let cell = |(at, name): (usize, &&str)| {
        let byte = u64::from(bytes[at % bytes.len()]);
        match *name {
            "SP" => u64::from(DATA) | byte << 8 | byte,
            "C" | "Z" | "N" | "V" | "S" | "H" | "T" | "I" | "executing" => byte & 1,
            _ => byte,
        }
    };
    let state = names.iter().enumerate().map(cell);
    state.chain(std::iter::repeat_n(0, usize::from(frontend.temporaries()))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000, failure_persistence: None, ..ProptestConfig::default()
    })]
    #[test]
    fn blocks_do_what_their_instructions_do(
        core in core(),
        units in prop::collection::vec(any::<u16>(), 1..64),
        bytes in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let frontend = Avr::new(core, [true; CLASSES.len()]);
        let (cells, temporaries) = (frontend.cells().len() as u16, frontend.temporaries());
        let mut code = Code { units, alone: false };
        let mut block = match frontend.lift(&code, 0, 0) {
            Ok(block) => block,
            Err(error) => {
                prop_assert_eq!(error, LiftError::Unmapped { address: 2 });
                return Ok(());
            }
        };
        prop_assert_eq!(verify(&block, cells, cells + temporaries), Ok(()));
        simplify(&mut block, cells, 0, Exact::default());
        prop_assert_eq!(verify(&block, cells, cells + temporaries), Ok(()));

        let (mut whole, mut memory) = (state(&frontend, &bytes), Memory::default());
        let outcome = evaluate(&block, &mut whole, &mut memory).expect("memory answers");

        code.alone = true;
        let (mut single, mut other) = (state(&frontend, &bytes), Memory::default());
        let mut last = None;
        for insn in &block.insns {
            let alone = frontend.lift(&code, insn.pc, 0).expect("an instruction");
            last = Some(evaluate(&alone, &mut single, &mut other).expect("memory answers"));
        }
        prop_assert_eq!(Some(outcome), last);
        prop_assert_eq!(&whole[..usize::from(cells)], &single[..usize::from(cells)]);
        prop_assert_eq!(memory, other);
        for (name, &value) in frontend.cells().iter().zip(&whole) {
            let bits = match *name {
                "SP" => 24,
                "C" | "Z" | "N" | "V" | "S" | "H" | "T" | "I" | "executing" => 1,
                _ => 8,
            };
            prop_assert!(value >> bits == 0, "{} holds {:#x}", name, value);
        }
    }
}

#[test]
fn instructions_start_at_even_addresses() {
    let frontend = Avr::new(Features::new(Variant::AvrePlus, 16384), [true; CLASSES.len()]);
    let code = Code { units: vec![0, 0], alone: false };
    assert_eq!(frontend.lift(&code, 1, 0), Err(LiftError::Unaligned { address: 1 }));
}

#[test]
fn a_register_moved_to_itself_is_given_away() {
    let frontend = Avr::new(Features::new(Variant::Avre, 64), [true; CLASSES.len()]);
    // mov r24, r24; mov r24, r25; movw r24, r24; nop
    for (unit, register) in [(0x2f88, Some(24)), (0x2f89, None), (0x01cc, None), (0, None)] {
        let code = Code { units: vec![unit], alone: true };
        assert_eq!(frontend.revealed(&code, 0).map(|slot| slot.0), register, "{unit:#x}");
    }
}
