//! Control flow that the comparison with another simulator leaves out: interrupts, and branches that select a
//! bank (272383-002, chapter 3, "How Interrupts Are Handled"; chapter 2, "DJNZ").

use cocrypt_ir::{Counter, Environment, Exit, Fault, Outcome, Width, evaluate};
use cocrypt_isa::{CodeMemory, Frontend as _, Trap};
use cocrypt_isa_8051::{INTERNAL, Mcs51, cells};

struct Bytes(Vec<u8>);

impl CodeMemory for Bytes {
    fn unit(&self, address: u64) -> Option<u16> {
        let byte = |at: u64| self.0.get(at as usize).copied().unwrap_or(0);
        Some(u16::from_le_bytes([byte(address), byte(address + 1)]))
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        true
    }
}

/// Internal data.
struct Internal([u8; 256]);

impl Environment for Internal {
    fn load(&mut self, address: u32, _: Width) -> Result<u64, Fault> {
        let byte = address.checked_sub(INTERNAL).and_then(|at| self.0.get(at as usize));
        byte.map(|&byte| byte.into()).ok_or(Fault { address })
    }
    fn store(&mut self, address: u32, _: Width, value: u64) -> Result<(), Fault> {
        let byte = address.checked_sub(INTERNAL).and_then(|at| self.0.get_mut(at as usize));
        *byte.ok_or(Fault { address })? = value as u8;
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

/// A core with the stack at 0x40, and cells that have values.
fn state(values: &[(cocrypt_ir::Slot, u64)]) -> Vec<u64> {
    let mut state = vec![0; usize::from(cells::COUNT + Mcs51::default().temporaries())];
    state[usize::from(cells::SP.0)] = u64::from(INTERNAL) + 0x40;
    for (cell, value) in values {
        state[usize::from(cell.0)] = *value;
    }
    state
}

fn taken(values: &[(cocrypt_ir::Slot, u64)], lines: u32) -> Option<u8> {
    Mcs51::default().interrupt(&state(values), lines)
}

#[test]
fn interrupts_are_accepted_by_their_priority() {
    assert_eq!(taken(&[(cells::IE, 0x02)], 2), None, "EA is clear");
    assert_eq!(taken(&[(cells::IE, 0x81)], 2), None, "another one is enabled");
    assert_eq!(taken(&[(cells::IE, 0x83)], 3), Some(0), "the lowest number comes first");
    assert_eq!(
        taken(&[(cells::IE, 0x83), (cells::IP, 2)], 3),
        Some(1),
        "the higher priority first"
    );
    assert_eq!(taken(&[(cells::IE, 0x83), (cells::LOW, 1)], 3), None, "of the same priority");
    assert_eq!(taken(&[(cells::IE, 0x83), (cells::LOW, 1), (cells::IP, 2)], 3), Some(1));
    assert_eq!(taken(&[(cells::IE, 0x83), (cells::HIGH, 1), (cells::IP, 2)], 3), None);
}

#[test]
fn a_handler_is_called_and_left() {
    let (frontend, mut memory) = (Mcs51::default(), Internal([0; 256]));
    let code = Bytes([vec![0; 0x0b], vec![0x32]].concat());
    let mut state = state(&[(cells::IE, 0x82)]);
    let trap = Trap::Interrupt { number: 1, note: 0 };
    let entry = frontend.trap(trap, &code, 0x1234, &state, 0).expect("an entry");
    assert_eq!(evaluate(&entry, &mut state, &mut memory), Ok(Outcome::Goto(0x0b)));
    assert_eq!((memory.0[0x41], memory.0[0x42]), (0x34, 0x12));
    assert_eq!(state[usize::from(cells::LOW.0)], 1);
    let reti = frontend.lift(&code, 0x0b, 0).expect("reti");
    assert_eq!(evaluate(&reti, &mut state, &mut memory), Ok(Outcome::Goto(0x1234)));
    assert_eq!(state[usize::from(cells::LOW.0)], 0);
    assert_eq!(state[usize::from(cells::SP.0)], u64::from(INTERNAL) + 0x40);
}

/// `djnz psw, .+3`: PSW is 0x09 with an odd number of ones in A, and becomes 0x08.
#[test]
fn a_branch_may_select_a_bank() {
    let (frontend, mut memory) = (Mcs51::default(), Internal([0; 256]));
    let code = Bytes(vec![0xd5, 0xd0, 0x10]);
    let mut state = state(&[(cells::A, 1), (cells::RS0, 1)]);
    let block = frontend.lift(&code, 0, 1).expect("djnz");
    assert!(matches!(block.exit, Exit::Yield { .. }), "the mode is asked for again");
    assert_eq!(evaluate(&block, &mut state, &mut memory), Ok(Outcome::Goto(0x13)));
    assert_eq!(frontend.mode(&state), 1);
}
