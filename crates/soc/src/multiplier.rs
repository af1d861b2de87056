//! A chip's unit that multiplies, adds products up and divides, for cores without such instructions.
//!
//! Sources: the hardware manual of RL78/G13, R01UH0146, chapter "Multiplier and Divider/Multiply-Accumulator", as
//! remembered; the GNU simulator, `sim/rl78/mem.c`. docs/timing-rl78.md marks each rule.

use cocrypt_config as config;

/// Cycles from the second factor's write until the product is there, its own included: a program executes one
/// instruction between.
const PRODUCT: u64 = 2;
/// Until the sum is there.
const SUM: u64 = 3;
/// Until the quotient is there, from the write of the mode that begins the division.
const QUOTIENT: u64 = 17;
/// Bits of the mode: division, or sums of products; signed factors; the sum's overflow and sign; division at work.
const DIVISION: u8 = 0x80;
const ADDS: u8 = 0x40;
const SIGNED: u8 = 0x08;
const OVERFLOW: u8 = 0x04;
const NEGATIVE: u8 = 0x02;
const BUSY: u8 = 0x01;
/// Those that a program sets.
const SETTABLE: u8 = DIVISION | ADDS | SIGNED;
/// The mode behind the sum.
const MODE: u32 = 8;
/// The bytes of both factors were written.
const BOTH: u8 = 0xf;

/// The unit: registers as bytes, and what it is about to change in them.
#[derive(Clone, Debug)]
pub struct Multiplier {
    at: config::Multiplier,
    /// MDAL, MDAH, MDBH and MDBL.
    factors: [u8; 8],
    /// MDCL and MDCH.
    sum: [u8; 4],
    mode: u8,
    /// The bytes of MDAL and MDAH that were written since a product began.
    written: u8,
    pending: Vec<Pending>,
}

/// A result, and the first cycle in which registers have it.
#[derive(Clone, Copy, Debug)]
struct Pending {
    from: u64,
    outcome: Outcome,
}

#[derive(Clone, Copy, Debug)]
enum Outcome {
    Product(u32),
    Addend { product: u32, signed: bool },
    Quotient { quotient: u32, remainder: u32 },
}

impl Multiplier {
    /// That of a device, after reset.
    pub const fn new(at: config::Multiplier) -> Self {
        Self { at, factors: [0; 8], sum: [0; 4], mode: 0, written: 0, pending: vec![] }
    }

    /// Returns true if one of its registers is in a range of addresses.
    pub fn occupies(&self, base: u32, size: u32) -> bool {
        (0..size).any(|offset| self.register(base.wrapping_add(offset)).is_some())
    }

    /// The bytes from an address on, in a cycle; nothing where it has none.
    pub fn read(&mut self, address: u32, bytes: u32, cycle: u64) -> Option<u64> {
        self.settle(cycle);
        (0..bytes).try_fold(0, |value, byte| {
            let register = self.register(address.wrapping_add(byte))?;
            Some(value | u64::from(self.byte(register)) << (8 * byte))
        })
    }

    /// Writes bytes in a cycle; nothing where it has none.
    pub fn write(&mut self, address: u32, bytes: u32, value: u64, cycle: u64) -> Option<()> {
        let has = |byte| self.register(address.wrapping_add(byte)).is_some();
        (0..bytes).all(has).then_some(())?;
        self.settle(cycle);
        for byte in 0..bytes {
            let register = self.register(address.wrapping_add(byte))?;
            self.put(register, (value >> (8 * byte)) as u8, cycle);
        }
        Some(())
    }

    fn register(&self, address: u32) -> Option<Register> {
        let offset = |base: u64| u64::from(address).checked_sub(base).map(|offset| offset as u32);
        match (offset(self.at.factors), offset(self.at.sum)) {
            (Some(offset @ 0..=7), _) => Some(Register::Factor(offset as usize)),
            (_, Some(offset @ 0..=3)) => Some(Register::Sum(offset as usize)),
            (_, Some(MODE)) => Some(Register::Mode),
            _ => None,
        }
    }

    fn byte(&self, register: Register) -> u8 {
        match register {
            Register::Factor(offset) => self.factors[offset],
            Register::Sum(offset) => self.sum[offset],
            Register::Mode => self.mode | if self.divides() { BUSY } else { 0 },
        }
    }

    fn put(&mut self, register: Register, value: u8, cycle: u64) {
        match register {
            Register::Factor(offset) => {
                self.factors[offset] = value;
                self.written |= (1 << offset) & BOTH;
                if self.written == BOTH {
                    self.written = 0;
                    self.multiply(cycle);
                }
            }
            Register::Sum(offset) => self.sum[offset] = value,
            Register::Mode => {
                self.mode = self.mode & !SETTABLE | value & SETTABLE;
                if value & (DIVISION | BUSY) == DIVISION | BUSY {
                    self.divide(cycle);
                }
            }
        }
    }

    /// Begins a product, in the modes that have one.
    fn multiply(&mut self, cycle: u64) {
        if self.mode & DIVISION != 0 {
            return;
        }
        let [low, high, ..] = self.halves();
        let signed = self.mode & SIGNED != 0;
        let product = if signed {
            (i32::from(low as i16) * i32::from(high as i16)) as u32
        } else {
            u32::from(low) * u32::from(high)
        };
        self.expect(cycle + PRODUCT, Outcome::Product(product));
        if self.mode & ADDS != 0 {
            self.expect(cycle + SUM, Outcome::Addend { product, signed });
        }
    }

    /// Begins a division; by 0 all bits of quotient and remainder are 1.
    fn divide(&mut self, cycle: u64) {
        let [low, high, divisor_high, divisor_low] = self.halves();
        let (dividend, divisor) = (joined(high, low), joined(divisor_high, divisor_low));
        let quotient = dividend.checked_div(divisor).unwrap_or(u32::MAX);
        let remainder = dividend.checked_rem(divisor).unwrap_or(u32::MAX);
        self.expect(cycle + QUOTIENT, Outcome::Quotient { quotient, remainder });
    }

    fn expect(&mut self, from: u64, outcome: Outcome) {
        self.pending.push(Pending { from, outcome });
    }

    fn divides(&self) -> bool {
        self.pending.iter().any(|pending| matches!(pending.outcome, Outcome::Quotient { .. }))
    }

    /// Puts results into registers that are there in a cycle.
    fn settle(&mut self, cycle: u64) {
        let (ready, later) = self.pending.iter().partition(|pending| pending.from <= cycle);
        self.pending = later;
        let ready: Vec<Pending> = ready;
        for pending in ready {
            self.take(pending.outcome);
        }
    }

    fn take(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Product(product) => {
                let [low_0, low_1, high_0, high_1] = product.to_le_bytes();
                self.factors[4..].copy_from_slice(&[high_0, high_1, low_0, low_1]);
            }
            Outcome::Addend { product, signed } => self.add(product, signed),
            Outcome::Quotient { quotient, remainder } => {
                self.factors[..4].copy_from_slice(&quotient.to_le_bytes());
                self.sum = remainder.to_le_bytes();
            }
        }
    }

    fn add(&mut self, product: u32, signed: bool) {
        let sum = u32::from_le_bytes(self.sum);
        let overflows = if signed {
            (sum as i32).checked_add(product as i32).is_none()
        } else {
            sum.checked_add(product).is_none()
        };
        let sum = sum.wrapping_add(product);
        self.sum = sum.to_le_bytes();
        self.mode &= !(OVERFLOW | NEGATIVE);
        if overflows {
            self.mode |= OVERFLOW;
        }
        if signed && sum >> 31 != 0 {
            self.mode |= NEGATIVE;
        }
    }

    fn halves(&self) -> [u16; 4] {
        let at = |place: usize| u16::from_le_bytes([self.factors[place], self.factors[place + 1]]);
        [at(0), at(2), at(4), at(6)]
    }
}

/// A byte of a register.
#[derive(Clone, Copy)]
enum Register {
    Factor(usize),
    Sum(usize),
    Mode,
}

fn joined(high: u16, low: u16) -> u32 {
    u32::from(high) << 16 | u32::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTORS: u32 = 0xf_fff0;
    const SUM_AT: u32 = 0xf_00e0;
    const MODE_AT: u32 = 0xf_00e8;

    fn unit() -> Multiplier {
        Multiplier::new(config::Multiplier { factors: FACTORS.into(), sum: SUM_AT.into() })
    }

    /// The unit after a mode was set, and both factors in the cycles 10 and 11.
    fn multiplied(mode: u8, low: u16, high: u16, sum: u32) -> Multiplier {
        let mut unit = unit();
        unit.write(MODE_AT, 1, mode.into(), 0).expect("the mode");
        unit.write(SUM_AT, 2, u64::from(sum as u16), 1).expect("MDCL");
        unit.write(SUM_AT + 2, 2, u64::from(sum >> 16), 2).expect("MDCH");
        unit.write(FACTORS, 2, low.into(), 10).expect("MDAL");
        unit.write(FACTORS + 2, 2, high.into(), 11).expect("MDAH");
        unit
    }

    fn product(unit: &mut Multiplier, cycle: u64) -> u32 {
        let low = unit.read(FACTORS + 6, 2, cycle).expect("MDBL") as u32;
        (unit.read(FACTORS + 4, 2, cycle).expect("MDBH") as u32) << 16 | low
    }

    fn sum(unit: &mut Multiplier, cycle: u64) -> (u32, u64) {
        let mode = unit.read(MODE_AT, 1, cycle).expect("MDUC");
        (unit.read(SUM_AT, 4, cycle).expect("MDCH and MDCL") as u32, mode)
    }

    #[test]
    fn products_are_there_one_cycle_behind_the_next() {
        let mut unsigned = multiplied(0, 0xffff, 0xfffe, 0);
        assert_eq!(product(&mut unsigned, 12), 0);
        assert_eq!(product(&mut unsigned, 13), 0xfffd_0002);
        assert_eq!(product(&mut multiplied(8, 0xffff, 0xfffe, 0), 13), 2);
        assert_eq!(product(&mut multiplied(8, 0x8000, 0x7fff, 0), 13), 0xc000_8000);
    }

    #[test]
    fn sums_are_there_a_cycle_later_with_their_flags() {
        let mut adds = multiplied(0x40, 3, 4, 0xffff_fff0);
        assert_eq!(sum(&mut adds, 13), (0xffff_fff0, 0x40));
        assert_eq!(sum(&mut adds, 14), (0xffff_fffc, 0x40));
        assert_eq!(sum(&mut multiplied(0x40, 4, 4, 0xffff_fff0), 14), (0, 0x44));
        assert_eq!(sum(&mut multiplied(0x48, 0xfffd, 4, 5), 14), (0xffff_fff9, 0x4a));
        assert_eq!(sum(&mut multiplied(0x48, 1, 1, 0x7fff_ffff), 14), (0x8000_0000, 0x4e));
        assert_eq!(sum(&mut multiplied(0x48, 0xffff, 1, 1), 14), (0, 0x48));
    }

    #[test]
    fn a_sum_takes_each_pair_of_factors_once() {
        let mut unit = multiplied(0x40, 3, 4, 0);
        unit.write(FACTORS, 2, 5, 20).expect("MDAL");
        assert_eq!(sum(&mut unit, 30).0, 12);
        unit.write(FACTORS + 2, 2, 6, 31).expect("MDAH");
        assert_eq!(sum(&mut unit, 40).0, 42);
    }

    #[test]
    fn a_quotient_takes_sixteen_cycles() {
        let mut unit = multiplied(0x80, 0x5678, 0x1234, 0);
        unit.write(FACTORS + 6, 2, 0x0321, 12).expect("MDBL");
        unit.write(FACTORS + 4, 2, 0, 13).expect("MDBH");
        unit.write(MODE_AT, 1, 0x81, 20).expect("MDUC");
        assert_eq!(unit.read(MODE_AT, 1, 36), Some(0x81));
        assert_eq!(unit.read(MODE_AT, 1, 37), Some(0x80));
        assert_eq!(unit.read(FACTORS, 4, 37), Some(0x1234_5678 / 0x321));
        assert_eq!(unit.read(SUM_AT, 4, 37), Some(0x1234_5678 % 0x321));
    }

    #[test]
    fn all_bits_are_set_by_a_division_by_0() {
        let mut unit = multiplied(0x80, 7, 0, 0);
        unit.write(MODE_AT, 1, 0x81, 20).expect("MDUC");
        assert_eq!(unit.read(FACTORS, 4, 37), Some(0xffff_ffff));
        assert_eq!(unit.read(SUM_AT, 4, 37), Some(0xffff_ffff));
    }

    #[test]
    fn nothing_else_is_there() {
        let mut unit = unit();
        assert!(unit.read(SUM_AT + 4, 2, 0).is_none());
        assert!(unit.read(FACTORS + 7, 2, 0).is_none());
        assert!(unit.write(MODE_AT, 2, 0, 0).is_none());
        assert!(unit.occupies(FACTORS + 7, 1) && !unit.occupies(SUM_AT + 4, 4));
    }
}
