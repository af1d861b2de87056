//! Results that are not there yet when the next instruction begins.
//!
//! A pipeline state has a register in each group of five bits, 0 for none: the first is there two cycles later
//! than for the next instruction, the others one cycle.

use cocrypt_isa::PipelineState;

use super::operands::Operands;

/// The latest that a result is: in cycles behind the issue of the next instruction.
const LONGEST: u32 = 2;
/// Registers that a state has room for.
const ROOM: usize = 3;

/// Registers whose results are late, each with the cycles until they are there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results(Vec<(u8, u32)>);

impl Results {
    /// Those of a state.
    pub fn of(state: PipelineState) -> Self {
        let register = |place: usize| (state >> (5 * place) & 31) as u8;
        let late = |place: usize| (register(place), if place == 0 { LONGEST } else { 1 });
        Self((0..ROOM).map(late).filter(|(register, _)| *register != 0).collect())
    }

    /// The state that says so.
    pub fn state(&self) -> PipelineState {
        let mut two = self.0.iter().filter(|(_, cycles)| *cycles == LONGEST).map(|(r, _)| *r);
        let mut one: Vec<u8> =
            self.0.iter().filter(|(_, cycles)| *cycles == 1).map(|(r, _)| *r).collect();
        one.sort_unstable();
        let first = two.next_back().unwrap_or(0);
        let places = [first].into_iter().chain(one).take(ROOM).enumerate();
        places.fold(0, |state, (place, register)| state | u32::from(register) << (5 * place))
    }

    /// Cycles for which an instruction waits for its operands.
    pub fn wait(&self, used: Operands) -> u32 {
        let needed = self.0.iter().filter(|(register, _)| used.reads.contains(register));
        needed.map(|(_, cycles)| *cycles).max().unwrap_or(0)
    }

    /// Cycles pass, of which the next instruction begins in the last.
    pub fn pass(&mut self, cycles: u32) {
        self.0.retain_mut(|(_, left)| {
            *left = left.saturating_sub(cycles);
            *left != 0
        });
    }

    /// The same of a copy.
    pub fn after(&self, cycles: u32) -> Self {
        let mut later = self.clone();
        later.pass(cycles);
        later
    }

    /// The result of an instruction comes so many cycles late.
    pub fn begin(&mut self, register: u8, cycles: u32) {
        self.forget(register);
        if register != 0 && cycles != 0 {
            self.0.push((register, cycles.min(LONGEST)));
        }
    }

    /// A register is overwritten by a result that is there at once.
    pub fn forget(&mut self, register: u8) {
        self.0.retain(|(late, _)| *late != register);
    }
}
