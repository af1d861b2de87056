//! The jump that replaces a function.

use cocrypt_isa::{ByteOrder, CodePointer, Jump};

use super::{SUPERH, of};

/// `mov.l @(disp,PC),R1`, `jmp @R1`, `nop` and the address, which lead anywhere. R1 is free where a function is called.
/// The address is at a multiple of 4, behind another `nop` where the jump itself is not.
pub fn jump(variant: &str, from: CodePointer, to: CodePointer, _memory: u64) -> Jump {
    let is_big = SUPERH.variants.contains(&variant);
    let order = of(if is_big { ByteOrder::Big } else { ByteOrder::Little }).elf.order;
    let mut units = vec![0xd101, 0x412b, 0x0009];
    if from.address & 2 == 0 {
        units.push(0x0009);
    }
    let mut code: Vec<u8> = units.into_iter().flat_map(|unit| order.bytes(unit, 2)).collect();
    code.extend(order.bytes(to.address.into(), 4));
    Jump { reach: 1 << 32, code }
}
