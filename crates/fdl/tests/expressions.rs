//! The netlist computes what the rules of the language say: random expressions, evaluated plainly with
//! integers of any size and simulated.

use std::fmt::Write;
use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_fdl::value::{Environment, convert, evaluate};
use cocrypt_fdl::{Model, load, netlist};
use cocrypt_rtl::Simulator;
use num_bigint::BigInt;

const EXPRESSIONS: usize = 400;
const TRIES: usize = 12;
const WIDTHS: [u32; 12] = [1, 2, 3, 7, 8, 16, 32, 33, 63, 64, 65, 130];

/// Marsaglia's xorshift: the same expressions in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn ty(&mut self) -> String {
        format!("{}({})", self.pick(&["ns", "tc"]), self.pick(&WIDTHS))
    }

    /// The text of an expression over the inputs `a` to `d`.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            let number = (self.next() >> self.below(64)).to_string();
            let leaves = ["a", "b", "c", "d", "a", "b", "c", "d", "0", "1", &number];
            return leaves[self.below(leaves.len())].to_owned();
        }
        let a = self.expression(depth - 1);
        match self.below(8) {
            0 => format!("({} {a})", self.pick(&["-", "~"])),
            1 => format!("(({}) {a})", self.ty()),
            2 => format!("({a})[{}:{}]", self.below(70), self.below(70)),
            3 => {
                let shift = self.pick(&["<<", ">>"]);
                format!("({a} {shift} ({})[{}:0])", self.expression(depth - 1), self.below(5))
            }
            4 => {
                let (b, c) = (self.expression(depth - 1), self.expression(depth - 1));
                format!("({c} ? {a} : {b})")
            }
            _ => {
                let operators =
                    ["+", "-", "*", "%", "#", "&", "|", "^", "==", "!=", "<", ">", "<=", ">="];
                let operator = self.pick(&operators);
                format!("({a} {operator} {})", self.expression(depth - 1))
            }
        }
    }

    /// Limbs that are random, all 0 or all 1.
    fn limbs(&mut self) -> [u64; 3] {
        match self.below(6) {
            0 => [0; 3],
            1 => [u64::MAX; 3],
            2 => [self.next() % 4, 0, 0],
            _ => [self.next(), self.next(), self.next()],
        }
    }
}

/// The values of the symbols.
struct Values(Vec<BigInt>);

impl Environment for Values {
    fn symbol(&self, symbol: usize) -> BigInt {
        self.0[symbol].clone()
    }

    fn lookup(&self, _: usize, _: &BigInt) -> Option<BigInt> {
        None
    }
}

fn integer(limbs: &[u64]) -> BigInt {
    limbs.iter().rev().fold(BigInt::default(), |value, limb| (value << 64) + limb)
}

/// The expected output, as limbs of its face.
fn expected(model: &Model, inputs: &[[u64; 3]]) -> BigInt {
    let datapath = &model.datapaths[0];
    let ports = datapath.ports.iter().map(|port| datapath.symbols[*port].ty);
    let values = ports.zip(inputs).map(|(ty, limbs)| ty.wrap(&integer(limbs))).collect();
    let assign = &datapath.sfgs[0].assigns[0];
    let ty = datapath.symbols[assign.target].ty;
    let value = convert(evaluate(&assign.value, &Values(values)), assign.value.ty, ty);
    cocrypt_fdl::model::Type::ns(ty.width).wrap(&value)
}

#[test]
fn netlists_compute_what_the_rules_say() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..EXPRESSIONS {
        let mut text = "dp d(".to_owned();
        for name in ["a", "b", "c", "d"] {
            let _ = write!(text, "in {name} : {}; ", random.ty());
        }
        let depth = 1 + random.below(4);
        let (ty, expression) = (random.ty(), random.expression(depth));
        let _ = write!(text, "out o : {ty}) {{ always {{ o = {expression}; }} }}");
        let model = load(&Source::new("expression.fdl", &text)).unwrap_or_else(|list| {
            panic!("{text}\n{}", list[0].render(false));
        });
        let netlist = Arc::new(netlist(&model, None).expect("a top"));
        let mut simulator = Simulator::new(netlist);
        let ports = ["a", "b", "c", "d"].map(|name| simulator.input(name).expect("an input"));
        let output = simulator.output("o").expect("an output");
        for _ in 0..TRIES {
            let inputs = ports.map(|_| random.limbs());
            for (port, limbs) in ports.iter().zip(&inputs) {
                simulator.set_input_wide(*port, limbs);
            }
            let found = integer(&simulator.output_wide(output));
            assert_eq!(found, expected(&model, &inputs), "{text} with {inputs:x?}");
        }
    }
}
