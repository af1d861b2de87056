//! Rewrites a design for machine code: the same values of all nets, with less work behind them.
//!
//! Nodes keep their numbers and their places, so that registers, inputs and whatever else is asked for
//! stand where they stood; what is new lies behind everything else. The interpreter runs the design as it
//! was written: it counts bits of each operator, and it runs what is too short to be worth this effort.

mod bits;
mod cuts;
mod expressions;
mod tables;

use std::sync::Arc;

use super::program::Program;
use crate::Netlist;

/// The same program with less work.
pub(super) fn optimized(program: &Program) -> Program {
    let joined = rewritten(program, bits::join);
    rewritten(&joined, tables::tabulate)
}

fn rewritten(program: &Program, rewrite: fn(&Program, &mut Netlist)) -> Program {
    let mut netlist = Netlist::clone(&program.netlist);
    rewrite(program, &mut netlist);
    program.extended(Arc::new(netlist))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Assign, Builder, Direction, Group, Net, NetId, NetKind, NodeId, Op, Scope, ScopeId,
    };

    /// A module of one input and one output, of so many bits, and the expression that drives the output.
    fn module(
        width: u32,
        expression: impl Fn(&mut Builder, NodeId) -> NodeId,
    ) -> (Program, NodeId) {
        let mut builder = Builder::default();
        let net = |name: &str, direction| Net {
            scope: ScopeId(0),
            name: name.to_owned(),
            kind: NetKind::Port(direction),
            width,
            face: width,
            signed: false,
            line: 1,
        };
        let (input, output) = (NetId(0), NetId(1));
        builder.netlist.nets = vec![net("x", Direction::Input), net("y", Direction::Output)];
        let x = builder.net(input);
        let value = expression(&mut builder, x);
        let group = Group {
            name: "always".to_owned(),
            always: true,
            line: 1,
            assigns: vec![Assign { target: output, value, line: 1 }],
            writes: vec![],
        };
        builder.netlist.scopes = vec![Scope {
            name: "module".to_owned(),
            instance: "module".to_owned(),
            parent: None,
            file: String::new(),
            line: 1,
            ports: vec![input, output],
            groups: vec![group],
            control: None,
            bindings: vec![],
        }];
        (Program::new(Arc::new(builder.netlist)), value)
    }

    #[test]
    fn logic_of_a_byte_becomes_a_table() {
        let (program, root) = module(8, |builder, x| {
            (1..8).fold(x, |value, by| {
                let by = builder.constant(8, &[by]);
                let sum = builder.node(Op::Add(value, by), 8);
                builder.node(Op::Xor(sum, x), 8)
            })
        });
        let rewritten = optimized(&program);
        let Op::Lookup { table, .. } = rewritten.netlist.node(root).op else {
            panic!("no table: {:?}", rewritten.netlist.node(root));
        };
        let entries = &rewritten.netlist.tables[table.index()].entries;
        let expected = |x: u8| (1..8).fold(x, |value, by| value.wrapping_add(by) ^ x);
        for (x, entry) in (0..=u8::MAX).zip(entries) {
            assert_eq!(entry.limbs(), [u64::from(expected(x))]);
        }
    }

    #[test]
    fn bits_that_are_computed_alike_become_a_word() {
        let (program, root) = module(16, |builder, x| {
            let bits: Vec<NodeId> = (0..16)
                .map(|at| {
                    let (a, b) = (builder.slice(x, at, 1), builder.slice(x, at / 16, 1));
                    builder.node(Op::And(a, b), 1)
                })
                .collect();
            bits[1..].iter().fold(bits[0], |low, bit| builder.concat(*bit, low))
        });
        let rewritten = optimized(&program);
        let Op::ZeroExtend(word) = rewritten.netlist.node(root).op else {
            panic!("no word: {:?}", rewritten.netlist.node(root));
        };
        assert!(matches!(rewritten.netlist.node(word).op, Op::And(..)));
    }
}
