//! The Liberty reader on the library that comes with cocrypt, whole and broken; timing against paths that were
//! computed by hand from its tables.

use cocrypt_diag::Source;
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
