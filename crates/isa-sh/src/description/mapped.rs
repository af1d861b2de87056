//! The registers of exceptions, as programs reach them in memory.
//!
//! Source: "SH7709S Group Hardware Manual" and "SH-4 Software Manual", section 5, "Register Configuration".

use cocrypt_ir::Slot;
use cocrypt_isa::{ByteOrder, CellPart, MappedCell};

use crate::cells::{EXPEVT, INTEVT, TEA, TRA};
use crate::generation::Generation;

/// Registers with their addresses, in ascending order.
type Registers = [(u32, Slot); 4];
/// The part that each byte has of its register, by the number of the register and that of the byte from the lowest one on.
type Parts = [[[CellPart; 1]; 4]; 4];

const SH3: Registers =
    [(0xffff_ffd0, TRA), (0xffff_ffd4, EXPEVT), (0xffff_ffd8, INTEVT), (0xffff_fffc, TEA)];
const SH4: Registers =
    [(0xff00_000c, TEA), (0xff00_0020, TRA), (0xff00_0024, EXPEVT), (0xff00_0028, INTEVT)];

/// The registers of an SH-3 or SH-4; those before have none.
pub const fn mapped(order: ByteOrder, generation: Generation) -> &'static [MappedCell] {
    match (order, generation) {
        (_, Generation::Sh2) => &[],
        (ByteOrder::Big, Generation::Sh3 | Generation::Sh3Dsp) => &BIG_SH3,
        (ByteOrder::Big, Generation::Sh4) => &BIG_SH4,
        (ByteOrder::Little, Generation::Sh3 | Generation::Sh3Dsp) => &LITTLE_SH3,
        (ByteOrder::Little, Generation::Sh4) => &LITTLE_SH4,
    }
}

static PARTS_SH3: Parts = parts(&SH3);
static PARTS_SH4: Parts = parts(&SH4);

static BIG_SH3: [MappedCell; 16] = bytes(&SH3, &PARTS_SH3, true);
static BIG_SH4: [MappedCell; 16] = bytes(&SH4, &PARTS_SH4, true);
static LITTLE_SH3: [MappedCell; 16] = bytes(&SH3, &PARTS_SH3, false);
static LITTLE_SH4: [MappedCell; 16] = bytes(&SH4, &PARTS_SH4, false);

const fn parts(registers: &Registers) -> Parts {
    let mut all = [[[CellPart { cell: TRA, shift_in_cell: 0, bits: 8, shift_in_byte: 0 }]; 4]; 4];
    let mut at = 0;
    while at < 16 {
        let (register, byte) = (at / 4, at % 4);
        all[register][byte][0].cell = registers[register].1;
        all[register][byte][0].shift_in_cell = 8 * byte as u8;
        at += 1;
    }
    all
}

const fn bytes(registers: &Registers, parts: &'static Parts, is_big: bool) -> [MappedCell; 16] {
    let mut all = [MappedCell { address: 0, parts: &[] }; 16];
    let mut at = 0;
    while at < 16 {
        let (register, byte) = (at / 4, at % 4);
        let lowest = if is_big { 3 - byte } else { byte };
        all[at].address = registers[register].0 + byte as u32;
        all[at].parts = &parts[register][lowest];
        at += 1;
    }
    all
}
