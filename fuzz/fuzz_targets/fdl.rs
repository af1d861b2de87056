//! A design: words, tree, names, rules, netlist, both exports and pictures, and a few cycles.

#![no_main]

use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_fdl::{Dialect, NoFiles, diagram, load_as, netlist};
use cocrypt_rtl::{Simulator, Standard, verilog, vhdl};
use libfuzzer_sys::fuzz_target;

/// Nodes of a netlist that is run; larger ones only take long.
const NODES: usize = 20_000;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let dialect = if bytes.len() % 4 == 0 { Dialect::Gezel } else { Dialect::Extended };
    let model = match load_as(&Source::new("fuzz.fdl", text), dialect, &NoFiles) {
        Ok(model) => model,
        Err(wrong) => {
            let _: Vec<String> = wrong.iter().map(|diagnostic| diagnostic.render(false)).collect();
            return;
        }
    };
    let _ = (diagram::states_dot(&model), diagram::states_mermaid(&model));
    let Ok(netlist) = netlist(&model, None) else { return };
    if netlist.nodes.len() > NODES || netlist.nets.iter().any(|net| net.width > 4096) {
        return;
    }
    assert!(!verilog(&netlist).is_empty() && !vhdl(&netlist, Standard::Vhdl93).is_empty());
    Simulator::new(Arc::new(netlist)).run_idle(3);
});
