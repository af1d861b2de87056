//! Program files: ELF with its symbols and lines, Intel HEX, raw.

#![no_main]

use cocrypt_image::{Debug, read, read_elf, read_hex};
use cocrypt_isa_all::ALL;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let found = [
        read("fuzz", bytes, None, ALL),
        read_hex("fuzz", bytes),
        read_elf("fuzz", bytes, ALL),
    ];
    for image in found.into_iter().flatten() {
        for symbol in image.symbols.all() {
            let _ = image.symbols.function_at(symbol.address);
        }
        let _ = image.hash();
    }
    if let Some(debug) = Debug::read(bytes) {
        for address in [0, 4, 0x8000_0000, 0x0010_0080, u32::MAX] {
            let _ = debug.frames(address);
        }
    }
});
