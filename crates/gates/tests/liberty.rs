//! The Liberty reader on the library that comes with cocrypt, whole and broken; timing against paths that were
//! computed by hand from its tables.

use cocrypt_diag::Source;
use cocrypt_gates::sim::Delays;
use cocrypt_gates::{Library, Netlist, Wires, area, timing};
use proptest::prelude::*;

const TEXT: &str = include_str!("../../../cells/generic180.lib");

fn library() -> Library {
    Library::read(&Source::new("generic180.lib", TEXT)).unwrap()
}

/// A register, an inverter and an output behind it.
const CHAIN: &str = r#"{"modules": {"chain": {
    "ports": {
        "clk": {"direction": "input", "bits": [2]},
        "d": {"direction": "input", "bits": [3]},
        "y": {"direction": "output", "bits": [5]}
    },
    "cells": {
        "r": {"type": "DFFX1", "connections": {"CLK": [2], "D": [3], "Q": [4]}},
        "i": {"type": "INVX1", "connections": {"A": [4], "Y": [5]}}
    },
    "netnames": {
        "clk": {"bits": [2]}, "d": {"bits": [3]}, "q": {"bits": [4]}, "y": {"bits": [5]}
    }
}}}"#;

#[test]
fn the_library_has_its_cells() {
    let library = library();
    assert_eq!(library.cells.len(), TEXT.matches("  cell (").count());
    assert_eq!(library.gate_equivalent(), Some(10.0));
    assert_eq!(library.volts, Some(1.8));
    let flip_flop = &library.cells[library.cell("DFFRX1").unwrap()];
    assert!(flip_flop.register.as_ref().unwrap().asynchronous[0].is_some());
}

#[test]
fn a_path_is_as_long_as_its_tables_say() {
    let library = library();
    let netlist = Netlist::from_json(CHAIN, &library).unwrap();
    let wires = Wires { base: 0.0, fanout: 0.0, output: 20e-15 };
    let found = timing(&netlist, &library, &wires, 0.0).unwrap();
    // Into the inverter's 9 fF from an edge in no time: the register rises after 0.22 ns + 3.3 kΩ · 9 fF, and
    // takes 0.12 ns + 4.2 kΩ · 9 fF; then the inverter falls after 0.02 ns + 3 kΩ · 20 fF + 0.1 · that.
    let rising = 0.22 + 3.3 * 0.009 + 0.02 + 3.0 * 0.020 + 0.1 * (0.12 + 4.2 * 0.009);
    // The other edge is quicker.
    let falling = 0.2 + 3.0 * 0.009 + 0.022 + 3.3 * 0.020 + 0.1 * (0.1 + 3.9 * 0.009);
    let expected = f64::max(rising, falling);
    assert!((found.period * 1e9 - expected).abs() < 1e-9, "{}", found.period);
    let path = found.critical.unwrap();
    assert_eq!(path.steps.len(), 2);
    assert_eq!(path.end, None);
    assert!((area(&netlist, &library).total - 57.0).abs() < 1e-12);
}

#[test]
fn ticks_are_the_mean_of_both_edges() {
    let library = library();
    let netlist = Netlist::from_json(CHAIN, &library).unwrap();
    let wires = Wires { base: 0.0, fanout: 0.0, output: 20e-15 };
    let ticks = |tick: f64, cell: &str, from: &str, to: &str| {
        let delays = Delays::library(&netlist, &library, &wires, tick).unwrap();
        let is_found = |index: &usize| library.cells[netlist.instances[*index].cell].name == cell;
        let index = (0..netlist.instances.len()).find(is_found).unwrap();
        let cell = &library.cells[netlist.instances[index].cell];
        delays.ticks(index, cell.pin(to).unwrap(), cell.pin(from).unwrap())
    };
    // Edges as above: the register's are at 249.7 and 227 ps, those of the inverter take 95.78 and 101.51 ps.
    for (tick, register, inverter) in [(1e-12, 238, 99), (10e-12, 24, 10), (1e-9, 1, 1)] {
        assert_eq!(ticks(tick, "DFFX1", "CLK", "Q"), Some(register));
        assert_eq!(ticks(tick, "INVX1", "A", "Y"), Some(inverter));
    }
    assert_eq!(ticks(1e-12, "DFFX1", "D", "Q"), None);
}

#[test]
fn netlists_that_do_not_fit_are_refused() {
    let library = library();
    let change = |from: &str, to: &str| Netlist::from_json(&CHAIN.replace(from, to), &library);
    assert_eq!(change("INVX1", "INVX9").unwrap_err().code, "netlist.cell");
    assert_eq!(change(r#""A": [4]"#, r#""B": [4]"#).unwrap_err().code, "netlist.pin");
    assert_eq!(change(r#""A": [4], "#, "").unwrap_err().code, "netlist.open");
    assert_eq!(change(r#""Q": [4]"#, r#""Q": [5]"#).unwrap_err().code, "netlist.drivers");
    assert_eq!(change("modules", "module").unwrap_err().code, "netlist.modules");
    let looped = change(r#""A": [4]"#, r#""A": [5]"#).unwrap();
    let wrong = timing(&looped, &library, &Wires::default(), 0.0).unwrap_err();
    assert_eq!(wrong.code, "netlist.loop");
}

/// A library with these attributes and cells.
fn made(attributes: &str, cells: &str) -> Result<Library, cocrypt_diag::Diagnostic> {
    let text = format!("library (made) {{ {attributes} {cells} }}");
    Library::read(&Source::new("made.lib", &text))
}

/// A gate `SLOW` whose output has these timing groups.
fn slow(timing: &str) -> String {
    format!(
        r#"cell (SLOW) {{ pin (A) {{ direction : input; }}
            pin (Y) {{ direction : output; function : "A"; {timing} }} }}"#
    )
}

/// A delay of both edges in nanoseconds.
fn delay(kind: &str, rise: f64, fall: f64) -> String {
    format!(
        r#"timing () {{ related_pin : "A"; timing_sense : positive_unate; {kind}
            cell_rise (scalar) {{ values ("{rise}"); }} cell_fall (scalar) {{ values ("{fall}"); }} }}"#
    )
}

/// A flip-flop whose clock is a function of `CLK`.
fn flip_flop(name: &str, clock: &str) -> String {
    format!(
        r#"cell ({name}) {{ ff (IQ, IQN) {{ next_state : "D"; clocked_on : "{clock}"; }}
            pin (CLK) {{ direction : input; }} pin (D) {{ direction : input; }}
            pin (Q) {{ direction : output; function : "IQ"; }} }}"#
    )
}

/// A netlist with an input `clk` (2), an input `d` (3), and an output `y` (9).
fn wired(cells: &str) -> String {
    format!(
        r#"{{"modules": {{"wired": {{"ports": {{
            "clk": {{"direction": "input", "bits": [2]}}, "d": {{"direction": "input", "bits": [3]}},
            "y": {{"direction": "output", "bits": [9]}}}},
            "cells": {{{cells}}}, "netnames": {{
            "clk": {{"bits": [2]}}, "d": {{"bits": [3]}}, "m": {{"bits": [4]}}, "y": {{"bits": [9]}}}}}}}}}}"#
    )
}

fn register(cell: &str, clock: u32, from: u32, to: u32) -> String {
    format!(
        r#""r{to}": {{"type": "{cell}", "connections": {{"CLK": [{clock}], "D": [{from}], "Q": [{to}]}}}}"#
    )
}

fn gate(from: u32, to: u32) -> String {
    format!(r#""g{to}": {{"type": "SLOW", "connections": {{"A": [{from}], "Y": [{to}]}}}}"#)
}

fn period(library: &Library, cells: &[String]) -> Result<f64, cocrypt_diag::Diagnostic> {
    let netlist = Netlist::from_json(&wired(&cells.join(",")), library)?;
    Ok(timing(&netlist, library, &Wires::default(), 0.0)?.period * 1e9)
}

#[test]
fn paths_between_two_clock_edges_are_refused() {
    let cells = [flip_flop("UP", "CLK"), flip_flop("DOWN", "!CLK"), slow(&delay("", 1.0, 1.0))];
    let library = made("", &cells.concat()).unwrap();
    let refused = |cells: &[String]| {
        let wrong = period(&library, cells).unwrap_err();
        assert_eq!(wrong.code, "gates.clock");
        wrong.message
    };
    let both = [register("UP", 2, 3, 4), gate(4, 5), register("DOWN", 2, 5, 9)];
    assert_eq!(refused(&both), "the registers are clocked by clk, the falling edge of clk");
    let inverted = [gate(2, 4), register("UP", 4, 3, 9)];
    assert_eq!(refused(&inverted), "the registers are clocked by m");
    let two = [register("UP", 2, 3, 4), register("UP", 3, 4, 9)];
    assert_eq!(refused(&two), "the registers are clocked by clk, d");
    // The falling edge alone has whole cycles.
    let falling = [register("DOWN", 2, 3, 4), gate(3, 5), register("DOWN", 2, 5, 9)];
    assert!((period(&library, &falling).unwrap() - 1.0).abs() < 1e-9);
}

#[test]
fn latches_with_both_edges_of_a_clock_are_refused() {
    let latch = r#"cell (LATCH) { latch (IQ, IQN) { enable : "CLK"; data_in : "D"; }
        pin (CLK) { direction : input; }
        pin (D) { direction : input; timing () { related_pin : "CLK"; timing_type : setup_falling; } }
        pin (Q) { direction : output; function : "IQ";
            timing () { related_pin : "CLK"; timing_type : rising_edge; } } }"#;
    let wrong = period(&made("", latch).unwrap(), &[register("LATCH", 2, 3, 9)]).unwrap_err();
    assert_eq!(wrong.code, "gates.clock");
}

#[test]
fn registers_without_setup_times_end_paths() {
    let library = made("", &(flip_flop("UP", "CLK") + &slow(&delay("", 1.5, 1.5)))).unwrap();
    let found = period(&library, &[gate(3, 4), register("UP", 2, 4, 9)]).unwrap();
    assert!((found - 1.5).abs() < 1e-9, "{found}");
}

#[test]
fn delays_of_one_edge_count() {
    let kind = |kind: &str| format!("timing_type : {kind};");
    // Each group has a longer delay of the edge that it is not about.
    let rise = delay(&kind("combinational_rise"), 2.0, 9.0);
    let fall = delay(&kind("combinational_fall"), 9.0, 3.0);
    for (groups, expected) in [(rise.clone(), 2.0), (fall.clone(), 3.0), (rise + &fall, 3.0)] {
        let found = period(&made("", &slow(&groups)).unwrap(), &[gate(3, 9)]).unwrap();
        assert!((found - expected).abs() < 1e-9, "{found}");
    }
}

#[test]
fn inputs_have_the_capacitance_that_the_library_states_for_all() {
    let attributes = "capacitive_load_unit (10, ff); default_input_pin_cap : 0.7;";
    let cell = r#"cell (BOTH) {
        pin (A) { direction : input; } pin (B) { direction : input; capacitance : 0.2; }
        pin (Y) { direction : output; function : "A B"; } }"#;
    let library = made(attributes, cell).unwrap();
    let found = library.cells[0].pins.iter().map(|pin| pin.edge_capacitances.map(|c| c * 1e15));
    for (found, expected) in found.zip([7.0, 2.0, 0.0]) {
        assert!(found.iter().all(|edge| (edge - expected).abs() < 1e-9), "{found:?}");
    }
}

#[test]
fn absurd_capacitances_are_refused() {
    let pin = |text: &str| format!("cell (C) {{ pin (A) {{ direction : input; {text} }} }}");
    for text in ["capacitance : 2e3;", "rise_capacitance : 1e300;", "fall_capacitance : -0.1;"] {
        let wrong = made("", &pin(text)).unwrap_err();
        assert_eq!(wrong.code, "liberty.capacitance", "{text}");
        assert_eq!(wrong.labels.len(), 1, "{text}");
    }
    assert!(made("", &pin("capacitance : 999;")).is_ok());
    let wrong = made("default_input_pin_cap : 1e9;", &pin("")).unwrap_err();
    assert_eq!(wrong.code, "liberty.capacitance");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// No change to the file makes the reader panic, and what is refused has a place within the text.
    #[test]
    fn broken_files_are_read_or_refused(
        at in 0..TEXT.len(), length in 0..64usize, with in "[{}();:,\"\\\\/* a-z0-9.\n-]{0,8}"
    ) {
        let end = (at + length).min(TEXT.len());
        let text = format!("{}{with}{}", &TEXT[..at], &TEXT[end..]);
        if let Err(wrong) = Library::read(&Source::new("broken.lib", &text)) {
            prop_assert!(wrong.labels.iter().all(|label| label.span.end <= text.len()));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        let _ = Library::read(&Source::new("any.lib", &format!("library (a) {{ {text} }}")));
    }
}
