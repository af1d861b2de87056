//! Blocks in other languages, played by models in Rust: their place in a cycle, copies, resets, refusals.

use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_fdl::{Dialect, Files, load_as, netlist};
use cocrypt_rtl::{Fault, Model, Netlist, Simulator};

/// Cycles: more than are interpreted before a design is compiled.
const CYCLES: u64 = 5_000;

/// Files beside a design: their names and texts.
struct Beside(&'static [(&'static str, &'static str)]);

impl Files for Beside {
    fn read(&self, name: &str) -> Result<String, String> {
        let found = self.0.iter().find(|file| file.0 == name);
        found.map(|file| file.1.to_owned()).ok_or_else(|| "there is no such file".to_owned())
    }
}

const MODULES: Beside = Beside(&[
    ("mac.v", "module mac(input clk, input rst, input [7:0] a, output [15:0] now, sum); endmodule"),
    ("inv.v", "module inv(input [7:0] a, output [7:0] y); endmodule"),
    ("both.v", ""),
    ("both.cpp", ""),
]);

/// A register that sums up an input, and its next value at once.
#[derive(Clone, Debug, Default)]
struct Mac {
    sum: u64,
    input: u64,
}

impl Model for Mac {
    fn evaluate(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.input = inputs[0];
        outputs.copy_from_slice(&[(self.sum + self.input) & 0xffff, self.sum]);
    }
    fn clock(&mut self) {
        self.sum = (self.sum + self.input) & 0xffff;
    }
    fn reset(&mut self) {
        *self = Self::default();
    }
    fn fault(&self) -> Option<String> {
        (self.sum == 0xffff).then(|| "it is full".to_owned())
    }
    fn duplicate(&self) -> Box<dyn Model> {
        Box::new(self.clone())
    }
}

/// The complement of its input.
#[derive(Clone, Debug)]
struct Inv;

impl Model for Inv {
    fn evaluate(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = !inputs[0] & 0xff;
    }
    fn clock(&mut self) {}
    fn reset(&mut self) {}
    fn fault(&self) -> Option<String> {
        None
    }
    fn duplicate(&self) -> Box<dyn Model> {
        Box::new(Self)
    }
}

const IN_FDL: &str = "
    dp m(in a : ns(8); out now, sum : ns(16)) {
      reg s : ns(16); sig n : ns(16);
      always { n = s + a; s = n; now = n; sum = s; }
    }
    dp i(in a : ns(8); out y : ns(8)) { always { y = ~a; } }
    dp j(in a : ns(8); out y : ns(8)) { always { y = ~a; } }";

const IN_BLOCKS: &str = "
    ipblock m(in a : ns(8); out now, sum : ns(16)) { iptype \"mac\"; }
    ipblock i(in a : ns(8); out y : ns(8)) { iptype \"inv\"; }
    dp j : i";

/// Blocks behind one another, against their order; a condition on one; registers that they read.
const AROUND: &str = "
    dp d(in x : ns(8); out o : ns(16); out p : ns(8)) {
      sig now, sum : ns(16); sig a, b, c : ns(8); reg r : ns(8);
      use m(c, now, sum);
      use j(b, c);
      use i(a, b);
      always { a = x ^ r; p = c; }
      sfg one { r = now[7:0]; o = now; }
      sfg two { r = r + 3; o = sum + b; }
    }
    fsm f(d) {
      initial s0; state s1;
      @s0 if (now[0] ^ b[1]) then one -> s1; else two -> s0;
      @s1 if (sum[2]) then two -> s0; else one -> s1;
    }";

fn load(text: &str) -> Arc<Netlist> {
    let model = load_as(&Source::new("d.fdl", text), Dialect::Extended, &MODULES);
    let model = model.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    Arc::new(netlist(&model, None).expect("it is right"))
}

fn with_models(netlist: &Arc<Netlist>) -> Simulator {
    let mut simulator = Simulator::new(Arc::clone(netlist));
    for (index, block) in netlist.blocks.iter().enumerate() {
        let model: Box<dyn Model> =
            if block.module == "mac" { Box::new(Mac::default()) } else { Box::new(Inv) };
        simulator.attach(index, model);
    }
    simulator
}

/// A byte for each cycle, without a pattern.
fn noise(cycle: u64) -> u64 {
    (cycle.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) & 0xff
}

/// The outputs of so many cycles from the present one on.
fn run(simulator: &mut Simulator, cycles: u64) -> Vec<(u64, u64)> {
    let ports = ["o", "p"].map(|name| simulator.output(name).expect("it is there"));
    let x = simulator.input("x").expect("it is there");
    let row = |_| {
        simulator.set_input(x, noise(simulator.cycle()));
        let [o, p] = ports.map(|port| simulator.evaluate_output(port));
        simulator.step();
        (o, p)
    };
    (0..cycles).map(row).collect()
}

#[test]
fn blocks_are_as_the_same_in_fdl() {
    let (ours, blocks) =
        (load(&format!("{IN_FDL}{AROUND}")), load(&format!("{IN_BLOCKS}{AROUND}")));
    assert_eq!(blocks.blocks.len(), 3);
    let mut simulator = with_models(&blocks);
    let expected = run(&mut Simulator::new(ours), CYCLES);
    assert_eq!(run(&mut simulator, CYCLES), expected);
    simulator.reset();
    assert_eq!(run(&mut simulator, 100), expected[..100]);
}

#[test]
fn a_copy_goes_its_own_way() {
    let netlist = load(&format!("{IN_BLOCKS}{AROUND}"));
    let mut simulator = with_models(&netlist);
    run(&mut simulator, 10);
    let mut copy = simulator.clone();
    let expected = run(&mut simulator, 50);
    assert_eq!(run(&mut copy, 50), expected);
}

#[test]
fn a_loop_through_blocks_is_a_fault() {
    let text = "ipblock i(in a : ns(8); out y : ns(8)) { iptype \"inv\"; }
        dp d(out o : ns(8)) { sig y : ns(8); use i(y, y); always { o = y; } }";
    let mut simulator = with_models(&load(text));
    simulator.step();
    assert_eq!(simulator.fault(), Some(&Fault::Loop { cycle: 0 }));
}

#[test]
fn a_block_that_cannot_go_on_ends_the_run() {
    let text = "ipblock m(in a : ns(8); out now, sum : ns(16)) { iptype \"mac\"; }
        dp d(out o : ns(16)) { sig now, sum : ns(16); use m((ns(8)) 255, now, sum); always { o = sum; } }";
    let mut simulator = with_models(&load(text));
    assert_eq!(simulator.run_idle(1_000), 0);
    let message = "the block `m` stops: it is full".to_owned();
    // 257 times 255 is 65,535.
    assert_eq!(simulator.fault(), Some(&Fault::Rule { message, cycle: 256 }));
}

#[test]
fn what_a_block_cannot_be_is_refused() {
    let refusal = |text: &str| {
        let loaded = load_as(&Source::new("d.fdl", text), Dialect::Extended, &MODULES);
        loaded.expect_err("it is wrong")[0].message.clone()
    };
    let block = |ports: &str, parts: &str| refusal(&format!("ipblock b({ports}) {{ {parts} }}"));
    let ports = "in a : ns(8); out y : ns(8)";
    assert_eq!(
        block(ports, "iptype \"both\";"),
        "there are `both.v` and `both.cpp`, and a block is one"
    );
    assert_eq!(block(ports, "iptype \"none\";"), "the library has no block `none`");
    assert_eq!(block(ports, "iptype \"../inv\";"), "the library has no block `../inv`");
    assert_eq!(
        block("in clk : ns(1); out y : ns(8)", "iptype \"inv\";"),
        "`clk` is connected by itself"
    );
    assert_eq!(
        block(ports, "iptype \"inv\"; ipparm \"N=4294967296\";"),
        "`N` has more than 32 bits"
    );
    assert_eq!(
        block(ports, "iptype \"inv\"; ipparm \"a b=1\";"),
        "`a b` is no name of a parameter"
    );
}

#[test]
fn the_module_keeps_its_name_in_verilog() {
    let text = "ipblock inv(in a : ns(8); out y : ns(8)) {
          iptype \"inv\"; ipparm \"N=0x0f\"; ipparm \"S=on\"; ipparm \"M=-3\";
        }
        dp d(in a : ns(8); out o : ns(8)) { use inv(a, o); }";
    let text = cocrypt_rtl::verilog(&load(text));
    assert!(text.contains("module d_inv("), "{text}");
    let instance = "  inv #(.M(-3), .N(8'h0f), .S(\"on\")) block(\n    .a(a),\n    .y(y)\n  );\n";
    assert!(text.contains(instance), "{text}");
}
