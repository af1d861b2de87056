//! A netlist built by hand, without any language above it: what it does and how it is written.

use std::sync::Arc;

use cocrypt_rtl::{
    Assign, Builder, Control, Decision, Direction, Group, GroupId, Net, NetId, NetKind, Netlist,
    Op, Scope, ScopeId, Simulator, Standard, State, StateId, verilog, vhdl,
};

fn net(name: &str, kind: NetKind, width: u32) -> Net {
    Net {
        scope: ScopeId(0),
        name: name.to_owned(),
        kind,
        width,
        face: width,
        signed: false,
        line: 1,
    }
}

fn group(name: &str, always: bool, assigns: Vec<Assign>) -> Group {
    Group { name: name.to_owned(), always, line: 2, assigns, writes: Vec::new() }
}

/// A counter of this width that goes up by its input until its highest bit is set, and down by 1 ever
/// after.
fn counter(width: u32) -> Netlist {
    let mut builder = Builder::default();
    let (step, count, out) = (NetId(0), NetId(1), NetId(2));
    builder.netlist.nets = vec![
        net("step", NetKind::Port(Direction::Input), width),
        net("count", NetKind::Register, width),
        net("out", NetKind::Port(Direction::Output), width),
    ];
    let (value, amount) = (builder.net(count), builder.net(step));
    let one = builder.constant(width, &[1]);
    let up = builder.node(Op::Add(value, amount), width);
    let down = builder.node(Op::Sub(value, one), width);
    let top = builder.slice(value, width - 1, 1);
    let assign = |target, value| Assign { target, value, line: 3 };
    let groups = vec![
        group("always", true, vec![assign(out, value)]),
        group("up", false, vec![assign(count, up)]),
        group("down", false, vec![assign(count, down)]),
    ];
    let go = |group, next| {
        let (groups, next) = (vec![GroupId(group)], StateId(next));
        Decision::Go { groups, next, traced: false }
    };
    let rise = Decision::If { condition: top, yes: Box::new(go(2, 1)), no: Box::new(go(1, 0)) };
    let state = |name: &str, decision| State { name: name.to_owned(), line: 4, decision };
    let states = vec![state("rise", Some(rise)), state("fall", Some(go(2, 1)))];
    let (name, initial) = ("control".to_owned(), StateId(0));
    let control = Control { name, line: 4, states, initial, is_sequencer: false };
    builder.netlist.scopes = vec![Scope {
        file: String::new(),
        name: "counter".to_owned(),
        instance: "counter".to_owned(),
        parent: None,
        line: 1,
        ports: vec![step, out],
        groups,
        control: Some(control),
        bindings: Vec::new(),
    }];
    builder.netlist
}

#[test]
fn narrow_and_wide_words_count_alike() {
    for (width, step) in [(8, 0x30), (64, 3 << 60), (65, 3 << 60), (200, u64::MAX)] {
        let mut simulator = Simulator::new(Arc::new(counter(width)));
        let (input, out) = (simulator.input("step").unwrap(), simulator.output("out").unwrap());
        simulator.set_input_wide(input, &[step, 0, 0, if width == 200 { 3 << 6 } else { 0 }]);
        let mut risen = 0u32;
        while simulator.state("") == Some("rise") {
            risen += 1;
            assert!(simulator.step());
        }
        let top = simulator.output_wide(out);
        simulator.step();
        let below = simulator.output_wide(out);
        assert_eq!(top[0].wrapping_sub(1), below[0]);
        // So many steps until the highest bit is set, and one that sees it.
        assert_eq!(
            risen,
            [(8, 4), (64, 4), (65, 7), (200, 2)].iter().find(|c| c.0 == width).unwrap().1
        );
    }
}

#[test]
fn nodes_are_shared_and_trivial_ones_left_out() {
    let mut builder = Builder::default();
    builder.netlist.nets = vec![net("a", NetKind::Port(Direction::Input), 8)];
    let a = builder.net(NetId(0));
    assert_eq!(builder.net(NetId(0)), a);
    assert_eq!(builder.slice(a, 0, 8), a);
    let wide = builder.extend(a, 20, false);
    assert_eq!(builder.slice(wide, 0, 8), a);
    let pair = builder.concat(a, wide);
    assert_eq!(builder.slice(pair, 20, 8), a);
    let not = builder.not(a);
    assert_eq!(builder.not(not), a);
    let bit = builder.slice(a, 3, 1);
    assert_eq!(builder.any(bit), bit);
    assert_eq!(builder.mux(bit, wide, wide), wide);
    let inverted = builder.not(bit);
    assert_eq!(builder.mux(inverted, a, not), builder.mux(bit, not, a));
}

#[test]
fn the_text_is_the_same_every_time() {
    let text = verilog(&counter(8));
    assert_eq!(text, verilog(&counter(8)));
    assert!(
        text.contains("if (count[7]) begin") && text.contains("count <= count + step;"),
        "{text}"
    );
}

#[test]
fn the_name_of_a_file_stays_in_its_comment() {
    // Tools run what Verilog asks for, and the name is the author's of the design.
    let injected = "`define clk $c(run)";
    for end in ["\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{2028}"] {
        let named = format!("/a/folder/x{end}{injected}.fdl");
        for (of_design, of_scope) in [(&*named, "x.fdl"), ("x.fdl", &*named)] {
            let mut netlist = counter(8);
            netlist.file = of_design.to_owned();
            netlist.scopes[0].file = of_scope.to_owned();
            let vhdl = [Standard::Vhdl93, Standard::Vhdl2008].map(|year| vhdl(&netlist, year));
            for (text, comment) in
                [(verilog(&netlist), "// "), (vhdl[0].clone(), "-- "), (vhdl[1].clone(), "-- ")]
            {
                let found: Vec<&str> =
                    text.lines().filter(|line| line.contains(injected)).collect();
                assert!(!found.is_empty() && found.iter().all(|line| line.starts_with(comment)));
                assert!(found.iter().all(|line| !line.contains(end)), "{end:?}: {found:?}");
                assert!(!text.contains("folder"));
            }
        }
    }
}
