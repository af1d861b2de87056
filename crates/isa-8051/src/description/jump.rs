//! The jump that replaces functions.

use cocrypt_isa::{CodePointer, Jump};

/// `ljmp`.
pub fn jump(_variant: &str, _from: CodePointer, to: CodePointer, _memory: u64) -> Jump {
    let [high, low] = (to.address as u16).to_be_bytes();
    Jump { reach: 1 << 16, code: vec![0x02, high, low] }
}
