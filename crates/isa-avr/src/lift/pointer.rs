//! Pointers: X, Y and Z, with the registers above them where addresses have more than 16 bits.
//!
//! Source: DS40002198, sections 2.1, 6.66 to 6.68 and 6.114 to 6.116: where the data space is larger than 64
//! KiB, what is added to a pointer changes the register above it, too.

use cocrypt_ir::{Binary, Condition, Slot, Value, Width};

use super::Lifter;
use crate::cells::{RAMPX, RAMPY, RAMPZ};
use crate::decode::Decoded;
use crate::table::Format;

/// A pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// r27 and r26.
    X,
    /// r29 and r28.
    Y,
    /// r31 and r30.
    Z,
}

/// The change of a pointer, and the address that it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing.
    Stay,
    /// It grows by one behind the access.
    Increment,
    /// It shrinks by one before the access.
    Decrement,
    /// Nothing, and the address is so much higher.
    Displace(u64),
}

/// An address, and what the pointer is then.
pub struct PointerAccess {
    /// The address in its space.
    pub address: Value,
    /// The pointer behind the access, if it changes.
    pub pointer: Option<Value>,
}

impl Pointer {
    /// Its lower register.
    const fn low(self) -> Slot {
        match self {
            Self::X => Slot(26),
            Self::Y => Slot(28),
            Self::Z => Slot(30),
        }
    }

    /// The register above it.
    const fn above(self) -> Slot {
        match self {
            Self::X => RAMPX,
            Self::Y => RAMPY,
            Self::Z => RAMPZ,
        }
    }
}

/// The pointer that an instruction names, and what becomes of it; Z, which stays, where it names none.
pub fn named(insn: &Decoded) -> (Pointer, Step) {
    let (name, displaced) = match insn.opcode.row().format {
        Format::Load(name) | Format::Store(name) => (name, false),
        Format::LoadDisplaced(name) | Format::StoreDisplaced(name) => (name, true),
        _ => ("Z", false),
    };
    let pointer = match name.trim_matches(['+', '-']) {
        "X" => Pointer::X,
        "Y" => Pointer::Y,
        _ => Pointer::Z,
    };
    let step = match (name.starts_with('-'), name.ends_with('+')) {
        (true, _) => Step::Decrement,
        (_, true) => Step::Increment,
        _ if displaced => Step::Displace(insn.constant as u64),
        _ => Step::Stay,
    };
    (pointer, step)
}

/// Bits of an address with a register above the pointer.
const LONG: Value = Value::Const(0xff_ffff);

impl Lifter<'_> {
    /// The address that a pointer gives in the data space.
    pub(super) fn reach(&mut self, pointer: Pointer, step: Step) -> PointerAccess {
        self.reach_wide(pointer, step, self.core.large_data)
    }

    /// The same, with the register above the pointer or without it.
    pub(super) fn reach_wide(
        &mut self,
        pointer: Pointer,
        step: Step,
        is_wide: bool,
    ) -> PointerAccess {
        let now = self.pair(pointer.low());
        let now = if is_wide { self.under(pointer.above(), now) } else { now };
        let mut moved = |op, by| self.moved(op, now, by, is_wide);
        match step {
            Step::Stay => PointerAccess { address: now, pointer: None },
            Step::Increment => PointerAccess { address: now, pointer: Some(moved(Binary::Add, 1)) },
            Step::Decrement => {
                let before = moved(Binary::Sub, 1);
                PointerAccess { address: before, pointer: Some(before) }
            }
            Step::Displace(by) => PointerAccess { address: moved(Binary::Add, by), pointer: None },
        }
    }

    fn moved(&mut self, op: Binary, address: Value, by: u64, is_wide: bool) -> Value {
        if !is_wide {
            return self.words(op, address, Value::Const(by));
        }
        let moved = self.builder.binary(op, address, Value::Const(by));
        self.builder.binary(Binary::And, moved, LONG)
    }

    /// An address of 16 bits with a cell's byte above it.
    pub(super) fn under(&mut self, above: Slot, address: Value) -> Value {
        let above = self.builder.binary(Binary::Shl, Value::Slot(above), Value::Const(16));
        self.builder.binary(Binary::Or, above, address)
    }

    /// Writes a pointer that has changed, and the register above it where that belongs to it.
    pub(super) fn write_pointer(&mut self, pointer: Pointer, to: Option<Value>, is_wide: bool) {
        let Some(to) = to else { return };
        let low = pointer.low();
        if is_wide {
            let above = self.builder.binary(Binary::Shr, to, Value::Const(16));
            self.builder.write(pointer.above(), above);
        }
        self.write_pair(low, Slot(low.0 + 1), to);
    }

    /// The address from which on accesses cost something else: which side of it this one is on decides
    /// about the instruction's time.
    pub(super) fn times(&mut self, address: Value) {
        let Some(boundary) = self.core.boundary else { return };
        let boundary = Value::Const(boundary.into());
        let holds = Condition::GreaterEqualUnsigned;
        self.operand = Some(self.builder.wide_compare(holds, Width::W32, address, boundary));
        self.lead = (self.builder.ops.len() - self.first) as u16;
    }
}
