//! Files in TOML: a core, a device on a known core, a coprocessor's register map, a primitive, a leakage model, a
//! trace set. The first byte says which of them.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use cocrypt_config::{Coprocessor, Core, Device, Leakage, Primitive, TraceSet};
use cocrypt_diag::Diagnostic;
use libfuzzer_sys::fuzz_target;

static CORE: LazyLock<Core> = LazyLock::new(|| {
    let text = include_str!("../../devices/cores/ibex.toml");
    Core::parse("ibex.toml", text).expect("a core of the repository")
});

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let folder = Path::new("");
    let wrong: Vec<Diagnostic> = match kind % 6 {
        0 => Core::parse("fuzz.toml", text).err(),
        1 => Device::parse("fuzz.toml", text, &CORE).err(),
        2 => Coprocessor::parse("fuzz.toml", text, folder).err(),
        3 => Primitive::parse("fuzz.toml", text, folder).err(),
        4 => Leakage::parse("fuzz.toml", text).err(),
        _ => TraceSet::parse("fuzz.toml", text).err(),
    }
    .unwrap_or_default();
    for diagnostic in wrong {
        assert!(!diagnostic.render(false).is_empty());
    }
});
