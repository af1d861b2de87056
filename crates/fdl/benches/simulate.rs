//! The speed of the simulator on the busy modular arithmetic processor, in cycles per second.

use std::hint::black_box;
use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_rtl::Simulator;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// p of secp160r1, and two numbers below it.
const MODULUS: [u64; 6] = [0x7fff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0];
const LEFT: [u64; 6] = [0x13cb_fc82, 0x68c3_8bb9, 0x4664_6989, 0x8ef5_7328, 0x4a96_b568, 0];
const RIGHT: [u64; 6] = [0x7ac5_fb32, 0x0431_6877, 0x5913_1255, 0x3dcc_7a5f, 0x23a6_2855, 0];

fn transfer(simulator: &mut Simulator, address: u64, value: u64) {
    for (name, value) in [("address", address), ("wdata", value), ("write", 1)] {
        if let Some(port) = simulator.input(name) {
            simulator.set_input(port, value);
        }
    }
    simulator.step();
    for name in ["address", "wdata", "write"] {
        if let Some(port) = simulator.input(name) {
            simulator.set_input(port, 0);
        }
    }
}

fn processor() -> Simulator {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../coprocessors/map/map.fdl");
    let text = std::fs::read_to_string(path).expect("the design is in the repository");
    let model = cocrypt_fdl::load(&Source::new(path, &text)).expect("the design is right");
    let netlist = cocrypt_fdl::netlist(&model, Some("map")).expect("the design has a `map`");
    Simulator::new(Arc::new(netlist))
}

/// One whole operation: 18 operand words, start, and all cycles until it is done. Returns the cycles.
fn operation(simulator: &mut Simulator, opcode: u64) -> u64 {
    let begin = simulator.cycle();
    for (base, words) in [(0x40, RIGHT), (0x60, LEFT), (0x80, MODULUS)] {
        for (index, word) in (0..).zip(words) {
            transfer(simulator, base + 4 * index, word);
        }
    }
    transfer(simulator, 0, 4 | opcode);
    while simulator.step() {}
    simulator.cycle() - begin
}

fn benchmark(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("map");
    for (name, opcode) in [("multiply", 2), ("divide", 3)] {
        let mut simulator = processor();
        group.throughput(Throughput::Elements(operation(&mut simulator, opcode)));
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(operation(&mut simulator, opcode)));
        });
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
