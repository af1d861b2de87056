//! Interrupts: which is accepted, the entry into its handler, and the return from it.
//!
//! Source: 272383-002, chapter 3, "Interrupts" and "How Interrupts Are Handled". Line n is bit n of IE and IP, and
//! its vector is 8n + 3.

use cocrypt_ir::{Block, Condition, Exit, Slot, Transfer, Value, Width};
use cocrypt_isa::Lines;

use super::Lifter;
use crate::cells::{HIGH, IE, IP, LOW};
use crate::class::Class;

/// The bit of IE that enables any interrupt.
const ANY: u64 = 0x80;
/// The bits of IE that enable one each.
const EACH: u64 = 0x3f;

/// The interrupt that is taken next: one of the higher priority before others, then the lowest number.
pub fn accepted(state: &[u64], lines: Lines) -> Option<u8> {
    let cell = |cell: Slot| state[usize::from(cell.0)];
    if cell(IE) & ANY == 0 || cell(HIGH) != 0 {
        return None;
    }
    let open = u64::from(lines) & cell(IE) & EACH;
    let higher = open & cell(IP);
    let lower = if cell(LOW) == 0 { open } else { 0 };
    let chosen = if higher != 0 { higher } else { lower };
    (chosen != 0).then_some(chosen.trailing_zeros() as u8)
}

impl Lifter {
    /// A call of the handler, which holds back others of its priority.
    pub(super) fn interrupt(mut self, number: u8, state: &[u64]) -> Block {
        self.begin();
        self.push_counter(self.next);
        let is_high = state[usize::from(IP.0)] >> number & 1 != 0;
        self.builder.write(if is_high { HIGH } else { LOW }, Value::Const(1));
        self.note(Class::Interrupt, 0);
        self.block.exit = Exit::Jump { target: 8 * u64::from(number) + 3 };
        self.block.transfer = Transfer::Call;
        self.finish()
    }

    /// Ends the handler of the higher priority that runs.
    pub(super) fn return_from_handler(&mut self) -> Exit {
        let target = self.pop_counter();
        let is_low = self.builder.wide_compare(
            Condition::Equal,
            Width::W8,
            Value::Slot(HIGH),
            Value::Const(0),
        );
        let low = self.builder.select(is_low, Value::Const(0), Value::Slot(LOW));
        self.builder.write(LOW, low);
        self.builder.write(HIGH, Value::Const(0));
        Exit::Yield { target }
    }
}
