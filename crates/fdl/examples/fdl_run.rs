//! Runs a design: `fdl_run FILE TOP < stimuli`. Each input line is one cycle, `name=hex …`; each output
//! line has the outputs in that cycle.

use std::io::{BufRead, Write};
use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_rtl::{Direction, NetKind, Simulator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: fdl_run FILE [TOP]")?;
    let top = arguments.next();
    let source = Source::new(&path, &std::fs::read_to_string(&path)?);
    let model = cocrypt_fdl::load(&source).map_err(|list| {
        list.iter().map(|diagnostic| diagnostic.render(false)).collect::<String>()
    })?;
    let netlist = cocrypt_fdl::netlist(&model, top.as_deref())
        .map_err(|diagnostic| diagnostic.render(false))?;
    let outputs: Vec<String> = netlist.scopes[0]
        .ports
        .iter()
        .map(|id| netlist.net(*id))
        .filter(|net| net.kind == NetKind::Port(Direction::Output))
        .map(|net| net.name.clone())
        .collect();
    let mut simulator = Simulator::new(Arc::new(netlist));
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        for word in line?.split_whitespace() {
            let (name, value) = word.split_once('=').ok_or("write name=hex")?;
            let port = simulator.input(name).ok_or("no such input")?;
            simulator.set_input_wide(port, &limbs(value)?);
        }
        for name in &outputs {
            if let Some(port) = simulator.output(name) {
                let value = simulator.output_wide(port);
                let digits: Vec<String> =
                    value.iter().rev().map(|limb| format!("{limb:016x}")).collect();
                let digits = digits.concat();
                let digits = digits.trim_start_matches('0');
                write!(stdout, "{name}={} ", if digits.is_empty() { "0" } else { digits })?;
            }
        }
        writeln!(stdout)?;
        simulator.step();
    }
    Ok(())
}

/// A hexadecimal number as limbs of 64 bits.
fn limbs(digits: &str) -> Result<Vec<u64>, std::num::ParseIntError> {
    let bytes = digits.as_bytes();
    let chunks = bytes.rchunks(16).map(|chunk| {
        let text = String::from_utf8_lossy(chunk);
        u64::from_str_radix(&text, 16)
    });
    chunks.collect()
}
