//! Exceptions, interrupts, and control and status registers of a core file.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::reader::{Reader, Spot};
use crate::section::Section;

/// How a core leaves a program for its handler, and what the handler can look at.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Privileged {
    /// Conditions on the core's parameters, all of which must hold for any of this to be there.
    pub when: Vec<String>,
    /// The exceptions that lead to the handler, by the names of [`EXCEPTIONS`]; others end the run.
    pub exceptions: Vec<String>,
    /// Those of them of which `mtval` holds the instruction or the address; it holds 0 of others.
    pub values: Vec<String>,
    /// How the core treats an unaligned access, by the names of
    /// [`UNALIGNED`].
    pub unaligned: Option<String>,
    /// The value of `mtval` behind an interrupt, if that changes it.
    pub interrupt_value: Option<u32>,
    /// The interrupts, by number; the first that is up is taken first.
    pub interrupts: Vec<u8>,
    /// Bits of `mtvec` that are the handler's address.
    pub handler: u32,
    /// True if interrupt n jumps to the handler's address plus 4n.
    pub vectored: bool,
    /// True if there is a user mode.
    pub user: bool,
    /// True if an instruction that only reads a register writes its value back.
    pub writes_always: bool,
    /// How the core treats an access to an absent control and status register, by the names of
    /// [`ABSENT`].
    pub absent: Option<String>,
    /// The parameter that says how many of the highest bits of an interrupt's or an access's `mepc` are
    /// written where the instruction's own bits lead, if they are.
    pub late: Option<String>,
    /// Bits of `mstatus` that are set on the way to the handler.
    pub enter_sets: u32,
    /// Bits of `mstatus` that `mret` sets.
    pub return_sets: u32,
    /// Bits of `mstatus` that `mret` clears.
    pub return_clears: u32,
    /// The control and status registers, by name.
    pub csrs: BTreeMap<String, Csr>,
}

/// PicoRV32's own interrupts, where a core has them instead of traps.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Irq {
    /// Conditions on the core's parameters, all of which must hold for any of this to be there.
    pub when: Vec<String>,
    /// Address of the handler.
    pub handler: u32,
    /// Conditions under which it has the registers q0 to q3.
    pub registers: Vec<String>,
}

/// A control and status register.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Csr {
    /// Its number.
    pub number: u16,
    /// Its value after reset.
    pub reset: u32,
    /// Its bits that a read shows.
    pub reads: u32,
    /// Its bits that a write changes.
    pub writes: u32,
    /// The count that the machine returns there instead, as `cycles` or `instructions_high`.
    pub counter: Option<String>,
    /// True if the core has it, but the simulation does not.
    pub unmodelled: bool,
}

/// Exceptions that can lead to a handler.
pub const EXCEPTIONS: &[&str] =
    &["environment_call", "breakpoint", "illegal_instruction", "unaligned"];

/// How a core treats an unaligned access: it raises an exception, or makes it in parts.
pub const UNALIGNED: &[&str] = &["refuse", "split"];

/// An access to a register that is not there is no instruction, or reads 0 and writes nothing.
pub const ABSENT: &[&str] = &["refuse", "zero"];

/// The events that a register can count.
pub const COUNTERS: &[&str] = &["cycles", "cycles_high", "instructions", "instructions_high"];

const WORD: std::ops::RangeInclusive<i64> = 0..=0xffff_ffff;

/// Reads the section `[traps]` and the sections `[csr.NAME]`.
pub fn privileged(reader: &Reader, top: &Section<'_>, when: Vec<String>) -> Privileged {
    let exceptions = |key| known(reader, top.texts(key), "exception", EXCEPTIONS);
    let bits = |key| word(top, key, 0);
    let rule = top.text("unaligned");
    Privileged {
        when,
        exceptions: exceptions("exceptions"),
        values: exceptions("values"),
        unaligned: known(reader, rule.into_iter().collect(), "rule", UNALIGNED).pop(),
        interrupt_value: top.integer("interrupt_value", WORD).map(|number| number.value as u32),
        interrupts: top
            .integers("interrupts", &(0..=31))
            .into_iter()
            .map(|number| number as u8)
            .collect(),
        handler: word(top, "handler", 0xffff_fffc),
        vectored: top.switch("vectored"),
        user: top.switch("user"),
        writes_always: top.switch("writes_always"),
        absent: known(reader, top.text("absent").into_iter().collect(), "rule", ABSENT).pop(),
        late: top.text("late").map(|name| name.value),
        enter_sets: bits("enter_sets"),
        return_sets: bits("return_sets"),
        return_clears: bits("return_clears"),
        csrs: BTreeMap::new(),
    }
}

/// Reads the section `[irq]`, whose conditions are known.
pub fn irq(section: &Section<'_>, when: Vec<String>, registers: Vec<String>) -> Irq {
    Irq { when, handler: word(section, "handler", 0x10), registers }
}

/// Reads the section of a control and status register.
pub fn csr(reader: &Reader, section: &Section<'_>) -> Csr {
    let counter = known(reader, section.text("counter").into_iter().collect(), "counter", COUNTERS);
    let csr = Csr {
        number: section.number("number", 0..=0xfff) as u16,
        reset: word(section, "reset", 0),
        reads: word(section, "reads", u32::MAX),
        writes: word(section, "writes", 0),
        counter: counter.into_iter().next(),
        unmodelled: section.switch("unmodelled"),
    };
    section.finish();
    csr
}

fn word(section: &Section<'_>, key: &'static str, otherwise: u32) -> u32 {
    section.integer(key, WORD).map_or(otherwise, |number| number.value as u32)
}

fn known(
    reader: &Reader,
    spots: Vec<Spot<String>>,
    what: &str,
    names: &'static [&'static str],
) -> Vec<String> {
    for spot in &spots {
        if !names.contains(&spot.value.as_str()) {
            reader.unknown(spot, what, names.iter().copied());
        }
    }
    spots.into_iter().map(|spot| spot.value).collect()
}
